package dev.fettle.insight.words;

import dev.fettle.model.plan.Condition;
import dev.fettle.model.text.Rounding;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

/** Formats figures for readers. */
public final class Say {
    /**
     * A factor beyond this, or below its inverse, is not given exactly: nobody acts differently on 300 than on 3,000.
     */
    private static final double MOST = 100;

    /** As many of several are named. */
    public static final int LISTED = 3;

    /** What is less than half of it is not shown as 0 %. */
    private static final double LEAST_PERCENT = 0.001;

    /** Seconds; what is shorter is told in microseconds. */
    private static final double LEAST_MILLIS = 0.0001;

    private static final double KILO = 1024;

    /** What would be 1,000 of a unit in three digits is one of the next. */
    private static final double LEAST_OF_A_UNIT = 999.5;

    private static final List<String> BINARY = List.of("KiB", "MiB", "GiB", "TiB");

    private Say() {}

    /** A figure: {@code 4,150}, {@code 97.3}, {@code 0.42}. */
    public static String number(double v) {
        return decimals(v, decimals(v));
    }

    /** Three digits, also of what is rounded up to a digit more: 99.96 is 100, not 100.0. */
    private static int decimals(double v) {
        double a = Math.abs(v);
        return a >= 99.95 ? 0 : a >= 9.995 ? 1 : 2;
    }

    private static String decimals(double v, int decimals) {
        return String.format(Locale.ROOT, "%,." + decimals + "f", v);
    }

    /** With as many decimals as a figure has that was rounded already, and no fewer than usual. */
    private static String number(BigDecimal rounded) {
        double v = rounded.doubleValue();
        return String.format(
                Locale.ROOT,
                "%,." + Math.max(decimals(v), rounded.stripTrailingZeros().scale()) + "f",
                rounded);
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

    /**
     * A share in per cent: {@code 12 %}, {@code 1.5 %}, {@code 0.12 %}, {@code 0.002 %}; less than all is not {@code 100 %}, and more than
     * nothing not {@code 0 %}.
     */
    public static String percent(double share) {
        double p = 100 * share;
        double a = Math.abs(p);
        if (a >= 99.5 && a < 100) {
            return String.format(Locale.ROOT, "%.1f %%", Math.copySign(Math.min(a, 99.9), p));
        }
        if (a > 0 && a < LEAST_PERCENT / 2) {
            return (p > 0 ? "< " : "> -") + LEAST_PERCENT + " %";
        }
        int decimals = a >= 9.95 || p == Math.rint(p) ? 0 : a >= 0.995 ? 1 : a >= 0.005 ? 2 : 3;
        return String.format(Locale.ROOT, "%." + decimals + "f %%", p);
    }

    /** A share beside its limit: with as many digits as it takes to be on the same side of it. */
    public static String percent(double share, double limit) {
        return share > 0 && Double.isFinite(share)
                ? plain(Rounding.beside(share, 2, limit).movePointRight(2)) + " %"
                : percent(share);
    }

    private static String plain(BigDecimal value) {
        return value.stripTrailingZeros().toPlainString();
    }

    /** A figure beside the bound of a condition: with as many digits as it takes to be on the same side of it. */
    public static String figure(Condition c, double value) {
        return switch (c.metric().unit()) {
            case NANOS -> nanos(value, c.bound());
            case SHARE -> percent(value, c.bound());
            case PER_SECOND ->
                (Double.isFinite(value) ? number(Rounding.beside(value, digits(value), c.bound())) : number(value))
                        + "/s";
        };
    }

    /** Three digits, or all before the point, as {@link #number(double)} has them. */
    private static int digits(double value) {
        var exact = new BigDecimal(value);
        return Math.max(3, exact.precision() - exact.scale());
    }

    /** A condition's bound, exactly. */
    public static String bound(Condition c) {
        return switch (c.metric().unit()) {
            case NANOS -> limit(c.bound());
            case SHARE -> percentLimit(c.bound());
            case PER_SECOND -> number(BigDecimal.valueOf(c.bound())) + "/s";
        };
    }

    /** A time beside its limit, both in nanoseconds: with as many digits as it takes to be on the same side of it. */
    public static String nanos(double ns, double limit) {
        if (ns == 0 || !Double.isFinite(ns)) {
            return nanos(ns);
        }
        return time(Rounding.beside(ns, 3, limit));
    }

    private static String time(BigDecimal ns) {
        double a = Math.abs(ns.doubleValue()) / 1e9;
        return a >= 1
                ? number(ns.movePointLeft(9)) + " s"
                : a >= LEAST_MILLIS ? number(ns.movePointLeft(6)) + " ms" : number(ns.movePointLeft(3)) + " µs";
    }

    /** A limit on a time, in nanoseconds, exactly: {@code 50.0 ms}, {@code 1.25 s}. */
    public static String limit(double ns) {
        return time(BigDecimal.valueOf(ns));
    }

    /** A limit on a share, exactly: {@code 0.10 %}, {@code 0.125 %}. */
    public static String percentLimit(double share) {
        String usual = percent(share);
        BigDecimal exact = BigDecimal.valueOf(share).movePointRight(2);
        return usual.matches("[0-9.]+ %") && new BigDecimal(usual.replace(" %", "")).compareTo(exact) == 0
                ? usual
                : plain(exact) + " %";
    }

    /** A time in a suitable unit: {@code 50.3 ms}, {@code 1.2 s}, {@code 240 µs}. */
    public static String seconds(double s) {
        double a = Math.abs(s);
        if (a >= 1) {
            return number(s) + " s";
        }
        return a >= LEAST_MILLIS ? number(s * 1e3) + " ms" : number(s * 1e6) + " µs";
    }

    /** {@code 2,048 B}. */
    public static String bytes(long n) {
        return String.format(Locale.ROOT, "%,d B", n);
    }

    /** Bytes in a suitable binary unit, of memory as of what is sent: {@code 253 B}, {@code 1.89 KiB}, {@code 312 MiB}, {@code 2.00 GiB}. */
    public static String memory(double bytes) {
        double size = Math.abs(bytes);
        if (size < LEAST_OF_A_UNIT) {
            return number(bytes) + " B";
        }
        int unit = 0;
        double left = bytes / KILO;
        while (Math.abs(left) >= LEAST_OF_A_UNIT && unit < BINARY.size() - 1) {
            left /= KILO;
            unit++;
        }
        return number(left) + " " + BINARY.get(unit);
    }

    /** A bound on a share, as a person would write it: {@code 0.1 %}, {@code 85 %}, {@code 102 %}. */
    public static String share(double bound) {
        return plain(BigDecimal.valueOf(bound).movePointRight(2)) + " %";
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

    /** The first three of several, and how many more there are: {@code a; b; c; and 2 more}. */
    public static String some(List<String> all) {
        return String.join("; ", all.subList(0, Math.min(LISTED, all.size())))
                + (all.size() > LISTED ? "; and " + (all.size() - LISTED) + " more" : "");
    }

    /** {@code one trial}, {@code 3 trials}. */
    public static String count(int n, String noun) {
        return n == 1 ? "one " + noun : n + " " + noun + "s";
    }
}
