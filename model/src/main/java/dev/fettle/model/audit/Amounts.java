package dev.fettle.model.audit;

import dev.fettle.model.text.Units;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads amounts as configuration files write them. */
public final class Amounts {
    private static final Pattern AMOUNT =
            Pattern.compile("(-?\\d{1,25}(?:\\.\\d{1,6})?)\\s*([kKmMgGtT]?)([iI]?[bB]?)?");
    private static final Pattern TIME = Pattern.compile("(\\d{1,12})\\s*(ms|s|m|h|d)");

    private Amounts() {}

    /** A count or a size, {@code 512k} being 524288; {@code unlimited} and {@code infinity} are infinite; empty for words. */
    public static OptionalDouble of(String text) {
        String t = text.strip().replace("_", "");
        if (t.equalsIgnoreCase("unlimited") || t.equalsIgnoreCase("infinity") || t.equals("max")) {
            return OptionalDouble.of(Double.POSITIVE_INFINITY);
        }
        Matcher m = AMOUNT.matcher(t);
        return m.matches()
                ? OptionalDouble.of(Double.parseDouble(m.group(1)) * Units.bytes(m.group(2)))
                : OptionalDouble.empty();
    }

    /** A time in seconds; a number without a unit is in units of {@code bare} seconds. */
    public static OptionalDouble seconds(String text, double bare) {
        Matcher m = TIME.matcher(text.strip());
        if (m.matches()) {
            return OptionalDouble.of(Long.parseLong(m.group(1)) * (Units.nanos(m.group(2)) / 1e9));
        }
        OptionalDouble n = of(text);
        return n.isPresent() ? OptionalDouble.of(n.getAsDouble() * bare) : n;
    }

    /** The n-th field of a value, from 1; all of it for 0. */
    public static String field(String value, int n) {
        if (n == 0) {
            return value;
        }
        String[] fields = value.strip().split("[\\s,]+");
        return n <= fields.length ? fields[n - 1] : "";
    }
}
