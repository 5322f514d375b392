package dev.fettle.model.text;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * Formats every figure that people read, so that one quantity reads the same in sentences, tables, pages and on the terminal, in every
 * locale. Figures have three significant digits, shares two; bytes have binary units. What is not zero does not read as zero, what is
 * less than all not as all, and nothing reads as {@code -0}. What is no finite number reads as {@link #NONE}.
 *
 * <p>The scripts of the HTML page format in the same way ({@code axes.js}).
 */
public final class Format {
    /** Shown instead of a missing figure. */
    public static final String NONE = "–";

    /** A factor beyond this, or below its inverse, is not given exactly: nobody acts differently on 300 than on 3,000. */
    public static final double MOST_TIMES = 100;

    /** What a double lacks to a decimal number, or has too much, is no reason for another digit. */
    private static final MathContext NOISE = new MathContext(15, RoundingMode.HALF_UP);

    private static final BigDecimal LEAST = new BigDecimal("0.001");
    private static final BigDecimal ROUNDED_TO_ZERO = new BigDecimal("0.0005");
    private static final BigDecimal HUNDRED = BigDecimal.valueOf(100);

    /** What would be 1,000 of a unit in three digits is one of the next. */
    private static final BigDecimal NEXT_UNIT = new BigDecimal("999.5");

    private static final BigDecimal MINUTES_FROM = new BigDecimal("59.95e9");
    private static final long HOURS_FROM = 3600;
    private static final int SECOND_DIGITS = 9;

    private static final double KIBI = 1024;
    private static final List<String> SIZES = List.of("KiB", "MiB", "GiB", "TiB");

    private Format() {}

    private static BigDecimal exact(double value) {
        return new BigDecimal(value).round(NOISE);
    }

    private static BigDecimal halfUp(BigDecimal value, int decimals) {
        return value.setScale(decimals, RoundingMode.HALF_UP);
    }

    private static boolean isBelow(BigDecimal value, String limit) {
        return value.compareTo(new BigDecimal(limit)) < 0;
    }

    /** How many decimals a figure of three digits has, also one that is rounded up to a digit more: 99.96 is 100, not 100.0. */
    private static int decimals(BigDecimal value) {
        BigDecimal size = value.abs();
        return isBelow(size, "0.9995") ? 3 : isBelow(size, "9.995") ? 2 : isBelow(size, "99.95") ? 1 : 0;
    }

    private static String grouped(BigDecimal value) {
        return String.format(Locale.ROOT, "%,." + Math.max(value.scale(), 0) + "f", value);
    }

    private static String shortest(BigDecimal value) {
        return grouped(value.stripTrailingZeros());
    }

    private static boolean isTooSmall(BigDecimal value) {
        return value.signum() != 0 && value.abs().compareTo(ROUNDED_TO_ZERO) < 0;
    }

    private static String tooSmall(BigDecimal value) {
        return value.signum() > 0 ? "< " + LEAST : "> -" + LEAST;
    }

    private static String three(BigDecimal value) {
        return value.signum() == 0
                ? "0"
                : isTooSmall(value) ? tooSmall(value) : grouped(halfUp(value, decimals(value)));
    }

    /** With three digits, or as many more as it has. */
    private static String atLeastThree(BigDecimal value) {
        return value.signum() == 0
                ? "0"
                : grouped(halfUp(
                        value,
                        Math.max(decimals(value), value.stripTrailingZeros().scale())));
    }

    /** Three digits: {@code 3,471}, {@code 52.3}, {@code 1.00}, {@code 0.212}, {@code < 0.001}. */
    public static String number(double value) {
        return Double.isFinite(value) ? three(exact(value)) : NONE;
    }

    /** Three digits, or as many more as it takes to be on the same side of the limit. */
    public static String number(double value, double limit) {
        if (!Double.isFinite(value)) {
            return NONE;
        }
        BigDecimal v = exact(value);
        return isOnItsSide(v, halfUp(v, decimals(v)), limit)
                ? three(v)
                : atLeastThree(Rounding.beside(value, Math.max(3, v.precision() - v.scale()), limit));
    }

    /** A number, exactly, and with three digits at least: {@code 1,000}, {@code 0.500}, {@code 1,234.5}. */
    public static String exactNumber(double value) {
        return atLeastThree(BigDecimal.valueOf(value));
    }

    private static boolean isOnItsSide(BigDecimal value, BigDecimal rounded, double limit) {
        return !Double.isFinite(limit) || rounded.compareTo(exact(limit)) == value.compareTo(exact(limit));
    }

    /** A count, which may be an average: {@code 44,150}, {@code 8}, {@code 3.2}, {@code 0.25}. */
    public static String count(double n) {
        if (!Double.isFinite(n)) {
            return NONE;
        }
        BigDecimal v = exact(n);
        return isTooSmall(v) ? tooSmall(v) : shortest(halfUp(v, decimals(v)));
    }

    /** A whole count: {@code 0}, {@code 8}, {@code 44,150}. */
    public static String whole(double n) {
        return Double.isFinite(n) ? String.format(Locale.ROOT, "%,d", Math.round(n)) : NONE;
    }

    /** {@code 3,471/s}. */
    public static String rate(double perSecond) {
        return Double.isFinite(perSecond) ? number(perSecond) + "/s" : NONE;
    }

    /** A share from 0 to 1 as per cent: {@code 0 %}, {@code 0.012 %}, {@code 1.5 %}, {@code 93 %}, {@code 99.97 %}; {@code 100 %} is all. */
    public static String share(double share) {
        if (!Double.isFinite(share)) {
            return NONE;
        }
        BigDecimal percent = percent(share);
        return (isTooSmall(percent) ? tooSmall(percent) : shortest(rounded(percent))) + " %";
    }

    private static BigDecimal percent(double share) {
        return exact(share).movePointRight(2);
    }

    private static BigDecimal rounded(BigDecimal percent) {
        BigDecimal size = percent.abs();
        if (size.compareTo(HUNDRED) < 0 && !isBelow(size, "99.95")) {
            return percent.setScale(2, RoundingMode.DOWN);
        }
        int decimals = isBelow(size, "0.0995")
                ? 3
                : isBelow(size, "0.995")
                        ? 2
                        : isBelow(size, "9.95") || !isBelow(size, "99.5") && size.compareTo(HUNDRED) < 0 ? 1 : 0;
        return halfUp(percent, decimals);
    }

    /** A share next to its limit: with as many digits as it takes to be on the same side of it. */
    public static String share(double share, double limit) {
        if (!Double.isFinite(share)) {
            return NONE;
        }
        BigDecimal percent = percent(share);
        BigDecimal usual = isTooSmall(percent) ? BigDecimal.ZERO : rounded(percent);
        return isOnItsSide(percent, usual, 100 * limit)
                ? share(share)
                : shortest(Rounding.beside(share, 2, limit).movePointRight(2)) + " %";
    }

    /** A bound on a share, exactly, as a person would write it: {@code 0.1 %}, {@code 12.5 %}, {@code 102 %}. */
    public static String exactShare(double share) {
        return shortest(BigDecimal.valueOf(share).movePointRight(2)) + " %";
    }

    /** A confidence level, never rounded up to 100 %: {@code 95 %}, {@code 99.5 %}, {@code 99.95 %}. */
    public static String level(double level) {
        return shortest(percent(level).setScale(2, RoundingMode.FLOOR)) + " %";
    }

    /** A time: {@code 212 ns}, {@code 900 µs}, {@code 52.3 ms}, {@code 1.11 s}, {@code 3 min 42 s}, {@code 1 h 05 min}. */
    public static String time(double nanos) {
        return Double.isFinite(nanos) ? time(exact(nanos)) : NONE;
    }

    public static String time(Duration time) {
        return time(BigDecimal.valueOf(time.getSeconds())
                .movePointRight(SECOND_DIGITS)
                .add(BigDecimal.valueOf(time.getNano())));
    }

    /** A time in seconds: {@code 900 µs}, {@code 1.11 s}. */
    public static String seconds(double seconds) {
        return Double.isFinite(seconds) ? time(exact(seconds).movePointRight(SECOND_DIGITS)) : NONE;
    }

    private static String time(BigDecimal nanos) {
        BigDecimal size = nanos.abs();
        if (size.signum() == 0) {
            return "0 ms";
        }
        if (size.compareTo(MINUTES_FROM) < 0) {
            int shift = shift(size);
            return three(nanos.movePointLeft(shift)) + unit(shift);
        }
        return (nanos.signum() < 0 ? "-" : "")
                + minutes(halfUp(size.movePointLeft(SECOND_DIGITS), 0).longValue());
    }

    /** As which power of ten of nanoseconds a time is read. */
    private static int shift(BigDecimal size) {
        int shift = 0;
        while (shift < SECOND_DIGITS && size.movePointLeft(shift).compareTo(NEXT_UNIT) >= 0) {
            shift += 3;
        }
        return shift;
    }

    private static String unit(int shift) {
        return switch (shift) {
            case 0 -> " ns";
            case 3 -> " µs";
            case 6 -> " ms";
            default -> " s";
        };
    }

    private static String minutes(long seconds) {
        return seconds < HOURS_FROM
                ? parts(seconds / 60, "min", seconds % 60, "s")
                : parts((seconds + 30) / HOURS_FROM, "h", (seconds + 30) % HOURS_FROM / 60, "min");
    }

    private static String parts(long large, String unit, long small, String smallUnit) {
        return String.format(Locale.ROOT, "%,d %s", large, unit)
                + (small == 0 ? "" : String.format(Locale.ROOT, " %02d %s", small, smallUnit));
    }

    /** A time next to its limit, both in nanoseconds: with as many digits as it takes to be on the same side of it. */
    public static String time(double nanos, double limit) {
        if (!Double.isFinite(nanos)) {
            return NONE;
        }
        BigDecimal v = exact(nanos);
        if (isOnItsSide(v, asRead(v), limit)) {
            return time(v);
        }
        BigDecimal more = Rounding.beside(nanos, 3, limit);
        int shift = shift(more.abs());
        return atLeastThree(more.movePointLeft(shift)) + unit(shift);
    }

    /** The time that its text stands for, nanoseconds. */
    private static BigDecimal asRead(BigDecimal nanos) {
        BigDecimal size = nanos.abs();
        if (size.compareTo(MINUTES_FROM) < 0) {
            int shift = shift(size);
            BigDecimal v = nanos.movePointLeft(shift);
            return halfUp(v, decimals(v)).movePointRight(shift);
        }
        BigDecimal seconds = halfUp(nanos.movePointLeft(SECOND_DIGITS), 0);
        boolean hours = seconds.abs().longValue() >= HOURS_FROM;
        BigDecimal sixty = BigDecimal.valueOf(60);
        return (hours ? seconds.divide(sixty, 0, RoundingMode.HALF_UP).multiply(sixty) : seconds)
                .movePointRight(SECOND_DIGITS);
    }

    /** A limit on a time, in nanoseconds, exactly: {@code 50.0 ms}, {@code 1.25 s}, {@code 1 min 30 s}. */
    public static String exactTime(double nanos) {
        BigDecimal v = BigDecimal.valueOf(nanos);
        if (v.signum() == 0 || v.abs().compareTo(MINUTES_FROM) >= 0 && asRead(v).compareTo(v) == 0) {
            return time(v);
        }
        int shift = shift(v.abs());
        return atLeastThree(v.movePointLeft(shift)) + unit(shift);
    }

    /** Bytes in binary units, of memory as of what is sent: {@code 253 B}, {@code 1.89 KiB}, {@code 312 MiB}, {@code 2.00 GiB}. */
    public static String bytes(double bytes) {
        if (!Double.isFinite(bytes)) {
            return NONE;
        }
        if (exact(bytes).abs().compareTo(NEXT_UNIT) < 0) {
            return count(bytes) + " B";
        }
        int unit = 0;
        double left = bytes / KIBI;
        while (exact(left).abs().compareTo(NEXT_UNIT) >= 0 && unit < SIZES.size() - 1) {
            left /= KIBI;
            unit++;
        }
        return number(left) + " " + SIZES.get(unit);
    }

    /** Bytes to the last one, for lengths that may differ by one: {@code 2,048 B}. */
    public static String exactBytes(long bytes) {
        return whole(bytes) + " B";
    }

    /** A factor: {@code 1.012}, {@code 8.30}; {@code more than 100}, {@code less than 0.01} beyond that. */
    public static String ratio(double ratio) {
        if (Double.isNaN(ratio)) {
            return NONE;
        }
        if (ratio > MOST_TIMES || ratio < 1 / MOST_TIMES) {
            return ratio > 1 ? "more than 100" : "less than 0.01";
        }
        return ratio < 1.5 ? halfUp(exact(ratio), 3).toPlainString() : number(ratio);
    }

    /** A ratio as a change in per cent, with its sign and without the unit: {@code +45.8}, {@code -12.0}, {@code +0.0}. */
    public static String change(double ratio) {
        return change(ratio, ratio);
    }

    /**
     * A ratio as a change in per cent, with its sign and without the unit.
     *
     * @param like the ratio that decides how many decimals there are: near -100 % one would not distinguish a twentieth from a hundredth
     */
    public static String change(double ratio, double like) {
        String text = gain(ratio, like);
        return Double.isFinite(ratio) && !text.startsWith("-") ? "+" + text : text;
    }

    /** A ratio as a gain in per cent, signed only if it is a loss: {@code 45.8} for 1.458. */
    public static String gain(double ratio, double like) {
        if (!Double.isFinite(ratio)) {
            return NONE;
        }
        return grouped(halfUp(exact(ratio).subtract(BigDecimal.ONE).movePointRight(2), like < 0.1 ? 2 : 1));
    }

    /** A ratio below 1 as a saving in per cent: {@code 12.0} for 0.88. */
    public static String less(double ratio) {
        if (!Double.isFinite(ratio)) {
            return NONE;
        }
        return grouped(halfUp(BigDecimal.ONE.subtract(exact(ratio)).movePointRight(2), ratio < 0.1 ? 2 : 1));
    }

    /** Names in a sentence: {@code a, b and c}; of one it is that. */
    public static String list(List<String> names, String last) {
        return names.size() < 2
                ? String.join("", names)
                : String.join(", ", names.subList(0, names.size() - 1)) + " " + last + " " + names.getLast();
    }
}
