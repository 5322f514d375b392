package dev.fettle.insight.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.CompareConclusion;
import dev.fettle.insight.Simulated;
import dev.fettle.insight.SweepConclusion;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.insight.TuneConclusion.Result;
import dev.fettle.insight.capacity.Tamper;
import dev.fettle.insight.compare.CompareExperiment;
import dev.fettle.insight.sweep.SweepExperiment;
import dev.fettle.insight.trials.ObjectiveFigure;
import dev.fettle.load.api.Arrivals;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Budget;
import dev.fettle.model.plan.Dimension;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Objective.Metric;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Variant;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Aggregates;
import dev.fettle.model.trial.Conditions;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Measurement;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tunes, comparisons and sweeps judged by what the target's process uses, at an open rate, on a server whose truth is known. A build
 * tries few runs; figures to quote are of {@code -Dfettle.runs=200}.
 */
class ProcessObjectivesTest {
    private static final int RUNS = Integer.getInteger("fettle.runs", 4);
    private static final double RATE = 500;
    private static final double HOLD = 0.05;
    private static final List<KnobRange> ONE = List.of(KnobRange.interval("threads.max", 8, 400));
    private static final List<KnobRange> TWO =
            List.of(ONE.getFirst(), KnobRange.choices("jvm.gc", List.of("serial", "g1")));
    private static final int POINTS = 20;

    /**
     * A server that answers what is offered as long as it has threads enough.
     *
     * @param cost of a setting: CPU seconds a request, or bytes
     * @param noise deviation between trials, relative
     * @param drift share of the cost that is gone at the end of the measuring, of the candidate alone
     */
    private record World(Metric metric, ToDoubleFunction<Setting> cost, double noise, double drift, long seed)
            implements Simulated.Server {
        @Override
        public TrialOutcome run(int ordinal, TrialSpec spec) {
            int m = threads(spec.setting());
            double served = Math.min(RATE, m / HOLD);
            var random = new Random(seed * 1_000_003 + ordinal * 7919L);
            random.nextInt();
            double truth = cost.applyAsDouble(spec.setting()) * Math.exp(noise * random.nextGaussian());
            boolean drifts = drift > 0 && !spec.setting().equals(Setting.DEFAULT);
            var over = new double[POINTS];
            Arrays.setAll(
                    over,
                    i -> truth
                            * (drifts ? 1 - drift * (1 - i / (POINTS - 1.0)) : 1)
                            * Math.exp(0.02 * random.nextGaussian()));
            double mean = Arrays.stream(over).average().orElseThrow();
            double cpu = metric == Metric.CPU_PER_REQUEST ? mean : 0.0005;
            TrialOutcome o =
                    Simulated.server(200, HOLD, 0.0005, 2, 300).outcome(ordinal, spec, m, served, cpu, false, random);
            return with(o, over, served);
        }

        private TrialOutcome with(TrialOutcome o, double[] over, double served) {
            double[] rate = new double[POINTS];
            Arrays.fill(rate, served);
            double[] cpus = Arrays.stream(over).map(c -> c * served).toArray();
            var line = Timeline.of(
                    0,
                    500,
                    metric == Metric.MEMORY
                            ? Map.of("memory.rss", Series.of(over))
                            : Map.of("cpu.total", Series.of(cpus), "load.rate", Series.of(rate)),
                    Map.of(),
                    List.of());
            Measurement m = o.measurement().orElseThrow();
            long due = (long) (RATE * 10);
            var measured = m.with()
                    .reconnects(0)
                    .detail(Measurement.Detail.NONE.withOffered(
                            Optional.of(new Measurement.Offered(due, 0, due - m.responses(), 0))))
                    .build();
            return o.with()
                    .measurement(Optional.of(measured))
                    .evidence(o.evidence().map(e -> evidence(e, HOLD * served, line)))
                    .build();
        }

        /** With so many workers busy as the rate needs. */
        private static Evidence evidence(Evidence e, double busy, Timeline line) {
            Aggregates h = e.aggregates();
            var host = h.with(Aggregate.BUSY_WORKERS, OptionalFigure.of(busy))
                    .with(Aggregate.BUSY_WORKERS_MAX, OptionalFigure.of(busy))
                    .with(Aggregate.QUEUED, OptionalFigure.of(0));
            return ProcessObjectivesTest.with(e, host, e.facts()).withTimeline(line);
        }
    }

    private static Evidence with(Evidence e, Aggregates host, Map<String, String> facts) {
        return e.with().aggregates(host).facts(facts).build();
    }

    private static int threads(Setting s) {
        return s.get("threads.max").map(Integer::parseInt).orElse(200);
    }

