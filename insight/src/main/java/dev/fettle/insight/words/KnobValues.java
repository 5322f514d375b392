package dev.fettle.insight.words;

import java.util.Locale;
import java.util.OptionalLong;

/** Knob values as text. */
public final class KnobValues {
    private KnobValues() {}

    /** Whether two canonical values mean the same: {@code 512m} and {@code 536870912}, {@code G1} and {@code g1}. */
    public static boolean same(String a, String b) {
        if (a.equalsIgnoreCase(b)) {
            return true;
        }
        OptionalLong x = number(a);
        OptionalLong y = number(b);
        return x.isPresent() && x.equals(y);
    }

    /** A whole number, with or without a JVM size suffix; empty for anything else. */
    public static OptionalLong number(String text) {
        String t = text.strip().toLowerCase(Locale.ROOT);
        if (t.isEmpty() || Character.isLetter(t.charAt(0))) {
            return OptionalLong.empty(); // most values that are none are words, and asked for often
        }
        long unit = t.endsWith("k") ? 1L << 10 : t.endsWith("m") ? 1L << 20 : t.endsWith("g") ? 1L << 30 : 1;
        try {
            return OptionalLong.of(Math.multiplyExact(
                    Long.parseLong(unit == 1 ? t : t.substring(0, t.length() - 1)), unit));
        } catch (ArithmeticException | NumberFormatException e) {
            return OptionalLong.empty();
        }
    }
}
