package dev.fettle.target;

import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** The knobs that were given, with their values; a knob that was not given is left to the server. */
final class Settings {
    private final EnumMap<Knob, Object> values;

    Settings(Map<Knob, Object> values) {
        this.values = new EnumMap<>(Knob.class);
        this.values.putAll(values);
    }

    Set<Knob> given() {
        return values.keySet();
    }

    boolean has(Knob knob) {
        return values.containsKey(knob);
    }

    /** The flag's value, false when it was not given. */
    boolean isOn(Knob knob) {
        return Boolean.TRUE.equals(values.get(knob));
    }

    int number(Knob knob, int otherwise) {
        Object value = values.get(knob);
        return value instanceof Integer number ? number : otherwise;
    }

    void ifNumber(Knob knob, IntConsumer action) {
        Object value = values.get(knob);
        if (value instanceof Integer number) {
            action.accept(number);
        }
    }

    void ifFlag(Knob knob, Consumer<Boolean> action) {
        @Nullable Object value = values.get(knob);
        if (value instanceof Boolean flag) {
            action.accept(flag);
        }
    }

    /** Fails with the advice for the first given knob that the server does not have. */
    void refuse(String server, Map<Knob, String> advice) throws LaunchFailure {
        for (Knob knob : given()) {
            String instead = advice.get(knob);
            if (instead != null) {
                throw LaunchFailure.badArgument(knob.commonName() + " does not exist on " + server + ": " + instead);
            }
        }
    }
}
