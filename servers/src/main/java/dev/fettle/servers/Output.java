package dev.fettle.servers;

import dev.fettle.agent.Json;
import dev.fettle.servers.settings.LaunchFailure;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** How the processes of this module talk to their launcher. */
final class Output {
    private Output() {}

    static void ready(Map<String, ? extends @Nullable Object> facts) {
        line("FETTLE-READY " + Json.write(facts));
    }

    /** Prints the reason, and returns the exit code. */
    static int failed(LaunchFailure failure) {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("reason", failure.reason());
        facts.put("kind", failure.kind());
        facts.put("exitCode", failure.exitCode());
        line("FETTLE-FAILED " + Json.write(facts));
        return failure.exitCode();
    }

    private static void line(String line) {
        System.out.print(line + "\n");
        System.out.flush();
    }

    /** Sends warnings and errors of all three servers to standard error. */
    static void quietLogs() {
        Logger.getLogger("").setLevel(Level.WARNING);
    }

    /** Runs the action when standard input ends, which it does when the launcher dies for any reason. */
    static void atEndOfInput(Runnable action) {
        Control.daemon("fettle-stdin", () -> {
            try {
                while (System.in.read() >= 0) {
                    continue;
                }
            } catch (IOException e) {
                // no input is treated as its end
            }
            action.run();
        });
    }
}
