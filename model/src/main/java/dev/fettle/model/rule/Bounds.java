package dev.fettle.model.rule;

import dev.fettle.model.text.TableEntry;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The bounds that several rules share: {@code rules/bounds.yaml}. */
public final class Bounds {
    private Bounds() {}

    /** Read on first use. */
    private static final class Holder {
        static final Map<String, Bound> ALL = TableEntry.read(
                        "rules/bounds.yaml",
                        Set.of("is", "why"),
                        (name, e) ->
                                Map.entry(name, Bound.of(e.text("is") + (e.has("why") ? ", " + e.get("why") : ""))))
                .stream()
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /**
     * The value of a bound.
     *
     * @throws IllegalStateException if there is none of that name
     */
    public static double value(String name) {
        return find(name)
                .orElseThrow(() -> new IllegalStateException("no bound '" + name + "'"))
                .value();
    }

    static Optional<Bound> find(String name) {
        return Optional.ofNullable(Holder.ALL.get(name));
    }
}
