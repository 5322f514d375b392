package dev.fettle.servers.settings;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads durations such as {@code 0.2ms} and sizes such as {@code 64k}. */
public final class Units {
    private static final Pattern VALUE = Pattern.compile("(\\d+(?:\\.\\d+)?)([a-z]*)");

    private Units() {}

    /** A duration with unit ns, us, ms or s; {@code 0} needs none. */
    public static Duration duration(String name, String text) throws LaunchFailure {
        Matcher match = VALUE.matcher(text.toLowerCase(Locale.ROOT));
        if (match.matches()) {
            BigDecimal amount = new BigDecimal(match.group(1));
            long unit = switch (match.group(2)) {
                case "ns" -> 1L;
                case "us" -> 1_000L;
                case "ms" -> 1_000_000L;
                case "s" -> 1_000_000_000L;
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

    /** A number of bytes, with k or m for 1024 and 1024 squared; at most 256m. */
    public static int bytes(String name, String text) throws LaunchFailure {
        Matcher match = VALUE.matcher(text.toLowerCase(Locale.ROOT));
        if (match.matches() && match.group(1).length() <= 9) {
            long unit = switch (match.group(2)) {
                case "", "b" -> 1L;
                case "k" -> 1_024L;
                case "m" -> 1_024L * 1_024L;
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
