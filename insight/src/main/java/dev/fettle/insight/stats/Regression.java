package dev.fettle.insight.stats;

import dev.fettle.insight.gate.Drift;

/**
 * A straight line through points at equal distances in time, by least squares.
 *
 * <p>Neighbouring windows of a run resemble each other, which makes the textbook standard error too small. It is widened
 * by √((1+ρ)/(1−ρ)) with ρ the residuals' lag-1 correlation where that is positive (the effective sample size of an
 * AR(1) series; e.g. von Storch and Zwiers, Statistical Analysis in Climate Research, 6.6.8). Few points show less
 * correlation than there is, so over a handful of seconds this is still too small; {@link Drift} does not rely on it.
 *
 * @param mean mean of y
 * @param slope change of y from a point to the next
 * @param standardError of the slope; 0 for a perfect line
 * @param deviation of a point from the line, standard
 * @param degreesOfFreedom n − 2
 */
public record Regression(double mean, double slope, double standardError, double deviation, int degreesOfFreedom) {

    /** Fits a line to the values from an index on; there must be at least 3. */
    public static Regression fit(double[] values, int from) {
        int n = values.length - from;
        double middle = (n - 1) / 2.0;
        double mean = 0;
        for (int i = 0; i < n; i++) {
            mean += values[from + i] / n;
        }
        double sxx = 0;
        double sxy = 0;
        for (int i = 0; i < n; i++) {
            sxx += (i - middle) * (i - middle);
            sxy += (i - middle) * (values[from + i] - mean);
        }
        double slope = sxy / sxx;
        double sse = 0;
        double lagged = 0;
        double before = 0;
        for (int i = 0; i < n; i++) {
            double residual = values[from + i] - mean - slope * (i - middle);
            sse += residual * residual;
            lagged += residual * before;
            before = residual;
        }
        double rho = sse == 0 ? 0 : Math.clamp(lagged / sse, 0, 0.9);
        double variance = sse / (n - 2);
        return new Regression(
                mean, slope, Math.sqrt(variance / sxx * (1 + rho) / (1 - rho)), Math.sqrt(variance), n - 2);
    }
}
