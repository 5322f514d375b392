package dev.fettle.servers.app;

import dev.fettle.servers.settings.LaunchFailure;
import dev.fettle.servers.settings.Units;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An application's options; {@link #allRead} finds the ones that were never read. */
final class AppOptions {
    private final Map<String, String> values;
    private final Set<String> read = new HashSet<>();

    AppOptions(Map<String, String> values) {
        this.values = Map.copyOf(values);
    }

    @Nullable
    String text(String name) {
        read.add(name);
        return values.get(name);
    }

    Duration duration(String name, Duration otherwise) throws LaunchFailure {
        String text = text(name);
        return text == null ? otherwise : Units.duration("app." + name, text);
    }

    int bytes(String name, int otherwise) throws LaunchFailure {
        String text = text(name);
        return text == null ? otherwise : Units.bytes("app." + name, text);
    }

    /** A count of at least one, or 0 if the option is not given. */
    int count(String name) throws LaunchFailure {
        String text = text(name);
        if (text == null) {
            return 0;
        }
        try {
            int value = Integer.parseInt(text);
            if (value >= 1) {
                return value;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw LaunchFailure.badArgument("app." + name + "=" + text + ": a whole number of at least 1 is wanted");
    }

    boolean flag(String name) throws LaunchFailure {
        String text = text(name);
        if (text == null || text.equals("false")) {
            return false;
        }
        if (text.equals("true")) {
            return true;
        }
        throw LaunchFailure.badArgument("app." + name + "=" + text + ": true or false is wanted");
    }

    void allRead(String app) throws LaunchFailure {
        for (String name : values.keySet()) {
            if (!read.contains(name)) {
                throw LaunchFailure.badArgument("unknown option app." + name + " for app=" + app
                        + (read.isEmpty()
                                ? ", which has none"
                                : ", which knows " + String.join(", ", new java.util.TreeSet<>(read))));
            }
        }
    }
}
