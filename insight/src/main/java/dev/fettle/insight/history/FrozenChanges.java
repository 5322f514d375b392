package dev.fettle.insight.history;

import dev.fettle.insight.stats.TwoSamples;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.Predicate;

/**
 * Change points as they were reported at the time. The series is gone through run by run: what is found once a run has come in, with the runs
 * until then, stays, and what comes later is searched from there on. So a change point never moves, nor goes, whatever follows, and it takes no
 * file to know that: the same runs always give the same points, and more runs only add points.
 */
public final class FrozenChanges {
    /** What is searched again with each run, in windows: older figures were searched when they came in. */
    private static final int WINDOWS = 2;

    private static final double MOST_APART = 7.35;

    private FrozenChanges() {}

    /**
     * A change point, and when it was first seen.
     *
     * @param point with the means that were known then
     * @param from the first figure at which it may have come as well
     * @param to the last one
     * @param seen how many figures there were
     */
    public record Frozen(ChangePoint point, int from, int to, int seen) {}

    /** Of a series whose figures don't change as more come in. */
    public static List<Frozen> of(double[] series, Levels levels, Predicate<ChangePoint> large) {
        return of(series.length, n -> Arrays.copyOf(series, n), levels, large);
    }

    /**
     * The change points in order.
     *
     * @param figures how many there are
     * @param upTo the first n figures as they were known when there were n
     */
    public static List<Frozen> of(
            int figures, IntFunction<double[]> upTo, Levels levels, Predicate<ChangePoint> large) {
        var frozen = new ArrayList<Frozen>();
        int start = 0;
        for (int n = 2 * levels.least(); n <= figures; n++) {
            if (n - start < 2 * levels.least()) {
                continue;
            }
            double[] tail = Arrays.copyOfRange(upTo.apply(n), start, n);
            int from = Math.max(0, tail.length - WINDOWS * levels.window());
            List<ChangePoint> found = EDivisive.of(tail, from, levels, large);
            for (int i = 0; i < found.size(); i++) {
                ChangePoint p = found.get(i);
                int first = i == 0 ? 0 : found.get(i - 1).index();
                int end = i + 1 < found.size() ? found.get(i + 1).index() : tail.length;
                int[] place = place(TwoSamples.clipped(tail, first, p.index(), end), first, p.index(), end);
                frozen.add(new Frozen(
                        new ChangePoint(start + p.index(), p.before(), p.after(), p.p()),
                        start + place[0],
                        start + place[1],
                        n));
            }
            start = frozen.isEmpty() ? 0 : frozen.getLast().point().index();
        }
        return frozen;
    }

    /**
     * Where a step may lie: n ln(S / S₀) is at most 7.35, S the squares about the two means if it lay there, S₀ where it was put. This set holds
     * its place in 95 of 100 (Hansen, Econometrica 68(3), 2000, doi 10.1111/1468-0262.00124: -2 ln(1 - √0.95)).
     *
     * @return first and last place, about {@code at}
     */
    private static int[] place(double[] series, int start, int at, int end) {
        int n = end - start;
        double[] sums = new double[n + 1];
        double[] squares = new double[n + 1];
        for (int i = 0; i < n; i++) {
            double d = series[start + i] - series[start]; // near 0, so that squares lose nothing
            sums[i + 1] = sums[i] + d;
            squares[i + 1] = squares[i] + d * d;
        }
        double least = apart(sums, squares, at - start, n);
        int first = at;
        int last = at;
        for (int t = 1; t < n; t++) {
            double there = apart(sums, squares, t, n);
            if (there <= least || n * Math.log(there / least) <= MOST_APART) {
                first = Math.min(first, start + t);
                last = Math.max(last, start + t);
            }
        }
        return new int[] {first, last};
    }

    private static double apart(double[] sums, double[] squares, int at, int n) {
        double right = sums[n] - sums[at];
        double all = squares[n] - sums[at] * sums[at] / at - right * right / (n - at);
        return Math.max(0, all);
    }
}
