package dev.fettle.servers.settings;

import dev.fettle.agent.Knob;
import dev.fettle.agent.Knob.Type;
import java.math.BigDecimal;
import java.util.Locale;

/** Parses knob values given on the command line and the control port. */
public final class KnobValues {
    private KnobValues() {}

    /** The value as a {@link Boolean}, a {@link Long} or text; a {@link LaunchFailure} if it is not valid. */
    public static Object parse(Knob knob, String text) throws LaunchFailure {
        if (knob.type() == Type.BOOL) {
            return switch (text) {
                case "true" -> true;
                case "false" -> false;
                default -> throw LaunchFailure.badArgument(knob.name() + "=" + text + ": true or false is wanted");
            };
        }
        if (!isNumber(knob)) {
            return text;
        }
        long value = number(knob, text);
        if (value != knob.min() && value < knob.least()) {
            throw LaunchFailure.badArgument(knob.name() + "=" + text + ": at least " + knob.least()
                    + (knob.least() > knob.min() ? ", or -1 for no limit," : "") + " is wanted");
        }
        if (value > knob.max()) {
            throw LaunchFailure.badArgument(knob.name() + "=" + text + ": at most " + knob.max() + " is wanted");
        }
        return value;
    }

    private static long number(Knob knob, String text) throws LaunchFailure {
        String lower = text.toLowerCase(Locale.ROOT);
        int shift = knob.type() == Type.SIZE && !lower.isEmpty()
                ? 10 * (1 + "kmgt".indexOf(lower.charAt(lower.length() - 1)))
                : 0;
        try {
            return new BigDecimal(shift == 0 ? lower : lower.substring(0, lower.length() - 1))
                    .multiply(BigDecimal.valueOf(1L << shift))
                    .longValueExact();
        } catch (ArithmeticException | NumberFormatException e) {
            throw LaunchFailure.badArgument(knob.name() + "=" + text + ": a whole number is wanted");
        }
    }

    private static boolean isNumber(Knob knob) {
        return knob.type() == Type.INT || knob.type() == Type.DURATION || knob.type() == Type.SIZE;
    }
}
