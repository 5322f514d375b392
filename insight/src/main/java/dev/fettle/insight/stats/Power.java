package dev.fettle.insight.stats;

import java.util.OptionalDouble;
import org.hipparchus.distribution.continuous.NormalDistribution;
import org.hipparchus.special.Gamma;

/**
 * What so many pairs can show and what they can't. "No difference shown" says nothing without it: it may mean that there is
 * none, or that the noise would have hidden a large one.
 */
public final class Power {
    /** The chance with which an effect is to be shown. */
    public static final double WANTED = 0.8;

    /** An observed deviation is hardly ever this many of its own standard errors off the true one. */
    private static final double WIDEST = 8;

    private static final int STEPS = 200;
    private static final NormalDistribution NORMAL = new NormalDistribution(0, 1);
    private static final Memo NONCENTRALITY = new Memo(Power::noncentrality);

    private Power() {}

    /**
     * The smallest true ratio that such pairs would have shown with a chance of {@value #WANTED}: the minimum detectable
     * effect (Bloom 1995, doi 10.1177/0193841X9501900504), for the scatter that the pairs had.
     *
     * <p>A ratio counts as shown when its interval's lower bound lies above the threshold: (x̄ − log threshold) / (s/√n) must
     * exceed Student's t quantile, and has a noncentral t distribution. So the answer is threshold · exp(δ·s/√n), with the
     * noncentrality δ at which that distribution exceeds the quantile with a chance of {@value #WANTED} (Johnson, Kotz and
     * Balakrishnan, Continuous Univariate Distributions 2, ch. 31). The deviation s is the observed one, so the figure is as rough
     * as that is. The same holds downwards: 1 over it, for a bound below 1/threshold.
     *
     * @param a numerators of the pairs
     * @param b denominators, as many
     * @param level confidence level of the interval that decides, 0 to 1, corrected for several comparisons if it is
     * @param threshold what the lower bound must exceed, at least 1
     * @return a ratio of at least the threshold; empty for fewer than two pairs, which show nothing, however large
     */
    public static OptionalDouble leastShown(double[] a, double[] b, double level, double threshold) {
        double[] logs = Statistics.logRatios(a, b);
        int n = logs.length;
        if (n < 2) {
            return OptionalDouble.empty();
        }
        double error = Statistics.deviation(logs) / Math.sqrt(n);
        double quantile = Statistics.tQuantile(n - 1, level);
        return OptionalDouble.of(threshold * StrictMath.exp(NONCENTRALITY.of(n - 1, quantile) * error));
    }

    /**
     * The largest share of starts in which a JVM may have a mode (slow, say) that n of n starts did not show, with 95 %
     * confidence: 1 − 0.05^(1/n), the "rule of three" in its exact form (Hanley and Lippman-Hand 1983,
     * doi 10.1001/jama.1983.03330370053031). 45 % for 5 starts.
     *
     * @param starts how many were seen, 1 or more
     */
    public static double unseenShare(int starts) {
        return 1 - StrictMath.pow(1 - Statistics.LEVEL, 1.0 / starts);
    }

    /** Where a noncentral t distribution exceeds a quantile with the chance wanted: found by halving. */
    private static double noncentrality(int degreesOfFreedom, double quantile) {
        double low = 0;
        double high = quantile * WIDEST + WIDEST;
        while (high - low > 1e-5 * high) {
            double middle = (low + high) / 2;
            if (exceeds(degreesOfFreedom, quantile, middle) < WANTED) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return high;
    }

    /**
     * The chance that a noncentral t variable exceeds a value: P(Z + δ > q·s), over the distribution of s, the observed
     * deviation in units of the true one; by Simpson's rule.
     */
    private static double exceeds(int nu, double quantile, double delta) {
        double log = Math.log(2) + nu / 2.0 * Math.log(nu / 2.0) - Gamma.logGamma(nu / 2.0);
        double reach = WIDEST / Math.sqrt(2.0 * nu);
        double from = Math.max(0, 1 - reach);
        double step = (1 + reach - from) / STEPS;
        double sum = 0;
        for (int i = 0; i <= STEPS; i++) {
            double s = from + i * step;
            double density = s == 0
                    ? (nu == 1 ? StrictMath.exp(log) : 0)
                    : StrictMath.exp(log + (nu - 1) * StrictMath.log(s) - nu * s * s / 2);
            int weight = i == 0 || i == STEPS ? 1 : i % 2 == 1 ? 4 : 2;
            sum += weight * density * NORMAL.cumulativeProbability(delta - quantile * s);
        }
        return sum * step / 3;
    }
}
