package dev.fettle.insight.capacity;

import dev.fettle.insight.capacity.ProbeVerdict.Result;
import dev.fettle.model.plan.Condition;
import dev.fettle.model.plan.Slo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What probes that begin with an empty queue say about the limit of the long run: the highest rate that meets the SLO for good.
 *
 * <p>Two figures of the server are unknown: the most that it does a second, and the share of that which is left at the limit, θ. The wait
 * that the SLO allows beyond the time in service ({@link ServiceTimes}) is then that of a queue whose wait varies by
 * {@code v = 2 θ w} a second (heavy traffic). That says what a probe of any rate and length sees ({@link WaitFromEmpty}), so each counts by
 * how long its requests waited, and not only by whether it met the SLO. Where a percentile does not stand out from the times in service,
 * the mean wait may; where that does not either, only that it is shorter counts. Of a probe that ended early the wait is only known to be
 * above what the SLO allows. How many requests an overloaded server finished says what it does at most. Where errors broke the SLO, their
 * counts say where the limit is ({@link ErrorCounts}). The posterior is computed on a grid, without sampling.
 *
 * <p>Priors: the most log-uniform from 0.9 of the fastest probe to twice that; θ log-uniform from 0.0003 to 0.6; v over what independent
 * arrivals and these times in service give, log-normal; waits farther from the limit fall with a power of θ of 0.7 to 1.4.
 *
 * @param limit its distribution
 * @param most requests a second, the median
 * @param variance v, s² a second, the median
 */
record LongRun(LimitPosterior limit, double most, double variance) {
    /** The share of requests that a maximum is about, and the fewest errors. */
    private static final double RAREST = 1e-4;
    /** The wait that an SLO allows is at least this share of its bound. */
    private static final double SHORTEST = 0.02;
    /** A wait below this share of what the SLO allows says only that. */
    private static final double EASY = 0.1;
    /** A latency beyond this multiple of the bound says only that. */
    private static final double HARD = 1.5;
    /** A probe shorter than this share of what was planned ended early. */
    private static final double WHOLE = 0.95;

    private static final int MOSTS = 41;
    private static final int ROUNDS = 3;
    private static final int SHARES = 56;
    private static final double LEAST_LEFT = 3e-4;
    private static final double MOST_LEFT = 0.6;
    private static final double FAR = 2;
    /** Least deviation of a probe's count, as a share: the clocks at both ends. */
    private static final double CLOCKS = 0.003;

    private static final double[] POWERS = {0.7, 1, 1.4};
    /** v over what arrivals and times in service give: stalls and drift add to it. */
    private static final double USUAL = 0.15;

    private static final double UNUSUAL = 0.6;
    /** What the model leaves out, as a scale of the logarithm of a wait. */
    private static final double MISFIT = 0.12;
    /** How much the machine's speed differs from probe to probe, as a share. */
    private static final double DRIFT = 0.004;

    /** A probe that ended early ended because it went badly: its count deviates by so much more. */
    private static final double STOPPED = 1.5;
    /** What the model leaves out, as a scale of the logarithm of a mean wait. */
    private static final double MISFIT_MEAN = 0.25;
    /** The mean time in service differs between rates by so much, as a share. */
    private static final double SAME = 0.03;

    private static final double STRAY = 0.01;
    private static final double STRAY_BROKEN = 0.03;
    private static final double STRAY_BEHIND = 0.002;
    private static final double STEP = 0.0015;
    /** Logarithms of the limit over the fastest answers, where errors are looked at. */
    private static final double LOWEST = StrictMath.log(0.35);

    private static final double HIGHEST = StrictMath.log(2.2);
    private static final int LIMITS = 180;

    /** One probe: its wait over the one that the SLO allows lies between two bounds; the same twice if it is known. */
    private record Seen(
            double rate,
            double seconds,
            double answered,
            double due,
            boolean whole,
            double low,
            double high,
            double stray,
            Optional<Mean> mean) {}

    /**
     * The mean wait of a probe, seconds.
     *
     * @param noise of the mean time in service, here and in the easiest probe: one standard deviation
     */
    private record Mean(double seconds, double noise) {}

    /**
     * Of probes of which some met the SLO and some broke it.
     *
     * @return empty if neither a latency nor errors broke it, or if nothing was answered
     */
    static Optional<LongRun> of(List<Judged> judged, Slo slo) {
        List<Judged> valid = judged.stream().filter(Judged::isValid).toList();
        Optional<Condition> broke = valid.stream()
                .filter(j -> j.verdict().result() == Result.BROKEN)
                .min(Comparator.comparingDouble(j -> j.probe().rate()))
                .flatMap(j -> broken(j.probe(), slo));
        Optional<Probe> easiest = valid.stream()
                .filter(j -> j.verdict().result() == Result.MET)
                .map(Judged::probe)
                .filter(p -> p.throughput() > 0 && p.latency().mean() > 0)
                .min(Comparator.comparingDouble(Probe::rate));
        return broke.isEmpty() || easiest.isEmpty()
                ? Optional.empty()
                : Optional.of(new Model(broke.get(), easiest.get(), valid).found());
    }

