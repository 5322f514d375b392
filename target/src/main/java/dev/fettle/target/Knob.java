package dev.fettle.target;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;

/**
 * A knob on one server, as the catalogue's table has it.
 *
 * @param name common name
 * @param min smallest number; -1 where that stands for no limit
 * @param least smallest amount
 * @param set where it is set: {@code OBJECT.PROPERTY}; {@code code.} is done by hand
 * @param live whether the server takes a new value while it runs
 * @param words common value to the server's own
 * @param without knobs that, at these values, leave this one without effect
 * @param unread whether the server can't be asked for it
 */
record Knob(
        String name,
        Type type,
        long min,
        long least,
        long max,
        String set,
        boolean live,
        Map<String, String> words,
        Map<String, String> without,
        boolean unread) {

    /** How values are written; durations are whole milliseconds, sizes bytes or {@code 64k}, {@code 2m}. */
    enum Type {
        INT,
        BOOL,
        DURATION,
        SIZE,
        ENUM,
        TEXT
    }

    String holder() {
        return set.substring(0, set.indexOf('.'));
    }

    String property() {
        return set.substring(set.indexOf('.') + 1);
    }

    boolean isNumber() {
        return type == Type.INT || type == Type.DURATION || type == Type.SIZE;
    }

    /** The value as a {@link Boolean}, a {@link Long} or a text; a {@link LaunchFailure} if it makes no sense. */
    Object parse(String text) throws LaunchFailure {
        if (type == Type.BOOL) {
            return switch (text) {
                case "true" -> true;
                case "false" -> false;
                default -> throw LaunchFailure.badArgument(name + "=" + text + ": true or false is wanted");
            };
        }
        if (!isNumber()) {
            return text;
        }
        long value = number(text);
        if (value != min && value < least) {
            throw LaunchFailure.badArgument(name + "=" + text + ": at least " + least
                    + (least > min ? ", or -1 for no limit," : "") + " is wanted");
        }
        if (value > max) {
            throw LaunchFailure.badArgument(name + "=" + text + ": at most " + max + " is wanted");
        }
        return value;
    }

    private long number(String text) throws LaunchFailure {
        String lower = text.toLowerCase(Locale.ROOT);
        int shift =
                type == Type.SIZE && !lower.isEmpty() ? 10 * (1 + "kmgt".indexOf(lower.charAt(lower.length() - 1))) : 0;
        try {
            return new BigDecimal(shift == 0 ? lower : lower.substring(0, lower.length() - 1))
                    .multiply(BigDecimal.valueOf(1L << shift))
                    .longValueExact();
        } catch (ArithmeticException | NumberFormatException e) {
            throw LaunchFailure.badArgument(name + "=" + text + ": a whole number is wanted");
        }
    }

    /** The server's own word for a value. */
    String own(Object value) {
        return words.getOrDefault(String.valueOf(value), String.valueOf(value));
    }

    /** The common value behind what the server gave: a number, a boolean, a text. */
    Object common(Object own) {
        if (own instanceof Number || own instanceof Boolean) {
            return own;
        }
        String text = String.valueOf(own);
        String common = words.entrySet().stream()
                .filter(e -> e.getValue().equals(text))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(text);
        return type == Type.BOOL ? (Object) Boolean.valueOf(common) : common;
    }
}
