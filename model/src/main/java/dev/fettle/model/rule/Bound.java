package dev.fettle.model.rule;

import dev.fettle.model.text.Format;
import java.math.BigDecimal;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * From where on something counts.
 *
 * @param value a share from 0 to 1, seconds, bytes, or a number
 * @param unit what of these it is
 * @param why where it comes from; blank if it is a choice of ours
 */
public record Bound(double value, Unit unit, String why) {
    private static final Pattern WRITTEN =
            Pattern.compile("(-?[0-9]+(?:\\.[0-9]+)?)(?: ?(%|ms|s|KiB|MiB))?(?:, (.*))?", Pattern.DOTALL);

    private static final Map<String, BigDecimal> FACTORS = Map.of(
            "%",
            new BigDecimal("0.01"),
            "ms",
            new BigDecimal("0.001"),
            "s",
            BigDecimal.ONE,
            "KiB",
            BigDecimal.valueOf(1 << 10),
            "MiB",
            BigDecimal.valueOf(1 << 20));

    /** What a bound is of. */
    public enum Unit {
        SHARE,
        SECONDS,
        BYTES,
        NUMBER
    }

    /**
     * A bound as tables have it: {@code 30 %}, {@code 5 ms}, {@code 256 KiB}, {@code 1.02}, each perhaps with {@code , why}.
     *
     * @throws IllegalArgumentException if it is none of these
     */
    static Bound of(String written) {
        Matcher m = WRITTEN.matcher(written.strip());
        if (!m.matches()) {
            throw new IllegalArgumentException(
                    "'" + written + "' is no bound: write 30 %, 5 ms, 256 KiB or 4, and ', why' after it");
        }
        String unit = m.group(2) == null ? "" : m.group(2);
        return new Bound(
                new BigDecimal(m.group(1))
                        .multiply(FACTORS.getOrDefault(unit, BigDecimal.ONE))
                        .doubleValue(),
                switch (unit) {
                    case "%" -> Unit.SHARE;
                    case "ms", "s" -> Unit.SECONDS;
                    case "KiB", "MiB" -> Unit.BYTES;
                    default -> Unit.NUMBER;
                },
                m.group(3) == null ? "" : m.group(3).strip());
    }

    /** As a person would write it: {@code 30 %}, {@code 5.00 ms}, {@code 256 KiB}, {@code 4}. */
    public String text() {
        return switch (unit) {
            case SHARE -> Format.exactShare(value);
            case SECONDS -> Format.seconds(value);
            case BYTES -> Format.bytes(value);
            case NUMBER -> Format.count(value);
        };
    }
}
