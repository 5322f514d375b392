package dev.fettle.insight.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Simulated;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.insight.TuneConclusion.Result;
import dev.fettle.insight.capacity.Tamper;
import dev.fettle.insight.trials.Origin;
import dev.fettle.insight.trials.SettingTrials;
import dev.fettle.insight.trials.TriedSettings;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Budget;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The fastest setting is just within the limit on p99, where no duel can show that it meets it, and a safe one is nearly as fast. A build
 * tries few runs; figures to quote are of {@code -Dfettle.runs=200} or more.
 */
class TightLimitTest {
    private static final int RUNS = Integer.getInteger("fettle.runs", 40);
    private static final Simulated SERVER = Simulated.server(50, 0.070, 0.0005, 8, 100);
    private static final double NOISE = 0.1;

    /** The true throughput and p99 (ms) of a pool's size. */
    private record Truth(double throughput, double p99) {}

    private record World(Map<Integer, Truth> truths, long seed, double noise) implements Simulated.Server {
        @Override
        public TrialOutcome run(int ordinal, TrialSpec spec) {
            var random = new Random(seed * 1_000_003 + ordinal * 7919L);
            random.nextInt();
            int threads = SERVER.threadsOf(spec.setting());
            Truth t = truths.get(threads);
            double served = t.throughput() * Math.exp(0.02 * random.nextGaussian());
            double p99 = t.p99() * Math.exp(noise * random.nextGaussian());
            return Tamper.p99(
                    SERVER.outcome(ordinal, spec, threads, served, 0.0005, false, random), Math.round(p99 * 1e6));
        }
    }

    /** How many of the runs show an improvement, and with which pool. */
    private record Found(int improved, int fast, int duels) {}

    /** Tunes over two sizes of the pool besides the default. */
    private static Found tune(Truth byDefault, Truth fast, Truth safe) {
        int improved = 0;
        int ofFast = 0;
        int duels = 0;
        for (long seed = 1; seed <= RUNS; seed++) {
            var objective = new Objective(Objective.Metric.THROUGHPUT, Optional.of(Duration.ofMillis(50)), 0.001);
            Plan plan = SERVER.seed(seed)
                    .plan(
                            List.of(KnobRange.choices("threads.max", List.of("80", "100"))),
                            objective,
                            new Budget(12, Duration.ofHours(1), 5));
            SettingSearch both = seen -> seen.size() > 2
                    ? Optional.empty()
                    : Optional.of(new SettingSearch.Proposal(
                            Setting.of("threads.max", seen.size() == 1 ? "100" : "80"), Origin.SPREAD, "one"));
            Simulated.Run run = Simulated.drive(
                    new World(Map.of(50, byDefault, 100, fast, 80, safe), seed, NOISE), new TuneExperiment(plan, both));
            TuneConclusion c = run.tune();
            duels += run.trials(Phase.DUEL) > 0 ? 1 : 0;
            improved += c.result() == Result.IMPROVED ? 1 : 0;
            ofFast += c.result() == Result.IMPROVED && SERVER.threadsOf(c.winner()) == 100 ? 1 : 0;
        }
        System.out.printf(
                "p99 %.0f ms or %.0f ms, at most 50 ms: improved in %d of %d tunes, %d with the faster, %d duels%n",
                fast.p99(), safe.p99(), improved, RUNS, ofFast, duels);
        return new Found(improved, ofFast, duels);
    }

    @Test
    void whatTheDuelCanShowIsSentIntoIt() {
        Found found = tune(new Truth(700, 20), new Truth(1000, 48), new Truth(900, 30));
        assertThat(found.improved()).isGreaterThanOrEqualTo(RUNS * 85 / 100);
    }

    /** A fast setting for which no duel can be won does not end the trial of one for which it can. */
    @Test
    void nothingIsEndedEarlyForWhatIsTooNearTheLimit() {
        var objective = new Objective(Objective.Metric.THROUGHPUT, Optional.of(Duration.ofMillis(50)), 0.001);
        Plan plan = SERVER.plan(
                List.of(KnobRange.interval("threads.max", 10, 400)), objective, new Budget(12, Duration.ofHours(1), 5));
        var world = new World(Map.of(50, new Truth(700, 20), 100, new Truth(3000, 49)), 1, 0.001);
        var seen = new ArrayList<SettingTrials>();
        for (Setting s : List.of(Setting.DEFAULT, Setting.of("threads.max", "100"))) {
            var spec = new TrialSpec(Phase.SEARCH, TuneSlots.CANDIDATE, Map.of(), 0, plan.target(), s, plan.load());
            seen.add(TriedSettings.of(s, Origin.SPREAD, List.of(world.run(seen.size() + 1, spec))));
        }
        assertThat(new EarlyEndBound(plan, new Scoring(objective))
                        .bound(seen, Setting.of("threads.max", "80"), Origin.SPREAD)
                        .orElseThrow()
                        .worseThan())
                .isLessThan(700);
    }

    /** What breaks the limit is not claimed more often than the interval allows. */
    @Test
    void whatBreaksTheLimitDoesNotWin() {
        Found found = tune(new Truth(700, 20), new Truth(1000, 52), new Truth(900, 51));
        assertThat(found.improved()).isLessThanOrEqualTo(RUNS * 5 / 100);
    }

    /** Where only the one near the limit is faster, it still gets its duel. */
    @Test
    void whatAloneIsBetterIsStillTried() {
        Found found = tune(new Truth(700, 20), new Truth(1000, 42), new Truth(690, 30));
        assertThat(found.duels()).isGreaterThanOrEqualTo(RUNS * 80 / 100);
    }

    @Test
    void nothingIsClaimedWhereNothingHelps() {
        Found found = tune(new Truth(700, 30), new Truth(700, 48), new Truth(700, 30));
        assertThat(found.improved()).isLessThanOrEqualTo(RUNS * 5 / 100);
    }
}
