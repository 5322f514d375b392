package dev.fettle.insight.stats;

/**
 * An estimate with a confidence interval.
 *
 * @param estimate the point estimate
 * @param low lower bound; equal to {@code Double.NEGATIVE_INFINITY} where one value gives no bound
 * @param high upper bound; equal to {@code Double.POSITIVE_INFINITY} where one value gives no bound
 * @param level confidence level, 0 to 1, usually 0.95
 * @param method how the bounds were computed
 */
public record Interval(double estimate, double low, double high, double level, Method method) {

    /** How bounds were computed. */
    public enum Method {
        /** Student's t on the values, or on the logs of the pairs' ratios. */
        STUDENT,
        /** Quantiles of a posterior. */
        POSTERIOR,
        /** Quantiles over resampled residuals. */
        BOOTSTRAP,
        /** There are no bounds: one value, or none. */
        NONE,
        /** Not recorded. */
        UNKNOWN
    }

    /** An interval without a recorded method. */
    public Interval(double estimate, double low, double high, double level) {
        this(estimate, low, high, level, Method.UNKNOWN);
    }

    /** An estimate without a bound: one observation says nothing about its own error. */
    public static Interval unbounded(double estimate) {
        return new Interval(estimate, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, 0.95, Method.NONE);
    }

    /** Whether both bounds are finite. */
    public boolean bounded() {
        return Double.isFinite(low) && Double.isFinite(high);
    }

    /** The interval of 1 / the value: bounds swapped, for the reverse ratio. */
    public Interval inverse() {
        return new Interval(1 / estimate, 1 / high, 1 / low, level, method);
    }

    /** The same, with bounds clipped to what is possible; a missing bound stays missing. */
    public Interval within(double least, double most) {
        return bounded() ? new Interval(estimate, Math.max(least, low), Math.min(most, high), level, method) : this;
    }

    /** Whether a value lies within the bounds, ends included. */
    public boolean contains(double value) {
        return low <= value && value <= high;
    }
}
