package dev.fettle.insight.capacity;

import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.stats.Statistics;
import java.util.List;

/**
 * What probes say about the rate at which a probe meets the SLO with probability 1/2: the limit.
 *
 * <p>A probe at rate r is z from breaking the SLO, the logarithm of its latency over the bound ({@link Distance}):
 * {@code z = (log r − log limit + luck) / steepness}, with logistic luck. The steepness of the knee, the spread of luck
 * and the lapse (the share of probes that break the SLO for a reason unrelated to the rate, such as a disturbance) are
 * unknown, too, and are averaged over. Where z is only known to lie beyond a bound, the probability of that counts. So
 * a probe says how far away the limit is, and not only on which side. The posterior is computed on a grid, without
 * sampling; from sides alone it is that of a psychometric function (Kontsevich and Tyler, Vision Research 39, 1999, doi
 * 10.1016/S0042-6989(98)00285-5; Prins, Journal of Vision 13, 2013, doi 10.1167/13.7.3, on nuisance parameters).
 *
 * <p>Priors: the limit log-uniform from an eighth of the lowest rate probed to eight times the highest; luck log-uniform from 0.3 %
 * to 12 % of the rate; the steepness log-uniform from 0.4 % to 100 % of the rate for a latency e times as long; the lapse 1 % (60 %),
 * 5 % (30 %) or 15 % (10 %).
 */
final class LimitPosterior {
    private static final double LUCK = 0.01;
    private static final double[] SPREADS = grid(0.003, 0.12, 5);
    private static final double[] STEEPNESS = grid(0.004, 1, 5);
    private static final double[] LAPSES = {0.01, 0.05, 0.15};
    private static final double[] LAPSE_PRIOR = {0.6, 0.3, 0.1};
    /** Chance that a server falls behind for a reason other than the rate: next to none. */
    private static final double BEHIND_LAPSE = 0.002;

    /**
     * How much the limit differs between the minutes of the probes and others: a dozen probes that are lucky together
     * can't show that. With a machine whose speed is AR(1), 2 % from probe to probe with a correlation of 0.8, the mean
     * of 15 probes is off by 1.3 %.
     */
    private static final double DRIFT = 0.009;

    private static final double REACH = StrictMath.log(8);
    private static final int POINTS = 45;
    private static final int ZOOMS = 3;
    /** Probability in a tail that is dropped when the grid is narrowed. */
    private static final double TAIL = 1e-4;

    private final double low;
    private final double step;
    /** Probability by limit and spread, summed over steepness and lapse; the total is 1. */
    private final double[][] mass;

    /**
     * A probe that counts: its z lies between two bounds; if they are equal, it is known.
     *
     * @param high at most 0 if the SLO was met
     * @param behind whether the server finished clearly less than was offered: then the rate was the reason
     */
    record Seen(double rate, double low, double high, boolean behind) {
        boolean met() {
            return high <= 0;
        }
    }

    private LimitPosterior(double low, double step, double[][] mass) {
        this.low = low;
        this.step = step;
        this.mass = mass;
    }

    /** Of probes as long as these. @param seen at least one */
    static LimitPosterior of(List<Seen> seen) {
        double low = Double.POSITIVE_INFINITY;
        double high = Double.NEGATIVE_INFINITY;
        for (Seen s : seen) {
            low = Math.min(low, StrictMath.log(s.rate()) - REACH);
            high = Math.max(high, StrictMath.log(s.rate()) + REACH);
        }
        double[] rates =
                seen.stream().mapToDouble(r -> StrictMath.log(r.rate())).toArray();
        LimitPosterior p = on(low, high, seen, rates);
        for (int zoom = 1; zoom < ZOOMS; zoom++) {
            double newLow = Math.max(low, p.log(TAIL) - 2 * p.step);
            double newHigh = Math.min(high, p.log(1 - TAIL) + 2 * p.step);
            p = on(newLow, newHigh, seen, rates);
        }
        return p.drifting();
    }

