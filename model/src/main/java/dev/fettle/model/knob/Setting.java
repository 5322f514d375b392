package dev.fettle.model.knob;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A value for each knob of interest. A knob that is absent keeps the server's own default. Values are canonical
 * strings: integers in decimal, durations of server knobs in whole milliseconds, booleans {@code true} or {@code
 * false}, sizes in JVM notation ({@code 512m}).
 *
 * @param values common knob name to canonical value; never mutated
 */
public record Setting(SortedMap<String, String> values) {

    /** Every knob at the server's default. */
    public static final Setting DEFAULT = new Setting(new TreeMap<>());

    public Setting {
        values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
    }

    /** A setting of the given values. */
    @JsonCreator
    public static Setting of(Map<String, String> values) {
        return new Setting(new TreeMap<>(values));
    }

    public static Setting of(String knob, String value) {
        return of(Map.of(knob, value));
    }

    /** The values as a plain map; this is also the JSON form. */
    @JsonValue
    public Map<String, String> asMap() {
        return values;
    }

    /** The value of a knob; empty if it is left at the server's default. */
    public Optional<String> get(String knob) {
        return Optional.ofNullable(values.get(knob));
    }

    /**
     * The number behind a value of a knob of the catalogue; empty if it is left at the server's default.
     *
     * @throws IllegalArgumentException if the value is none
     */
    public OptionalLong number(String knob) {
        return get(knob)
                .map(v -> OptionalLong.of(Knobs.find(knob).orElseThrow().number(v)))
                .orElse(OptionalLong.empty());
    }

    /** This setting with one value changed or added. */
    public Setting with(String knob, String value) {
        var copy = new TreeMap<>(values);
        copy.put(knob, value);
        return new Setting(copy);
    }

    /** This setting with one knob left at the server's default. */
    public Setting without(String knob) {
        var copy = new TreeMap<>(values);
        return copy.remove(knob) == null ? this : new Setting(copy);
    }

    /** This setting overlaid with another, whose values take precedence. */
    public Setting with(Setting over) {
        if (isDefault() || over.isDefault()) {
            return isDefault() ? over : this;
        }
        var copy = new TreeMap<>(values);
        copy.putAll(over.values);
        return new Setting(copy);
    }

    /** Without the knobs of the user's application, and without the choice of a server. */
    public Setting catalogued() {
        var copy = new TreeMap<>(values);
        copy.keySet().removeIf(name -> OwnKnob.is(name) || name.equals(ServerKind.CHOICE));
        return copy.size() == values.size() ? this : new Setting(copy);
    }

    /** Whether every knob is left at the server's default. */
    public boolean isDefault() {
        return values.isEmpty();
    }

    /** {@code threads.max=50 backlog=1024}, or {@code default}. */
    @Override
    public String toString() {
        return values.isEmpty()
                ? "default"
                : values.entrySet().stream()
                        .map(e -> e.getKey() + "=" + e.getValue())
                        .collect(Collectors.joining(" "));
    }
}
