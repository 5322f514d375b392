package dev.fettle.insight.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Simulated;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.insight.TuneConclusion.Result;
import dev.fettle.insight.capacity.Tamper;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Budget;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialOutcome.Kind;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import org.hipparchus.distribution.continuous.NormalDistribution;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * A limit that breaks beyond some pool size: how near to the best that holds does a tune of seven trials come? Edges are drawn by a seed. A
 * build tries few; figures to quote are of {@code -Dfettle.runs=200} or more.
 */
@Tag("long")
class EdgeErrorRatesTest {
    private static final int RUNS = Integer.getInteger("fettle.runs", 24);
    private static final int TRIALS = 7;
    private static final long LIMIT = 200_000_000;

    /** How a limit breaks. */
    private enum Break {
        P99,
        P99_GROWS,
        ERRORS,
        DEATH,
        NO_START,
        WRONG_ANSWERS
    }

    /** How throughput goes with the knob, as far as the limits hold. */
    private enum Shape {
        RISING,
        PEAKED,
        FLAT,
        /** Better with fewer threads: the limit breaks below the edge. */
        FALLING,
        /** As {@link #FALLING}, and the default breaks the limit, too: it is met below the edge only. */
        DEFAULT_BREAKS,
        NO_EDGE,
        /** As {@link #RISING}, over a range from 1 to 10,000. */
        WIDE,
        /** As {@link #RISING}, over a range of a dozen values. */
        NARROW,
        /** As {@link #RISING}, and the range ends at the edge. */
        TOP,
        /** As {@link #FALLING}, and the range begins at the edge. */
        BOTTOM,
        /** As {@link #RISING}, of a knob that no law predicts. */
        OTHER_KNOB,
        /** As {@link #RISING}, and another knob gives or takes a few per cent. */
        TWO_KNOBS;

        boolean fewer() {
            return this == FALLING || this == BOTTOM;
        }
    }