    /**
     * Of masses on a grid.
     *
     * @param low logarithm of the lowest rate
     * @param step between the logarithms of two rates
     * @param mass of each rate; the sum is 1
     */
    static LimitPosterior of(double low, double step, double[] mass) {
        double[][] all = new double[mass.length][SPREADS.length];
        for (int i = 0; i < mass.length; i++) {
            all[i][0] = mass[i];
        }
        return new LimitPosterior(low, step, all).drifting();
    }

    /** The same, widened by what the machine may drift: the result must hold in other minutes, too. */
    private LimitPosterior drifting() {
        int reach = (int) Math.ceil(3 * DRIFT / step);
        double newLow = low - reach * step;
        var wide = new double[mass.length + 2 * reach][SPREADS.length];
        double[] kernel = new double[2 * reach + 1];
        double sum = 0;
        for (int k = 0; k < kernel.length; k++) {
            double x = (k - reach) * step / DRIFT;
            kernel[k] = StrictMath.exp(-x * x / 2);
            sum += kernel[k];
        }
        for (int i = 0; i < mass.length; i++) {
            for (int k = 0; k < kernel.length; k++) {
                for (int j = 0; j < SPREADS.length; j++) {
                    wide[i + k][j] += mass[i][j] * kernel[k] / sum;
                }
            }
        }
        return new LimitPosterior(newLow, step, wide);
    }

