package dev.fettle.servers.settings;

import dev.fettle.agent.Knob;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** The knobs that were given, with their values; the server decides about the others. */
public final class Settings {
    private final Knobs knobs;
    private final Map<String, Object> values;

    public Settings(Knobs knobs, Map<String, Object> values) {
        this.knobs = knobs;
        this.values = new LinkedHashMap<>(values);
    }

    /** The catalogue of the server these settings are for. */
    public Knobs knobs() {
        return knobs;
    }

    public boolean has(String knob) {
        return values.containsKey(knob);
    }

    @Nullable
    public Object get(String knob) {
        return values.get(knob);
    }

    /** The flag's value; false if it was not given. */
    public boolean isOn(String knob) {
        return Boolean.TRUE.equals(values.get(knob));
    }

    public int number(String knob, int otherwise) {
        Object value = values.get(knob);
        return value instanceof Long number ? (int) Math.min(Integer.MAX_VALUE, number) : otherwise;
    }

    public void ifNumber(String knob, IntConsumer action) {
        if (has(knob)) {
            action.accept(number(knob, 0));
        }
    }

    /** Whether the given settings leave a knob without effect. */
    boolean leavesWithoutEffect(Knob knob) {
        return knob.without().entrySet().stream()
                .anyMatch(e -> e.getValue().equals(String.valueOf(values.get(e.getKey()))));
    }

    /** Fails for the first given knob that has no effect together with the others. */
    public void refuseWithoutEffect(String server) throws LaunchFailure {
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
