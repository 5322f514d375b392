package dev.fettle.insight;

/**
 * An estimate with a confidence interval.
 *
 * @param estimate the point estimate
 * @param low lower bound; equal to {@code Double.NEGATIVE_INFINITY} where one value gives no bound
 * @param high upper bound; equal to {@code Double.POSITIVE_INFINITY} where one value gives no bound
 * @param level confidence level, 0 to 1, usually 0.95
 */
public record Interval(double estimate, double low, double high, double level) {

    /** An estimate without a bound: one observation says nothing about its own error. */
    public static Interval unbounded(double estimate) {
        return new Interval(estimate, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY, 0.95);
    }

    /** Whether both bounds are finite. */
    public boolean bounded() {
        return Double.isFinite(low) && Double.isFinite(high);
    }

    /** Whether a value lies within the bounds, ends included. */
    public boolean contains(double value) {
        return low <= value && value <= high;
    }
}