    private static LimitPosterior on(double low, double high, List<Seen> seen, double[] rates) {
        double step = (high - low) / (POINTS - 1);
        double[][] mass = new double[POINTS][SPREADS.length];
        double[][][] logs = new double[POINTS][SPREADS.length][];
        double top = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < POINTS; i++) {
            for (int j = 0; j < SPREADS.length; j++) {
                logs[i][j] = likelihoods(low + i * step, SPREADS[j], seen, rates);
                for (double log : logs[i][j]) {
                    top = Math.max(top, log);
                }
            }
        }
        double sum = 0;
        for (int i = 0; i < POINTS; i++) {
            for (int j = 0; j < SPREADS.length; j++) {
                for (double log : logs[i][j]) {
                    mass[i][j] += StrictMath.exp(log - top);
                }
                sum += mass[i][j];
            }
        }
        for (double[] row : mass) {
            for (int j = 0; j < row.length; j++) {
                row[j] /= sum;
            }
        }
        return new LimitPosterior(low, step, mass);
    }

    /** The log-likelihood by steepness, averaged over the lapses. */
    private static double[] likelihoods(double limit, double spread, List<Seen> seen, double[] rates) {
        var byLapse = new double[STEEPNESS.length][];
        for (int k = 0; k < byLapse.length; k++) {
            byLapse[k] = LAPSE_PRIOR.clone();
        }
        double[] logs = new double[STEEPNESS.length];
        double[] own = new double[STEEPNESS.length];
        for (int i = 0; i < rates.length; i++) {
            Seen s = seen.get(i);
            own(s, (rates[i] - limit) / spread, spread, own);
            for (int k = 0; k < own.length; k++) {
                logs[k] += times(byLapse[k], s, own[k]);
            }
        }
        for (int k = 0; k < logs.length; k++) {
            double sum = 0;
            for (double l : byLapse[k]) {
                sum += l;
            }
            logs[k] += StrictMath.log(sum);
        }
        return logs;
    }

    /**
     * The density of a probe's z, or the probability of its bounds, by steepness, where nothing but the rate decides.
     *
     * @param beyond how many spreads the probe's rate lies above the limit
     */
    private static void own(Seen s, double beyond, double spread, double[] own) {
        boolean isSide = (s.low() == 0 || s.low() == Double.NEGATIVE_INFINITY)
                && (s.high() == 0 || s.high() == Double.POSITIVE_INFINITY)
                && s.low() != s.high();
        for (int k = 0; k < own.length; k++) {
            if (isSide && k > 0) {
                own[k] = own[0]; // a side is the same for each steepness
                continue;
            }
            double scale = STEEPNESS[k] / spread;
            if (s.low() == s.high()) {
                double f = below(scale * s.low() - beyond);
                own[k] = f * (1 - f) * scale;
            } else {
                double least = s.low() == Double.NEGATIVE_INFINITY ? 0 : below(scale * s.low() - beyond);
                double most = s.high() == Double.POSITIVE_INFINITY ? 1 : below(scale * s.high() - beyond);
                own[k] = most - least;
            }
        }
    }

    /** Multiplies by a probe's likelihood for each lapse; returns the logarithm of what was divided out again. */
    private static double times(double[] byLapse, Seen s, double own) {
        double largest = 0;
        for (int k = 0; k < LAPSES.length; k++) {
            double stray = s.met() ? LUCK : s.behind() ? BEHIND_LAPSE : LAPSES[k];
            byLapse[k] *= stray + (1 - LUCK - LAPSES[k]) * own;
            largest = Math.max(largest, byLapse[k]);
        }
        // densities may be very large or small: keep the products in range
        if (largest >= 1e-100 && largest <= 1e100) {
            return 0;
        }
        for (int k = 0; k < LAPSES.length; k++) {
            byLapse[k] /= largest;
        }
        return StrictMath.log(largest);
    }

    /** The cumulative logistic distribution; beyond 50 it differs from 0 and 1 by less than a double next to a lapse can hold. */
    private static double below(double x) {
        return x > 50 ? 1 : x < -50 ? 0 : 1 / (1 + Math.exp(-x));
    }

    private static double knee(double limit, double spread, double logRate) {
        return below((limit - logRate) / spread);
    }

    /** The rate below which the limit lies with this probability. */
    double quantile(double probability) {
        return StrictMath.exp(log(probability));
    }

    /** Median and central 95 % credible interval of the limit. */
    Interval interval() {
        double tail = (1 - Statistics.LEVEL) / 2;
        return new Interval(
                quantile(0.5), quantile(tail), quantile(1 - tail), Statistics.LEVEL, Interval.Method.POSTERIOR);
    }

    /** The chance that an undisturbed probe at this rate meets the SLO. */
    double chance(double rate) {
        double logRate = StrictMath.log(rate);
        double sum = 0;
        for (int i = 0; i < mass.length; i++) {
            for (int j = 0; j < SPREADS.length; j++) {
                sum += mass[i][j] * knee(low + i * step, SPREADS[j], logRate);
            }
        }
        return sum;
    }

    /** The rate at which an undisturbed probe meets the SLO with this chance. */
    double rateWithChance(double wanted) {
        double a = low - 10 * SPREADS[SPREADS.length - 1];
        double b = low + step * mass.length + 10 * SPREADS[SPREADS.length - 1];
        for (int i = 0; i < 20; i++) {
            double middle = (a + b) / 2;
            if (chance(StrictMath.exp(middle)) >= wanted) {
                a = middle;
            } else {
                b = middle;
            }
        }
        return StrictMath.exp(a);
    }

    /** The probability that the limit lies above this rate. */
    double above(double rate) {
        double x = StrictMath.log(rate);
        double sum = 0;
        for (int i = 0; i < mass.length; i++) {
            double part = Math.clamp((low + (i + 0.5) * step - x) / step, 0, 1);
            sum += part * row(i);
        }
        return sum;
    }

    private double log(double probability) {
        double sum = 0;
        for (int i = 0; i < mass.length; i++) {
            double row = row(i);
            if (sum + row >= probability) {
                return low + (i - 0.5 + (row > 0 ? (probability - sum) / row : 0)) * step;
            }
            sum += row;
        }
        return low + (mass.length - 0.5) * step;
    }

    private double row(int i) {
        double sum = 0;
        for (double m : mass[i]) {
            sum += m;
        }
        return sum;
    }

    private static double[] grid(double from, double to, int n) {
        double[] all = new double[n];
        for (int i = 0; i < n; i++) {
            all[i] = from * StrictMath.pow(to / from, i / (n - 1.0));
        }
        return all;
    }
}
