package dev.fettle.insight.surface;

/**
 * A belief about a value: mean and deviation.
 *
 * @param deviation standard deviation, noise of a further trial not included
 */
public record Prediction(double mean, double deviation) {
    /**
     * Expected improvement: the mean excess over a value (Jones, Schonlau and Welch, 1998, doi
     * 10.1023/A:1008306431147).
     */
    public double improvementOver(double best) {
        if (deviation <= 0) {
            return Math.max(0, mean - best);
        }
        double z = (mean - best) / deviation;
        return (mean - best) * Normal.below(z) + deviation * Normal.density(z);
    }

    /** The chance that the value lies below a bound. */
    public double chanceBelow(double bound) {
        return deviation <= 0 ? (mean < bound ? 1 : 0) : Normal.below((bound - mean) / deviation);
    }
}
