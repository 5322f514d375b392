package dev.fettle.bench.truth;

import java.util.Random;

/** Delays that are independent of each other and of the load: log-normal, from a seed. */
final class HeavyTail implements Delay {

    private final Random random;
    private final double logMedian;
    private final double sigma;

    /**
     * @param median in nanoseconds
     * @param sigma of the logarithm; with 1.2 the 99.9th percentile is 41 medians
     */
    HeavyTail(double median, double sigma, long seed) {
        this.random = new Random(seed);
        this.logMedian = Math.log(median);
        this.sigma = sigma;
    }

    @Override
    public long due(long arrival) {
        return arrival + (long) Math.exp(logMedian + sigma * random.nextGaussian());
    }
}
