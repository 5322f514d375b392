package dev.fettle.model.knob;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A JVM knob: the flag that sets it and the VM option it is read back from.
 *
 * @param name of the VM option or, if {@code property}, of the system property; empty if there is no single one
 * @param write the flags; {@code {}} is the value, {@code +} or {@code -} for a switch; empty for the JDK itself
 * @param unit bytes or milliseconds per unit of the VM option
 * @param since first feature release that has it
 * @param until last feature release that has it
 * @param property whether it is a system property
 * @param atLeast whether the JVM may round the value up
 * @param values the JVM's names for common values, where they differ
 * @param collector the value of {@code jvm.gc} it requires; empty: any
 * @param live whether it can be changed while the JVM runs
 */
public record JvmOption(
        String name,
        String write,
        long unit,
        int since,
        int until,
        boolean property,
        boolean atLeast,
        Map<String, String> values,
        String collector,
        boolean live) {
    /** The {@code until} of an option that every newer release has. */
    public static final int STILL = 99;

    public JvmOption {
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
    }

    /** The flags for a canonical value of a knob of this type. */
    public List<String> flags(Knob.Type type, String value) {
        String own = values.getOrDefault(value, value);
        String written = type != Knob.Type.BOOL || property ? own : own.equals("true") ? "+" : "-";
        return Arrays.stream(write.replace("{}", written).split("\\s+"))
                .filter(f -> !f.isEmpty())
                .toList();
    }

    /**
     * Converts a value read from the JVM into the common one.
     *
     * @throws IllegalArgumentException if it is not valid
     */
    public String common(Knob knob, String read) {
        String own = values.entrySet().stream()
                .filter(e -> e.getValue().equals(read))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(read);
        if (!knob.hasInterval()) {
            return own;
        }
        return knob.text((long) (Double.parseDouble(own) * unit));
    }
}
