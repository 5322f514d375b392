package dev.fettle.servers.settings;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads durations such as {@code 0.2ms} and sizes such as {@code 64k}, in every form that a plan may use elsewhere. A plan's
 * own parser is out of reach: this runs in the JVM under test, on an older Java, with nothing of Fettle but the agent next to it.
 */
public final class Units {
    private static final Pattern VALUE = Pattern.compile("(\\d{1,18}(?:\\.\\d{1,9})?)\\s?([a-zµ]*)");

    private Units() {}

    private static Matcher matcher(String text) {
        return VALUE.matcher(text.strip().toLowerCase(Locale.ROOT));
    }

    /** A duration with unit ns, us, ms, s, m or h, at most an hour; {@code 0} needs no unit. */
    public static Duration duration(String name, String text) throws LaunchFailure {
        Matcher match = matcher(text);
        if (match.matches()) {
            BigDecimal amount = new BigDecimal(match.group(1));
            long unit = switch (match.group(2)) {
                case "ns" -> 1L;
                case "us", "µs" -> 1_000L;
                case "ms" -> 1_000_000L;
                case "s" -> 1_000_000_000L;
                case "m" -> 60_000_000_000L;
                case "h" -> 3_600_000_000_000L;
                case "" -> amount.signum() == 0 ? 1L : 0L;
                default -> 0L;
            };
            BigDecimal nanos = amount.multiply(BigDecimal.valueOf(unit));
            if (unit > 0 && nanos.compareTo(BigDecimal.valueOf(3_600_000_000_000L)) <= 0) {
                return Duration.ofNanos(nanos.longValue());
            }
        }
        throw LaunchFailure.badArgument(
                name + "=" + text + ": a duration of at most an hour such as 0.2ms or 1s is wanted");
    }

    /** A number of bytes, with k, m, g or t for powers of 1024, and b after that if one likes; at most 256m. */
    public static int bytes(String name, String text) throws LaunchFailure {
        Matcher match = matcher(text);
        if (match.matches()) {
            long unit = switch (match.group(2)) {
                case "", "b" -> 1L;
                case "k", "kb" -> 1L << 10;
                case "m", "mb" -> 1L << 20;
                case "g", "gb" -> 1L << 30;
                case "t", "tb" -> 1L << 40;
                default -> -1L;
            };
            BigDecimal bytes = new BigDecimal(match.group(1)).multiply(BigDecimal.valueOf(unit));
            if (unit > 0 && bytes.compareTo(BigDecimal.valueOf(256L * 1_024 * 1_024)) <= 0) {
                return bytes.intValue();
            }
        }
        throw LaunchFailure.badArgument(name + "=" + text + ": a size of at most 256m such as 1892 or 64k is wanted");
    }

    public static String oneOf(String key, Map<String, String> given, List<String> known) throws LaunchFailure {
        String value = given.get(key);
        if (value == null || !known.contains(value)) {
            throw LaunchFailure.badArgument(
                    (value == null ? key + " is missing" : "unknown " + key + " '" + value + "'") + ": one of "
                            + String.join(", ", known) + " is wanted");
        }
        return value;
    }

    public static int port(String text) throws LaunchFailure {
        try {
            int port = Integer.parseInt(text);
            if (port >= 0 && port <= 65_535) {
                return port;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw LaunchFailure.badArgument("port=" + text + ": 0 to 65535 is wanted");
    }
}
