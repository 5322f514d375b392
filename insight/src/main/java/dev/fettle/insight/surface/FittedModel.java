package dev.fettle.insight.surface;

import java.util.List;
import org.hipparchus.linear.ArrayRealVector;
import org.hipparchus.linear.RealMatrix;
import org.hipparchus.linear.RealVector;

/**
 * A {@link Surface} whose scales are known.
 *
 * @param at the samples' places
 * @param mean what remains of the samples without the law, on average
 * @param level prior variance of the overall level
 * @param sigma deviation between trials of one setting
 * @param inverse of the samples' covariance
 * @param weights that times what remains of each sample
 */
record FittedModel(
        List<Axis> axes,
        double[][] at,
        double mean,
        double level,
        Scales scales,
        double sigma,
        RealMatrix inverse,
        RealVector weights) {

    Prediction at(double[] x, double expected) {
        RealVector k = towards(x);
        double variance = kernel(x, x) - k.dotProduct(inverse.operate(k));
        return new Prediction(
                mean + scales.law() * expected + k.dotProduct(weights), Math.sqrt(Math.max(variance, 1e-12)));
    }

    Prediction difference(double[] x, double expectedX, double[] y, double expectedY) {
        RealVector k = towards(x).subtract(towards(y));
        double variance = kernel(x, x) + kernel(y, y) - 2 * kernel(x, y) - k.dotProduct(inverse.operate(k));
        return new Prediction(
                scales.law() * (expectedX - expectedY) + k.dotProduct(weights), Math.sqrt(Math.max(variance, 1e-12)));
    }

    private RealVector towards(double[] x) {
        double[] k = new double[at.length];
        for (int i = 0; i < k.length; i++) {
            k[i] = kernel(x, at[i]);
        }
        return new ArrayRealVector(k, false);
    }

    private double kernel(double[] x, double[] y) {
        double sum = 0;
        double squares = 0;
        double all = 0;
        for (int d = 0; d < x.length; d++) {
            double v = scales.variance(d);
            double k = v * alike(axes.get(d), x[d], y[d], Scales.LENGTHS[scales.length(d)]);
            all += v;
            sum += k;
            squares += k * k;
        }
        return level + sum + scales.together() / all * (sum * sum - squares) / 2;
    }

    /** How alike two coordinates of an axis are, from 0 to 1. */
    static double alike(Axis axis, double a, double b, double length) {
        if (Double.isNaN(a) || Double.isNaN(b)) {
            return Double.isNaN(a) && Double.isNaN(b) ? 1 : 0;
        }
        if (!axis.ordered()) {
            return a == b ? 1 : 0;
        }
        double r = Math.sqrt(5) * Math.abs(a - b) / length;
        return (1 + r + r * r / 3) * StrictMath.exp(-r);
    }
}
