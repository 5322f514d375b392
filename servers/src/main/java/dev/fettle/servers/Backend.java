package dev.fettle.servers;

import dev.fettle.servers.settings.LaunchFailure;
import dev.fettle.servers.settings.Units;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The slow service behind the {@code login} application: any GET is answered with a JSON body after a wait. Arguments
 * are {@code key=value}: {@code host}, {@code port}, {@code wait} (50ms), {@code jitter} (0ms; evenly distributed
 * between zero and this, added to the wait), {@code bytes} of body (200, at least 40), {@code stop.on.eof}. Prints
 * {@code FETTLE-READY {json}} or {@code FETTLE-FAILED {json}} with the exit codes of {@link Main}; runs until it is
 * killed.
 */
public final class Backend {
    private Backend() {}

    /** Runs until the process is ended. */
    public static void main(String[] args) {
        Map<String, String> given = new LinkedHashMap<>(Map.of(
                "host",
                "127.0.0.1",
                "port",
                "0",
                "wait",
                "50ms",
                "jitter",
                "0ms",
                "bytes",
                "200",
                "stop.on.eof",
                "false"));
        try {
            for (String arg : args) {
                int equals = arg.indexOf('=');
                if (equals < 1 || !given.containsKey(arg.substring(0, equals))) {
                    throw LaunchFailure.badArgument(
                            "'" + arg + "': key=value with one of " + given.keySet() + " is wanted");
                }
                given.put(arg.substring(0, equals), arg.substring(equals + 1));
            }
            BackendLoop loop = open(given);
            Map<String, @Nullable Object> ready = new LinkedHashMap<>();
            ready.put("port", loop.port());
            ready.put("pid", ProcessHandle.current().pid());
            Output.ready(ready);
            if (Boolean.parseBoolean(given.get("stop.on.eof"))) {
                Output.atEndOfInput(() -> System.exit(0));
            }
            loop.run();
        } catch (LaunchFailure e) {
            System.exit(Output.failed(e));
        } catch (IOException e) {
            System.exit(Output.failed(LaunchFailure.refused("the backend stopped: " + LaunchFailure.words(e))));
        }
    }

    private static BackendLoop open(Map<String, String> given) throws LaunchFailure {
        String host = given.getOrDefault("host", "");
        int port = Units.port(given.getOrDefault("port", ""));
        Duration wait = Units.duration("wait", given.getOrDefault("wait", ""));
        Duration jitter = Units.duration("jitter", given.getOrDefault("jitter", ""));
        int bytes = Units.bytes("bytes", given.getOrDefault("bytes", ""));
        try {
            return BackendLoop.open(host, port, wait, jitter, bytes);
        } catch (IOException | RuntimeException e) {
            throw LaunchFailure.of(e, "backend", host + ":" + port);
        }
    }
}
