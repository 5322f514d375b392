package dev.fettle.config.boot;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Properties by name, in any of Spring Boot's spellings. Later ones win; the environment is above files and below the command line. */
final class PropertyLayers {
    private final Map<String, Value> files = new HashMap<>();
    private final Map<String, Value> environment = new HashMap<>();
    private final Map<String, Value> command = new HashMap<>();

    /**
     * A property.
     *
     * @param name as it is written
     * @param where in words
     */
    record Value(String name, String text, String where) {}

    /** Properties of a file; those of a later one win. */
    void file(String where, Map<String, String> properties) {
        properties.forEach((name, text) -> files.put(BootProperties.canonical(name), new Value(name, text, where)));
    }

    /** Variables win over files. */
    void environment(Map<String, String> variables) {
        variables.forEach((name, text) -> {
            if (name.startsWith("SERVER_") || name.startsWith("SPRING_")) {
                environment.put(BootProperties.bare(name), new Value(name, text, "the environment"));
            }
        });
    }

    /** System properties and arguments win over everything. */
    void command(String where, Map<String, String> properties) {
        properties.forEach((name, text) -> command.put(BootProperties.canonical(name), new Value(name, text, where)));
    }

    /** The winning value. */
    Optional<Value> get(String property) {
        return beyondFiles(property).or(() -> Optional.ofNullable(files.get(BootProperties.canonical(property))));
    }

    /** The winning value among those that are not in files. */
    Optional<Value> beyondFiles(String property) {
        return Optional.ofNullable(command.get(BootProperties.canonical(property)))
                .or(() -> Optional.ofNullable(environment.get(BootProperties.bare(property))));
    }
}
