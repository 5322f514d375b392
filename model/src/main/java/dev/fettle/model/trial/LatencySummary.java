package dev.fettle.model.trial;

import java.util.function.ToDoubleFunction;

/**
 * A latency distribution in numbers, all in nanoseconds.
 *
 * @param count values recorded; with 0 every other figure is 0
 */
public record LatencySummary(
        long count, double mean, long p50, long p75, long p90, long p95, long p99, long p999, long p9999, long max) {
    public static final LatencySummary NONE = new LatencySummary(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

    /** A figure in nanoseconds; NaN if no value was recorded: then it is not known, and not 0. */
    public double known(ToDoubleFunction<LatencySummary> figure) {
        return count == 0 ? Double.NaN : figure.applyAsDouble(this);
    }

    /**
     * The figure for a percentile given here, 100 being the maximum; for any other, the figure of the next lower one.
     */
    public long percentile(double percent) {
        if (percent >= 100) {
            return max;
        }
        if (percent >= 99) {
            return percent >= 99.99 ? p9999 : percent >= 99.9 ? p999 : p99;
        }
        if (percent >= 90) {
            return percent >= 95 ? p95 : p90;
        }
        return percent >= 75 ? p75 : p50;
    }
}
