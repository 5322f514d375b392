package dev.fettle.insight.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Experiment.Step;
import dev.fettle.insight.Explanation;
import dev.fettle.insight.Simulated;
import dev.fettle.insight.TradeOff;
import dev.fettle.insight.TuneConclusion.Result;
import dev.fettle.insight.trials.Origin;
import dev.fettle.insight.trials.WarmJvm;
import dev.fettle.insight.tune.WarmWorld.Drift;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Budget;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** A search whose settings are set in one warm JVM, while that drifts. */
class WarmSearchTest {
    private static final int RUNS = Integer.getInteger("fettle.runs", 8);
    /** A model of several knobs takes its time to fit. */
    private static final int MODELS = Integer.getInteger("fettle.runs", 3);

    private static final Budget BUDGET = new Budget(12, Duration.ofHours(1), 5);
    private static final Simulated SERVER = Simulated.server(25, 0.050, 0.000227, 1, 300);
    private static final List<KnobRange> ONE = List.of(KnobRange.interval("threads.max", 4, 1024));
    private static final List<KnobRange> THREE = List.of(
            KnobRange.interval("threads.max", 4, 1024),
            KnobRange.interval("cache.processors", 1, 1000),
            KnobRange.choices("connections.max", List.of("100", "1000", "8192")));
    private static final Map<String, Drift> DRIFTS = new LinkedHashMap<>();

    static {
        DRIFTS.put("no drift", Drift.NONE);
        DRIFTS.put("warms up by 8 %", Drift.WARMS_UP);
        DRIFTS.put("falls by 6 % a minute", Drift.FALLS);
        DRIFTS.put("walks by 1 % a trial", Drift.WALKS);
        DRIFTS.put("drops by 10 % once", Drift.DROPS);
    }

    private static double one(Setting s) {
        return 1;
    }

    /** What the other two of three knobs give: 8 % and 6 % at the right end. */
    private static double three(Setting s) {
        double cache = s.get("cache.processors").map(Double::parseDouble).orElse(200.0);
        boolean many = s.get("connections.max").map("1000"::equals).orElse(false);
        return (1 + 0.08 * Math.log(cache / 200) / Math.log(5) * (cache > 200 ? 1 : 0.5)) * (many ? 1.06 : 1);
    }

    private static WarmWorld world(ToDoubleFunction<Setting> factor, Drift drift, long seed) {
        return new WarmWorld(SERVER, factor, drift, 0.03, 0.015, seed);
    }

    private static WarmWorld.Run run(long seed, Drift drift) {
        return world(WarmSearchTest::one, drift, seed).run(new TuneExperiment(plan(ONE, BUDGET, true, seed)));
    }

    private static Plan plan(List<KnobRange> knobs, Budget budget, boolean live, long seed) {
        return WarmWorld.plan(SERVER.seed(seed), knobs, budget, live);
    }

    @Test
    void theSearchIsInTheWarmJvmAndTheDuelOnFreshOnes() {
        WarmWorld.Run run = run(1, Drift.NONE);
        assertThat(run.steps()).filteredOn(Step.Run.class::isInstance).isEmpty();
        assertThat(run.trials(Phase.DUEL)).isPositive();
        for (TrialOutcome t : run.seen()) {
            assertThat(WarmJvm.of(t).isPresent())
                    .as("%s", t.spec())
                    .isEqualTo(t.spec().phase() != Phase.DUEL);
        }
        assertThat(run.seen().stream().filter(WarmJvm::launched)).hasSize(1);
        assertThat(run.conclusion().notes())
                .anySatisfy(n -> assertThat(n).contains("in one warm JVM", "the table has the figures"));
        // the default's trials in between are no evidence on it
        assertThat(run.conclusion().candidates())
                .filteredOn(c -> c.origin().equals("default"))
                .allMatch(c -> c.trials() < 4);
    }

