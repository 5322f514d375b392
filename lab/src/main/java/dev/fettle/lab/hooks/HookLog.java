package dev.fettle.lab.hooks;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fettle.model.text.Secrets;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;

/** Masks secrets in a hook's output: values of its variables with secret names, and whatever Fettle masks everywhere. */
final class HookLog {
    /** Shorter values are too common to be masked everywhere. */
    private static final int SHORTEST = 4;

    private final List<String> secrets;

    /** @param environment the hook's variables, placeholders filled */
    HookLog(Map<String, String> environment) {
        this.secrets = environment.entrySet().stream()
                .filter(e -> Secrets.looksSecret(e.getKey()) && e.getValue().length() >= SHORTEST)
                .map(Map.Entry::getValue)
                .toList();
    }

    String mask(String text) {
        String masked = text;
        for (String secret : secrets) {
            masked = masked.replace(secret, Secrets.MASK);
        }
        return Secrets.redact(masked);
    }

    /** Masks a finished log. */
    void mask(Path log) throws IOException {
        Path safe = log.resolveSibling(log.getFileName() + ".masked");
        try (BufferedReader in = new BufferedReader(new InputStreamReader(Files.newInputStream(log), UTF_8));
                Writer out = Files.newBufferedWriter(safe, UTF_8)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                out.write(mask(line));
                out.write('\n');
            }
        }
        Files.move(safe, log, StandardCopyOption.REPLACE_EXISTING);
    }
}
