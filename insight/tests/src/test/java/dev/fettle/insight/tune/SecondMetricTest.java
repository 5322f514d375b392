package dev.fettle.insight.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.SecondFigure;
import dev.fettle.insight.Simulated;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.insight.TuneConclusion.Result;
import dev.fettle.insight.capacity.Tamper;
import dev.fettle.model.plan.Budget;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Objective.Metric;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Where nothing gives more throughput, less p99 at the same may still be had. A build tries few tunes; figures to quote are of {@code
 * -Dfettle.runs=200} or more.
 */
class SecondMetricTest {
    private static final int RUNS = Integer.getInteger("fettle.runs", 40);

    /**
     * One CPU that is full with two threads on, for 60 clients: 217/s whatever the pool.
     *
     * @param growth how p99 grows with the pool, as an exponent
     * @param fewest below this many threads throughput falls
     */
    private record FullCpu(double growth, int fewest, double p99Noise, long seed) implements Simulated.Server {
        static final Simulated SERVER = Simulated.server(200, 0.002, 0.0046, 1, 60);

        double throughput(int m) {
            return 217 * Math.min(1, (double) m / fewest);
        }

        double p99(int m) {
            return 0.218 * Math.pow(Math.max(1, Math.min(m, 60) / 8.0), growth);
        }

        @Override
        public TrialOutcome run(int ordinal, TrialSpec spec) {
            var random = new Random(seed * 1_000_003 + ordinal * 7919L);
            random.nextInt();
            int m = SERVER.threadsOf(spec.setting());
            double x = throughput(m) * Math.exp(0.02 * random.nextGaussian());
            TrialOutcome o = SERVER.outcome(ordinal, spec, m, x, 0.995 / x, false, random);
            return Tamper.p99(o, Math.round(1e9 * p99(m) * Math.exp(p99Noise * random.nextGaussian())));
        }
    }

    private static Plan plan(long seed, int trials, Optional<Duration> p99) {
        return FullCpu.SERVER
                .seed(seed)
                .plan(
                        List.of(KnobRange.interval("threads.max", 4, 1000)),
                        new Objective(Objective.Metric.THROUGHPUT, p99, 0.001),
                        new Budget(trials, Duration.ofMinutes(5), 5));
    }

    private record Found(double trades, double improved, double threads, double spent) {}

    private static Found tune(String name, double growth, int fewest, int trials, double p99Noise) {
        int trades = 0;
        int improved = 0;
        double threads = 0;
        double spent = 0;
        for (long seed = 1; seed <= RUNS; seed++) {
            Simulated.Run run = Simulated.drive(
                    new FullCpu(growth, fewest, p99Noise, seed),
                    new TuneExperiment(plan(seed, trials, Optional.empty())));
            TuneConclusion c = run.tune();
            trades += c.result() == Result.TRADE ? 1 : 0;
            improved += c.result() == Result.IMPROVED ? 1 : 0;
            threads += c.result() == Result.TRADE ? FullCpu.SERVER.threadsOf(c.winner()) : 0;
            spent += run.seconds() / 300;
            if (seed <= 2) {
                System.out.println("  " + c.headline());
            }
        }
        var f = new Found(
                trades / (double) RUNS, improved / (double) RUNS, threads / Math.max(1, trades), spent / RUNS);
        System.out.printf(
                "%s, %d trials: less p99 shown in %.3f (with %.0f threads), improved %.3f, %.2f of the time used%n",
                name, trials, f.trades, f.threads, f.improved, f.spent);
        return f;
    }

    @Test
    void lessP99AtTheSameRateIsShown() {
        for (int trials : new int[] {7, 12}) {
            Found f = tune("full CPU, p99 grows with the pool", 0.57, 2, trials, 0.1);
            assertThat(f.trades()).isGreaterThanOrEqualTo(0.85);
            assertThat(f.threads()).isLessThanOrEqualTo(40);
            assertThat(f.improved()).isLessThanOrEqualTo(0.08);
        }
    }

    @Test
    void nothingIsClaimedOfNoise() {
        Found f = tune("A/A", 0, 2, 12, 0.15);
        assertThat(f.trades()).isLessThanOrEqualTo(0.05);
        assertThat(f.improved()).isLessThanOrEqualTo(0.08);
    }

    /** Fewer threads with less p99 that cost throughput are no gain at the same rate. */
    @Test
    void whatCostsThroughputIsNone() {
        Found f = tune("fewer threads cost throughput", 0.57, 60, 12, 0.1);
        assertThat(f.trades()).isLessThanOrEqualTo(0.05);
    }

    @Test
    void itIsSaidWithBothIntervals() {
        TuneConclusion c = Simulated.drive(
                        new FullCpu(0.57, 2, 0.05, 3), new TuneExperiment(plan(3, 7, Optional.empty())))
                .tune();
        assertThat(c.result()).isEqualTo(Result.TRADE);
        assertThat(c.shown()).isTrue();
        SecondFigure p99 = c.beside().getFirst();
        assertThat(p99.metric()).isEqualTo(Metric.P99);
        assertThat(p99.shown()).isTrue();
        assertThat(p99.ratio().level()).isEqualTo(0.995); // two metrics are looked at
        assertThat(p99.ratio().high()).isLessThan(0.9);
        assertThat(p99.baseline()).isGreaterThan(2 * p99.winner());
        assertThat(c.headline())
                .contains(
                        "the default's throughput",
                        "less p99",
                        "99.5 % interval",
                        "5 pairs",
                        "objective: {minimize: p99}");
        assertThat(c.shortfalls()).isEmpty();
    }

    @Test
    void aSharedRateIsTheObjectivesOwn() {
        // with an objective of p99 there is no second one
        Plan plan = plan(1, 7, Optional.empty());
        var own = plan.withObjective(new Objective(Objective.Metric.P99, Optional.empty(), 0.001));
        TuneConclusion c = Simulated.drive(new FullCpu(0.57, 2, 0.05, 1), new TuneExperiment(own))
                .tune();
        assertThat(c.result()).isEqualTo(Result.IMPROVED);
    }
}
