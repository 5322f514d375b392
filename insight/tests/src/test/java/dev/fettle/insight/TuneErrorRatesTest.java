package dev.fettle.insight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.TuneConclusion.Result;
import dev.fettle.insight.tune.TuneExperiment;
import dev.fettle.model.plan.Budget;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.DoubleRange;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** How often a tune is wrong, and what holds for every tune. */
class TuneErrorRatesTest {
    private record Surface(String name, Simulated server, int from, int to, boolean improvable) {
        double best() {
            double best = 0;
            for (int m = from; m <= to; m++) {
                best = Math.max(best, server.throughput(m));
            }
            return best;
        }
    }

    private static final List<Surface> SURFACES = List.of(
            new Surface(
                    "wiremock: 25 threads, 50 ms, 300 clients",
                    Simulated.server(25, 0.050, 0.000227, 1, 300),
                    4,
                    1024,
                    true),
            new Surface(
                    "login: 200 threads, 20 ms wait, 2 ms CPU",
                    Simulated.server(200, 0.020, 0.002, 4, 500),
                    4,
                    1000,
                    false),
            new Surface(
                    "CPU-bound: no wait, 2 cores, switching",
                    Simulated.server(200, 0, 0.0005, 2, 256).switching(0.002),
                    2,
                    512,
                    true),
            new Surface(
                    "knee: 8 threads, 5 ms wait, 1 ms CPU", Simulated.server(8, 0.005, 0.001, 4, 200), 2, 1000, true),
            new Surface(
                    "collapse: 400 threads, 2 ms wait, switching",
                    Simulated.server(400, 0.002, 0.0005, 4, 400).switching(0.01),
                    2,
                    1000,
                    true),
            new Surface(
                    "few clients: 10 threads, 100 ms, 40 clients",
                    Simulated.server(10, 0.100, 0.001, 4, 40),
                    2,
                    1000,
                    true),
            new Surface(
                    "the range ends early: 200 ms, 800 clients",
                    Simulated.server(5, 0.2, 0.0002, 2, 800),
                    5,
                    120,
                    true));

    @TestFactory
    List<DynamicTest> findsTheBestOfTheGridWithinTwelveTrials() {
        var tests = new ArrayList<DynamicTest>();
        for (double noise : new double[] {0.02, 0.05}) {
            for (Surface s : SURFACES) {
                tests.add(DynamicTest.dynamicTest(s.name() + ", noise " + noise, () -> regret(s, noise)));
            }
        }
        return tests;
    }

    private static void regret(Surface surface, double noise) {
        var runs = new Runs(30);
        var good = runs.atLeast("95 % of the best", (int) (30 * (noise < 0.03 ? 0.95 : 0.8)));
        var improved = runs.atLeast("an improvement shown", surface.improvable() ? 28 : 0);
        double sum = 0;
        double trials = 0;
        for (int seed : runs) {
            Simulated server = surface.server().seed(seed).noise(noise);
            Simulated.Run run = server.drive(new TuneExperiment(server.plan(surface.from(), surface.to())));
            double share = server.throughput(server.threadsOf(run.tune().winner())) / surface.best();
            sum += share;
            good.count(share >= 0.95);
            long search = run.seen().size() - run.trials(Phase.DUEL);
            assertThat(search).isLessThanOrEqualTo(12);
            trials += search;
            improved.count(run.tune().result() == Result.IMPROVED);
        }
        System.out.printf(
                "%s, noise %.0f %%: found %.1f %% of the best on average, >= 95 %% in %s, %.1f trials, improved in %s%n",
                surface.name(), 100 * noise, 100 * sum / runs.done(), good, trials / runs.done(), improved);
        assertThat(sum / runs.done()).isGreaterThanOrEqualTo(0.95);
        runs.check();
    }

    @Test
    void aFlatSurfaceShowsNoImprovement() {
        var runs = new Runs(60);
        var wrong = runs.atMost("an improvement claimed", 3);
        // the duel is what is tested
        var duels = runs.atLeast("a duel held", 7);
        for (int seed : runs) {
            // whatever the setting, the CPU alone decides
            Simulated flat = Simulated.server(64, 0, 0.001, 2, 64).noise(0.05).seed(seed);
            var knobs = List.of(
                    KnobRange.interval("threads.max", 4, 64),
                    KnobRange.choices("jvm.gc", List.of("serial", "parallel", "g1")),
                    KnobRange.interval("backlog", 50, 4000));
            Simulated.Run run = flat.drive(
                    new TuneExperiment(flat.plan(knobs, Objective.DEFAULT, new Budget(14, Duration.ofHours(1), 5))));
            wrong.count(run.tune().result() == Result.IMPROVED);
            duels.count(run.trials(Phase.DUEL) > 0);
        }
        System.out.printf("tunes of a flat surface: an improvement claimed in %s, a duel held in %s%n", wrong, duels);
        runs.check();
    }

