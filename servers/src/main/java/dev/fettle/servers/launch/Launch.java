package dev.fettle.servers.launch;

import dev.fettle.servers.app.Serving;
import dev.fettle.servers.settings.KnobValues;
import dev.fettle.servers.settings.Knobs;
import dev.fettle.servers.settings.LaunchFailure;
import dev.fettle.servers.settings.Settings;
import dev.fettle.servers.settings.Units;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What the command line asks for.
 *
 * @param server one that the table of knobs has: tomcat
 * @param serving what it serves
 * @param host address to listen on
 * @param port port to listen on; 0 is any free one
 * @param stopOnEof whether the end of standard input ends the process, so that it does not outlive its launcher
 * @param control receives the control port and its token; null: there is no control port
 * @param key for TLS; null: without
 * @param settings the knobs
 */
public record Launch(
        String server,
        Serving serving,
        String host,
        int port,
        boolean stopOnEof,
        @Nullable Path control,
        @Nullable TlsKey key,
        Settings settings) {

    /** The keys that are not knobs. */
    private static final Set<String> PLAIN = Set.of(
            "server", "app", "war", "context", "scratch", "host", "port", "stop.on.eof", "control", "tls.keystore");

    public static Launch parse(String... args) throws LaunchFailure {
        Map<String, String> plain = new LinkedHashMap<>();
        Map<String, String> appOptions = new LinkedHashMap<>();
        Map<String, String> given = new LinkedHashMap<>();
        Set<String> seen = new HashSet<>();
        for (String arg : args) {
            int equals = arg.indexOf('=');
            if (equals < 1) {
                throw LaunchFailure.badArgument("'" + arg + "': key=value is wanted");
            }
            String key = arg.substring(0, equals);
            String value = arg.substring(equals + 1);
            if (!seen.add(key)) {
                throw LaunchFailure.badArgument(key + " is given twice");
            }
            if (key.startsWith("app.")) {
                appOptions.put(key.substring("app.".length()), value);
            } else if (PLAIN.contains(key)) {
                plain.put(key, value);
            } else {
                given.put(key, value);
            }
        }
        String server = Units.oneOf("server", plain, Knobs.servers());
        String control = plain.get("control");
        return new Launch(
                server,
                Serving.of(plain, appOptions),
                plain.getOrDefault("host", "127.0.0.1"),
                Units.port(plain.getOrDefault("port", "0")),
                Boolean.parseBoolean(plain.getOrDefault("stop.on.eof", "false")),
                control == null ? null : Path.of(control),
                TlsKey.of(plain.get("tls.keystore")),
                settings(server, given));
    }

    private static Settings settings(String server, Map<String, String> given) throws LaunchFailure {
        Knobs knobs = Knobs.of(server);
        Map<String, Object> values = new LinkedHashMap<>();
        for (Map.Entry<String, String> e : given.entrySet()) {
            values.put(e.getKey(), KnobValues.parse(knobs.find(e.getKey(), title(server)), e.getValue()));
        }
        checkTogether(values);
        Settings settings = new Settings(knobs, values);
        settings.refuseWithoutEffect(title(server));
        return settings;
    }

    private static String title(String server) {
        return Character.toUpperCase(server.charAt(0)) + server.substring(1);
    }

    private static void checkTogether(Map<String, Object> values) throws LaunchFailure {
        if (values.get("threads.max") instanceof Long most
                && values.get("threads.min") instanceof Long least
                && least > most) {
            throw LaunchFailure.badArgument("threads.min=" + least + " is above threads.max=" + most);
        }
        if (values.containsKey("admission.queue") && !values.containsKey("admission.max")) {
            throw LaunchFailure.badArgument("admission.queue is a queue in front of admission.max: give that too");
        }
    }
}
