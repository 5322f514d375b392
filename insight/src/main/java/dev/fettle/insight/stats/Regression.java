package dev.fettle.insight.stats;

/**
 * A least-squares line through points equally spaced in time.
 *
 * <p>Neighbouring windows of a run are correlated, which makes the textbook standard error too small. It is widened by
 * √((1+ρ)/(1−ρ)) with ρ the residuals' lag-1 autocorrelation, if positive (the effective sample size of an AR(1) series; e.g.
 * von Storch and Zwiers, Statistical Analysis in Climate Research, 6.6.8). Few points underestimate the correlation, so over a
 * few seconds the error is still too small; the gate's judgement of drift does not rely on it.
 *
 * @param mean mean of y
 * @param slope change of y from a point to the next
 * @param standardError of the slope; 0 for a perfect line
 * @param deviation standard deviation of the points from the line
 * @param degreesOfFreedom n − 2
 */
public record Regression(double mean, double slope, double standardError, double deviation, int degreesOfFreedom) {

    /** Fits a line to the values from an index on; at least 3. */
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
