package dev.fettle.model.rule;

import dev.fettle.model.text.Format;
import dev.fettle.model.text.Units;
import java.math.BigDecimal;
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
        var number = new BigDecimal(m.group(1));
        String why = m.group(3) == null ? "" : m.group(3).strip();
        return switch (m.group(2)) {
            case null -> new Bound(number.doubleValue(), Unit.NUMBER, why);
            case "%" -> new Bound(number.movePointLeft(2).doubleValue(), Unit.SHARE, why);
            case "ms", "s" ->
                new Bound(
                        times(number, Units.nanos(m.group(2))).movePointLeft(9).doubleValue(), Unit.SECONDS, why);
            case String size -> new Bound(times(number, Units.bytes(size)).doubleValue(), Unit.BYTES, why);
        };
    }

    private static BigDecimal times(BigDecimal number, long unit) {
        return number.multiply(BigDecimal.valueOf(unit));
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
