package dev.fettle.insight.words;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.OptionalDouble;

/** Formats figures for readers. */
public final class Say {
    /**
     * A factor beyond this, or below its inverse, is not given exactly: nobody acts differently on 300 than on 3,000.
     */
    private static final double MOST = 100;

    private Say() {}

    /** A figure: {@code 4,150}, {@code 97.3}, {@code 0.42}. */
    public static String number(double v) {
        double a = Math.abs(v);
        return String.format(Locale.ROOT, a >= 100 ? "%,.0f" : a >= 10 ? "%.1f" : "%.2f", v);
    }

    /**
     * The beginning of a sentence about some of the trials: {@code 2 of 17 trials were}, {@code 1 of 3 trials was},
     * {@code The only trial was}.
     */
    public static String trials(long some, int all) {
        return all == 1 ? "The only trial was" : some + " of " + all + (some == 1 ? " trials was" : " trials were");
    }

    /** A whole count: {@code 0}, {@code 8}, {@code 44,150}. */
    public static String whole(double n) {
        return String.format(Locale.ROOT, "%,d", Math.round(n));
    }

    /** An average count: {@code 40}, {@code 3.2}. */
    public static String about(double v) {
        return String.format(Locale.ROOT, Math.abs(v) >= 10 ? "%,.0f" : "%.1f", v);
    }

    /** A share in per cent: {@code 12 %}, {@code 1.5 %}, {@code 0.12 %}; less than all is not {@code 100 %}. */
    public static String percent(double share) {
        double p = 100 * share;
        double a = Math.abs(p);
        if (a >= 99.5 && a < 100) {
            return String.format(Locale.ROOT, "%.1f %%", Math.copySign(Math.min(a, 99.9), p));
        }
        return String.format(Locale.ROOT, a >= 10 || p == Math.rint(p) ? "%.0f %%" : a >= 1 ? "%.1f %%" : "%.2f %%", p);
    }

    /** A share beside its limit: with as many digits as it takes to be on the same side of it. */
    public static String percent(double share, double limit) {
        for (int digits = 2; share > 0 && digits < 17; digits++) {
            BigDecimal rounded = new BigDecimal(share).round(new MathContext(digits));
            if (rounded.doubleValue() <= limit == share <= limit) {
                return rounded.movePointRight(2).stripTrailingZeros().toPlainString() + " %";
            }
        }
        return percent(share);
    }

    /** A time in a suitable unit: {@code 50.3 ms}, {@code 1.2 s}, {@code 240 µs}. */
    public static String seconds(double s) {
        double a = Math.abs(s);
        if (a >= 1) {
            return number(s) + " s";
        }
        return a >= 0.0001 ? number(s * 1e3) + " ms" : number(s * 1e6) + " µs";
    }

    /** {@code 2,048 B}. */
    public static String bytes(long n) {
        return String.format(Locale.ROOT, "%,d B", n);
    }

    /** Bytes of memory: {@code 312 MB}, decimal. */
    public static String megabytes(double bytes) {
        return number(bytes / 1e6) + " MB";
    }

    /** Nanoseconds in a suitable unit. */
    public static String nanos(double ns) {
        return seconds(ns / 1e9);
    }

    /** A ratio as a gain in per cent, without the sign: {@code 45.8} for 1.458. */
    public static String gain(double ratio) {
        return String.format(Locale.ROOT, "%.1f", 100 * (ratio - 1));
    }

    /** A ratio below 1 as a saving in per cent: {@code 12.0} for 0.88. */
    public static String less(double ratio) {
        return String.format(Locale.ROOT, "%.1f", 100 * (1 - ratio));
    }

    /** A ratio: {@code 1.012}, {@code 8.3}; {@code more than 100}, {@code less than 0.01} beyond that. */
    public static String ratio(double r) {
        if (r > MOST || r < 1 / MOST) {
            return r > 1 ? "more than 100" : "less than 0.01";
        }
        return String.format(Locale.ROOT, r >= 3 ? "%.1f" : r >= 1.5 ? "%.2f" : "%.3f", r);
    }

    /** A confidence level, never rounded up to 100 %: {@code 95 %}, {@code 99.5 %}, {@code 99.95 %}. */
    public static String level(double level) {
        return BigDecimal.valueOf(100 * level)
                        .setScale(2, RoundingMode.FLOOR)
                        .stripTrailingZeros()
                        .toPlainString() + " %";
    }

    /**
     * Words for {@code Power.leastShown}:
     * {@code with this scatter, 5 blocks show a difference of 8.3 % or more in four runs of five}.
     *
     * @param ratio above 1 for a gain, below for a saving
     * @param what {@code a difference}, {@code an improvement}
     */
    public static String leastShown(OptionalDouble ratio, String what, int pairs, String noun) {
        if (ratio.isEmpty()) {
            return "fewer than two " + noun + "s can't show any difference";
        }
        double r = ratio.getAsDouble();
        String scatter = "with this scatter, " + count(pairs, noun);
        if (r > MOST || r < 1 / MOST) {
            return scatter + " would often miss even " + what + " of a factor of 100";
        }
        return scatter + (pairs == 1 ? " shows " : " show ") + what + " of "
                + (r < 1 ? less(r) + " %" : r < 2 ? gain(r) + " %" : "a factor of " + ratio(r))
                + " or more in four runs of five";
    }

    /** {@code one trial}, {@code 3 trials}. */
    public static String count(int n, String noun) {
        return n == 1 ? "one " + noun : n + " " + noun + "s";
    }
}
