package dev.fettle.insight.capacity;

import dev.fettle.model.trial.LatencySummary;

/**
 * How long requests take where nothing queues, as the latencies of a probe far below the limit show it; and from that, how long requests
 * waited in another probe: latency is that time plus the wait. The wait is taken for exponential, as it is near the limit (Kingman 1961,
 * doi 10.1017/S0305004100036094), and independent of the time in service. Between two percentiles the share of longer times falls
 * exponentially.
 */
final class ServiceTimes {
    private static final int PARTS = 8;
    private static final int NINETY_NINE = 4;
    /** Its 99th percentile of a normal distribution, in deviations. */
    private static final double NORMAL = 2.326;

    private static final int HALVINGS = 40;

    private final double[] seconds = new double[7 * PARTS];
    private final double[] weights = new double[7 * PARTS];
    private final double[] tails;
    private final double[] at;
    private final double mean;
    private final double variation;
    private final long count;

    private ServiceTimes(LatencySummary seen) {
        count = Math.max(1, seen.count());
        double rarest = Math.min(1.0 / count, 1e-5);
        tails = new double[] {0.5, 0.25, 0.1, 0.05, 0.01, 1e-3, 1e-4, rarest};
        at = new double[] {
            seen.p50() / 1e9,
            seen.p75() / 1e9,
            seen.p90() / 1e9,
            seen.p95() / 1e9,
            seen.p99() / 1e9,
            seen.p999() / 1e9,
            seen.p9999() / 1e9,
            seen.max() / 1e9
        };
        int n = PARTS;
        double above = 0;
        for (int i = 0; i + 2 < tails.length; i++) {
            // the rarest two parts are one
            int next = i + 3 == tails.length ? tails.length - 1 : i + 1;
            for (int k = 0; k < PARTS; k++) {
                double from = part(i, next, k / (double) PARTS);
                double to = part(i, next, (k + 1.0) / PARTS);
                weights[n] = from - to;
                seconds[n] = at[i] + (k + 0.5) / PARTS * (at[next] - at[i]);
                above += weights[n] * seconds[n++];
            }
        }
        // the lower half: even, and so that the mean is right
        double shortest = Math.clamp(4 * (seen.mean() / 1e9 - above) - at[0], 0, at[0]);
        for (int k = 0; k < PARTS; k++) {
            weights[k] = 0.5 / PARTS;
            seconds[k] = shortest + (k + 0.5) / PARTS * (at[0] - shortest);
        }
        mean = seen.mean() / 1e9;
        double square = 0;
        for (int i = 0; i < n; i++) {
            square += weights[i] * seconds[i] * seconds[i];
        }
        // few probes hold the rarest, longest times: a log-normal through two percentiles has them
        double deviation = StrictMath.log(Math.max(1, at[NINETY_NINE] / at[0])) / NORMAL;
        variation = Math.max(square / (mean * mean) - 1, StrictMath.exp(deviation * deviation) - 1);
    }

    private double part(int i, int next, double of) {
        return tails[i] * StrictMath.pow(tails[next] / tails[i], of);
    }

    /** @param seen of a probe far below the limit, with at least one response */
    static ServiceTimes of(LatencySummary seen) {
        return new ServiceTimes(seen);
    }

    /** Seconds. */
    double mean() {
        return mean;
    }

    /** Standard deviation of the difference between the mean of so many others and this one, seconds. */
    double meanNoise(long requests) {
        return mean * Math.sqrt(variation * (1.0 / count + 1.0 / Math.max(1, requests)));
    }

    /** Variance over the squared mean: 0 if all take the same time, 1 if exponential. */
    double variation() {
        return variation;
    }

    /**
     * The mean wait with which a share of the requests takes longer than a latency, seconds; 0 if so many do without any.
     *
     * @param share of requests; 0: the latency is the mean
     */
    double wait(double latency, double share) {
        if (share <= 0) {
            return Math.max(0, latency - mean);
        }
        double low = StrictMath.log(1e-6);
        double high = StrictMath.log(1e3);
        if (later(latency, StrictMath.exp(low)) >= share) {
            return 0;
        }
        for (int i = 0; i < HALVINGS; i++) {
            double middle = (low + high) / 2;
            if (later(latency, StrictMath.exp(middle)) < share) {
                low = middle;
            } else {
                high = middle;
            }
        }
        return StrictMath.exp(low);
    }

    /** The share that takes longer, with waits of this mean. */
    private double later(double latency, double wait) {
        double sum = 0;
        for (int i = 0; i < seconds.length; i++) {
            sum += weights[i] * (seconds[i] >= latency ? 1 : StrictMath.exp(-(latency - seconds[i]) / wait));
        }
        return sum;
    }

    /**
     * The longest latency that so many requests may show by chance without a wait, seconds: two standard deviations of the count of longer
     * ones, here and there.
     */
    double noise(double share, long requests) {
        double n = 1 / (1.0 / count + 1.0 / Math.max(1, requests));
        if (share <= 0) {
            return mean + 2 * meanNoise(requests);
        }
        double least = share * (1 - 2 / Math.sqrt(n * share));
        int i = tails.length - 1;
        if (least <= tails[i]) {
            return at[i];
        }
        while (i > 0 && tails[i - 1] < least) {
            i--;
        }
        return i == 0
                ? at[0]
                : at[i - 1]
                        + (at[i] - at[i - 1])
                                * Math.min(
                                        1,
                                        StrictMath.log(tails[i - 1] / least) / StrictMath.log(tails[i - 1] / tails[i]));
    }
}