    /** Threads cost, and one collector costs 10 % more. */
    private static double dear(Metric metric, Setting s) {
        double gc = s.get("jvm.gc").filter("serial"::equals).isPresent() ? 0.9 : 1;
        return (metric == Metric.MEMORY ? 100e6 : 0.0004) * gc * (1 + 0.002 * threads(s));
    }

    private static Plan plan(Metric metric, List<KnobRange> knobs, int trials, long seed) {
        Plan p = Simulated.server(200, HOLD, 0.0005, 2, 300)
                .seed(seed)
                .plan(
                        knobs,
                        new Objective(metric, Optional.of(Duration.ofSeconds(2)), 0.001),
                        new Budget(trials, Duration.ofHours(1), 5));
        return p.withLoad(p.load().withArrivals(Arrivals.Open.constant(RATE)));
    }

    private static TuneConclusion tune(World world, Plan plan) {
        return Simulated.drive(world, new TuneExperiment(plan)).tune();
    }

    @ParameterizedTest
    @EnumSource(
            value = Metric.class,
            names = {"CPU_PER_REQUEST", "MEMORY"})
    void aSearchFindsWhatNeedsLeastAndStillServes(Metric metric) {
        int shown = 0;
        double sum = 0;
        for (int seed = 1; seed <= RUNS; seed++) {
            for (List<KnobRange> knobs : List.of(ONE, TWO)) {
                var world = new World(metric, s -> dear(metric, s), 0.02, 0, seed);
                TuneConclusion c = tune(world, plan(metric, knobs, 12, seed));
                Setting best = Setting.of("threads.max", "25");
                double least = dear(metric, knobs.size() > 1 ? best.with("jvm.gc", "serial") : best);
                sum += dear(metric, c.winner()) / least;
                assertThat(threads(c.winner())).as("it keeps up with the rate").isGreaterThanOrEqualTo(25);
                if (c.result() == Result.IMPROVED) {
                    shown++;
                    assertThat(c.ratio().orElseThrow().high())
                            .isLessThan(c.threshold())
                            .isLessThan(1);
                    assertThat(c.headline())
                            .contains(" lowers " + metric.words() + " by ")
                            .doesNotContain(" more ");
                    assertThat(c.notes()).noneMatch(n -> n.contains("had no effect"));
                }
            }
        }
        System.out.printf(
                "%s: %.3f times the least, shown in %d of %d%n", metric.id(), sum / RUNS / 2, shown, 2 * RUNS);
        assertThat(sum / RUNS / 2).isLessThan(1.05);
        assertThat(shown).isGreaterThan(2 * RUNS * 9 / 10);
    }

    @ParameterizedTest
    @EnumSource(
            value = Metric.class,
            names = {"CPU_PER_REQUEST", "MEMORY"})
    void whereNothingHelpsNothingIsClaimed(Metric metric) {
        seldomClaims("A/A", metric, 0.05, 0, TWO, 12);
    }

    @ParameterizedTest
    @EnumSource(
            value = Metric.class,
            names = {"CPU_PER_REQUEST", "MEMORY"})
    void whatIsLowOnlyAtFirstIsNoImprovement(Metric metric) {
        // 20 % less at the beginning, nothing at the end
        seldomClaims("fading", metric, 0.01, 0.2, ONE, 8);
    }

    /** Every setting costs the same. */
    private static void seldomClaims(
            String what, Metric metric, double noise, double drift, List<KnobRange> knobs, int trials) {
        int wrong = 0;
        for (int seed = 1; seed <= RUNS; seed++) {
            var world = new World(metric, s -> metric == Metric.MEMORY ? 2e8 : 0.0006, noise, drift, seed);
            wrong += tune(world, plan(metric, knobs, trials, seed)).result() == Result.IMPROVED ? 1 : 0;
        }
        System.out.printf("%s, %s: %d of %d claim an improvement%n", metric.id(), what, wrong, RUNS);
        assertThat(wrong).isLessThanOrEqualTo((int) Math.ceil(0.05 * RUNS + 2 * Math.sqrt(0.05 * 0.95 * RUNS)));
    }

    @ParameterizedTest
    @EnumSource(
            value = Metric.class,
            names = {"CPU_PER_REQUEST", "MEMORY"})
    void whatWasNotObservedIsSaidAndNeverTakenForZero(Metric metric) {
        Metric other = metric == Metric.MEMORY ? Metric.CPU_PER_REQUEST : Metric.MEMORY;
        var world = new World(other, s -> 0.0006, 0.02, 0, 1);
        Simulated.Run run = Simulated.drive(
                (ordinal, spec) -> withoutCpu(world.run(ordinal, spec)), new TuneExperiment(plan(metric, ONE, 8, 1)));

        assertThat(run.seen()).hasSize(1);
        assertThat(run.tune().result()).isEqualTo(Result.NO_BASELINE);
        assertThat(run.tune().headline())
                .isEqualTo("Nothing can be judged by " + metric.words()
                        + ", for it was not observed: its process could not be read.");
        assertThat(run.tune().candidates().getFirst().figure().optional()).isEmpty();
    }

