package dev.fettle.insight.stats;

/**
 * How much trials of one setting differ, on the log scale: the deviation pooled over all replicates, and held near 3 % by a
 * prior worth 4 degrees of freedom, for there are few of them.
 */
public final class Noise {
    private static final double PRIOR_SIGMA = 0.03;
    private static final int PRIOR_WEIGHT = 4;

    private double sum = PRIOR_WEIGHT * PRIOR_SIGMA * PRIOR_SIGMA;
    private int weight = PRIOR_WEIGHT;

    /** Replicates of one setting; a single one says nothing. */
    public void add(double[] replicates) {
        if (replicates.length > 1) {
            double s = Statistics.deviation(replicates);
            sum += s * s * (replicates.length - 1);
            weight += replicates.length - 1;
        }
    }

    public double sigma() {
        return Math.sqrt(sum / weight);
    }

    /** Half of the 95 % interval of the difference of two means of so many trials. */
    public double half(int n, int m) {
        return half(n, m, Statistics.LEVEL);
    }

    /** Half of the interval of the difference of two means of so many trials. */
    public double half(int n, int m, double level) {
        return Statistics.tQuantile(weight, level) * sigma() * Math.sqrt(1.0 / n + 1.0 / m);
    }
}
