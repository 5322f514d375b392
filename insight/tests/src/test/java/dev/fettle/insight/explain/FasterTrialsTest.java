package dev.fettle.insight.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Explanation;
import dev.fettle.insight.Explanation.Limit;
import dev.fettle.insight.Explanation.Support;
import dev.fettle.insight.Simulated;
import dev.fettle.insight.diagnose.Points;
import dev.fettle.load.api.Protocol;
import dev.fettle.load.api.TransportKind;
import dev.fettle.load.api.Wire;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Clients that got more under another setting of the same run were not the limit. */
class FasterTrialsTest {
    private static final int SEEDS = Integer.getInteger("fettle.runs", 300);
    private static final int THREADS = 200;
    private static final int CLIENTS = 100;
    private static final Setting HELD = Setting.of("threads.max", Integer.toString(THREADS));

    private static TrialOutcome trial(int ordinal, Setting setting, double rate, Random random) {
        var spec = new TrialSpec(
                TrialSpec.Phase.SEARCH, "", Map.of(), 0, Simulated.target(), setting, Simulated.load(CLIENTS));
        return Simulated.server(THREADS, 0.1, 0.0001, 2, CLIENTS)
                .outcome(ordinal, spec, THREADS, rate, 0.0001, false, random);
    }

    private static Explanation first(List<TrialOutcome> run) {
        return Points.explain(run.getFirst(), run).orElseThrow();
    }

    @Test
    void aPoolOfTheApplicationThatGaveMoreWasTheLimit() {
        var random = new Random(1);
        var run = new ArrayList<TrialOutcome>();
        for (int i = 0; i < 3; i++) {
            run.add(trial(run.size() + 1, HELD.with("own.pool", "10"), 489, random));
            run.add(trial(run.size() + 1, HELD.with("own.pool", "100"), 4800, random));
        }
        Explanation slow = first(run);
        assertThat(slow.limit()).isEqualTo(Limit.BEHIND_THREADS);
        assertThat(slow.support()).isEqualTo(Support.SHOWN);
        assertThat(slow.refutedBy()).isEmpty();
        assertThat(slow.sentences().getFirst())
                .isEqualTo(
                        "The clients alone are not the limit, though each of them is being served: with own.pool=100 the same"
                                + " 100 clients got 4,800/s instead of 489/s, as a request held its thread for 20.8 ms instead of"
                                + " 204 ms.");
        assertThat(slow.sentences().get(1))
                .startsWith("The run has tried more: with own.pool 100 instead of 10")
                .endsWith("so own.pool was the limit.");
        assertThat(slow.sentences()).noneMatch(s -> s.contains("is all they ask for"));
        Explanation quick = Points.explain(run.get(1), run).orElseThrow();
        assertThat(quick.limit()).as("nothing gave more").isEqualTo(Limit.CLIENTS);
    }

    @Test
    void anotherKnobThatGaveMoreRefutesTheClientsAndNamesNoLimit() {
        var random = new Random(1);
        List<TrialOutcome> run =
                List.of(trial(1, HELD, 1000, random), trial(2, HELD.with("jvm.gc", "parallel"), 1500, random));
        Explanation e = first(run);
        assertThat(e.limit()).isEqualTo(Limit.UNKNOWN);
        assertThat(e.support()).isEqualTo(Support.CONSISTENT);
        assertThat(e.sentences().getFirst())
                .contains(
                        "The clients alone are not the limit", "with jvm.gc=parallel the same 100 clients got 1,500/s");
        Explanation back = Points.explain(
                        trial(3, HELD.with("jvm.gc", "parallel"), 1000, random), List.of(trial(4, HELD, 1500, random)))
                .orElseThrow();
        assertThat(back.sentences().getFirst()).contains("with jvm.gc at its default the same");
    }

    private static TrialOutcome streams(int ordinal, Setting setting, double rate, Random random) {
        var wire = new Wire(Protocol.HTTP_2, 10, Optional.empty(), TransportKind.AUTO, List.of());
        Load load = Simulated.load(CLIENTS / 10).withWire(wire);
        var spec = new TrialSpec(TrialSpec.Phase.SEARCH, "", Map.of(), 0, Simulated.target(), setting, load);
        return Simulated.server(THREADS, 0.1, 0.0001, 2, CLIENTS)
                .outcome(ordinal, spec, THREADS, rate, 0.0001, false, random);
    }

    /** Ten connections of ten streams are a hundred clients. */
    @Test
    void streamsAreClients() {
        var random = new Random(1);
        List<TrialOutcome> run =
                List.of(streams(1, HELD, 1000, random), streams(2, HELD.with("jvm.gc", "parallel"), 1500, random));
        assertThat(first(run).sentences().getFirst()).contains("the same 100 clients got 1,500/s");
    }

    /** Two settings that are alike differ by luck: whether the clients are "not the limit" is then said in at most 5 % of runs. */
    @Test
    void noiseRefutesNothing() {
        int said = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            var random = new Random(seed * 7919L);
            var run = new ArrayList<TrialOutcome>();
            for (int i = 0; i < 3; i++) {
                for (String gc : List.of("serial", "parallel", "g1")) {
                    double rate = 1000 * Math.exp(0.08 * random.nextGaussian());
                    run.add(trial(run.size() + 1, HELD.with("jvm.gc", gc), rate, random));
                }
            }
            said += first(run).sentences().getFirst().startsWith("The clients alone are not the limit") ? 1 : 0;
        }
        assertThat(said).isLessThanOrEqualTo(SEEDS / 20);
    }

    /** A search has one trial of each of many settings. */
    @Test
    void theLuckiestOfManyRefutesNothing() {
        int said = 0;
        for (int seed = 0; seed < SEEDS; seed++) {
            var random = new Random(seed * 7919L);
            var run = new ArrayList<TrialOutcome>();
            for (int i = 0; i < 12; i++) {
                double rate = 1000 * Math.exp(0.05 * random.nextGaussian());
                run.add(trial(i + 1, HELD.with("jvm.heap", (64 + i) + "m"), rate, random));
            }
            said += first(run).sentences().getFirst().startsWith("The clients alone are not the limit") ? 1 : 0;
        }
        assertThat(said).isLessThanOrEqualTo(SEEDS / 20);
    }
}
