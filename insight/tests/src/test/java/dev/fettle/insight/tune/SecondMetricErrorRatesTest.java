package dev.fettle.insight.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Runs;
import dev.fettle.insight.SecondFigure;
import dev.fettle.insight.Simulated;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.insight.TuneConclusion.Result;
import dev.fettle.insight.capacity.Tamper;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Budget;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Objective.Metric;
import dev.fettle.model.trial.Series;
import dev.fettle.model.trial.Timeline;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Gains beside the objective, of two knobs and several objectives: how often one that is there is shown, and one that is not is claimed. A
 * build tries few tunes; figures to quote are of {@code -Dfettle.runs=200} or more.
 */
@Tag("long")
class SecondMetricErrorRatesTest {
    private static final int USUAL = 20;
    private static final int POINTS = 20;
    private static final List<KnobRange> TWO =
            List.of(KnobRange.interval("threads.max", 4, 1000), KnobRange.choices("jvm.gc", List.of("g1", "serial")));

    /** What a setting truly gives, as factors of the default's. */
    private enum Truth {
        NOTHING(Metric.THROUGHPUT, s -> 1, s -> 1, s -> 1, 0),
        NOTHING_MUCH_VOID(Metric.THROUGHPUT, s -> 1, s -> 1, s -> 1, 0.25),
        NOTHING_BY_P99(Metric.P99, s -> 1, s -> 1, s -> 1, 0),
        NOTHING_BY_CPU(Metric.CPU_PER_REQUEST, s -> 1, s -> 1, s -> 1, 0),
        A_THIRD_OF_P99(Metric.THROUGHPUT, s -> 1, s -> fewer(s) * serial(s, 0.7), s -> 1, 0),
        A_THIRD_OF_P99_MUCH_VOID(Metric.THROUGHPUT, s -> 1, s -> fewer(s) * serial(s, 0.7), s -> 1, 0.25),
        A_THIRD_OF_P99_BY_CPU(Metric.CPU_PER_REQUEST, s -> 1, s -> fewer(s) * serial(s, 0.7), s -> 1, 0),
        LESS_CPU(Metric.THROUGHPUT, s -> 1, s -> 1, s -> serial(s, 0.75), 0),
        MORE_THROUGHPUT_BY_CPU(Metric.CPU_PER_REQUEST, s -> serial(s, 1.2), s -> 1, s -> 1, 0),
        /** Less p99 that costs the objective. */
        FOR_LESS_THROUGHPUT(Metric.THROUGHPUT, s -> 0.6 + 0.4 * fewer(s), s -> fewer(s), s -> 1, 0),
        FOR_MORE_CPU(Metric.CPU_PER_REQUEST, s -> 1, s -> serial(s, 0.4), s -> serial(s, 1.1), 0);

        private final Metric objective;
        private final ToDoubleFunction<Setting> throughput;
        private final ToDoubleFunction<Setting> p99;
        private final ToDoubleFunction<Setting> cpu;
        private final double voids;

        Truth(
                Metric objective,
                ToDoubleFunction<Setting> throughput,
                ToDoubleFunction<Setting> p99,
                ToDoubleFunction<Setting> cpu,
                double voids) {
            this.objective = objective;
            this.throughput = throughput;
            this.p99 = p99;
            this.cpu = cpu;
            this.voids = voids;
        }

        boolean isGain() {
            return switch (this) {
                case A_THIRD_OF_P99,
                        A_THIRD_OF_P99_MUCH_VOID,
                        A_THIRD_OF_P99_BY_CPU,
                        LESS_CPU,
                        MORE_THROUGHPUT_BY_CPU -> true;
                default -> false;
            };
        }
    }

    /** One CPU that is full, for 60 clients. */
    private record ServerOf(Truth truth, long seed) implements Simulated.Server {
        static final Simulated SERVER = Simulated.server(200, 0.002, 0.0046, 1, 60);

        @Override
        public TrialOutcome run(int ordinal, TrialSpec spec) {
            var random = new Random(seed * 1_000_003 + ordinal * 7919L);
            random.nextInt();
            Setting s = spec.setting();
            boolean spoilt = random.nextDouble() < truth.voids;
            double x = 217 * truth.throughput.applyAsDouble(s) * Math.exp(0.02 * random.nextGaussian());
            double cpu = 0.00458 * truth.cpu.applyAsDouble(s) * Math.exp(0.02 * random.nextGaussian());
            TrialOutcome o = SERVER.outcome(ordinal, spec, SERVER.threadsOf(s), x, cpu, spoilt, random);
            double[] cpus = new double[POINTS];
            Arrays.setAll(cpus, i -> cpu * x * Math.exp(0.02 * random.nextGaussian()));
            double[] rate = new double[POINTS];
            Arrays.fill(rate, x);
            var line = Timeline.of(
                    0, 500, Map.of("cpu.total", Series.of(cpus), "load.rate", Series.of(rate)), Map.of(), List.of());
            o = Simulated.with(o, e -> e.withTimeline(line));
            double p99 = 0.687e9 * truth.p99.applyAsDouble(s) * Math.exp(0.1 * random.nextGaussian());
            return Tamper.p99(o, Math.round(p99));
        }
    }

    /** From a third with 8 threads to 1 with 60 or more. */
    private static double fewer(Setting s) {
        return Math.pow(Math.clamp(ServerOf.SERVER.threadsOf(s), 8, 60) / 60.0, 0.57);
    }

    private static double serial(Setting s, double factor) {
        return s.get("jvm.gc").filter("serial"::equals).isPresent() ? factor : 1;
    }

    @ParameterizedTest
    @EnumSource
    void whatIsThereIsShownAndNothingElse(Truth truth) {
        var runs = new Runs(USUAL);
        // voids take the time of the pairs
        var shown = runs.atLeast("shown", !truth.isGain() ? 0 : truth.voids > 0 ? USUAL / 10 : USUAL * 7 / 10);
        var claimed = runs.atMost("claimed", truth.isGain() ? USUAL : USUAL / 20);
        var improved = runs.atMost("improved", truth == Truth.FOR_LESS_THROUGHPUT ? USUAL : USUAL / 10);
        double spent = 0;
        for (int seed : runs) {
            Optional<Duration> limit =
                    truth.objective.ofProcess() ? Optional.of(Duration.ofSeconds(2)) : Optional.empty();
            var plan = ServerOf.SERVER
                    .seed(seed)
                    .plan(TWO, new Objective(truth.objective, limit, 0.001), new Budget(12, Duration.ofMinutes(6), 5));
            Simulated.Run run = Simulated.drive(new ServerOf(truth, seed), new TuneExperiment(plan));
            TuneConclusion c = run.tune();
            boolean any = c.beside().stream().anyMatch(SecondFigure::shown);
            assertThat(any && c.result() != Result.IMPROVED).isEqualTo(c.result() == Result.TRADE);
            shown.count(any);
            claimed.count(any);
            improved.count(c.result() == Result.IMPROVED);
            spent += run.seconds() / 360;
            if (seed <= 2) {
                System.out.println("  " + truth + ": " + c.headline());
            }
        }
        System.out.printf(
                "%s: shown %s, improved %s, %.2f of the time used%n", truth, shown, improved, spent / runs.done());
        runs.check();
    }
}
