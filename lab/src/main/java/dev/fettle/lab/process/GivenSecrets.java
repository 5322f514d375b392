package dev.fettle.lab.process;

import dev.fettle.model.text.Secrets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Masks in what a process says the secrets that it was given, by arguments and variables with secret names, and whatever Fettle
 * masks everywhere.
 */
public final class GivenSecrets {
    /** Shorter values are too common to be masked everywhere. */
    private static final int SHORTEST = 4;

    /** What is no secret even where the name is a secret's, as in {@code jmxremote.authenticate=false}. */
    private static final Set<String> SWITCHES = Set.of("true", "false", "none");

    /** The longest first: one may be a part of another. */
    private final List<String> secrets;

    private GivenSecrets(List<String> secrets) {
        this.secrets = secrets;
    }

    /**
     * Those of a process that Fettle starts.
     *
     * @param variables those that it gets besides Fettle's own
     */
    public static GivenSecrets of(List<String> command, Map<String, String> variables) {
        var environment = new HashMap<>(System.getenv());
        environment.putAll(variables);
        return new GivenSecrets(Secrets.masked(command, environment).stream()
                .filter(s -> s.length() >= SHORTEST && !SWITCHES.contains(s) && !isFile(s))
                .sorted(Comparator.comparingInt(String::length).reversed())
                .toList());
    }

    /** What is named after a key is often the place where one lies; messages about it should say which. */
    private static boolean isFile(String value) {
        String path = value.replaceFirst("^file:(//)?(?=/)", "");
        return path.startsWith("/") && path.indexOf('\0') < 0 && Files.exists(Path.of(path));
    }

    /** A line of its output, without them. */
    public String mask(String line) {
        String masked = line;
        for (String secret : secrets) {
            masked = masked.replace(secret, Secrets.MASK);
        }
        return Secrets.redact(masked);
    }
}
