package dev.fettle.insight.stats;

import java.util.Arrays;
import org.hipparchus.distribution.continuous.TDistribution;

/**
 * Two samples, and Student's two-sided t-test of their means, with one deviation for both (pooled).
 *
 * @param first mean of the first
 * @param second mean of the second
 * @param p of the test: 1 where nothing can be said of two figures, or where all figures are equal; 0 where each side has but one figure
 *     over and over, and these differ
 */
public record TwoSamples(double first, double second, double p) {
    private static final double MOST_CORRELATION = 0.95;
    private static final double FARTHEST = 6;
    private static final double NORMAL = 1.4826;
    private static final double ROUNDING = 1e-14;

    /**
     * Two neighbouring parts of a series, each of at least one figure.
     *
     * @param sample whether the deviations are those of samples (n - 1), or of all there is (n)
     */
    public static TwoSamples of(double[] series, int start, int at, int end, boolean sample) {
        return of(series, start, at, end, sample, 1);
    }

    private static TwoSamples of(double[] series, int start, int at, int end, boolean sample, double wider) {
        int n1 = at - start;
        int n2 = end - at;
        double mean1 = mean(series, start, at);
        double mean2 = mean(series, at, end);
        int degrees = n1 + n2 - 2;
        if (degrees < 1) {
            return new TwoSamples(mean1, mean2, 1);
        }
        double pooled = (part(series, start, at, mean1, sample) + part(series, at, end, mean2, sample)) / degrees;
        double error = wider * Math.sqrt(pooled * (1.0 / n1 + 1.0 / n2));
        double difference = Math.abs(mean1 - mean2);
        // what figures that are all alike lack to their mean is rounding
        if (error <= ROUNDING * Math.abs(mean1)) {
            return new TwoSamples(mean1, mean2, difference > ROUNDING * Math.abs(mean1) ? 0 : 1);
        }
        return new TwoSamples(mean1, mean2, 2 * new TDistribution(degrees).cumulativeProbability(-difference / error));
    }

    /**
     * The same where a figure may follow the one before it: what correlation there is between neighbours, of the first order and above 0, makes
     * the deviation of a mean larger by (1 + r) / (1 - r) (Bartlett 1946). The deviations are those of samples. A figure that is farther from the
     * middle of its side than {@value #FARTHEST} standard deviations counts as one at that distance: an outlier would hide a change next to it.
     */
    public static TwoSamples following(double[] all, int start, int at, int end) {
        double[] series = clipped(all, start, at, end);
        double mean1 = mean(series, start, at);
        double mean2 = mean(series, at, end);
        double r = Math.clamp(correlation(series, start, at, end, mean1, mean2), 0, MOST_CORRELATION);
        return of(series, start, at, end, true, Math.sqrt((1 + r) / (1 - r)));
    }

    /**
     * A series in which the outliers of two neighbouring parts are moved to where figures may still be. The standard deviation is that of all their
     * figures from the middle of their sides, by its median: 1.4826 of it is one of a normal distribution.
     */
    public static double[] clipped(double[] all, int start, int at, int end) {
        double middle1 = Statistics.median(Arrays.copyOfRange(all, start, at));
        double middle2 = Statistics.median(Arrays.copyOfRange(all, at, end));
        double[] series = all.clone();
        double[] away = new double[end - start];
        for (int i = start; i < end; i++) {
            away[i - start] = Math.abs(all[i] - (i < at ? middle1 : middle2));
        }
        double most = FARTHEST * NORMAL * Statistics.median(away);
        for (int i = start; i < end && most > 0; i++) {
            double middle = i < at ? middle1 : middle2;
            series[i] = Math.clamp(all[i], middle - most, middle + most);
        }
        return series;
    }

    private static double correlation(double[] series, int start, int at, int end, double mean1, double mean2) {
        double all = 0;
        double next = 0;
        double before = 0;
        for (int i = start; i < end; i++) {
            double d = series[i] - (i < at ? mean1 : mean2);
            all += d * d;
            next += i == at ? 0 : before * d;
            before = d;
        }
        return all == 0 ? 0 : next / all;
    }

    private static double mean(double[] series, int from, int to) {
        double sum = 0;
        for (int i = from; i < to; i++) {
            sum += series[i];
        }
        return sum / (to - from);
    }

    /** (n - 1) times the square of a side's deviation. */
    private static double part(double[] series, int from, int to, double mean, boolean sample) {
        double sum = 0;
        for (int i = from; i < to; i++) {
            sum += (series[i] - mean) * (series[i] - mean);
        }
        int n = to - from;
        return sample ? sum : sum * (n - 1) / n;
    }
}