    /**
     * A server whose limit breaks beyond an edge.
     *
     * @param edge last size that holds
     * @param blur how far from the edge (logarithm) it begins to break now and then
     */
    private record World(
            Shape shape,
            Break how,
            int byDefault,
            int clients,
            double edge,
            double blur,
            double peak,
            long from,
            long to,
            long seed)
            implements Simulated.Server {
        private static final double GROWS = 1.5;
        private static final double NOISE = 0.05;
        private static final double SHIFT = 0.02;

        static World draw(Shape shape, Break how, boolean blurred, long seed) {
            var random = new SplittableRandom(seed * 97 + shape.ordinal() * 7919L + how.ordinal());
            int byDefault;
            double edge;
            long from = 4;
            long to = 1000;
            if (shape.fewer()) {
                byDefault = between(random, 100, 400);
                edge = between(random, 10, byDefault * 0.8);
            } else if (shape == Shape.DEFAULT_BREAKS) {
                byDefault = between(random, 60, 400);
                edge = between(random, 10, byDefault * 0.8);
            } else if (shape == Shape.NARROW) {
                byDefault = between(random, 2, 6);
                edge = between(random, byDefault + 1.0, 11);
                from = 1;
                to = 12;
            } else {
                byDefault = between(random, 8, 40);
                edge = between(random, byDefault * 1.2, Math.min(800, byDefault * 16.0));
            }
            if (shape == Shape.WIDE || shape == Shape.OTHER_KNOB) {
                from = 1;
                to = 10_000;
            } else if (shape == Shape.TOP) {
                to = (long) edge;
            } else if (shape == Shape.BOTTOM) {
                from = (long) edge;
            }
            int clients = between(random, edge * 1.1, shape == Shape.WIDE ? 10_000 : 1000);
            double peak = shape == Shape.PEAKED ? between(random, byDefault, edge) : Double.POSITIVE_INFINITY;
            return new World(shape, how, byDefault, clients, edge, blurred ? 0.15 : 0, peak, from, to, seed);
        }

        private static int between(SplittableRandom random, double low, double high) {
            return (int) Math.round(low * Math.pow(Math.max(1, high / low), random.nextDouble()));
        }

        String knob() {
            return shape == Shape.OTHER_KNOB ? "backlog" : "threads.max";
        }

        int value(Setting s) {
            return s.get(knob()).map(Integer::parseInt).orElse(byDefault);
        }

        List<KnobRange> knobs() {
            var range = KnobRange.interval(knob(), from, to);
            return shape == Shape.TWO_KNOBS
                    ? List.of(range, KnobRange.choices("jvm.gc", List.of("g1", "serial")))
                    : List.of(range);
        }

        /** What the other knob gives. */
        private double other() {
            return shape != Shape.TWO_KNOBS ? 1 : seed % 2 == 0 ? 1.05 : 0.96;
        }

        double throughput(Setting s) {
            boolean set = s.get("jvm.gc").filter("serial"::equals).isPresent();
            return throughput(value(s)) * (set ? other() : 1);
        }

        double throughput(int m) {
            double k = shape == Shape.OTHER_KNOB ? m : Math.min(m, clients);
            return switch (shape) {
                case RISING, NO_EDGE, WIDE, NARROW, TOP, OTHER_KNOB, TWO_KNOBS -> 20 * k;
                case PEAKED -> m <= peak ? 20 * k : 20 * Math.min(peak, clients) * Math.pow(m / peak, -0.3);
                case FLAT -> 1000;
                case FALLING, BOTTOM -> 1000 * Math.pow(m / 100.0, -0.5);
                case DEFAULT_BREAKS -> 1000 * Math.pow(m / 100.0, 0.5);
            };
        }

        /** How far beyond the edge (logarithm). */
        private double beyond(int m) {
            return shape.fewer() ? Math.log(edge / m) : Math.log(m / edge);
        }

        /** The share of trials in which the limit breaks. */
        double breaks(int m) {
            if (shape == Shape.NO_EDGE) {
                return 0;
            }
            if (how == Break.P99_GROWS) {
                return new NormalDistribution().cumulativeProbability((GROWS * beyond(m) - SHIFT) / NOISE);
            }
            return beyond(m) > 1e-9 ? 1 : blur > 0 && beyond(m) > -blur ? 0.5 * (1 + beyond(m) / blur) : 0;
        }

        /** The most throughput at a size that holds nearly always. */
        double best() {
            double best = 0;
            for (int m = (int) from; m <= to; m++) {
                best = breaks(m) <= 0.02 ? Math.max(best, throughput(m)) : best;
            }
            return best * Math.max(1, other());
        }

        @Override
        public TrialOutcome run(int ordinal, TrialSpec spec) {
            var random = new Random(seed * 1_000_003 + ordinal * 7919L);
            random.nextInt();
            int m = value(spec.setting());
            int threads = shape == Shape.OTHER_KNOB ? 200 : m;
            var server = Simulated.server(byDefault, 0.05, 0.00001, 4, clients);
            double x = throughput(spec.setting()) * Math.exp(0.02 * random.nextGaussian());
            TrialOutcome o = Tamper.p99(
                    server.outcome(ordinal, spec, threads, x, shape.fewer() ? 3.98 / x : 0.00001, false, random),
                    Math.round(LIMIT * 0.3 * Math.exp(0.05 * random.nextGaussian())));
            if (shape == Shape.OTHER_KNOB) {
                o = Simulated.with(o, e -> e.withEffective(Map.of("backlog", Integer.toString(m))));
            }
            boolean broken = random.nextDouble() < breaks(m);
            if (how == Break.P99_GROWS && shape != Shape.NO_EDGE) {
                return Tamper.p99(
                        o, Math.round(LIMIT * Math.exp(GROWS * beyond(m) + NOISE * random.nextGaussian() - SHIFT)));
            }
            if (!broken) {
                return o;
            }
            return switch (how) {
                case P99, P99_GROWS -> Tamper.p99(o, 3 * LIMIT);
                case ERRORS -> {
                    var m0 = o.measurement().orElseThrow();
                    yield Tamper.measured(
                            o,
                            Tamper.errors(m0, m0.responses() * 9 / 10, Map.of(ErrorKind.STATUS, m0.responses() / 10)),
                            o.verdict());
                }
                case DEATH -> Tamper.failed(o, Kind.DIED, "gone");
                case NO_START -> Tamper.took(Tamper.failed(o, Kind.DID_NOT_START, "refused"), Duration.ofSeconds(2));
                case WRONG_ANSWERS -> Tamper.failed(o, Kind.WRONG_ANSWER, "another body");
            };
        }
    }

