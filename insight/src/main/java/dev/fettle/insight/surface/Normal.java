package dev.fettle.insight.surface;

import org.hipparchus.special.Erf;

/** The standard normal distribution. */
final class Normal {
    private Normal() {}

    static double below(double z) {
        return 0.5 * Erf.erfc(-z / Math.sqrt(2));
    }

    static double density(double z) {
        return StrictMath.exp(-z * z / 2) / Math.sqrt(2 * Math.PI);
    }
}