    /** Seconds in which a queue forgets how it began, at a rate: the inverse of the spectral gap, 2 v / θ² (Odoni and Roth 1983). */
    double relaxation(double rate) {
        double left = Math.max(LEAST_LEFT, 1 - rate / most);
        return 2 * variance / (left * left);
    }

    /** The latency condition that was broken by most, or the one on errors. */
    private static Optional<Condition> broken(Probe probe, Slo slo) {
        return slo.quality().all().stream()
                .filter(c -> c.comparison().upper())
                .filter(c -> c.metric().of(probe).stream().anyMatch(v -> v >= c.bound()))
                .max(Comparator.comparingDouble(c -> c.metric() == Condition.Metric.ERRORS
                        ? 0
                        : c.metric().of(probe).orElse(0) / Math.max(1, c.bound())));
    }

    private static final class Model {
        private final Condition condition;
        private final ServiceTimes service;
        private final boolean errors;
        private final double share;
        private final WaitFromEmpty waits;
        private final WaitFromEmpty means = WaitFromEmpty.of(0);
        private final double allowed;
        private final double each;
        private final double usual;
        private final List<Judged> valid;
        private final List<Seen> seen = new ArrayList<>();
        private final double fastest;

        Model(Condition condition, Probe easiest, List<Judged> valid) {
            this.condition = condition;
            this.service = ServiceTimes.of(easiest.latency());
            this.errors = condition.metric() == Condition.Metric.ERRORS;
            this.share = switch (condition.metric()) {
                case ERRORS -> Math.max(RAREST, condition.bound());
                case MEAN -> 0;
                default -> Math.max(RAREST, 1 - condition.metric().percentile() / 100);
            };
            this.waits = errors ? means : WaitFromEmpty.of(share);
            double bound = condition.bound() / 1e9;
            this.allowed = errors ? 0 : Math.max(SHORTEST * bound / waits.depth(), service.wait(bound, share));
            this.each = Math.max(1, easiest.each().requests());
            this.usual = (1 + service.variation()) / each;
            this.valid = valid;
            valid.forEach(j -> seen.add(seen(j)));
            this.fastest = seen.stream().mapToDouble(Seen::answered).max().orElseThrow();
        }

        private Seen seen(Judged j) {
            Probe p = j.probe();
            boolean met = j.verdict().result() == Result.MET;
            double planned = p.planned().isZero() ? p.seconds() : p.planned().toNanos() / 1e9;
            boolean whole = p.seconds() >= WHOLE * planned;
            boolean behind = p.fellBehind();
            double requests = Math.max(1, p.each().requests());
            double low = met ? 0 : 1;
            double high = met ? 1 : Double.POSITIVE_INFINITY;
            double latency = errors ? Double.NaN : condition.metric().of(p).orElse(Double.NaN) / 1e9;
            double bound = condition.bound() / 1e9;
            if (whole && !Double.isNaN(latency) && latency < bound == met) {
                double wait = service.wait(Math.min(latency, HARD * bound), share) / allowed;
                double least = Math.max(EASY, service.wait(service.noise(share, p.responses()), share) / allowed);
                low = wait <= least ? 0 : wait;
                high = latency > HARD * bound ? Double.POSITIVE_INFINITY : Math.max(least, wait);
            }
            double n = p.rate() * p.seconds();
            double deviations = 4 / Math.sqrt(n);
            double arrived = whole && !behind
                    ? Math.clamp(p.arrived(), p.rate() * (1 - deviations), p.rate() * (1 + deviations))
                    : p.rate();
            return new Seen(
                    arrived,
                    planned,
                    p.throughput() / requests,
                    n,
                    whole,
                    low,
                    high,
                    met ? STRAY : behind ? STRAY_BEHIND : STRAY_BROKEN,
                    met && whole && low == 0 && p.latency().count() > 0
                            ? Optional.of(new Mean(
                                    p.latency().mean() / 1e9 - service.mean(), service.meanNoise(p.responses())))
                            : Optional.empty());
        }

        /** The log-likelihood of what was answered, if the server does so much at most. */
        private double ofAnswers(double most) {
            double sum = 0;
            for (Seen s : seen) {
                double variation = s.rate() < most ? Math.max(1, service.variation()) : service.variation();
                double expected = Math.min(s.rate(), most);
                double deviation =
                        Math.max(CLOCKS, Math.sqrt(variation / Math.max(1, s.due())) * (s.whole() ? 1 : STOPPED));
                double z = (s.answered() / expected - 1) / deviation;
                // an outlier, such as a pause, weighs no more than three deviations
                sum -= Math.min(z * z, 9) / 2;
            }
            return sum;
        }

