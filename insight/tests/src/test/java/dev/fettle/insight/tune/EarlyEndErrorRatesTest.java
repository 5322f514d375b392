package dev.fettle.insight.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Conclusion;
import dev.fettle.insight.Experiment;
import dev.fettle.insight.Experiment.Step;
import dev.fettle.insight.GiveUp;
import dev.fettle.insight.Simulated;
import dev.fettle.insight.Swings;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.insight.gate.EarlyStopping;
import dev.fettle.insight.trials.AttemptStatus;
import dev.fettle.insight.trials.Origin;
import dev.fettle.insight.tune.WarmingServer.World;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Budget;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Trials that are ended early: how often one that is as good as the best is given up, what is saved, and what that does to the
 * search. 200 runs a cell by {@code -Dfettle.runs=200 -Dfettle.models=200}.
 */
@Tag("long")
class EarlyEndErrorRatesTest {
    private static final int RUNS = Integer.getInteger("fettle.runs", 8);
    /** A model of several knobs takes its time to fit. */
    private static final int MODELS = Integer.getInteger("fettle.models", 1);

    private static final boolean WHOLE_PROOF = Integer.getInteger("fettle.runs") != null;

    private static final Swings CALM = new Swings("3 % for 2 s", 0.02, 0.03, 2);
    private static final Swings ROUGH = new Swings("10 % for 10 s", 0.03, 0.1, 10);

    private static final List<World> WORLDS = List.of(
            new World("2 % noise, τ 1 to 3 s", 0.02, 0, CALM, 1, 3, 0, 0),
            new World("5 % noise, drift 3 %, τ 1 to 15 s", 0.05, 0.03, CALM, 1, 15, 0, 0),
            new World("5 % noise, stalls, slow starts, τ 1 to 8 s", 0.05, 0, CALM, 1, 8, 0.3, 0.3),
            new World("10 % noise, drift 5 %, swings, stalls, τ 1 to 8 s", 0.1, 0.05, ROUGH, 1, 8, 0.1, 0.1));

    /** Of all worlds: settings whose knobs do much harm in a part of their range. */
    private record Surface(String name, List<KnobRange> knobs, ToDoubleFunction<Setting> factor) {
        boolean model() {
            return knobs.size() > 1;
        }
    }

    private static boolean is(Setting s, String knob, String value) {
        return s.get(knob).filter(value::equals).isPresent();
    }

    private static final KnobRange THREADS = KnobRange.interval("threads.max", 1, 400);

    private static final List<Surface> SURFACES = List.of(
            new Surface("one knob, the pool", List.of(THREADS), s -> 1),
            new Surface("one knob, flat", List.of(KnobRange.interval("backlog", 1, 4000)), s -> 1),
            new Surface(
                    "three knobs, bad regions",
                    List.of(
                            THREADS,
                            KnobRange.choices("jvm.gc", List.of("serial", "parallel", "g1")),
                            KnobRange.interval("backlog", 10, 4000)),
                    s -> (is(s, "jvm.gc", "serial") ? 0.4 : is(s, "jvm.gc", "parallel") ? 1.1 : 1)
                            * (s.get("backlog").map(Integer::parseInt).orElse(100) < 60 ? 0.5 : 1)),
            new Surface(
                    "three knobs, flat",
                    List.of(
                            KnobRange.choices("jvm.gc", List.of("serial", "parallel", "g1")),
                            KnobRange.interval("backlog", 10, 4000),
                            KnobRange.choices("threads.virtual", List.of("true", "false"))),
                    s -> 1));

    /** What happened to the search's trials in some tunes. */
    private static final class Tally {
        private int tunes;
        private int trials;
        private int early;
        private int asGood;
        private int asGoodEarly;
        private int nearly;
        private int nearlyEarly;
        private double seconds;
        private double regret;

        void add(Tally o) {
            asGood += o.asGood;
            asGoodEarly += o.asGoodEarly;
        }
    }

