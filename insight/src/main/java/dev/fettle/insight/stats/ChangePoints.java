package dev.fettle.insight.stats;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.hipparchus.distribution.continuous.TDistribution;

/**
 * Where the mean of a series changes: E-divisive (Matteson and James, arXiv 1306.4933) with Student's t test in place of permutations,
 * within windows, whose points are then merged, as MongoDB, DataStax and Apache Otava do it (arXiv 2003.00584 and 2301.03034). The same series
 * always has the same points, and those of Otava 0.8 ({@code ChangePointsTest} has its own series).
 *
 * @param window length of a window, at least 2
 * @param level a point's p-value is below it
 * @param least a change is larger than this share of the smaller of both means
 */
public record ChangePoints(int window, double level, double least) {
    /** Otava's own choice, but for the least change: what is smaller than 1 % is not worth a look. */
    public static final ChangePoints USUAL = new ChangePoints(50, 0.001, 0.01);

    /**
     * A change.
     *
     * @param index of the first figure after it
     * @param before mean since the change before
     * @param after mean until the next change
     * @param p p-value of Student's t test between both, two-sided
     */
    public record Point(int index, double before, double after, double p) {
        /** The relative change, the larger of both directions. */
        double magnitude() {
            return before == 0 || after == 0
                    ? before == after ? 0 : Double.POSITIVE_INFINITY
                    : Math.max(Math.abs(after / before - 1), Math.abs(before / after - 1));
        }
    }

    /** The changes of a series, in order. */
    public List<Point> of(double[] series) {
        return merged(series, weak(series));
    }

    /** The level at which points are collected before weak ones are merged. */
    private double first() {
        return level < 0.05 ? 10 * level : level < 0.5 ? 2 * level : level;
    }

    /** Points in windows that overlap by half. */
    private List<Integer> weak(double[] series) {
        var points = new ArrayList<Integer>();
        int start = 0;
        while (start < series.length) {
            int end = Math.min(start + window, series.length);
            List<Integer> found = within(series, start, end);
            found.stream().filter(p -> !points.contains(p)).forEach(points::add);
            start = Math.max(found.isEmpty() ? 0 : found.getLast(), start + window / 2);
        }
        points.sort(null);
        return points;
    }

    /** E-divisive in one window: the best split of any interval, again and again, as long as the best one is significant. */
    private List<Integer> within(double[] series, int start, int end) {
        var points = new ArrayList<Integer>();
        while (true) {
            List<Integer> ends = ends(points, start, end);
            int best = -1;
            double highest = Double.NEGATIVE_INFINITY;
            int from = 0;
            int to = 0;
            for (int i = 0; i + 1 < ends.size(); i++) {
                if (ends.get(i + 1) - ends.get(i) > 1) {
                    Split split = split(series, ends.get(i), ends.get(i + 1));
                    if (split.distance() > highest) {
                        highest = split.distance();
                        best = split.at();
                        from = ends.get(i);
                        to = ends.get(i + 1);
                    }
                }
            }
            if (best < 0 || best >= to || !(point(series, from, best, to).p() <= first())) {
                return points;
            }
            points.add(best);
            points.sort(null);
        }
    }

    private static List<Integer> ends(List<Integer> points, int start, int end) {
        var ends = new ArrayList<Integer>();
        ends.add(start);
        ends.addAll(points);
        ends.add(end);
        return ends;
    }

    private record Split(int at, double distance) {}

    /** The place and the end at which the energy distance between what lies before and after is largest. */
    private static Split split(double[] x, int start, int end) {
        int n = end - start;
        // sums of the distances between all figures of [start, to)
        var inside = new double[n + 1];
        for (int to = 1; to <= n; to++) {
            inside[to] = inside[to - 1];
            for (int i = 0; i < to - 1; i++) {
                inside[to] += Math.abs(x[start + i] - x[start + to - 1]);
            }
        }
        int at = start + 1;
        double highest = Double.NEGATIVE_INFINITY;
        for (int tau = 1; tau < n; tau++) {
            double after = 0;
            for (int kappa = tau + 1; kappa <= n; kappa++) {
                for (int j = tau; j < kappa - 1; j++) {
                    after += Math.abs(x[start + j] - x[start + kappa - 1]);
                }
                double before = inside[tau];
                double between = inside[kappa] - before - after;
                double q = 2.0 / kappa * between
                        - (tau < 2 ? 0 : 2.0 * (kappa - tau) / ((double) kappa * (tau - 1)) * before)
                        - (kappa - tau < 2 ? 0 : 2.0 * tau / ((double) kappa * (kappa - tau - 1)) * after);
                if (q > highest) {
                    highest = q;
                    at = start + tau;
                }
            }
        }
        return new Split(at, highest);
    }

    /** Student's t with a pooled variance, of deviations that divide by n: as Otava's, so that points are the same. */
    private static Point point(double[] x, int from, int at, int to) {
        double[] left = part(x, from, at);
        double[] right = part(x, at, to);
        double a = Statistics.average(left);
        double b = Statistics.average(right);
        int freedom = left.length + right.length - 2;
        if (freedom < 1) {
            return new Point(at, a, b, 1);
        }
        double variance = ((left.length - 1) * variance(left, a) + (right.length - 1) * variance(right, b)) / freedom;
        double error = Math.sqrt(variance * (1.0 / left.length + 1.0 / right.length));
        if (error == 0) {
            return new Point(at, a, b, a == b ? 1 : 0);
        }
        double t = Math.abs(a - b) / error;
        return new Point(at, a, b, 2 * new TDistribution(freedom).cumulativeProbability(-t));
    }

    private static double variance(double[] of, double mean) {
        return Statistics.average(
                IntStream.range(0, of.length).mapToDouble(i -> (of[i] - mean) * (of[i] - mean)).toArray());
    }

    private static double[] part(double[] x, int from, int to) {
        return Arrays.copyOfRange(x, from, to);
    }

    /**
     * Takes out the point with the highest p-value, or else the smallest change, until all are significant and large enough. After that the
     * figures of the two points that follow the one that was taken out are made anew, and not that of the one before it: so Otava does it.
     */
    private List<Point> merged(double[] series, List<Integer> weak) {
        var points = new ArrayList<Point>();
        weak.forEach(at -> points.add(new Point(at, 0, 0, 1)));
        IntStream.range(0, points.size()).forEach(i -> renew(points, i, series));
        while (!points.isEmpty()) {
            Point weakest =
                    points.stream().max(Comparator.comparingDouble(Point::p)).orElseThrow();
            if (weakest.p() < level) {
                weakest = points.stream()
                        .min(Comparator.comparingDouble(Point::magnitude))
                        .orElseThrow();
                if (weakest.magnitude() > least) {
                    return List.copyOf(points);
                }
            }
            int at = points.indexOf(weakest);
            points.remove(at);
            renew(points, at, series);
            renew(points, at + 1, series);
        }
        return List.of();
    }

    private static void renew(List<Point> points, int i, double[] series) {
        if (i < points.size()) {
            int from = i == 0 ? 0 : points.get(i - 1).index();
            int to = i + 1 == points.size() ? series.length : points.get(i + 1).index();
            points.set(i, point(series, from, points.get(i).index(), to));
        }
    }
}
