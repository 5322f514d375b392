package dev.fettle.servers;

import dev.fettle.agent.Knob;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** The knobs that were given, with their values; a knob that was not given is left to the server. */
final class Settings {
    private final Knobs knobs;
    private final Map<String, Object> values;

    Settings(Knobs knobs, Map<String, Object> values) {
        this.knobs = knobs;
        this.values = new LinkedHashMap<>(values);
    }

    /** The catalogue of the server they are for. */
    Knobs knobs() {
        return knobs;
    }

    boolean has(String knob) {
        return values.containsKey(knob);
    }

    @Nullable
    Object get(String knob) {
        return values.get(knob);
    }

    /** The flag's value, false when it was not given. */
    boolean isOn(String knob) {
        return Boolean.TRUE.equals(values.get(knob));
    }

    int number(String knob, int otherwise) {
        Object value = values.get(knob);
        return value instanceof Long number ? (int) Math.min(Integer.MAX_VALUE, number) : otherwise;
    }

    void ifNumber(String knob, IntConsumer action) {
        if (has(knob)) {
            action.accept(number(knob, 0));
        }
    }

    /** Whether what was given leaves a knob without effect. */
    boolean leavesWithoutEffect(Knob knob) {
        return knob.without().entrySet().stream()
                .anyMatch(e -> e.getValue().equals(String.valueOf(values.get(e.getKey()))));
    }

    /** Fails for the first knob that was given and has no effect on the server with the others. */
    void refuseWithoutEffect(String server) throws LaunchFailure {
        for (Knob knob : knobs.all()) {
            if (has(knob.name()) && leavesWithoutEffect(knob)) {
                Map.Entry<String, String> why =
                        knob.without().entrySet().iterator().next();
                throw LaunchFailure.badArgument(knob.name() + " has no effect on " + server + " with " + why.getKey()
                        + "=" + why.getValue() + ": leave it out");
            }
        }
    }
}