    @Property(tries = 40)
    void everyPrefixOfARunGoesOnAsTheRunDid(
            @ForAll @LongRange(min = 0, max = 1_000_000) long seed,
            @ForAll @DoubleRange(min = 0, max = 0.4) double voids,
            @ForAll @IntRange(min = 0, max = 6) int surface) {
        Surface s = SURFACES.get(surface);
        Simulated server = s.server().seed(seed).voids(voids).noise(0.04);
        var plan = server.plan(s.from(), s.to());
        Simulated.Run run = server.drive(new TuneExperiment(plan));
        // a third of them in each run: other ones in the next
        for (int n = (int) (seed % 3); n < run.seen().size(); n += 3) {
            Experiment.Step.Run was = run.steps().get(n);
            int at = n;
            boolean secondOfAPair = half(run, n);
            switch (new TuneExperiment(plan).next(run.seen().subList(0, n))) {
                case Experiment.Step.Run again
                when secondOfAPair -> {
                    assertThat(again.spec()).isEqualTo(was.spec());
                    assertThat(again.purpose()).isEqualTo(was.purpose());
                }
                case Experiment.Step.Pair(var first, var second) ->
                    assertThat(List.of(first, second)).isEqualTo(run.steps().subList(at, at + 2));
                case Experiment.Step step -> assertThat(step).isEqualTo(was);
            }
        }
        assertThat(((Experiment.Step.Stop) new TuneExperiment(plan).next(run.seen())).conclusion())
                .isEqualTo(run.conclusion());
    }

    /** Whether a trial is the second one of its pair: what a journal of before may end with. */
    private static boolean half(Simulated.Run run, int n) {
        TrialSpec now = run.seen().get(n).spec();
        TrialSpec before = run.seen().get(Math.max(0, n - 1)).spec();
        return now.phase() == before.phase()
                && now.block() == before.block()
                && !now.variant().equals(before.variant())
                && (now.phase() == Phase.DUEL || now.phase() == Phase.RACE);
    }

    @Property(tries = 100)
    void voidDataAreNeverUsedAndBudgetsHold(
            @ForAll @LongRange(min = 0, max = 1_000_000) long seed,
            @ForAll @DoubleRange(min = 0, max = 0.5) double voids,
            @ForAll @IntRange(min = 3, max = 20) int trials,
            @ForAll @IntRange(min = 3, max = 7) int pairs,
            @ForAll @IntRange(min = 45, max = 900) int seconds) {
        Simulated server =
                Simulated.server(25, 0.050, 0.000227, 1, 300).seed(seed).voids(voids);
        var plan = server.plan(
                List.of(KnobRange.interval("threads.max", 4, 1024)),
                Objective.DEFAULT,
                new Budget(trials, Duration.ofSeconds(seconds), pairs));
        Simulated.Run run = server.drive(new TuneExperiment(plan));
        TuneConclusion c = run.tune();
        // void trials claim twenty times what is possible
        double possible = 1.2 * server.throughput(1024);
        assertThat(c.candidates()).allMatch(x -> x.throughput().estimate() <= possible);
        assertThat(c.pairs()).allMatch(p -> p.winner() <= possible && p.baseline() <= possible);
        // what comes on top of it: repeats of void attempts, half as many; and the default again while it has no
        // figures
        long lost = blocksOfTheDefault(run, t -> true) - blocksOfTheDefault(run, TrialOutcome::valid);
        assertThat(lost).isLessThanOrEqualTo(trials); // all of them, if it never gets any
        assertThat(run.seen().size() - run.trials(Phase.DUEL))
                .isLessThanOrEqualTo(trials + Math.max(2, trials / 2) + lost);
        // half as much again is for the repeats of void trials, and for nothing else
        boolean repeats = run.seen().stream().anyMatch(t -> !t.valid());
        assertThat(run.seconds()).isLessThanOrEqualTo(repeats ? 1.5 * seconds : seconds);
        assertThat(c.pairs().size()).isLessThanOrEqualTo(pairs);
        if (c.result() == Result.IMPROVED) {
            assertThat(c.pairs().size()).isGreaterThanOrEqualTo(3);
            assertThat(c.ratio().orElseThrow().low()).isGreaterThan(c.threshold());
        }
        if (run.seen().stream().allMatch(t -> t.verdict().valid())) {
            assertThat(run.steps().getFirst().leftAtMost())
                    .isGreaterThanOrEqualTo(run.seen().size());
        }
    }

    private static long blocksOfTheDefault(Simulated.Run run, Predicate<TrialOutcome> which) {
        return run.seen().stream()
                .filter(t -> t.spec().phase() == Phase.BASELINE)
                .filter(which)
                .map(t -> t.spec().block())
                .distinct()
                .count();
    }
}
