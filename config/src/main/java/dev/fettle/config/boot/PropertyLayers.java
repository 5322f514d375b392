package dev.fettle.config.boot;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Properties by name, in any of Spring Boot's spellings. Later ones take precedence, and so does the environment over
 * files, and the command line over the environment.
 */
final class PropertyLayers {
    private final Map<String, Value> files = new HashMap<>();
    private final Map<String, Value> environment = new HashMap<>();
    private final Map<String, Value> command = new HashMap<>();

    /**
     * A property.
     *
     * @param name as written
     * @param where its place, in words
     */
    record Value(String name, String text, String where) {}

    /** Adds the properties of a file; those of a later file take precedence. */
    void file(String where, Map<String, String> properties) {
        properties.forEach((name, text) -> files.put(BootProperties.canonical(name), new Value(name, text, where)));
    }

    /** Sets the environment variables, which take precedence over files. */
    void environment(Map<String, String> variables) {
        variables.forEach((name, text) -> {
            if (name.startsWith("SERVER_") || name.startsWith("SPRING_") || name.startsWith("MANAGEMENT_")) {
                environment.put(BootProperties.bare(name), new Value(name, text, "the environment"));
            }
        });
    }

    /** Adds system properties or arguments, which take precedence over everything else. */
    void command(String where, Map<String, String> properties) {
        properties.forEach((name, text) -> command.put(BootProperties.canonical(name), new Value(name, text, where)));
    }

    /** The value that takes effect. */
    Optional<Value> get(String property) {
        return beyondFiles(property).or(() -> Optional.ofNullable(files.get(BootProperties.canonical(property))));
    }

    /** The value that takes effect among those outside files. */
    Optional<Value> beyondFiles(String property) {
        return Optional.ofNullable(command.get(BootProperties.canonical(property)))
                .or(() -> Optional.ofNullable(environment.get(BootProperties.bare(property))));
    }
}