    /** Runs a tune up to its duel. */
    private static void search(WarmingServer server, Plan plan, Tally tally, double best) {
        var experiment = new TuneExperiment(plan);
        var seen = new ArrayList<TrialOutcome>();
        double top = 0;
        while (true) {
            List<Step.Run> runs = switch (experiment.next(List.copyOf(seen))) {
                case Step.Stop _ -> List.of();
                case Step.Run run -> List.of(run);
                case Step.Kept kept -> List.of(kept.run());
                case Step.Live live -> List.of(live.run());
                case Step.Pair pair -> List.of(pair.first(), pair.second());
            };
            Optional<Setting> winner = runs.stream()
                    .map(Step.Run::spec)
                    .filter(s -> s.phase() == Phase.DUEL && s.variant().equals("candidate"))
                    .map(s -> s.setting())
                    .findFirst();
            if (winner.isPresent() || runs.isEmpty()) {
                tally.tunes++;
                tally.regret += 1 - server.truth(winner.orElse(Setting.DEFAULT)) / best;
                tally.seconds += seen.stream()
                        .mapToDouble(t -> t.took().toMillis() / 1e3)
                        .sum();
                return;
            }
            for (Step.Run run : runs) {
                TrialOutcome o = server.run(seen.size() + 1, run);
                seen.add(o);
                double truth = server.truth(run.spec().setting());
                tally.trials++;
                if (run.giveUp().isPresent()) {
                    boolean ended = EarlyStopping.is(o);
                    tally.early += ended ? 1 : 0;
                    if (truth >= 0.999 * top) {
                        tally.asGood++;
                        tally.asGoodEarly += ended ? 1 : 0;
                    } else if (truth >= 0.85 * top) {
                        tally.nearly++;
                        tally.nearlyEarly += ended ? 1 : 0;
                    }
                }
                if (AttemptStatus.of(o).counts()) {
                    top = Math.max(top, truth);
                }
            }
        }
    }

    private static Plan plan(Simulated shape, Surface surface, int trials, boolean whole) {
        return shape.plan(
                surface.knobs(),
                Objective.DEFAULT,
                new Budget(trials, Duration.ofHours(3), 4, Optional.of(false), whole));
    }

    private static Tally tunes(Surface surface, World world, int trials, boolean whole) {
        var tally = new Tally();
        int runs = surface.model() ? MODELS : RUNS;
        for (int seed = 1; seed <= runs; seed++) {
            Simulated shape = Simulated.server(25, 0.050, 0.000227, 1, 300).seed(seed);
            var server = new WarmingServer(shape, surface.factor(), world, seed);
            boolean pool = surface.knobs().contains(THREADS);
            double best = shape.throughput(pool ? 300 : 25) * (surface.name().contains("bad") ? 1.1 : 1);
            search(server, plan(shape, surface, trials, whole), tally, best);
        }
        return tally;
    }

    @TestFactory
    List<DynamicTest> whatIsAsGoodIsNotGivenUp() {
        var tests = new ArrayList<DynamicTest>();
        for (Surface surface : SURFACES) {
            tests.add(DynamicTest.dynamicTest(surface.name(), () -> {
                var all = new Tally();
                for (World world : WORLDS) {
                    for (int trials : WHOLE_PROOF ? new int[] {8, 12} : new int[] {12}) {
                        Tally with = tunes(surface, world, trials, false);
                        Tally without = WHOLE_PROOF ? tunes(surface, world, trials, true) : new Tally();
                        System.out.printf(
                                "%s, %s, %d trials: ended early %d of %d; as good %d of %d, within 15 %% %d of %d; "
                                        + "trials %.1f (whole: %.1f), %.0f s (%.0f), %.1f s a trial (%.1f), regret %.3f (%.3f)%n",
                                surface.name(),
                                world,
                                trials,
                                with.early,
                                with.trials,
                                with.asGoodEarly,
                                with.asGood,
                                with.nearlyEarly,
                                with.nearly,
                                (double) with.trials / with.tunes,
                                (double) without.trials / without.tunes,
                                with.seconds / with.tunes,
                                without.seconds / without.tunes,
                                with.seconds / with.trials,
                                without.seconds / without.trials,
                                with.regret / with.tunes,
                                without.regret / without.tunes);
                        assertThat(without.early).isZero();
                        all.add(with);
                    }
                }
                assertThat(all.asGoodEarly)
                        .as("of %d trials of settings as good as the best so far", all.asGood)
                        .isLessThanOrEqualTo(all.asGood / 100);
            }));
        }
        return tests;
    }

    private record Run(List<TrialOutcome> seen, List<Step> steps, TuneConclusion conclusion) {}

    private static Run drive(WarmingServer server, Experiment experiment) {
        var seen = new ArrayList<TrialOutcome>();
        var steps = new ArrayList<Step>();
        while (true) {
            Step step = experiment.next(List.copyOf(seen));
            steps.add(step);
            switch (step) {
                case Step.Stop(Conclusion c) -> {
                    return new Run(seen, steps, (TuneConclusion) c);
                }
                case Step.Run run -> seen.add(server.run(seen.size() + 1, run));
                case Step.Pair pair -> {
                    seen.add(server.run(seen.size() + 1, pair.first()));
                    seen.add(server.run(seen.size() + 1, pair.second()));
                }
                case Step.Kept _, Step.Live _ -> throw new AssertionError("it starts a JVM for each");
            }
        }
    }