    private record Figures(double mean, double near, double worst, double unused, double fragile, double ended) {}

    private static Figures tune(Shape shape, boolean blurred) {
        double sum = 0;
        double worst = 1;
        int near = 0;
        int unused = 0;
        int fragile = 0;
        int improved = 0;
        var shares = new ArrayList<Double>();
        for (int i = 0; i < RUNS; i++) {
            Break[] all = Break.values();
            Break how = all[i % all.length];
            World world = World.draw(
                    shape,
                    shape == Shape.DEFAULT_BREAKS ? i % 2 == 0 ? Break.P99 : Break.P99_GROWS : how,
                    blurred,
                    i + 1);
            Plan plan = Simulated.server(world.byDefault(), 0.05, 0.00001, 4, world.clients())
                    .seed(i + 1)
                    .plan(
                            world.knobs(),
                            new Objective(Objective.Metric.THROUGHPUT, Optional.of(Duration.ofNanos(LIMIT)), 0.001),
                            new Budget(TRIALS, Duration.ofMinutes(6), 5));
            Simulated.Run run = Simulated.drive(world, new TuneExperiment(plan));
            TuneConclusion c = run.tune();
            Setting recommended =
                    c.result() == Result.IMPROVED || shape == Shape.DEFAULT_BREAKS ? c.winner() : Setting.DEFAULT;
            int m = world.value(recommended);
            double share = world.breaks(m) < 1 ? world.throughput(recommended) / world.best() : 0;
            shares.add(share);
            sum += Math.min(1, share);
            near += share >= 0.95 ? 1 : 0;
            worst = Math.min(worst, share);
            fragile += world.breaks(m) > 0.25 ? 1 : 0;
            improved += c.result() == Result.IMPROVED ? 1 : 0;
            long spent = run.seen().stream()
                    .filter(t -> t.spec().phase() != Phase.DUEL)
                    .count();
            unused += Math.max(0, TRIALS - (int) spent);
        }
        double n = RUNS;
        var f = new Figures(sum / n, near / n, worst, unused / n, fragile / n, improved / n);
        System.out.printf(
                "%-14s %s: mean %.3f of the best, at least 0.95 in %.0f %%, worst %.2f, %.1f trials unused, fragile %.0f %%, improved %.0f %%%n",
                shape,
                blurred ? "blurred" : "sharp  ",
                f.mean,
                100 * f.near,
                f.worst,
                f.unused,
                100 * f.fragile,
                100 * f.ended);
        return f;
    }

    @TestFactory
    List<DynamicTest> theLastThatHoldsIsFound() {
        var tests = new ArrayList<DynamicTest>();
        for (boolean blurred : new boolean[] {false, true}) {
            for (Shape shape : Shape.values()) {
                tests.add(DynamicTest.dynamicTest(shape + (blurred ? ", blurred" : ""), () -> {
                    Figures f = tune(shape, blurred);
                    double least = switch (shape) {
                        case FLAT, NO_EDGE -> 0.99;
                        case FALLING, BOTTOM, NARROW -> blurred ? 0.93 : 0.95;
                        case RISING, PEAKED, DEFAULT_BREAKS, WIDE, TOP, OTHER_KNOB -> blurred ? 0.9 : 0.93;
                        case TWO_KNOBS -> 0.8; // one trial fewer for the edge, and what the other knob gives
                    };
                    double idle = switch (shape) {
                        case NO_EDGE, TOP, BOTTOM, NARROW -> 3.5;
                        default -> 0.5;
                    };
                    assertThat(f.mean()).isGreaterThanOrEqualTo(least);
                    assertThat(f.unused()).as("trials").isLessThan(idle);
                }));
            }
        }
        return tests;
    }
}