    @Test
    void theDefaultIsMeasuredAgainAfterEveryFourSettingsAndAtTheEnd() {
        for (long seed = 1; seed <= 5; seed++) {
            int settings = 0;
            for (TrialOutcome t : run(seed, Drift.WALKS).seen()) {
                if (t.spec().phase() == Phase.DUEL) {
                    break;
                }
                settings = t.spec().phase() == Phase.BASELINE ? 0 : settings + 1;
                assertThat(settings).isLessThanOrEqualTo(4);
            }
            assertThat(settings).as("the last before the duel").isZero();
        }
    }

    @Test
    void aNewJvmIsComparedWithTheDefaultAtOnce() {
        var run = world(WarmSearchTest::one, Drift.NONE, 3)
                .goneBefore(4)
                .run(new TuneExperiment(plan(ONE, BUDGET, true, 3)));
        assertThat(run.seen().get(3).spec().phase()).isEqualTo(Phase.SEARCH);
        assertThat(WarmJvm.launched(run.seen().get(3))).isTrue();
        assertThat(run.seen().get(4).spec().phase()).isEqualTo(Phase.BASELINE);
        assertThat(run.conclusion().notes())
                .anySatisfy(n -> assertThat(n).contains("2 warm JVMs, one after the other"));
    }

    /** What was watched until it failed names its JVM, which is none that the search goes on in. */
    @Test
    void aJvmThatFailedWithItsSettingIsNoneOfTheSearchs() {
        var run = world(WarmSearchTest::one, Drift.NONE, 3)
                .failingAt(4)
                .run(new TuneExperiment(plan(ONE, BUDGET, true, 3)));
        assertThat(run.seen().get(3).failure()).isPresent();
        assertThat(WarmJvm.launched(run.seen().get(3))).isTrue();
        // nothing is to be learnt from the default in another JVM before a setting has run there
        assertThat(run.seen().get(4).spec().phase()).isNotEqualTo(Phase.BASELINE);
        assertThat(WarmJvm.launched(run.seen().get(4))).isTrue();
        assertThat(run.seen().get(5).spec().phase()).isEqualTo(Phase.BASELINE);
        assertThat(run.conclusion().notes())
                .anySatisfy(n -> assertThat(n).contains("2 warm JVMs, one after the other"));
    }

    @Test
    void aServerThatTakesNoKnobWhileItRunsGetsAFreshJvmForEach() {
        var run = world(WarmSearchTest::one, Drift.NONE, 3)
                .refusing()
                .run(new TuneExperiment(plan(ONE, BUDGET, true, 3)));
        assertThat(run.steps()).filteredOn(Step.Live.class::isInstance).hasSize(2);
        assertThat(run.conclusion().notes()).anySatisfy(n -> assertThat(n).contains("could not use one warm JVM"));
        assertThat(run.conclusion().result()).isEqualTo(Result.IMPROVED);
    }

    /** 72 threads are enough, and three larger pools gave the same in the warm JVM, where a trial is shorter. */
    @Test
    void theExplanationKnowsWhatTheSearchTried() {
        Simulated server = Simulated.server(20, 0.020, 0.0001, 2, 300);
        double most = server.throughput(72);
        int[] sizes = {72, 105, 152, 219};
        SettingSearch search = seen -> seen.size() > sizes.length
                ? Optional.empty()
                : Optional.of(new SettingSearch.Proposal(
                        Setting.of("threads.max", Integer.toString(sizes[seen.size() - 1])), Origin.SPREAD, "one"));
        var world = new WarmWorld(
                server, s -> Math.min(1, most / server.throughput(server.threadsOf(s))), Drift.FALLS, 0.005, 0.005, 1);
        var run = world.run(new TuneExperiment(WarmWorld.plan(server, ONE, BUDGET, true), search));
        assertThat(run.conclusion().result()).isEqualTo(Result.IMPROVED);
        Explanation winner = run.conclusion().winnerWhy().orElseThrow();
        assertThat(winner.limit()).isEqualTo(Explanation.Limit.BEHIND_THREADS);
        assertThat(winner.refutedBy()).doesNotContain("threads.max");
        assertThat(winner.sentences())
                .noneMatch(s -> s.contains("no other size was tried") || s.contains("Whether it goes on"));
        assertThat(winner.sentences().getLast()).endsWith("one trial: the one in pair 1 of the duel.");
    }

