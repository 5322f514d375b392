package dev.fettle.insight.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Runs;
import dev.fettle.insight.history.FrozenChanges.Frozen;
import dev.fettle.model.plan.GateMetric;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * How often a history reports a change that is none, over 100 runs with a search after each, and how soon it finds one that is there.
 * {@code bench/history/simulated.sh} makes more series, and prints them next to Otava's levels.
 */
class ChangePointsErrorRatesTest {
    private static final int RUNS = 100;
    private static final int AT = 40;
    private static final int WATCHED = 60;

    /** What a series does without any change of the program. */
    private enum Truth {
        QUIET("noise of 1 %", 0.01),
        NOISY("noise of 5 %", 0.05),
        OUTLIERS("noise of 2 %, one run in 20 is 5 to 30 % slow", 0.02),
        FOLLOWS("noise of 2 %, of which half is the last run's", 0.02),
        DRIFTS("a machine that drifts by 1 % a run, taken out by a reference", 0.005),
        WANDERS("the same machine without a reference", 0.005);

        private final String words;
        private final double noise;

        Truth(String words, double noise) {
            this.words = words;
            this.noise = noise;
        }

        double[] series(int n, long seed) {
            var r = new Random(seed);
            double[] x = new double[n];
            double machine = 0;
            double last = 0;
            for (int i = 0; i < n; i++) {
                machine += 0.01 * r.nextGaussian();
                last = 0.5 * last + Math.sqrt(0.75) * r.nextGaussian();
                double own = noise * (this == FOLLOWS ? last : r.nextGaussian());
                // of a pair in turn, what is left of the machine is the noise of both
                double others = this == DRIFTS ? noise * r.nextGaussian() : this == WANDERS ? machine : 0;
                double slow = this == OUTLIERS && r.nextDouble() < 0.05 ? -0.05 - 0.25 * r.nextDouble() : 0;
                x[i] = Math.exp(own + others + slow);
            }
            return x;
        }
    }

    private static List<Frozen> found(double[] x, Levels levels) {
        return FrozenChanges.of(x, levels, History.large(GateMetric.CPU, History.usualLeast()));
    }

    /** A step of a share, with noise: how it was found. */
    private record Power(double noise, double step, double outliers) {
        Power(double noise, double step) {
            this(noise, step, 0);
        }

        double[] series(long seed) {
            double[] x = new double[WATCHED];
            var r = new Random(seed);
            for (int i = 0; i < WATCHED; i++) {
                double slow = r.nextDouble() < outliers ? 0.05 + 0.25 * r.nextDouble() : 0;
                x[i] = (i < AT ? 1 : 1 + step) * (1 + noise * r.nextGaussian() + slow);
            }
            return x;
        }
    }

    private static boolean isIt(Frozen f) {
        return Math.abs(f.point().index() - AT) <= 5
                && f.point().after() > f.point().before();
    }

    @TestFactory
    Stream<DynamicTest> reportsSeldomWhatIsNone() {
        return Stream.of(Truth.QUIET, Truth.NOISY, Truth.OUTLIERS, Truth.DRIFTS)
                .map(t -> DynamicTest.dynamicTest(t.words, () -> {
                    var runs = new Runs(60);
                    var alarms = runs.atMost("a change that is none", 3);
                    for (int seed : runs) {
                        alarms.count(
                                !found(t.series(RUNS, seed), Levels.usual()).isEmpty());
                    }
                    runs.check();
                }));
    }

    /** The metrics of a gate at a closed load, in which nothing changes: one history in twenty at most reports anything. */
    @Test
    void sixMetricsTogetherSeldomReportWhatIsNone() {
        var runs = new Runs(40);
        var alarms = runs.atMost("a change that is none in one of six metrics", 3);
        for (int seed : runs) {
            alarms.count(anyOf(Truth.QUIET, seed, false));
        }
        runs.check();
    }

    /** Whether any of six metrics shows a change. */
    private static boolean anyOf(Truth truth, int seed, boolean eachAlone) {
        List<GateMetric> metrics =
                Stream.of(GateMetric.values()).filter(m -> m.fits(false)).toList();
        double all = metrics.stream().mapToDouble(m -> m.weight(m.decides())).sum();
        for (int i = 0; i < metrics.size(); i++) {
            GateMetric m = metrics.get(i);
            Levels levels = eachAlone ? Levels.usual() : Levels.usual().of(m.weight(m.decides()) / all);
            if (!found(truth.series(RUNS, 1_000L * seed + i), levels).isEmpty()) {
                return true;
            }
        }
        return false;
    }

    @Test
    void findsAStepOfFivePerCentWithTheFourthRun() {
        var runs = new Runs(60);
        var fourth = runs.atLeast("5 % in noise of 1 %, four runs after it", 57);
        var where = runs.atLeast("at the run that it came with", 55);
        var within = runs.atLeast("the runs that are named hold it", 55);
        for (int seed : runs) {
            List<Frozen> found = found(new Power(0.01, 0.05).series(seed), Levels.usual());
            fourth.count(found.stream().anyMatch(f -> isIt(f) && f.seen() <= AT + 4));
            where.count(found.stream().anyMatch(f -> f.point().index() == AT));
            within.count(found.stream().anyMatch(f -> isIt(f) && f.from() <= AT && f.to() >= AT));
        }
        runs.check();
    }

