package dev.fettle.insight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.CompareConclusion.Layer;
import dev.fettle.insight.compare.CompareExperiment;
import dev.fettle.insight.stats.Interval;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Variant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Layers of a simulated application: what each adds is known. */
class LayersTest {
    private static final int CLIENTS = 16;

    private static Simulated layer(double waiting, double cpu) {
        return Simulated.server(64, waiting, cpu, 1, CLIENTS).noise(0.02);
    }

    /** CPU-bound at 100 µs a request; 200 µs more; and a service that takes 20 ms. */
    private static final Map<String, Simulated> PAGE =
            Map.of("empty", layer(0, 0.0001), "mocked", layer(0, 0.0003), "whole", layer(0.02, 0.0003));

    private static CompareConclusion ladder(Map<String, Simulated> truth, long seed, String... names) {
        var layers = Stream.of(names)
                .map(n -> new Variant(n, Simulated.target(), Setting.DEFAULT))
                .toList();
        var plan = Plan.of("p", Simulated.target(), Simulated.load(CLIENTS))
                .withCompare(
                        Optional.of(new Plan.Compare(layers, List.of(), 4, Optional.empty(), true, Optional.empty())))
                .withSeed(seed);
        return (CompareConclusion) Simulated.drive(
                        (ordinal, spec) -> truth.get(spec.variant())
                                .seed(seed * 100 + ordinal)
                                .run(ordinal, spec),
                        new CompareExperiment(plan))
                .conclusion();
    }

    private static boolean holds(Interval i, double truth) {
        return i.low() <= truth && truth <= i.high();
    }

    @Test
    void theLayerThatCostsMostIsNamedWithWhatItAdds() {
        // CPU time is without noise here: in one seed of eight its interval is all of rounding, and misses by 0.001 µs
        CompareConclusion c = ladder(PAGE, 3, "empty", "mocked", "whole");
        assertThat(c.headline())
                .startsWith("'whole' adds most by the estimates, of 2 layers")
                .contains("of waiting to a request", " Next: 'mocked' (an answer every ")
                .containsPattern(
                        "an answer every [0-9.]+ ms with it, every [0-9.]+ ms without, 0\\.[0-9]+ times the throughput of 'mocked'");
        List<Layer> layers = c.conditions().getFirst().layers();
        assertThat(layers).extracting(Layer::name).containsExactly("mocked", "whole");
        assertThat(layers.get(0)).satisfies(l -> {
            assertThat(l.shown()).isTrue();
            assertThat(holds(l.throughput(), 1 / 3.0)).isTrue();
            assertThat(holds(l.cpuMicros().orElseThrow(), 200)).isTrue();
        });
        assertThat(layers.get(1)).satisfies(l -> {
            assertThat(l.before()).isEqualTo("mocked");
            assertThat(holds(l.cpuMicros().orElseThrow(), 0))
                    .as("it only waits")
                    .isTrue();
            assertThat(l.waitingMicros().orElseThrow().low()).isPositive();
        });
        assertThat(c.conditions().getFirst().contrasts())
                .as("each and the one before")
                .hasSize(2);
    }

    @Test
    void aLayerThatAddsNothingIsNotShownToCost() {
        int shown = 0;
        for (int seed = 0; seed < 60; seed++) {
            CompareConclusion c = ladder(Map.of("a", PAGE.get("mocked"), "b", PAGE.get("mocked")), seed, "a", "b");
            boolean named = !c.headline().startsWith("No layer is shown to cost");
            assertThat(named)
                    .as("the headline says what the figures say")
                    .isEqualTo(c.conditions().getFirst().layers().getFirst().shown()
                            && c.conditions()
                                            .getFirst()
                                            .layers()
                                            .getFirst()
                                            .throughput()
                                            .estimate()
                                    < 1);
            shown += c.conditions().getFirst().layers().getFirst().shown() ? 1 : 0;
        }
        assertThat(shown).isLessThanOrEqualTo(3);
    }
}