    @Test
    void everyPrefixGoesOnAsTheRunDid() {
        for (long seed = 1; seed <= 3; seed++) {
            WarmWorld.Run run = run(seed, Drift.WALKS);
            int at = 0;
            for (Step was : run.steps()) {
                assertThat(new TuneExperiment(plan(ONE, BUDGET, true, seed))
                                .next(run.seen().subList(0, at)))
                        .isEqualTo(was);
                at += was instanceof Step.Pair ? 2 : 1;
            }
        }
    }

    @Test
    void withoutItNothingChanges() {
        var run = world(WarmSearchTest::one, Drift.NONE, 2).run(new TuneExperiment(plan(ONE, BUDGET, false, 2)));
        assertThat(run.steps()).noneMatch(Step.Live.class::isInstance);
        assertThat(run.seen()).noneMatch(t -> WarmJvm.of(t).isPresent());
    }

    @Test
    void withoutADuelNothingIsSaidToRestOnOne() {
        // the CPU alone decides, whatever the setting, and no trial differs from another
        Simulated flat = Simulated.server(64, 0, 0.001, 2, 64);
        var plan = WarmWorld.plan(flat, List.of(KnobRange.interval("threads.max", 4, 64)), BUDGET, true);
        var run = new WarmWorld(flat, WarmSearchTest::one, Drift.NONE, 0, 0, 1).run(new TuneExperiment(plan));
        assertThat(run.trials(Phase.DUEL)).isZero();
        assertThat(run.conclusion().notes())
                .anyMatch(n -> n.contains(" of the search ran in one warm JVM"))
                .noneMatch(n -> n.contains("the duel's fresh JVMs"));
        assertThat(run(1, Drift.NONE).conclusion().notes())
                .anyMatch(
                        n -> n.endsWith(" Whether there is an improvement is judged by the duel's fresh JVMs alone."));
    }

    /** The front is judged by figures without the drift of the warm JVM, so these are the ones to print. */
    @Test
    void aTradeOffShowsWhatItWasJudgedBy() {
        for (long seed = 1; seed <= 4; seed++) {
            Plan plan = plan(ONE, BUDGET, true, seed)
                    .with()
                    .objective(new Objective(
                            Objective.Metric.THROUGHPUT,
                            Optional.of(Objective.Metric.P99),
                            Optional.empty(),
                            0.001,
                            List.of()))
                    .build();
            TradeOff t = world(WarmSearchTest::one, Drift.FALLS, seed)
                    .run(new TuneExperiment(plan))
                    .conclusion()
                    .tradeOff()
                    .orElseThrow();
            for (TradeOff.Point p : t.points()) {
                boolean beaten = t.points().stream()
                        .anyMatch(q -> q.figure() >= p.figure()
                                && q.against() <= p.against()
                                && (q.figure() > p.figure() || q.against() < p.against()));
                assertThat(p.onFront()).as("%s of %s", p, t.points()).isEqualTo(!beaten);
            }
        }
    }

    /** Nothing helps, and the JVM drifts: what is claimed, and how often a duel is held for nothing. */
    @TestFactory
    List<DynamicTest> driftIsNotTakenForAnEffect() {
        var tests = new ArrayList<DynamicTest>();
        DRIFTS.forEach((name, drift) -> tests.add(DynamicTest.dynamicTest(name, () -> {
            int wrong = 0;
            int duels = 0;
            // the CPU alone decides, whatever the setting
            Simulated flat = Simulated.server(64, 0, 0.001, 2, 64);
            List<KnobRange> knobs = List.of(KnobRange.interval("threads.max", 4, 64));
            for (long seed = 1; seed <= RUNS; seed++) {
                var world = new WarmWorld(flat, WarmSearchTest::one, drift, 0.03, 0.015, seed);
                var run = world.run(new TuneExperiment(WarmWorld.plan(flat.seed(seed), knobs, BUDGET, true)));
                wrong += run.conclusion().result() == Result.IMPROVED ? 1 : 0;
                duels += run.trials(Phase.DUEL) > 0 ? 1 : 0;
            }
            System.out.printf("A/A, %s: in a warm JVM %d of %d win (%d duels)%n", name, wrong, RUNS, duels);
            assertThat(wrong).isLessThanOrEqualTo(Math.max(1, RUNS / 20));
        })));
        return tests;
    }

