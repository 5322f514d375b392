package dev.fettle.config.boot;

import dev.fettle.config.ConfigFile;
import dev.fettle.config.Escapes;
import dev.fettle.config.OwnKnobs;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** A setting as lines of Spring Boot's {@code application.properties}. */
public final class ApplicationProperties {
    private ApplicationProperties() {}

    /** Lines of Spring Boot's {@code application.properties} for the server's knobs, and a comment on those that have none. */
    public static Optional<ConfigFile> of(ServerKind server, Setting setting) {
        var knobs = new LinkedHashMap<String, String>();
        setting.values().forEach((k, v) -> {
            if (OwnKnobs.ofServer(k)) {
                knobs.put(k, v);
            }
        });
        var lines = new StringBuilder();
        var without = new LinkedHashMap<String, String>();
        knobs.forEach((knob, value) -> BootProperties.name(server, knob)
                .ifPresentOrElse(
                        name -> lines.append(name)
                                .append('=')
                                .append(Escapes.property(BootProperties.value(name, knob, value)))
                                .append('\n'),
                        () -> without.put(knob, value)));
        if (knobs.isEmpty()) {
            return Optional.empty();
        }
        if (!without.isEmpty()) {
            String names = without.entrySet().stream().map(Map.Entry::toString).collect(Collectors.joining(", "));
            lines.append("# no property for ").append(Escapes.comment(names)).append(": use a customizer\n");
        }
        return Optional.of(
                new ConfigFile(ConfigFile.Kind.BOOT_PROPERTIES, "application.properties", lines.toString(), without));
    }
}
