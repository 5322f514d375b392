package dev.fettle.model.text;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/**
 * A mapping in a YAML table of the class path, that is, of Fettle itself.
 *
 * @throws IllegalArgumentException from any method if the table is not as it should be
 */
public final class TableEntry {
    private final Map<?, ?> values;

    private TableEntry(@Nullable Object node, Set<String> known) {
        if (!(node instanceof Map<?, ?> map)) {
            throw new IllegalArgumentException("a mapping is wanted, not " + node);
        }
        for (Object key : map.keySet()) {
            if (!known.contains(String.valueOf(key))) {
                throw new IllegalArgumentException("unknown key '" + key + "'");
            }
        }
        this.values = map;
    }

    /**
     * Reads a table, whose keys are names.
     *
     * @param file below {@code dev/fettle/model}
     * @param known the keys that an entry may have
     * @param made what is made of a name and its entry
     * @throws IllegalStateException if the table is missing or wrong: a mistake in it breaks the build
     */
    public static <T> List<T> read(String file, Set<String> known, BiFunction<String, TableEntry, T> made) {
        try (InputStream in = TableEntry.class.getResourceAsStream("/dev/fettle/model/" + file)) {
            if (in == null) {
                throw new IllegalStateException(file + " is missing from the class path");
            }
            var options = new LoaderOptions();
            options.setAllowDuplicateKeys(false);
            Map<String, Object> all = new Yaml(new SafeConstructor(options)).load(in);
            var out = new ArrayList<T>();
            all.forEach((name, entry) -> {
                try {
                    out.add(made.apply(name, new TableEntry(entry, known)));
                } catch (RuntimeException e) {
                    throw new IllegalStateException(file + ": " + name + ": " + e.getMessage(), e);
                }
            });
            return List.copyOf(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public boolean has(String key) {
        return values.containsKey(key);
    }

    /** Whether it has a text there, and not a mapping or a list. */
    public boolean hasText(String key) {
        return values.get(key) instanceof String;
    }

    /** A value; empty if missing. */
    public String get(String key) {
        Object value = values.get(key);
        return value == null ? "" : String.valueOf(value).strip();
    }

    /** A value that must be there. */
    public String text(String key) {
        String value = get(key);
        if (value.isEmpty()) {
            throw new IllegalArgumentException("'" + key + "' is missing");
        }
        return value;
    }

    public boolean flag(String key) {
        return get(key).equals("true");
    }

    /** The values of a list, or a single one; empty if missing. */
    public List<String> list(String key) {
        return all(key).stream().map(String::valueOf).toList();
    }

    /** A mapping; empty if missing. */
    public Map<String, String> map(String key) {
        var out = new LinkedHashMap<String, String>();
        if (values.get(key) instanceof Map<?, ?> map) {
            map.forEach((k, v) -> out.put(String.valueOf(k), String.valueOf(v)));
        } else if (has(key)) {
            throw new IllegalArgumentException("'" + key + "' is no mapping");
        }
        return out;
    }

    /** A mapping, with the keys that it may have; empty if missing. */
    public TableEntry entry(String key, Set<String> known) {
        return new TableEntry(has(key) ? values.get(key) : Map.of(), known);
    }

    /** A list of mappings; empty if missing. */
    public List<TableEntry> entries(String key, Set<String> known) {
        return all(key).stream().map(e -> new TableEntry(e, known)).toList();
    }

    private List<?> all(String key) {
        Object value = values.get(key);
        return value instanceof List<?> list ? list : value == null ? List.of() : List.of(value);
    }
}
