package dev.fettle.insight;

/**
 * A weighted straight line through points in time, by least squares.
 *
 * <p>Neighbouring windows of a run resemble each other, which makes the textbook standard error too small. It is widened
 * by √((1+ρ)/(1−ρ)) with ρ the residuals' lag-1 correlation where that is positive (the effective sample size of an
 * AR(1) series; e.g. von Storch and Zwiers, Statistical Analysis in Climate Research, 6.6.8).
 *
 * @param mean weighted mean of y
 * @param slope change of y per unit of x
 * @param standardError of the slope; 0 for a perfect line
 * @param degreesOfFreedom n − 2
 */
record Regression(double mean, double slope, double standardError, int degreesOfFreedom) {

    /** Fits a line; there must be at least 3 points with different x. */
    static Regression fit(double[] x, double[] y, double[] weight) {
        int n = x.length;
        double w = 0;
        double mx = 0;
        double my = 0;
        for (int i = 0; i < n; i++) {
            w += weight[i];
            mx += weight[i] * x[i];
            my += weight[i] * y[i];
        }
        mx /= w;
        my /= w;
        double sxx = 0;
        double sxy = 0;
        for (int i = 0; i < n; i++) {
            sxx += weight[i] * (x[i] - mx) * (x[i] - mx);
            sxy += weight[i] * (x[i] - mx) * (y[i] - my);
        }
        double slope = sxx == 0 ? 0 : sxy / sxx;
        double[] residual = new double[n];
        double sse = 0;
        for (int i = 0; i < n; i++) {
            residual[i] = (y[i] - my - slope * (x[i] - mx)) * Math.sqrt(weight[i]);
            sse += residual[i] * residual[i];
        }
        double lagged = 0;
        for (int i = 1; i < n; i++) {
            lagged += residual[i] * residual[i - 1];
        }
        double rho = sse == 0 ? 0 : Math.clamp(lagged / sse, 0, 0.9);
        double error =
                n < 3 || sxx == 0 ? Double.POSITIVE_INFINITY : Math.sqrt(sse / (n - 2) / sxx * (1 + rho) / (1 - rho));
        return new Regression(my, slope, error, Math.max(n - 2, 1));
    }

    /** The smallest size of the slope that the data leave possible at a confidence level; 0 if its sign is open. */
    double leastSlope(double level) {
        return Math.max(0, Math.abs(slope) - Statistics.tQuantile(degreesOfFreedom, level) * standardError);
    }
}
