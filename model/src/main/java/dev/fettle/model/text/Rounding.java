package dev.fettle.model.text;

import java.math.BigDecimal;
import java.math.MathContext;

/** Rounds figures that are read next to a limit. */
public final class Rounding {
    /** The significant digits of a double. */
    private static final int MOST_DIGITS = 17;

    private Rounding() {}

    /**
     * A figure, rounded to some significant digits, or to as many more as it takes to be on the same side of its limit: only what is
     * the limit reads as the limit.
     *
     * @param value finite
     * @param digits at least 1
     * @param limit in the figure's unit
     */
    public static BigDecimal beside(double value, int digits, double limit) {
        var exact = new BigDecimal(value);
        for (int d = digits; d < MOST_DIGITS; d++) {
            BigDecimal rounded = exact.round(new MathContext(d));
            if (Double.compare(rounded.doubleValue(), limit) == Double.compare(value, limit)) {
                return rounded;
            }
        }
        return exact.round(new MathContext(MOST_DIGITS));
    }
}
