package dev.fettle.insight.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Explanation;
import dev.fettle.insight.Explanation.Limit;
import dev.fettle.insight.Explanation.Support;
import dev.fettle.insight.Simulated;
import dev.fettle.insight.diagnose.Points;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A limit is tested by the run's own trials where these had more of what it is about. */
class RaisedInRunTest {
    private static final int SEEDS = Integer.getInteger("fettle.runs", 300);
    private static final int THREADS = 200;

    /** Trials of a server with threads and CPU to spare, under so many clients each. */
    private static List<TrialOutcome> run(IntToDoubleFunction truth, double noise, long seed, int... clients) {
        var random = new Random(seed * 7919);
        var run = new ArrayList<TrialOutcome>();
        for (int n : clients) {
            run.add(trial(run.size() + 1, n, truth.applyAsDouble(n) * Math.exp(noise * random.nextGaussian()), random));
        }
        return run;
    }

    private static TrialOutcome trial(int ordinal, int clients, double rate, Random random) {
        var spec = new TrialSpec(
                TrialSpec.Phase.SWEEP,
                "",
                Map.of("load.connections", Integer.toString(clients)),
                0,
                Simulated.target(),
                Setting.of("threads.max", Integer.toString(THREADS)),
                Simulated.load(clients));
        return Simulated.server(THREADS, 0.1, 0.0001, 2, clients)
                .outcome(ordinal, spec, THREADS, rate, 0.0001, false, random);
    }

    private static Explanation first(List<TrialOutcome> run) {
        return Points.explain(run.getFirst(), run).orElseThrow();
    }

    @Test
    void moreClientsGaveMore() {
        Explanation e = first(run(n -> n / 0.1, 0, 1, 40, 80));
        assertThat(e.limit()).isEqualTo(Limit.CLIENTS);
        assertThat(e.support()).isEqualTo(Support.SHOWN);
        assertThat(e.refutedBy()).isEmpty();
        assertThat(e.sentences().getFirst()).doesNotContain("would tell");
        assertThat(e.sentences().get(1))
                .isEqualTo(
                        "The run has tried more: with load.connections 80 instead of 40, all else alike, it gave 800/s"
                                + " instead of 400/s (one trial against 1), so the clients were the limit.");
    }

    @Test
    void moreClientsGaveNoMore() {
        Explanation e = first(run(n -> 400, 0, 1, 40, 80, 40, 80));
        assertThat(e.limit()).as("withdrawn").isEqualTo(Limit.UNKNOWN);
        assertThat(e.support()).isEqualTo(Support.CONSISTENT);
        assertThat(e.refutedBy()).isEmpty();
        assertThat(e.sentences().get(1)).contains("the clients were not the limit, or not the only one");
    }

    /** A server with one thread: a second CPU gave nothing, so that nobody is sent for more. */
    @Test
    void moreCpusGaveNoMore() {
        var random = new Random(1);
        var run = new ArrayList<TrialOutcome>();
        for (int cpus : new int[] {1, 2, 1, 2}) {
            TrialOutcome o = trial(run.size() + 1, 40, 1000, random);
            run.add(Simulated.with(
                    o,
                    e -> e.with()
                            .serverCpus(cpus)
                            .aggregates(
                                    e.aggregates().with(Aggregate.SERVER_CPU_SECONDS, OptionalFigure.of(seconds(o))))
                            .build()));
        }
        Explanation e = first(run);
        assertThat(e.limit()).isEqualTo(Limit.CPU);
        assertThat(e.sentences().getFirst()).endsWith("Less work per request would help.");
        assertThat(e.sentences().get(1)).contains("the CPUs were not the limit, or not the only one");
        assertThat(first(run.subList(0, 1)).sentences().getFirst()).endsWith("or more CPUs would help.");
    }

    private static double seconds(TrialOutcome o) {
        return o.measurement().orElseThrow().elapsed().toNanos() / 1e9;
    }

    /** How long it was measured, and after how long a warm-up at most, makes no other test of it. */
    @Test
    void aShorterTrialTestsItAsWell() {
        List<TrialOutcome> run = run(n -> n / 0.1, 0, 1, 40, 80);
        run.set(1, ExplanationClaimsTest.shortened(run.get(1)));
        assertThat(first(run).sentences().get(1)).contains("so the clients were the limit");
    }

    @Test
    void oneTrialThatWasHeldUpRefutesNothing() {
        Explanation e = first(run(n -> 400, 0, 1, 40, 80));
        assertThat(e.limit()).isEqualTo(Limit.CLIENTS);
        assertThat(e.support()).isEqualTo(Support.CONSISTENT);
        assertThat(e.refutedBy()).contains("load.connections");
        assertThat(e.sentences().get(1)).endsWith("which leaves open whether that is a rise.");
    }

    @Test
    void whatDiffersInMoreThanOneThingOrHardlyIsNoTest() {
        List<TrialOutcome> run = run(n -> n / 0.1, 0, 1, 40, 80);
        TrialOutcome other = run.get(1);
        var elsewhere = other.spec()
                .with()
                .variant("")
                .point(Map.of())
                .block(0)
                .setting(Setting.of("threads.max", "300"))
                .build();
        run.set(
                1,
                Simulated.server(THREADS, 0.1, 0.0001, 2, 80)
                        .outcome(2, elsewhere, 300, 800, 0.0001, false, new Random(1)));
        assertThat(first(run).refutedBy()).contains("load.connections");
        assertThat(first(run(n -> n / 0.1, 0, 1, 40, 50)).refutedBy()).contains("load.connections");
        assertThat(first(run(n -> n / 0.1, 0, 1, 80, 40)).refutedBy())
                .as("fewer clients")
                .contains("load.connections");
    }

    /** Two trials each; a rate in proportion to the clients, and one that does not depend on them. */
    @ParameterizedTest
    @ValueSource(doubles = {0.02, 0.05, 0.1})
    void isSeldomWrong(double noise) {
        int wrong = 0;
        int decided = 0;
        for (int seed = 1; seed <= SEEDS; seed++) {
            for (boolean grows : new boolean[] {true, false}) {
                List<TrialOutcome> run = run(n -> grows ? n / 0.1 : 400, noise, seed, 40, 80, 40, 80);
                RaisedInRun tried = RaisedInRun.of("load.connections", run.getFirst(), run, t -> 0)
                        .orElseThrow();
                decided += tried.decided() == RaisedInRun.Decision.OPEN ? 0 : 1;
                wrong += tried.decided() == (grows ? RaisedInRun.Decision.SAME : RaisedInRun.Decision.MORE) ? 1 : 0;
            }
        }
        System.out.printf("noise %.0f %%: %d of %d decided, %d wrong%n", 100 * noise, decided, 2 * SEEDS, wrong);
        assertThat(wrong).isLessThanOrEqualTo(2 * SEEDS / 50);
        assertThat(decided).isGreaterThan(noise > 0.08 ? SEEDS / 4 : SEEDS);
    }

    @Test
    void oneConnectionIsOne() {
        assertThat(AcceptQueue.were(1)).isEqualTo("one connection was");
        assertThat(AcceptQueue.were(0)).isEqualTo("0 connections were");
    }
}
