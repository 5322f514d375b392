package dev.fettle.insight.stats;

import dev.fettle.model.text.OptionalFigure;
import org.hipparchus.distribution.continuous.NormalDistribution;
import org.hipparchus.special.Gamma;

/**
 * What a number of pairs can show. "No difference shown" is meaningless without it: there may be none, or the noise may hide a
 * large one.
 */
public final class Power {
    /** The power wanted: the probability of showing an effect that exists. */
    public static final double WANTED = 0.8;

    /** Integration range: an observed deviation is hardly ever this many of its own standard errors off the true one. */
    private static final double WIDEST = 8;

    private static final int STEPS = 200;
    private static final NormalDistribution NORMAL = new NormalDistribution(0, 1);
    private static final QuantileCache NONCENTRALITY = new QuantileCache(Power::noncentrality);

    private Power() {}

    /**
     * The smallest true ratio that these pairs would have shown with a power of {@value #WANTED}: the minimum detectable effect
     * (Bloom 1995, doi 10.1177/0193841X9501900504), for the observed scatter.
     *
     * <p>A ratio counts as shown when its interval's lower bound lies above the threshold: (x̄ − log threshold) / (s/√n) must
     * exceed Student's t quantile, and has a noncentral t distribution. So the answer is threshold · exp(δ·s/√n), with the
     * noncentrality δ at which that distribution exceeds the quantile with probability {@value #WANTED} (Johnson, Kotz and
     * Balakrishnan, Continuous Univariate Distributions 2, ch. 31). The deviation s is the observed one, so the result is as
     * rough as that. Downwards its inverse applies, for a bound below 1/threshold.
     *
     * @param a numerators of the pairs
     * @param b denominators, as many as numerators
     * @param level confidence level of the deciding interval, 0 to 1, after any correction for multiple comparisons
     * @param threshold what the lower bound must exceed, at least 1
     * @return a ratio of at least the threshold; empty for fewer than two pairs, which can't show any difference
     */
    public static OptionalFigure leastShown(double[] a, double[] b, double level, double threshold) {
        double[] logs = Statistics.logRatios(a, b);
        int n = logs.length;
        if (n < 2) {
            return OptionalFigure.empty();
        }
        return OptionalFigure.of(leastShown(Statistics.deviation(logs), n, level, threshold));
    }

    /**
     * The same for pairs that are still to come.
     *
     * @param scatter standard deviation of the pairs' log ratios
     * @param n number of pairs, at least 2
     */
    public static double leastShown(double scatter, int n, double level, double threshold) {
        double quantile = Statistics.tQuantile(n - 1, level);
        return threshold * StrictMath.exp(NONCENTRALITY.of(n - 1, quantile) * scatter / Math.sqrt(n));
    }

    /**
     * The largest share of starts that may be in some mode (slow, say) that none of n starts showed, at 95 % confidence: 1 −
     * 0.05^(1/n), the "rule of three" in its exact form (Hanley and Lippman-Hand 1983, doi 10.1001/jama.1983.03330370053031).
     * 45 % for 5 starts.
     *
     * @param starts number of starts observed, 1 or more
     */
    public static double unseenShare(int starts) {
        return 1 - StrictMath.pow(1 - Statistics.LEVEL, 1.0 / starts);
    }

    /** The noncentrality at which a t distribution exceeds a quantile with the wanted power, by bisection. */
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
     * The probability that a noncentral t variable exceeds a value: P(Z + δ > q·s), integrated by Simpson's rule over the
     * distribution of s, the observed deviation in units of the true one.
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
