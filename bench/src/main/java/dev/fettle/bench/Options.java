package dev.fettle.bench;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Arguments of the form {@code key=value}. */
public final class Options {

    private final Map<String, String> given = new HashMap<>();

    private Options() {}

    /** @throws IllegalArgumentException if an argument is not {@code key=value} with a known key */
    public static Options parse(String[] args, String... known) {
        Options options = new Options();
        for (String arg : args) {
            int equals = arg.indexOf('=');
            if (equals < 1 || !List.of(known).contains(arg.substring(0, equals))) {
                throw new IllegalArgumentException("'" + arg + "': key=value is wanted, with one of " + List.of(known));
            }
            options.given.put(arg.substring(0, equals), arg.substring(equals + 1));
        }
        return options;
    }

    /** Whether the key is given. */
    public boolean has(String key) {
        return given.containsKey(key);
    }

    /** The value as text. */
    public String text(String key, String otherwise) {
        return given.getOrDefault(key, otherwise);
    }

    /** The value as a whole number. */
    public long number(String key, long otherwise) {
        return given.containsKey(key) ? Long.parseLong(given.getOrDefault(key, "")) : otherwise;
    }

    /** The value as a number. */
    public double real(String key, double otherwise) {
        return given.containsKey(key) ? Double.parseDouble(given.getOrDefault(key, "")) : otherwise;
    }
}
