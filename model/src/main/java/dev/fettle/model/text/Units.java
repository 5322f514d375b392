package dev.fettle.model.text;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses and formats quantities. Every parse method throws {@link IllegalArgumentException} with a message that says what would
 * be right.
 */
public final class Units {
    private static final Pattern DURATION = Pattern.compile("(-?[0-9]{1,18}(?:\\.[0-9]{1,9})?)\\s?(ns|us|µs|ms|s|m|h)");
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,18})([kmgt]?)b?", Pattern.CASE_INSENSITIVE);
    private static final Pattern RATE = Pattern.compile("([0-9]{1,18}(?:\\.[0-9]{1,9})?)(k?)(?:/(s|m|h))?");
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,18}(\\.[0-9]{1,18})?");
    private static final BigDecimal LONGEST =
            BigDecimal.valueOf(Duration.ofDays(30).toNanos());

    private Units() {}

    /** {@code 50ms}, {@code 4s}, {@code 2m}, {@code 1h}, {@code 0.2ms}, {@code 500us}; not negative, at most 30 days. */
    public static Duration duration(String text) {
        Matcher m = DURATION.matcher(text.strip());
        if (!m.matches()) {
            throw new IllegalArgumentException(
                    NUMBER.matcher(text.strip()).matches()
                            ? "duration needs a unit: 50ms, 4s, 2m"
                            : "'%s' is not a duration: write 50ms, 4s, 2m".formatted(text));
        }
        BigDecimal nanos = new BigDecimal(m.group(1)).multiply(BigDecimal.valueOf(nanos(m.group(2))));
        if (nanos.signum() < 0) {
            throw new IllegalArgumentException("a duration cannot be negative: '%s'".formatted(text));
        }
        if (nanos.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("'%s' is longer than 30 days".formatted(text));
        }
        return Duration.ofNanos(nanos.setScale(0, RoundingMode.HALF_UP).longValueExact());
    }

    /** The shortest exact form that {@link #duration} reads back: {@code 90s}, {@code 2m}, {@code 0.1ms}. */
    public static String text(Duration duration) {
        long nanos = duration.toNanos();
        if (nanos == 0) {
            return "0s";
        }
        if (nanos % 3_600_000_000_000L == 0) {
            return nanos / 3_600_000_000_000L + "h";
        }
        if (nanos % 60_000_000_000L == 0) {
            return nanos / 60_000_000_000L + "m";
        }
        if (nanos % 1_000_000_000L == 0) {
            return nanos / 1_000_000_000L + "s";
        }
        return millis(duration);
    }

    /** In the most natural unit, exact: {@code 50us}, {@code 0.2394ms}, {@code 50ms}, {@code 2s}. */
    public static String shortest(Duration duration) {
        long nanos = duration.toNanos();
        if (nanos == 0 || nanos >= 1_000_000_000 && nanos % 1_000_000_000 == 0) {
            return text(duration);
        }
        return nanos >= 1_000_000
                ? millis(duration)
                : nanos % 1000 == 0
                        ? nanos / 1000 + "us"
                        : nanos < 1000
                                ? nanos + "ns"
                                : BigDecimal.valueOf(nanos, 3)
                                                .stripTrailingZeros()
                                                .toPlainString() + "us";
    }

    /** Milliseconds with as many decimals as needed: {@code 50ms}, {@code 0.1ms}, {@code 4000ms}. */
    public static String millis(Duration duration) {
        return BigDecimal.valueOf(duration.toNanos(), 6).stripTrailingZeros().toPlainString() + "ms";
    }

    /** Bytes: {@code 1892}, {@code 64k}, {@code 512m}, {@code 2g}; units are powers of 1024. */
    public static long size(String text) {
        Matcher m = SIZE.matcher(text.strip());
        if (!m.matches()) {
            throw new IllegalArgumentException("'%s' is not a size: write 1892, 64k, 512m, 2g".formatted(text));
        }
        long number = Long.parseLong(m.group(1));
        long unit = bytes(m.group(2));
        if (number > Long.MAX_VALUE / unit) {
            throw new IllegalArgumentException("'%s' is too large".formatted(text));
        }
        return number * unit;
    }

    /** Nanoseconds of a unit of time, in any case of letters. Which of them a place takes is up to its own pattern. */
    public static long nanos(String unit) {
        return switch (unit.toLowerCase(Locale.ROOT)) {
            case "ns" -> 1L;
            case "us", "µs", "μs" -> 1_000L;
            case "ms", "msec", "msecs" -> 1_000_000L;
            case "s", "sec", "secs", "second", "seconds" -> 1_000_000_000L;
            case "m", "min", "mins" -> 60_000_000_000L;
            case "h" -> 3_600_000_000_000L;
            case "d" -> 86_400_000_000_000L;
            default ->
                throw new IllegalArgumentException("'%s' is no unit of time: ns, us, ms, s, m, h, d".formatted(unit));
        };
    }

    /** Bytes of a unit of size, a power of 1024 for k, m, g and t; what follows the first letter says nothing more. */
    public static long bytes(String unit) {
        return unit.isEmpty() ? 1 : 1L << 10 * (1 + "kmgt".indexOf(Character.toLowerCase(unit.charAt(0))));
    }

    /** The shortest exact form in JVM notation: {@code 1892}, {@code 64k}, {@code 512m}. */
    public static String sizeText(long bytes) {
        String units = "tgmk";
        for (int i = 0; i < units.length(); i++) {
            int shift = 40 - 10 * i;
            if (bytes != 0 && bytes % (1L << shift) == 0) {
                return (bytes >> shift) + units.substring(i, i + 1);
            }
        }
        return Long.toString(bytes);
    }

    /** A rate per second: {@code 2500/s}, {@code 2500}, {@code 1.5k/s}, {@code 90/m}, {@code 100/h}; above 0, at most 10,000,000. */
    public static double rate(String text) {
        Matcher m = RATE.matcher(text.strip());
        if (!m.matches()) {
            throw new IllegalArgumentException("'%s' is not a rate: write 2500/s, 2.5k/s or 90/m".formatted(text));
        }
        double perSecond = Double.parseDouble(m.group(1)) * (m.group(2).isEmpty() ? 1 : 1000);
        perSecond /= m.group(3) == null
                ? 1
                : m.group(3).equals("h") ? 3600 : m.group(3).equals("m") ? 60 : 1;
        if (!(perSecond > 0 && perSecond <= 1e7)) {
            throw new IllegalArgumentException("a rate is over 0 and at most 10,000,000/s, not '%s'".formatted(text));
        }
        return perSecond;
    }

    /** A share from 0 to 1: {@code 0.1%} or {@code 0.001}. */
    public static double share(String text) {
        String t = text.strip();
        boolean percent = t.endsWith("%");
        String number = percent ? t.substring(0, t.length() - 1).strip() : t;
        if (!NUMBER.matcher(number).matches()) {
            throw new IllegalArgumentException("'%s' is not a share: write 0.1%% or 0.001".formatted(text));
        }
        BigDecimal value = new BigDecimal(number);
        double share = (percent ? value.movePointLeft(2) : value).doubleValue();
        if (share < 0 || share > 1) {
            throw new IllegalArgumentException(
                    "a share lies between 0 and 1 (0%% and 100%%), not '%s'".formatted(text));
        }
        return share;
    }
}
