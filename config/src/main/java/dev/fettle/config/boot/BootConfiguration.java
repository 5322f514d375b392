package dev.fettle.config.boot;

import dev.fettle.config.boot.PropertyLayers.Value;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.NativeKnob;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The configuration of a Spring Boot app, in Spring Boot's order: files in the jar, files next to it, environment
 * variables, system properties, arguments. Placeholders are not resolved.
 *
 * @param setting the server's knobs that it sets, without those that have no effect
 * @param notes what could not be read or has no effect, one line each
 * @param own which of {@link #MANAGEMENT_PORT} and {@link #CERTIFICATE} it sets
 */
public record BootConfiguration(Setting setting, List<String> notes, Set<String> own) {
    public static final String MANAGEMENT_PORT = "management.server.port";
    public static final String CERTIFICATE = "server.ssl.certificate";
    /** Properties that each trial has to replace, but only where the app sets them: by themselves they would change it. */
    private static final List<String> OF_A_TRIAL = List.of(MANAGEMENT_PORT, CERTIFICATE);

    public BootConfiguration {
        notes = List.copyOf(notes);
        own = Set.copyOf(own);
    }

    /** An app's configuration files. */
    public interface Files {
        /** A name for messages: the path of the jar. */
        String name();

        /**
         * Hands over the places where they may be, lowest precedence first: everything in the files of a later group
         * overrides the files of an earlier one. The files can be read until the receiver returns.
         */
        void open(Consumer<List<List<Place>>> receiver) throws IOException;
    }

    /**
     * A folder in the jar or next to it.
     *
     * @param label in words: {@code the jar}, {@code /srv/shop/config}
     */
    public record Place(String label, Texts files) {}

    /** The files of a place. */
    @FunctionalInterface
    public interface Texts {
        /** The text of a file; empty if there is none of that name. */
        Optional<String> text(String name) throws IOException;
    }

    /**
     * Reads the configuration.
     *
     * @param arguments of the app
     * @param jvmFlags of its JVM
     * @param environment its variables
     */
    public static BootConfiguration of(
            Files files,
            ServerKind server,
            List<String> arguments,
            List<String> jvmFlags,
            Map<String, String> environment) {
        Set<String> notes = new LinkedHashSet<>();
        var layers = new PropertyLayers();
        layers.environment(environment);
        layers.command("the JVM's flags", BootArguments.systemProperties(jvmFlags));
        layers.command("the arguments", BootArguments.options(arguments));
        for (String elsewhere : List.of(BootArguments.LOCATION, BootArguments.ADDITIONAL)) {
            layers.beyondFiles(elsewhere)
                    .ifPresent(v -> notes.add(
                            "%s is given in %s; the files there are not read here".formatted(elsewhere, v.where())));
        }
        layers.beyondFiles("spring.application.json")
                .ifPresent(v ->
                        notes.add("spring.application.json is given in %s and not read here".formatted(v.where())));
        if (layers.beyondFiles(BootArguments.LOCATION).isEmpty()) {
            try {
                files.open(places -> new BootConfigReader(places, notes).into(layers));
            } catch (IOException | IllegalArgumentException e) {
                notes.add(files.name() + " cannot be read: " + e.getMessage());
            }
        }
        return of(server, layers, notes);
    }

    private static BootConfiguration of(ServerKind server, PropertyLayers layers, Set<String> notes) {
        Setting all = Setting.DEFAULT;
        Map<String, Value> values = new LinkedHashMap<>();
        for (Knob knob : Knobs.all()) {
            Optional<Value> written = written(knob, server, layers);
            Optional<String> value = written.flatMap(v -> value(knob, server, v, notes));
            if (value.isPresent()) {
                all = all.with(knob.name(), value.get());
                values.put(knob.name(), written.orElseThrow());
            }
        }
        Setting effective = Setting.DEFAULT;
        for (var e : values.entrySet()) {
            Knob knob = Knobs.find(e.getKey()).orElseThrow();
            Optional<String> idle = withoutEffect(knob, server, all);
            if (idle.isPresent()) {
                notes.add("%s in %s has no effect %s"
                        .formatted(e.getValue().name(), e.getValue().where(), idle.get()));
            } else {
                effective = effective.with(knob.name(), all.get(knob.name()).orElseThrow());
            }
        }
        Set<String> own = OF_A_TRIAL.stream()
                .filter(p -> layers.get(p).filter(v -> isThere(p, v)).isPresent())
                .collect(Collectors.toSet());
        return new BootConfiguration(effective, List.copyOf(notes), own);
    }

    /**
     * Whether there is a value that a trial has to replace; a negative port turns the management server off, and a port of the trial's, or
     * the server's own, is no fixed one.
     */
    private static boolean isThere(String property, Value value) {
        String text = value.text().strip();
        if (!property.equals(MANAGEMENT_PORT)) {
            return !text.isEmpty(); // a certificate may be given as text, which begins with dashes
        }
        return !text.isEmpty() && !text.startsWith("-") && !text.contains("{port:") && !text.contains("${server.port");
    }

    private static Optional<Value> written(Knob knob, ServerKind server, PropertyLayers layers) {
        Optional<String> property = BootProperties.name(server, knob.name());
        Optional<String> option = server.rules().bootOption(knob.on(server));
        return property.isEmpty()
                ? Optional.empty()
                : option.flatMap(layers::get).or(() -> layers.get(property.get()));
    }

    private static Optional<String> value(Knob knob, ServerKind server, Value written, Set<String> notes) {
        String text = written.text().strip();
        if (text.isEmpty()) {
            return Optional.empty(); // Spring Boot treats it as missing
        }
        if (text.contains("${") || text.contains("#{")) {
            notes.add("%s is %s in %s, which only the running app resolves"
                    .formatted(written.name(), text, written.where()));
            return Optional.empty();
        }
        try {
            String value = BootProperties.knobValue(knob, text);
            if (knob.on(server).ignoredByBoot(value)) {
                notes.add("%s=%s in %s: Spring Boot ignores it".formatted(written.name(), text, written.where()));
                return Optional.empty();
            }
            return Optional.of(value);
        } catch (IllegalArgumentException e) {
            notes.add("%s=%s in %s is not read: %s".formatted(written.name(), text, written.where(), e.getMessage()));
            return Optional.empty();
        }
    }

    private static Optional<String> withoutEffect(Knob knob, ServerKind server, Setting all) {
        NativeKnob on = knob.on(server);
        Optional<String> because = on.without().entrySet().stream()
                .filter(e -> all.get(e.getKey()).filter(e.getValue()::equals).isPresent())
                .map(e -> "with %s=%s".formatted(e.getKey(), e.getValue()))
                .findFirst();
        return because.or(() -> knob.needs().entrySet().stream()
                .filter(e -> all.get(e.getKey())
                        .filter(v -> e.getValue().isEmpty() || v.equals(e.getValue()))
                        .isEmpty())
                .map(e -> "without %s%s".formatted(e.getKey(), e.getValue().isEmpty() ? "" : "=" + e.getValue()))
                .findFirst());
    }
}