    private static Run bad(long seed, boolean whole) {
        Surface surface = SURFACES.get(2);
        Simulated shape = Simulated.server(25, 0.050, 0.000227, 1, 300).seed(seed);
        return drive(
                new WarmingServer(shape, surface.factor(), WORLDS.getFirst(), seed),
                new TuneExperiment(plan(shape, surface, 12, whole)));
    }

    /** Only the search's own trials may end early, and those that did are said to be nothing else. */
    @Test
    void whatWasEndedEarlyIsABoundAndNothingElse() {
        int early = 0;
        for (long seed = 1; seed <= 3; seed++) {
            Run run = bad(seed, false);
            for (Step step : run.steps()) {
                switch (step) {
                    case Step.Run r
                    when r.spec().phase() == Phase.SEARCH && !r.spec().setting().isDefault() -> {
                        // one that measures what a knob gives has no bound
                    }
                    case Step.Run r -> assertThat(r.giveUp()).isEmpty();
                    case Step.Pair p ->
                        assertThat(p.first().giveUp())
                                .isEqualTo(p.second().giveUp())
                                .isEmpty();
                    case Step.Kept _, Step.Live _, Step.Stop _ -> {}
                }
            }
            List<TrialOutcome> ended =
                    run.seen().stream().filter(EarlyStopping::is).toList();
            early += ended.size();
            TuneConclusion c = run.conclusion();
            for (TrialOutcome t : ended) {
                assertThat(AttemptStatus.of(t)).isEqualTo(AttemptStatus.WORSE);
                assertThat(t.valid()).isFalse();
                Setting s = t.spec().setting();
                assertThat(c.winner()).isNotEqualTo(s);
                assertThat(c.candidates())
                        .filteredOn(x -> x.setting().equals(s))
                        .singleElement()
                        .satisfies(x -> {
                            assertThat(x.trials()).isZero();
                            assertThat(x.voids()).isZero();
                            assertThat(x.atBest().optional()).isPresent();
                            assertThat(x.meetsLimits()).isFalse();
                        });
                // nobody tries it again
                assertThat(run.seen().stream().filter(o -> o.spec().setting().equals(s)))
                        .hasSize(1);
            }
            if (!ended.isEmpty()) {
                assertThat(c.notes())
                        .anyMatch(n -> n.contains("ended early, because"))
                        .noneMatch(n -> n.contains("gave no valid trial"));
            }
            assertThat(c.result()).isEqualTo(TuneConclusion.Result.IMPROVED);
        }
        assertThat(early).isPositive();
        assertThat(bad(1, true).seen()).noneMatch(EarlyStopping::is);
    }

    @Test
    void aRunWithTrialsThatEndedEarlyGoesOnAsItDid() {
        Run run = bad(1, false);
        assertThat(run.seen()).anyMatch(EarlyStopping::is);
        Simulated shape = Simulated.server(25, 0.050, 0.000227, 1, 300).seed(1);
        Plan plan = plan(shape, SURFACES.get(2), 12, false);
        int at = 0;
        for (Step step : run.steps()) {
            assertThat(new TuneExperiment(plan).next(run.seen().subList(0, at))).isEqualTo(step);
            at += step instanceof Step.Pair ? 2 : 1;
        }
    }

    /** The bound keeps its distance: by the least factor where there are no repeats, and by the noise where they differ. */
    @Test
    void theBoundLiesBelowTheBestByMoreThanTheNoise() {
        Simulated server = Simulated.server(64, 0, 0.001, 2, 64);
        Plan plan = server.plan(4, 64);
        var experiment = new TuneExperiment(
                plan,
                seen -> seen.size() < 3
                        ? Optional.of(new SettingSearch.Proposal(
                                Setting.of("threads.max", Integer.toString(30 + seen.size())),
                                Origin.LOG_SPACED,
                                "another"))
                        : Optional.empty());
        var seen = new ArrayList<TrialOutcome>();
        seen.add(server.run(1, ((Step.Run) experiment.next(List.of())).spec()));
        GiveUp first = ((Step.Run) experiment.next(seen)).giveUp().orElseThrow();
        double x = seen.getFirst().measurement().orElseThrow().throughput();
        assertThat(first.metric()).isEqualTo(Objective.Metric.THROUGHPUT);
        assertThat(first.worseThan()).isBetween(x / 1.76, x / 1.74);
        assertThat(first.from()).isEqualTo(8); // its windows are of 1 s, and it came up in four of them
    }
}
