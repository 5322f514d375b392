package dev.fettle.insight.surface;

import java.util.Arrays;

/**
 * The hyperparameters of a {@link Surface}, each as an index into its grid, with their priors: most knobs do little, and their
 * effects are smooth.
 */
final class Scales {
    /** Deviation of one axis's own effect, on the log scale. */
    private static final double[] SPREADS = {0.01, 0.03, 0.08, 0.2, 0.5};
    /** The prior's median: half of the axes are expected to do less. */
    private static final double SMALL = 0.03;
    /** The prior of a spread falls with this power beyond that. */
    private static final double SHRINK = 0.8;
    /** Correlation length of an ordered axis, as a share of its range. */
    static final double[] LENGTHS = {0.15, 0.3, 0.6, 1.2};

    private static final double USUAL_LENGTH = 0.6;
    private static final double LENGTH_SPREAD = 0.7;
    /** The joint effect of two axes, relative to their own effects. */
    private static final double[] TOGETHER = {0.3, 1, 3};

    private static final double[] TOGETHER_PRIOR = {0, 0, -0.7};
    /** Noise as a multiple of the replicates' deviation. */
    private static final double[] NOISE = {0.5, 0.7, 1, 1.4, 2, 3};

    private static final double NOISE_SPREAD = 0.35;
    /** Deviation of the drift between trials. */
    private static final double[] DRIFT = {0, 0.02, 0.06, 0.15};

    private static final double[] DRIFT_PRIOR = {0, -0.7, -1.4, -2.5};
    /** How much of the law's prediction is used. */
    private static final double[] LAW = {0, 0.5, 1};

    private static final double[] LAW_PRIOR = {-1.5, -1, 0};

    private final int axes;
    private final boolean pairs;
    private final int[] at;

    /** @param pairs whether axes have joint effects */
    Scales(int axes, boolean pairs) {
        this.axes = axes;
        this.pairs = pairs;
        this.at = new int[2 * axes + 4];
        Arrays.fill(at, 0, axes, 1);
        Arrays.fill(at, axes, 2 * axes, 2);
        at[2 * axes] = 1;
        at[2 * axes + 1] = 2;
        at[2 * axes + 3] = 2;
    }

    private Scales(int axes, boolean pairs, int[] at) {
        this.axes = axes;
        this.pairs = pairs;
        this.at = at;
    }

    int count() {
        return at.length;
    }

    int choices(int parameter) {
        if (parameter < axes) {
            return SPREADS.length;
        }
        if (parameter < 2 * axes) {
            return LENGTHS.length;
        }
        return switch (parameter - 2 * axes) {
            case 0 -> pairs ? TOGETHER.length : 0;
            case 1 -> NOISE.length;
            case 2 -> DRIFT.length;
            default -> LAW.length;
        };
    }

    /** Whether a parameter is the length of an axis, and of which; −1 if it is not. */
    int lengthOf(int parameter) {
        return parameter >= axes && parameter < 2 * axes ? parameter - axes : -1;
    }

    boolean isLaw(int parameter) {
        return parameter == 2 * axes + 3;
    }

    int index(int parameter) {
        return at[parameter];
    }

    Scales with(int parameter, int index) {
        int[] copy = at.clone();
        copy[parameter] = index;
        return new Scales(axes, pairs, copy);
    }

    double variance(int axis) {
        return SPREADS[at[axis]] * SPREADS[at[axis]];
    }

    int length(int axis) {
        return at[axes + axis];
    }

    double together() {
        return pairs ? TOGETHER[at[2 * axes]] : 0;
    }

    double noise() {
        return NOISE[at[2 * axes + 1]];
    }

    double drift() {
        return DRIFT[at[2 * axes + 2]];
    }

    double law() {
        return LAW[at[2 * axes + 3]];
    }

    double logPrior() {
        double sum = TOGETHER_PRIOR[at[2 * axes]] + DRIFT_PRIOR[at[2 * axes + 2]] + LAW_PRIOR[at[2 * axes + 3]];
        double noise = StrictMath.log(noise()) / NOISE_SPREAD;
        sum -= noise * noise / 2;
        for (int d = 0; d < axes; d++) {
            double s = SPREADS[at[d]] / SMALL;
            sum -= SHRINK * StrictMath.log(1 + s * s);
            double l = StrictMath.log(LENGTHS[at[axes + d]] / USUAL_LENGTH) / LENGTH_SPREAD;
            sum -= l * l / 2;
        }
        return sum;
    }
}
