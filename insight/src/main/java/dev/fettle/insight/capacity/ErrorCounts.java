package dev.fettle.insight.capacity;

import dev.fettle.insight.capacity.ProbeVerdict.Result;
import java.util.List;
import org.hipparchus.special.Gamma;

/**
 * What counts of errors say about the rate at which their share is the bound. Near it the share grows with a power of the rate, which is
 * not known; nor is how many errors come together, as where a queue is full for a moment: a count is then negative binomial. Both are
 * averaged over.
 *
 * @param bound of the share of errors
 */
record ErrorCounts(double bound, List<Judged> valid) {
    private static final double[] POWERS = {3, 6, 12, 24, 48, 96, 192};
    private static final double[] TOGETHER = {0.3, 3, 10, 30};
    /** Chance that errors have a reason other than the rate. */
    private static final double STRAY = 0.01;
    /** A probe that broke the SLO otherwise lies above the limit, give or take this share. */
    private static final double OTHERWISE = 0.01;

    /** The log-likelihood of a limit, requests a second. */
    double of(double limit) {
        double[] logs = new double[POWERS.length * TOGETHER.length];
        for (int i = 0; i < logs.length; i++) {
            logs[i] = of(limit, POWERS[i % POWERS.length], TOGETHER[i / POWERS.length]);
        }
        return LongRun.mean(logs);
    }

    private double of(double limit, double power, double together) {
        double sum = 0;
        for (Judged j : valid) {
            Probe p = j.probe();
            double share = Math.min(1, bound * StrictMath.pow(p.rate() / limit, power));
            long errors = p.failed() + p.lost();
            double n = p.responses() + errors;
            double log = errors > bound * n || j.verdict().result() == Result.MET
                    ? count(errors, n * share, together)
                    : -StrictMath.log(
                            1 + StrictMath.exp((StrictMath.log(limit) - StrictMath.log(p.rate())) / OTHERWISE));
            sum += StrictMath.log(STRAY / (n + 1) + (1 - STRAY) * StrictMath.exp(log));
        }
        return sum;
    }

    /** The logarithm of a negative binomial probability. */
    private static double count(long k, double mean, double together) {
        double clumps = Math.max(1e-9, mean / together);
        return Gamma.logGamma(k + clumps)
                - Gamma.logGamma(clumps)
                - Gamma.logGamma(k + 1.0)
                - clumps * StrictMath.log(1 + together)
                + k * StrictMath.log(together / (1 + together));
    }
}