    /** At equal seconds, and at equal trials, against fresh JVMs. */
    @TestFactory
    List<DynamicTest> findsAtLeastAsMuchAsFreshJvmsInTheSameTime() {
        var tests = new ArrayList<DynamicTest>();
        DRIFTS.forEach((name, drift) -> {
            for (int seconds : new int[] {250, 3600}) {
                tests.add(DynamicTest.dynamicTest(
                        "one knob, " + name + ", " + seconds + " s",
                        () -> regret(ONE, WarmSearchTest::one, drift, name, seconds, RUNS)));
            }
        });
        for (String name : List.of("no drift", "warms up by 8 %", "walks by 1 % a trial")) {
            for (int seconds : new int[] {300, 3600}) {
                tests.add(DynamicTest.dynamicTest(
                        "three knobs, " + name + ", " + seconds + " s",
                        () -> regret(
                                THREE,
                                WarmSearchTest::three,
                                DRIFTS.getOrDefault(name, Drift.NONE),
                                name,
                                seconds,
                                MODELS)));
            }
        }
        return tests;
    }

    private static void regret(
            List<KnobRange> knobs, ToDoubleFunction<Setting> factor, Drift drift, String name, int seconds, int runs) {
        Found fresh = FRESH.computeIfAbsent(
                knobs.size() + " " + seconds, k -> found(knobs, factor, Drift.NONE, seconds, runs, false));
        Found warm = found(knobs, factor, drift, seconds, runs, true);
        System.out.printf(
                Locale.ROOT,
                "%d knob(s), %s, budget %d s, %d runs: fresh %s; warm %s%n",
                knobs.size(),
                name,
                seconds,
                runs,
                fresh,
                warm);
        assertThat(warm.share).isGreaterThanOrEqualTo(fresh.share - (knobs.size() > 1 ? 0.03 : 0.025));
        if (seconds == 3600) {
            assertThat(warm.search).as("equally many trials").isLessThan(0.7 * fresh.search);
        }
    }

    /** On fresh JVMs, which do not drift: the same for each drift of a warm one. */
    private static final Map<String, Found> FRESH = new ConcurrentHashMap<>();

    /** Means of the runs, and how many of them showed an improvement. */
    private record Found(double share, double took, double search, int improved) {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT,
                    "%.1f %% of the best in %.0f s (search %.0f s, %d shown)",
                    100 * share,
                    took,
                    search,
                    improved);
        }
    }

    private static Found found(
            List<KnobRange> knobs, ToDoubleFunction<Setting> factor, Drift drift, int seconds, int runs, boolean live) {
        Budget budget = new Budget(12, Duration.ofSeconds(seconds), 5);
        double best = best(knobs, factor);
        double share = 0;
        double took = 0;
        double search = 0;
        int improved = 0;
        for (long seed = 1; seed <= runs; seed++) {
            WarmWorld world = world(factor, drift, seed);
            WarmWorld.Run run = world.run(new TuneExperiment(plan(knobs, budget, live, seed)));
            share += world.truth(run.conclusion().winner()) / best / runs;
            took += run.seconds() / runs;
            search += run.seen().stream()
                            .filter(t -> t.spec().phase() != Phase.DUEL)
                            .mapToDouble(t -> t.took().toMillis() / 1e3)
                            .sum()
                    / runs;
            improved += run.conclusion().result() == Result.IMPROVED ? 1 : 0;
        }
        return new Found(share, took, search, improved);
    }

    private static double best(List<KnobRange> knobs, ToDoubleFunction<Setting> factor) {
        double best = 0;
        for (int m = 4; m <= 1024; m++) {
            best = Math.max(best, SERVER.throughput(m));
        }
        return knobs.size() == 1
                ? best
                : best
                        * factor.applyAsDouble(
                                Setting.of(Map.of("cache.processors", "1000", "connections.max", "1000")));
    }
}
