package dev.fettle.insight;

import java.util.Arrays;
import java.util.SplittableRandom;
import org.hipparchus.distribution.continuous.TDistribution;

/** Intervals. Randomness comes from a seed alone, so the same data always give the same bounds. */
public final class Statistics {
    private static final int RESAMPLES = 10_000;

    /** The level used unless something else is said. */
    public static final double LEVEL = 0.95;

    private Statistics() {}

    /**
     * The mean with Student's t interval, x̄ ± t·s/√n.
     *
     * @return unbounded for one value; 0, unbounded, for none
     */
    public static Interval mean(double[] values, double level) {
        int n = values.length;
        if (n < 2) {
            var one = Interval.unbounded(n == 0 ? 0 : values[0]);
            return new Interval(one.estimate(), one.low(), one.high(), level);
        }
        double mean = average(values);
        double half = tQuantile(n - 1, level) * deviation(values) / Math.sqrt(n);
        return new Interval(mean, mean - half, mean + half, level);
    }

    /** {@link #mean(double[], double)} at 95 %. */
    public static Interval mean(double[] values) {
        return mean(values, LEVEL);
    }

    /**
     * The ratio of pairs: the exponential of the mean of log(a/b).
     *
     * <p>Each bound is the wider one of two: Student's t on the logs, and the percentile bootstrap over the pairs (Efron and
     * Tibshirani, An Introduction to the Bootstrap, ch. 13; 10,000 resamples). The bootstrap alone covers too little below
     * some 20 pairs, because it lacks t's allowance for a guessed deviation (Hesterberg, arXiv 1411.5279, 4.4); t alone
     * takes logs to be symmetric. Pairs with a value that is not above 0 say nothing about a ratio and are left out.
     *
     * @param a numerators
     * @param b denominators, as many as numerators
     * @param level confidence level, 0 to 1
     * @param seed seeds the resampling
     * @return unbounded for fewer than two pairs; 1, unbounded, for none
     */
    public static Interval pairedRatio(double[] a, double[] b, double level, long seed) {
        if (a.length != b.length) {
            throw new IllegalArgumentException(
                    "pairs want as many numerators as denominators: " + a.length + ", " + b.length);
        }
        double[] logs = new double[a.length];
        int n = 0;
        for (int i = 0; i < a.length; i++) {
            if (a[i] > 0 && b[i] > 0) {
                logs[n++] = StrictMath.log(a[i] / b[i]);
            }
        }
        logs = Arrays.copyOf(logs, n);
        if (n < 2) {
            return new Interval(
                    n == 0 ? 1 : StrictMath.exp(logs[0]), Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, level);
        }
        Interval t = mean(logs, level);
        double[] boot = bootstrap(logs, level, seed);
        return new Interval(
                StrictMath.exp(t.estimate()),
                StrictMath.exp(Math.min(t.low(), boot[0])),
                StrictMath.exp(Math.max(t.high(), boot[1])),
                level);
    }

    /** The middle value; the mean of the two middle ones of an even number; 0 of none. */
    public static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int n = sorted.length;
        return n == 0 ? 0 : n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
    }

    /** The two-sided quantile of Student's t: 2.776 for 4 degrees of freedom at 0.95. */
    static double tQuantile(int degreesOfFreedom, double level) {
        return new TDistribution(degreesOfFreedom).inverseCumulativeProbability((1 + level) / 2);
    }

    static double average(double[] values) {
        double sum = 0;
        for (double v : values) {
            sum += v;
        }
        return values.length == 0 ? 0 : sum / values.length;
    }

    /** Sample standard deviation, 0 for fewer than two values. */
    static double deviation(double[] values) {
        if (values.length < 2) {
            return 0;
        }
        double mean = average(values);
        double sum = 0;
        for (double v : values) {
            sum += (v - mean) * (v - mean);
        }
        return Math.sqrt(sum / (values.length - 1));
    }

    private static double[] bootstrap(double[] values, double level, long seed) {
        var random = new SplittableRandom(seed);
        int n = values.length;
        double[] means = new double[RESAMPLES];
        for (int r = 0; r < RESAMPLES; r++) {
            double sum = 0;
            for (int i = 0; i < n; i++) {
                sum += values[random.nextInt(n)];
            }
            means[r] = sum / n;
        }
        Arrays.sort(means);
        int low = (int) Math.floor((1 - level) / 2 * RESAMPLES);
        return new double[] {means[low], means[RESAMPLES - 1 - low]};
    }
}