        LongRun found() {
            double[] mosts = new double[400];
            double[] masses = new double[mosts.length];
            double from = StrictMath.log(0.9 * fastest);
            double to = StrictMath.log(FAR * fastest);
            for (int i = 0; i < mosts.length; i++) {
                mosts[i] = from + i * (to - from) / (mosts.length - 1);
                masses[i] = ofAnswers(StrictMath.exp(mosts[i]));
            }
            exponentials(masses);
            // first where answers say it is, then where waits do, too
            double[] errorLogs = ofErrors();
            double[][] grid = new double[0][];
            for (int round = 0; round < ROUNDS; round++) {
                mosts = quantiles(mosts, masses);
                grid = new double[mosts.length][SHARES];
                double top = Double.NEGATIVE_INFINITY;
                for (int i = 0; i < mosts.length; i++) {
                    double width = mosts[Math.min(mosts.length - 1, i + 1)] - mosts[Math.max(0, i - 1)];
                    double answers = ofAnswers(StrictMath.exp(mosts[i])) + StrictMath.log(Math.max(1e-12, width));
                    for (int k = 0; k < SHARES; k++) {
                        grid[i][k] = answers + ofLimit(StrictMath.exp(mosts[i]), left(k), errorLogs);
                        top = Math.max(top, grid[i][k]);
                    }
                }
                masses = new double[mosts.length];
                for (int i = 0; i < mosts.length; i++) {
                    for (int k = 0; k < SHARES; k++) {
                        grid[i][k] = StrictMath.exp(grid[i][k] - top);
                        masses[i] += grid[i][k];
                    }
                }
            }
            return summary(mosts, grid);
        }

        private LongRun summary(double[] mosts, double[][] grid) {
            double low = mosts[0] + StrictMath.log(1 - MOST_LEFT) - STEP;
            double[] mass = new double[(int) ((mosts[mosts.length - 1] - low) / STEP) + 3];
            double[] byMost = new double[mosts.length];
            double[] byLeft = new double[SHARES];
            double sum = 0;
            for (double[] row : grid) {
                for (double m : row) {
                    sum += m;
                }
            }
            for (int i = 0; i < mosts.length; i++) {
                for (int k = 0; k < SHARES; k++) {
                    double m = grid[i][k] / sum;
                    byMost[i] += m;
                    byLeft[k] += m;
                    double at = (mosts[i] + StrictMath.log(1 - left(k)) - low) / STEP;
                    mass[(int) at] += m * (1 - at + (int) at);
                    mass[(int) at + 1] += m * (at - (int) at);
                }
            }
            double most = StrictMath.exp(mosts[middle(byMost)]);
            double left = left(middle(byLeft));
            return new LongRun(LimitPosterior.of(low, STEP, mass), most, errors ? usual / most : 2 * left * allowed);
        }

        private static int middle(double[] masses) {
            double sum = 0;
            int i = 0;
            while (i < masses.length - 1 && sum + masses[i] < 0.5) {
                sum += masses[i++];
            }
            return i;
        }

        private static double left(int k) {
            return LEAST_LEFT * StrictMath.pow(MOST_LEFT / LEAST_LEFT, k / (SHARES - 1.0));
        }

        /** The log-likelihood of what was seen apart from what was answered. */
        private double ofLimit(double most, double left, double[] errorLogs) {
            if (!errors) {
                return ofWaits(most, left);
            }
            double at = (StrictMath.log(most * (1 - left) / fastest) - LOWEST)
                    / (HIGHEST - LOWEST)
                    * (errorLogs.length - 1);
            int i = (int) Math.clamp(at, 0, errorLogs.length - 2);
            return errorLogs[i] + (errorLogs[i + 1] - errorLogs[i]) * (at - i);
        }

        /** The log-likelihood of the errors, by the logarithm of the limit. */
        private double[] ofErrors() {
            double[] logs = new double[LIMITS];
            for (int i = 0; i < logs.length && errors; i++) {
                double limit = fastest * StrictMath.exp(LOWEST + i * (HIGHEST - LOWEST) / (logs.length - 1));
                logs[i] = new ErrorCounts(share, valid).of(limit);
            }
            return logs;
        }

        /** The log-likelihood of the waits, averaged over what is unknown. */
        private double ofWaits(double most, double left) {
            double variance = 2 * left * allowed;
            double z = (StrictMath.log(variance * most / usual) - USUAL) / UNUSUAL;
            return mean(Arrays.stream(POWERS)
                            .map(power -> ofWaits(most, variance, power))
                            .toArray())
                    - z * z / 2;
        }

