package dev.fettle.insight.capacity;

import org.hipparchus.special.Erf;

/**
 * How much more than its limit in the long run a server seems to bear in a probe that begins with an empty queue and is short. Near the
 * limit the wait is a Brownian motion that is reflected at 0, falls by θ = 1 − rate / most a second and has a variance v a second (heavy
 * traffic: Kingman 1961; Whitt, Stochastic-Process Limits, 2002). In the long run it is exponential, so a limit L at which a share q waits
 * longer than x fixes {@code v = 2 θ(L) x / ln(1/q)}. From 0 its distribution at any time is known (Harrison, Brownian Motion and
 * Stochastic Flow Systems, 1985, 1.8), and so is the rate at which a share q of a probe waits longer than x.
 *
 * @param longest x, the longest wait that the SLO allows, seconds
 * @param share q, of the requests that may wait longer
 */
record Settling(double longest, double share) {
    /** Time in which a probe's rate climbs, before it is measured: half of that, as if at full rate. */
    private static final double BEFORE = 0.5;

    private static final double MEDIAN = 0.6;
    /** At most so much more: where a clump is as long as the probe, the start from an empty queue decides. */
    private static final double MOST_CLUMPED = 0.05;

    private static final int MOMENTS = 12;
    private static final int POINTS = 61;
    private static final double FIRST = StrictMath.log(1e-3);
    private static final double LAST = StrictMath.log(1e3);
    private static final double LEAST_THETA = 5e-4;

    /** ln(1/q). */
    private double depth() {
        return -StrictMath.log(share);
    }

    /**
     * The time in which the queue forgets how it began, seconds: the inverse of the spectral gap, θ²/2v (Odoni and Roth, Operations
     * Research 31, 1983, doi 10.1287/opre.31.3.432; exact for M/M/1 in heavy traffic).
     *
     * @param most requests a second that the server can do
     * @param limit in the long run
     * @param rate that is offered, below {@code most}
     */
    double relaxation(double most, double limit, double rate) {
        double atLimit = Math.max(LEAST_THETA, 1 - limit / most);
        double at = Math.max(LEAST_THETA, 1 - rate / most);
        return 4 * longest * atLimit / (depth() * at * at);
    }

    /** By probes of one length: the headroom 1 − rate / most at which half of them meet the SLO, over that of the long run. */
    final class Seen {
        private final double seconds;
        private final double[] parts = new double[POINTS];

        Seen(double seconds) {
            this.seconds = seconds;
            for (int i = 0; i < POINTS; i++) {
                parts[i] = part(StrictMath.exp(FIRST + i * (LAST - FIRST) / (POINTS - 1)));
            }
        }

        /** The rate that such probes take for the limit. */
        double limit(double most, double longRun) {
            double theta = Math.max(LEAST_THETA, 1 - longRun / most);
            double x = StrictMath.log(seconds * theta / longest);
            double at = Math.clamp((x - FIRST) / (LAST - FIRST) * (POINTS - 1), 0, POINTS - 1.001);
            int i = (int) at;
            double part = parts[i] + (at - i) * (parts[i + 1] - parts[i]);
            return Math.max(longRun, most * (1 - part * theta));
        }

        /** In units of the wait, and of the time in which it falls by that at the limit. */
        private double part(double length) {
            double low = -60 / depth();
            double high = 1;
            for (int i = 0; i < 24; i++) {
                double middle = (low + high) / 2;
                if (late(middle, length) > seenAsTheShare(middle, length)) {
                    low = middle;
                } else {
                    high = middle;
                }
            }
            return (low + high) / 2;
        }

        /**
         * The share that waits longer on average, where it is {@link #share} in half of the probes. Long waits come in clumps of mean length
         * v/2θ² (Aldous, Probability Approximations via the Poisson Clumping Heuristic, 1989): most short probes see none, few see many.
         * The sum of a Poisson number of exponential clumps has its median about 0.6 clumps below its mean.
         */
        private double seenAsTheShare(double falls, double length) {
            double clump = falls > 0 ? 1 / (depth() * falls * falls) : Double.POSITIVE_INFINITY;
            return share + Math.min(MOST_CLUMPED, MEDIAN * clump / length);
        }

        private double late(double falls, double length) {
            double sum = 0;
            for (int i = 0; i < MOMENTS; i++) {
                sum += later(falls, length * ((i + 0.5) / MOMENTS + BEFORE / seconds));
            }
            return sum / MOMENTS;
        }

        /** The chance that the wait is over 1 at a time, if it was 0 at 0. */
        private double later(double falls, double time) {
            double deviation = StrictMath.sqrt(2 / depth() * time);
            return above((1 + falls * time) / deviation)
                    + StrictMath.exp(-depth() * falls) * above((1 - falls * time) / deviation);
        }

        private static double above(double z) {
            return Erf.erfc(z / StrictMath.sqrt(2)) / 2;
        }
    }
}
