package dev.fettle.insight.stats;

/**
 * Noise between trials of one setting, on the log scale: the standard deviation pooled over all replicates, with a prior of 3 %
 * worth 4 degrees of freedom, since replicates are few.
 */
public final class Noise {
    private static final double PRIOR_SIGMA = 0.03;
    private static final int PRIOR_WEIGHT = 4;

    private double sum = PRIOR_WEIGHT * PRIOR_SIGMA * PRIOR_SIGMA;
    private int weight = PRIOR_WEIGHT;

    /** Adds the replicates of one setting; a single one carries no information. */
    public void add(double[] replicates) {
        if (replicates.length > 1) {
            double s = Statistics.deviation(replicates);
            sum += s * s * (replicates.length - 1);
            weight += replicates.length - 1;
        }
    }

    /** Whether anything was measured twice: before that, all that is known is the prior. */
    public boolean observed() {
        return weight > PRIOR_WEIGHT;
    }

    public double sigma() {
        return Math.sqrt(sum / weight);
    }

    /** Half the width of the 95 % interval for the difference between means of n and m trials. */
    public double half(int n, int m) {
        return half(n, m, Statistics.LEVEL);
    }

    /** The same at another confidence level. */
    public double half(int n, int m, double level) {
        return Statistics.tQuantile(weight, level) * sigma() * Math.sqrt(1.0 / n + 1.0 / m);
    }
}