        private double ofWaits(double most, double variance, double power) {
            double sum = 0;
            double limit = StrictMath.log(allowed * waits.depth());
            for (Seen s : seen) {
                double length = Math.sqrt(s.seconds() / variance);
                double pull = (1 - s.rate() / most) * length;
                double beyond = StrictMath.log(variance * length) + waits.middle(pull) - limit;
                double slope = waits.middle(pull + 0.1) - waits.middle(pull - 0.1);
                double drift = slope / 0.2 * DRIFT * length;
                double own = waits.scale(pull);
                double scale = Math.sqrt(own * own + MISFIT * MISFIT + drift * drift);
                double middle = beyond < 0 ? power * beyond : beyond;
                sum += StrictMath.log(s.stray() + (1 - s.stray()) * likelihood(s.low(), s.high(), middle, scale));
                if (s.mean().isPresent()) {
                    sum += ofMean(s, most, variance, drift);
                }
            }
            return sum;
        }

        /**
         * The log-likelihood of a mean wait. With many threads some are free now and then, near the limit, too: the chance to wait at all is
         * about a power of the utilisation (Sakasegawa, Ann. Inst. Stat. Math. 29, 1977, doi 10.1007/BF02532775).
         */
        private double ofMean(Seen s, double most, double variance, double drift) {
            Mean mean = s.mean().get();
            double length = Math.sqrt(s.seconds() / variance);
            double used = s.rate() / most;
            double pull = (1 - used) * length;
            double threads = Math.max(1, most * each * service.mean());
            double waits = (Math.sqrt(2 * (threads + 1)) - 1) * StrictMath.log(Math.min(1, used));
            double middle = waits + StrictMath.log(variance * length) + means.middle(pull);
            double least = Math.max(2 * mean.noise(), SAME * service.mean());
            double own = means.scale(pull);
            double noise = mean.noise() / Math.max(least, mean.seconds());
            double scale = Math.sqrt(own * own + MISFIT_MEAN * MISFIT_MEAN + drift * drift + noise * noise);
            double likely = mean.seconds() <= least
                    ? likelihood(0, least, middle, scale)
                    : likelihood(mean.seconds(), mean.seconds(), middle, scale);
            return StrictMath.log(s.stray() + (1 - s.stray()) * likely);
        }

        private static double likelihood(double low, double high, double middle, double scale) {
            if (low == high) {
                double f = below((StrictMath.log(low) - middle) / scale);
                return f * (1 - f) / scale;
            }
            double least = low <= 0 ? 0 : below((StrictMath.log(low) - middle) / scale);
            double most = high == Double.POSITIVE_INFINITY ? 1 : below((StrictMath.log(high) - middle) / scale);
            return most - least;
        }

        private static double below(double x) {
            return x > 50 ? 1 : x < -50 ? 0 : 1 / (1 + StrictMath.exp(-x));
        }

        /** Points that divide a density, given by its logarithmic grid, in parts of equal mass; the ends lie farther out. */
        private static double[] quantiles(double[] at, double[] masses) {
            double[] sums = new double[at.length];
            double sum = 0;
            for (int i = 0; i < at.length; i++) {
                sum += masses[i];
                sums[i] = sum;
            }
            double[] points = new double[MOSTS];
            for (int k = 0; k < MOSTS; k++) {
                double wanted = sum * Math.clamp((k - 0.5) / (MOSTS - 2), 0.002, 0.998);
                int i = Arrays.binarySearch(sums, wanted);
                i = Math.min(at.length - 1, i >= 0 ? i : -i - 1);
                double before = i == 0 ? 0 : sums[i - 1];
                double part = masses[i] > 0 ? (wanted - before) / masses[i] : 0.5;
                double left = i == 0 ? at[0] : (at[i - 1] + at[i]) / 2;
                double right = i == at.length - 1 ? at[i] : (at[i] + at[i + 1]) / 2;
                points[k] = left + part * (right - left);
            }
            double middle = points[MOSTS / 2];
            points[0] = points[1] - 0.5 * (middle - points[1]) - 1e-4;
            points[MOSTS - 1] = points[MOSTS - 2] + 0.5 * (points[MOSTS - 2] - middle) + 1e-4;
            return points;
        }

        private static void exponentials(double[] logs) {
            double top = Arrays.stream(logs).max().orElseThrow();
            for (int i = 0; i < logs.length; i++) {
                logs[i] = StrictMath.exp(logs[i] - top);
            }
        }
    }

    /** The logarithm of the mean of figures given by their logarithms. */
    static double mean(double[] logs) {
        double top = Arrays.stream(logs).max().orElseThrow();
        return top
                + StrictMath.log(Arrays.stream(logs)
                        .map(log -> StrictMath.exp(log - top))
                        .average()
                        .orElseThrow());
    }
}
