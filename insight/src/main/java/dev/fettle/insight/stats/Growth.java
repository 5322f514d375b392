package dev.fettle.insight.stats;

import dev.fettle.model.text.OptionalFigure;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * Whether a figure grows, and goes on growing: the one test behind every sentence that says so.
 *
 * <p>Many points are taken together to {@value #BLOCKS} medians, as neighbours in time resemble each other. Growth is shown if the
 * points rank in the order of time (Mann 1945 and Kendall's test, one-sided, exact, at most {@value #ALPHA} by chance), if no single
 * step is most of it, and if it is about as fast at the end as before: what fills up, such as a cache, slows down. The rate is the
 * median of the slopes between all pairs, its bounds are Sen's (1968).
 *
 * @param points points that the test had, before they were taken together
 * @param seconds from the first to the last of them
 * @param first the line's value at the first point
 * @param last the line's value at the last point
 * @param perSecond growth, with its 95 % interval
 * @param rises whether the points rank in the order of time
 * @param shown whether it rises, and goes on doing so
 */
public record Growth(
        int points, double seconds, double first, double last, Interval perSecond, boolean rises, boolean shown) {
    /** Fewer points show nothing: six in order come about by chance once in 720 times. */
    public static final int LEAST = 6;

    /** The largest probability of points that rank in the order of time by chance. */
    public static final double ALPHA = 0.002;

    private static final int BLOCKS = 8;

    /** Part of the growth that may come in one step. */
    private static final double ONE_STEP = 0.5;

    /** The least speed of the last third over that of what was before it; of a cache that fills it is less. */
    private static final double GOES_ON = 0.7;

    /** The least speed within the last third over that of all: fewer points tell it less exactly. */
    private static final double AT_LAST = 0.5;

    /** 97.5 % quantile of the normal distribution. */
    private static final double TWO_SIDED = 1.96;

    /**
     * Tests points in the order of time; with fewer than {@link #LEAST}, nothing is shown.
     *
     * @param times when, in seconds, ascending
     * @param values as many
     */
    public static Growth of(double[] times, double[] values) {
        int n = times.length;
        if (n < LEAST) {
            return new Growth(
                    n,
                    n < 2 ? 0 : times[n - 1] - times[0],
                    Double.NaN,
                    Double.NaN,
                    Interval.unbounded(0),
                    false,
                    false);
        }
        double[] t = n > 2 * BLOCKS ? medians(times) : times;
        double[] v = n > 2 * BLOCKS ? medians(values) : values;
        double[] slopes = slopes(t, v);
        double slope = median(slopes);
        double middle = median(IntStream.range(0, t.length)
                .mapToDouble(i -> v[i] - slope * t[i])
                .toArray());
        int s = score(v);
        boolean rises = chance(t.length, s) <= ALPHA && slope > 0;
        return new Growth(
                n,
                times[n - 1] - times[0],
                middle + slope * times[0],
                middle + slope * times[n - 1],
                bounds(slopes, slope, t.length),
                rises,
                rises && !oneStep(v) && goesOn(t, v));
    }

    /**
     * The same for what may have begun to grow in the midst of it: of all points, the last two thirds and the last half, the first in
     * which growth is shown and ends above everything before; else that of all points, with nothing shown.
     *
     * @param before the most that was seen before the first point; negative infinity if nothing was
     */
    public static Growth beginningLate(double[] times, double[] values, double before) {
        int n = times.length;
        for (int from : new int[] {0, n / 3, n / 2}) {
            Growth g = of(Arrays.copyOfRange(times, from, n), Arrays.copyOfRange(values, from, n));
            double most = Arrays.stream(values, 0, from).max().orElse(before);
            if (g.shown && g.last > Math.max(before, most)) {
                return g;
            }
        }
        Growth all = of(times, values);
        return new Growth(all.points, all.seconds, all.first, all.last, all.perSecond, all.rises, false);
    }

    /** How much it grew from the first point to the last. */
    public double grew() {
        return last - first;
    }

    /**
     * When it will reach a bound if it goes on so, in seconds after the last point: between the two, or empty if the slower end of the
     * interval never does.
     *
     * @param faster whether at the upper end of the interval, else at the lower
     */
    public OptionalFigure reaches(double bound, boolean faster) {
        double speed = faster ? perSecond.high() : perSecond.low();
        return speed > 0 ? OptionalFigure.of(Math.max(0, bound - last) / speed) : OptionalFigure.empty();
    }

    private static double[] medians(double... all) {
        return IntStream.range(0, BLOCKS)
                .mapToDouble(
                        b -> median(Arrays.copyOfRange(all, b * all.length / BLOCKS, (b + 1) * all.length / BLOCKS)))
                .toArray();
    }

    private static double median(double... all) {
        double[] v = all.clone();
        Arrays.sort(v);
        int n = v.length;
        return n % 2 == 1 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
    }

    /** Of all pairs, ascending. */
    private static double[] slopes(double[] t, double[] v) {
        return IntStream.range(0, t.length)
                .boxed()
                .flatMapToDouble(i -> IntStream.range(i + 1, t.length).mapToDouble(j -> (v[j] - v[i]) / (t[j] - t[i])))
                .sorted()
                .toArray();
    }

    /** Pairs that rise, less pairs that fall. */
    private static int score(double... v) {
        int s = 0;
        for (int i = 0; i < v.length; i++) {
            for (int j = i + 1; j < v.length; j++) {
                s += (int) Math.signum(v[j] - v[i]);
            }
        }
        return s;
    }

    /** The probability of such a score or more if every order is equally likely: by the numbers of orders with k inversions. */
    private static double chance(int n, int score) {
        int inversions = (n * (n - 1) / 2 - score + 1) / 2;
        double[] orders = {1};
        double all = 1;
        for (int i = 2; i <= n; i++) {
            double[] next = new double[orders.length + i - 1];
            for (int k = 0; k < orders.length; k++) {
                for (int d = 0; d < i; d++) {
                    next[k + d] += orders[k];
                }
            }
            orders = next;
            all *= i;
        }
        return Arrays.stream(orders, 0, Math.min(inversions + 1, orders.length)).sum() / all;
    }

    private static Interval bounds(double[] slopes, double slope, int n) {
        double half = TWO_SIDED * Math.sqrt(n * (n - 1) * (2.0 * n + 5) / 18);
        int low = (int) Math.floor((slopes.length - half) / 2);
        int high = slopes.length - 1 - low;
        return low < 0 ? Interval.unbounded(slope) : new Interval(slope, slopes[low], slopes[high], 0.95);
    }

    private static boolean oneStep(double... v) {
        double most = 0;
        for (int i = 1; i < v.length; i++) {
            most = Math.max(most, v[i] - v[i - 1]);
        }
        return most > ONE_STEP * (v[v.length - 1] - v[0]);
    }

    /**
     * Whether it grows from the middle third to the last about as fast as from the first to the middle, or faster, and within the last
     * about as fast as in all.
     */
    private static boolean goesOn(double[] t, double[] v) {
        double before = (third(v, 1) - third(v, 0)) / (third(t, 1) - third(t, 0));
        double after = (third(v, 2) - third(v, 1)) / (third(t, 2) - third(t, 1));
        int last = 2 * v.length / 3;
        double atLast = median(slopes(Arrays.copyOfRange(t, last, t.length), Arrays.copyOfRange(v, last, v.length)));
        return after > 0 && after >= GOES_ON * before && atLast >= AT_LAST * (before + after) / 2;
    }

    private static double third(double[] v, int which) {
        return Arrays.stream(v, which * v.length / 3, (which + 1) * v.length / 3)
                .average()
                .orElse(Double.NaN);
    }
}
