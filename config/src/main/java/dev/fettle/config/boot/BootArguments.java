package dev.fettle.config.boot;

import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The arguments with which an app is started: the user's, then those that set knobs. Spring Boot turns several {@code
 * --x=} into a list for {@code x}, so an argument of the user's that a knob overrides is left out.
 *
 * @param list in order
 * @param notes what was left out, one line each
 */
public record BootArguments(List<String> list, List<String> notes) {
    private static final String OPTION = "--";
    public static final String ADDITIONAL = "spring.config.additional-location";
    public static final String LOCATION = "spring.config.location";

    /** The trial's key for TLS, in a form for which Spring Boot passes over what the app has. */
    public sealed interface Key {
        /** The properties of this form. */
        Map<String, String> properties();

        /** A file of PKCS #12; the password comes as a variable. */
        record Pkcs12(String file) implements Key {
            @Override
            public Map<String, String> properties() {
                return Map.of("server.ssl.key-store", "file:" + file, "server.ssl.key-store-type", "PKCS12");
            }
        }

        /** Files of PEM, which Spring Boot prefers to a key store. Passwords of the app's would be tried on the key. */
        record Pem(String certificate, String privateKey) implements Key {
            @Override
            public Map<String, String> properties() {
                return Map.of(
                        BootConfiguration.CERTIFICATE,
                        "file:" + certificate,
                        "server.ssl.certificate-private-key",
                        "file:" + privateKey,
                        "server.ssl.key-password",
                        "",
                        "server.ssl.key-store-password",
                        "");
            }
        }
    }

    public BootArguments {
        list = List.copyOf(list);
        notes = List.copyOf(notes);
    }

    /**
     * Combines arguments.
     *
     * @param users the target's own
     * @param port where it must listen, on 127.0.0.1
     * @param key for TLS; empty: as its own configuration says
     * @param own what the app's configuration sets of the properties that each trial has to replace
     * @param beside where to find configuration files next to the jar, a value of {@link #ADDITIONAL}
     */
    public static BootArguments of(
            List<String> users,
            ServerKind server,
            Setting setting,
            int port,
            Optional<Key> key,
            Set<String> own,
            Optional<String> beside) {
        var ours = new LinkedHashMap<String, String>();
        ours.put("server.port", Integer.toString(port));
        ours.put("server.address", "127.0.0.1");
        if (own.contains(BootConfiguration.MANAGEMENT_PORT)) {
            ours.put(BootConfiguration.MANAGEMENT_PORT, "0"); // two trials can be up at the same time
        }
        key.ifPresent(k -> {
            ours.put("server.ssl.enabled", "true");
            ours.put("server.ssl.bundle", ""); // a bundle of the app's own would take precedence
            ours.put("server.ssl.key-alias", "fettle");
            ours.put("server.ssl.client-auth", "none");
            ours.putAll(k.properties());
        });
        var reasons = new LinkedHashMap<String, String>();
        ours.keySet().forEach(p -> reasons.put(BootProperties.canonical(p), "each trial has its own"));
        setting.values()
                .forEach((knob, value) -> BootProperties.name(server, knob).ifPresent(property -> {
                    ours.put(property, BootProperties.value(property, knob, value));
                    String reason = "the trial sets " + knob + "=" + value;
                    reasons.put(BootProperties.canonical(property), reason);
                    Knobs.find(knob)
                            .flatMap(k -> server.rules().bootOption(k.on(server)))
                            .ifPresent(o -> reasons.put(BootProperties.canonical(o), reason));
                }));
        var list = new ArrayList<String>();
        var notes = new ArrayList<String>();
        Optional<String> files = beside.filter(b -> !options(users).containsKey(LOCATION));
        // what Spring Boot would find by itself has lower precedence than what the user adds
        files.ifPresent(b -> list.add(option(ADDITIONAL, b)));
        for (String argument : users) {
            Optional<String> reason =
                    name(argument).map(BootProperties::canonical).map(reasons::get);
            if (reason.isPresent()) {
                notes.add("the argument %s is left out: %s".formatted(argument, reason.get()));
            } else {
                list.add(argument);
            }
        }
        ours.forEach((name, value) -> list.add(option(name, value)));
        return new BootArguments(list, notes);
    }

    /** The {@code --name=value} among arguments, by name; several of one name become a list, as in Spring Boot. */
    static Map<String, String> options(List<String> arguments) {
        return arguments.stream()
                .filter(a -> name(a).isPresent())
                .collect(Collectors.toMap(
                        a -> name(a).orElseThrow(),
                        a -> a.contains("=") ? a.substring(a.indexOf('=') + 1) : "",
                        (one, two) -> one + "," + two,
                        LinkedHashMap::new));
    }

    /** The {@code -Dname=value} among a JVM's flags. */
    static Map<String, String> systemProperties(List<String> jvmFlags) {
        var properties = new LinkedHashMap<String, String>();
        for (String flag : jvmFlags) {
            int equals = flag.indexOf('=');
            if (flag.startsWith("-D") && equals > 2) {
                properties.put(flag.substring(2, equals), flag.substring(equals + 1));
            }
        }
        return properties;
    }

    /** The property's value from JVM flags or environment variables, but not from files. */
    public static Optional<String> told(String property, List<String> jvmFlags, Map<String, String> environment) {
        var told = new PropertyLayers();
        told.environment(environment);
        told.command("the JVM's flags", systemProperties(jvmFlags));
        return told.beyondFiles(property).map(PropertyLayers.Value::text);
    }

    private static String option(String name, String value) {
        return OPTION + name + "=" + value;
    }

    private static Optional<String> name(String argument) {
        if (!argument.startsWith(OPTION) || argument.length() == OPTION.length()) {
            return Optional.empty();
        }
        int equals = argument.indexOf('=');
        return Optional.of(argument.substring(OPTION.length(), equals < 0 ? argument.length() : equals));
    }
}
