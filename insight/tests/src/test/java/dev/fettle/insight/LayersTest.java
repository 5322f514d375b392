package dev.fettle.insight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fettle.insight.CompareConclusion.Layer;
import dev.fettle.insight.capacity.Tamper;
import dev.fettle.insight.compare.CompareExperiment;
import dev.fettle.insight.stats.Interval;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Variant;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
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
                        "an answer every [0-9.]+ ms with it, every [0-9.]+ µs without, 0\\.[0-9]+ times the throughput of 'mocked'");
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

    private static CompareConclusion of(List<String> names, UnaryOperator<TrialOutcome> tamper) {
        var layers = names.stream()
                .map(n -> new Variant(n, Simulated.target(), Setting.DEFAULT))
                .toList();
        var plan = Plan.of("p", Simulated.target(), Simulated.load(CLIENTS))
                .withCompare(
                        Optional.of(new Plan.Compare(layers, List.of(), 4, Optional.empty(), true, Optional.empty())));
        return (CompareConclusion) Simulated.drive(
                        (ordinal, spec) -> tamper.apply(
                                PAGE.get(spec.variant()).seed(ordinal).run(ordinal, spec)),
                        new CompareExperiment(plan))
                .conclusion();
    }

    /** The layer before it fails a fifth of its requests, or dies in a block: its figures are no measure of the next one's cost. */
    @Test
    void whatAContrastWithholdsTheLayersDoNotClaim() {
        CompareConclusion lossy =
                of(List.of("empty", "mocked"), o -> o.spec().variant().equals("empty") ? lossy(o) : o);
        assertThat(lossy.conditions().getFirst().layers())
                .extracting(Layer::shown)
                .containsExactly(false);
        assertThat(lossy.headline())
                .startsWith(
                        "empty can't be called better than mocked, as it left more requests undone than the limits allow."
                                + " Not within the limits: empty (errors 20 % for a limit of ");
        CompareConclusion dies = of(
                List.of("empty", "mocked", "whole"),
                o -> o.spec().variant().equals("empty") && o.spec().block() == 1
                        ? Tamper.failed(o, TrialOutcome.Kind.DIED, "gone")
                        : o);
        assertThat(dies.conditions().getFirst().layers())
                .extracting(Layer::shown)
                .containsExactly(false, true);
        assertThat(dies.headline())
                .startsWith("empty can't be called better than mocked, as it failed. 'whole' is the one layer")
                .endsWith(" Failed: empty crashed in 1 of 4 blocks.");
    }

    /** A block in which one of the two is void is in no figure of the headline. */
    @Test
    void theTimesOfALayerAreOfTheBlocksThatTheRatioIsOf() {
        CompareConclusion c = of(List.of("empty", "mocked"), o -> {
            if (o.spec().block() != 2) {
                return o;
            }
            return o.spec().variant().equals("empty")
                    ? Tamper.faster(o, 0.25)
                    : Tamper.voided(o, "generator-limit", false);
        });
        Layer l = c.conditions().getFirst().layers().getFirst();
        assertThat(l.blocks()).isEqualTo(3);
        assertThat(l.everyBefore() / l.everyWith()).isCloseTo(l.throughput().estimate(), within(1e-9));
    }

    private static TrialOutcome lossy(TrialOutcome o) {
        Measurement m = o.measurement().orElseThrow();
        return Tamper.measured(
                o, Tamper.errors(m, m.responses(), Map.of(ErrorKind.READ_TIMEOUT, m.responses() / 4)), o.verdict());
    }
}