    @Test
    void namesTheRunsThatItMayHaveComeWith() {
        var runs = new Runs(60);
        var within = runs.atLeast("the runs that are named hold it", 52);
        for (int seed : runs) {
            List<Frozen> found = found(new Power(0.02, 0.05).series(seed), Levels.usual()).stream()
                    .filter(ChangePointsErrorRatesTest::isIt)
                    .toList();
            within.count(found.stream().allMatch(f -> f.from() <= AT && f.to() >= AT));
        }
        runs.check();
    }

    /** The figures for the page. */
    @Test
    @EnabledIfSystemProperty(named = "fettle.history.grid", matches = ".+")
    void grid() {
        int series = Integer.getInteger("fettle.history.grid");
        Levels otava = Levels.OTAVA;
        print(""); // the build's own output may end within a line
        print(
                "| 100 runs without a change, a search after each | Fettle | Otava's levels, frozen in the same way | Otava's levels, one search at the end |");
        print("|---|--:|--:|--:|");
        for (Truth t : Truth.values()) {
            int ours = 0;
            int theirs = 0;
            int once = 0;
            for (int seed = 1; seed <= series; seed++) {
                double[] x = t.series(RUNS, seed);
                ours += found(x, Levels.usual()).isEmpty() ? 0 : 1;
                theirs += found(x, otava).isEmpty() ? 0 : 1;
                once += EDivisive.of(x, otava, History.large(GateMetric.CPU, History.usualLeast()))
                                .isEmpty()
                        ? 0
                        : 1;
            }
            print(String.format(
                    Locale.ROOT,
                    "| %s | %.1f %% | %.1f %% | %.1f %% |",
                    t.words,
                    100.0 * ours / series,
                    100.0 * theirs / series,
                    100.0 * once / series));
        }
        print("");
        print("| 100 runs without a change, six metrics | their levels shared | each at its own |");
        print("|---|--:|--:|");
        for (Truth t : List.of(Truth.QUIET, Truth.NOISY, Truth.OUTLIERS, Truth.DRIFTS)) {
            int shared = 0;
            int alone = 0;
            for (int seed = 1; seed <= series; seed++) {
                shared += anyOf(t, seed, false) ? 1 : 0;
                alone += anyOf(t, seed, true) ? 1 : 0;
            }
            print(String.format(
                    Locale.ROOT,
                    "| %s | %.1f %% | %.1f %% |",
                    t.words,
                    100.0 * shared / series,
                    100.0 * alone / series));
        }
        print("");
        print(
                "| step after 40 runs | noise of a run | found with run 4 | 6 | 8 | 10 | 20 | at the very run | runs named, mean | they hold it |");
        print("|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
        for (double step : new double[] {0.03, 0.05, 0.1}) {
            for (double noise : new double[] {0.005, 0.01, 0.02, 0.03}) {
                print(power(step, new Power(noise, step), series));
            }
            print(power(step, new Power(0.01, step, 0.05), series));
        }
        assertThat(series).isPositive();
    }

    /** The part of a metric that decides, among a gate's six at a closed load. */
    private static Levels ofThroughput() {
        return Levels.usual().of(4.0 / 12);
    }

    private static String power(double step, Power truth, int series) {
        int[] after = {4, 6, 8, 10, 20};
        int[] by = new int[after.length];
        int all = 0;
        int exact = 0;
        int holds = 0;
        int named = 0;
        for (int seed = 1; seed <= series; seed++) {
            var it = found(truth.series(seed), ofThroughput()).stream()
                    .filter(ChangePointsErrorRatesTest::isIt)
                    .findFirst();
            if (it.isPresent()) {
                Frozen f = it.get();
                for (int i = 0; i < after.length; i++) {
                    by[i] += f.seen() <= AT + after[i] ? 1 : 0;
                }
                all++;
                exact += f.point().index() == AT ? 1 : 0;
                holds += f.from() <= AT && f.to() >= AT ? 1 : 0;
                named += f.to() - f.from() + 1;
            }
        }
        var row = new StringBuilder(String.format(
                Locale.ROOT,
                "| %.0f %% | %.1f %%%s |",
                100 * step,
                100 * truth.noise(),
                truth.outliers() > 0 ? ", one in 20 is 5 to 30 % slow" : ""));
        for (int b : by) {
            row.append(String.format(Locale.ROOT, " %.0f %% |", 100.0 * b / series));
        }
        return all == 0
                ? row + " – | – | – |"
                : row
                        + String.format(
                                Locale.ROOT,
                                " %.0f %% | %.1f | %.0f %% |",
                                100.0 * exact / all,
                                (double) named / all,
                                100.0 * holds / all);
    }

    private static void print(String line) {
        System.out.println(line);
    }
}
