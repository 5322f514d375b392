package dev.fettle.insight.capacity;

import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.stats.Statistics;
import java.util.List;

/**
 * What probes that met or broke the SLO say about the rate at which a probe meets it with probability 1/2: the limit.
 *
 * <p>The probability that a probe at rate r meets the SLO is taken to be
 * {@code LUCK + (1 − LUCK − lapse) / (1 + exp((log r − log limit) / spread))}: a psychometric function, with the logarithm of
 * the rate as the stimulus. The spread (how gradual the knee is, and how noisy a probe) and the lapse (the share of probes
 * that break the SLO for a reason that has nothing to do with the rate, such as a disturbance) are unknown, too, and are
 * averaged over. The posterior is computed on a grid, without sampling. Kontsevich and Tyler, Bayesian adaptive estimation of
 * psychometric slope and threshold, Vision Research 39 (1999), doi 10.1016/S0042-6989(98)00285-5; Prins, The psi-marginal
 * adaptive method, Journal of Vision 13 (2013), doi 10.1167/13.7.3, on nuisance parameters.
 *
 * <p>Priors: the limit log-uniform from an eighth of the lowest rate probed to eight times the highest; the spread log-uniform
 * from 0.3 % to 20 % of the rate; the lapse 1 % (60 %), 5 % (30 %) or 15 % (10 %).
 */
final class LimitPosterior {
    private static final double LUCK = 0.01;
    private static final double[] SPREADS = spreads(0.003, 0.2, 7);
    private static final double[] LAPSES = {0.01, 0.05, 0.15};
    private static final double[] LAPSE_PRIOR = {0.6, 0.3, 0.1};
    private static final double REACH = StrictMath.log(8);
    private static final int POINTS = 61;
    private static final int ZOOMS = 3;
    /** What lies outside is left out when the grid is narrowed. */
    private static final double TAIL = 1e-4;

    private final double low;
    private final double step;
    /** By limit and spread, lapses summed up; sums to 1. */
    private final double[][] mass;

    /** A probe that counts. */
    record Seen(double rate, boolean met) {}

    /** The same where the grid is. */
    private record At(double logRate, boolean met) {}

    private LimitPosterior(double low, double step, double[][] mass) {
        this.low = low;
        this.step = step;
        this.mass = mass;
    }

    /** @param seen at least one */
    static LimitPosterior of(List<Seen> seen) {
        List<At> at = seen.stream()
                .map(s -> new At(StrictMath.log(s.rate()), s.met()))
                .toList();
        double low = Double.POSITIVE_INFINITY;
        double high = Double.NEGATIVE_INFINITY;
        for (At a : at) {
            low = Math.min(low, a.logRate() - REACH);
            high = Math.max(high, a.logRate() + REACH);
        }
        LimitPosterior p = on(low, high, at);
        for (int zoom = 1; zoom < ZOOMS; zoom++) {
            double newLow = Math.max(low, p.log(TAIL) - 2 * p.step);
            double newHigh = Math.min(high, p.log(1 - TAIL) + 2 * p.step);
            p = on(newLow, newHigh, at);
        }
        return p;
    }

    private static LimitPosterior on(double low, double high, List<At> seen) {
        double step = (high - low) / (POINTS - 1);
        double[][] mass = new double[POINTS][SPREADS.length];
        double sum = 0;
        for (int i = 0; i < POINTS; i++) {
            for (int j = 0; j < SPREADS.length; j++) {
                mass[i][j] = likelihood(low + i * step, SPREADS[j], seen);
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

    private static double likelihood(double limit, double spread, List<At> seen) {
        double[] byLapse = LAPSE_PRIOR.clone();
        for (At s : seen) {
            double f = knee(limit, spread, s.logRate());
            for (int k = 0; k < LAPSES.length; k++) {
                double met = LUCK + (1 - LUCK - LAPSES[k]) * f;
                byLapse[k] *= s.met() ? met : 1 - met;
            }
        }
        double sum = 0;
        for (double l : byLapse) {
            sum += l;
        }
        return sum;
    }

    private static double knee(double limit, double spread, double logRate) {
        return 1 / (1 + Math.exp((logRate - limit) / spread));
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

    /** The chance that a probe at this rate meets the SLO, undisturbed. */
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

    /** The rate at which a probe meets the SLO with this chance, undisturbed. */
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

    private static double[] spreads(double from, double to, int n) {
        double[] all = new double[n];
        for (int i = 0; i < n; i++) {
            all[i] = from * StrictMath.pow(to / from, i / (n - 1.0));
        }
        return all;
    }
}