    private static TrialOutcome withoutCpu(TrialOutcome o) {
        return Simulated.with(o, e -> with(e, e.aggregates().withoutCpuTime(), e.facts()));
    }

    @Test
    void aComparisonAndASweepAreJudgedByIt() {
        Metric metric = Metric.CPU_PER_REQUEST;
        var world = new World(metric, s -> dear(metric, s), 0.01, 0, 7);
        Plan p = plan(metric, ONE, 8, 7);
        var variants = List.of("40", "200").stream()
                .map(n -> new Variant("t" + n, p.target(), Setting.of("threads.max", n), Optional.empty()))
                .toList();
        var compared =
                (CompareConclusion) Simulated.drive(world, new CompareExperiment(with(p, Optional.empty(), variants)))
                        .conclusion();

        assertThat(compared.headline())
                .startsWith("t40 needs 0.77")
                .contains(" times the CPU time per request of t200 (");
        assertThat(compared.notes()).anyMatch(n -> n.contains("compilers left out"));
        CompareConclusion.VariantResult t40 =
                compared.conditions().getFirst().variants().getFirst();
        assertThat(1e6 * t40.figure().orElseThrow()).isEqualTo(t40.cpuMicrosPerRequest());

        var grid = new Plan.Sweep(List.of(new Dimension("threads.max", List.of("10", "40", "200"))), 3);
        var swept = (SweepConclusion) Simulated.drive(world, new SweepExperiment(with(p, Optional.of(grid), List.of())))
                .conclusion();

        // 10 threads need least, and do not keep up
        assertThat(swept.headline()).startsWith("Best: threads.max=40 with CPU time per request 437 µs; 0.7");
    }

    private static Plan with(Plan p, Optional<Plan.Sweep> sweep, List<Variant> variants) {
        return p.withSweep(sweep)
                .withCompare(
                        variants.isEmpty()
                                ? Optional.empty()
                                : Optional.of(new Plan.Compare(
                                        variants, List.of(), 4, Optional.empty(), false, Optional.empty())));
    }

    @Test
    void theFigureOfAPairIsReadSliceBySlice() {
        var world = new World(Metric.CPU_PER_REQUEST, s -> 0.0006, 0, 0, 1);
        TrialOutcome o = world.run(
                1,
                new TrialSpec(
                        TrialSpec.Phase.DUEL,
                        "baseline",
                        Map.of(),
                        0,
                        Simulated.target(),
                        Setting.DEFAULT,
                        Simulated.load(300)));

        // the windows follow each other, so they are one slice, and two figures are not of it
        assertThat(new ObjectiveFigure(Metric.CPU_PER_REQUEST).over(slices(o, 3.0)))
                .hasSize(1);
        assertThat(new ObjectiveFigure(Metric.CPU_PER_REQUEST).over(slices(o, 1.5, 1.5)))
                .isEmpty();
    }

    private static TrialOutcome slices(TrialOutcome o, Double... cpuSeconds) {
        var slices = new Conditions.Slices(1, 1, 0, 0, List.of(cpuSeconds));
        return Simulated.with(
                o,
                e -> e.withConditions(Conditions.ALONE
                        .withPair(Optional.of(Conditions.Pair.SIDE_BY_SIDE))
                        .in(slices)));
    }

    /** What the kernel's ticks don't show is not a million times better. */
    @Test
    void aCpuTimeOfZeroWasNotObserved() {
        TrialOutcome o = Simulated.with(
                new World(Metric.CPU_PER_REQUEST, s -> 0.001, 0, 0, 1)
                        .run(
                                1,
                                new TrialSpec(
                                        TrialSpec.Phase.SEARCH,
                                        "",
                                        Map.of(),
                                        0,
                                        Simulated.target(),
                                        Setting.DEFAULT,
                                        Simulated.load(300))),
                e -> e.withAggregates(e.aggregates().with(Aggregate.SERVER_CPU_SECONDS, OptionalFigure.of(0))));
        var figure = new ObjectiveFigure(Metric.CPU_PER_REQUEST);
        assertThat(figure.of(o).optional()).isEmpty();
        assertThat(figure.score(o).optional()).isEmpty();
        assertThat(figure.whyNot(o)).isEqualTo("it was too little to be seen");
        assertThat(new ObjectiveFigure(Metric.P99).of(Tamper.p99(o, 0)).optional())
                .isEmpty();
        assertThat(new ObjectiveFigure(Metric.THROUGHPUT)
                        .of(Tamper.faster(o, 0))
                        .optional())
                .as("a server that serves nothing was seen to")
                .hasValue(0);
    }
}
