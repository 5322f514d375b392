package dev.fettle.lab.hooks;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fettle.lab.process.GivenSecrets;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** The file with a hook's output. */
final class HookLog {
    private HookLog() {}

    /** Masks the secrets in a finished log. */
    static void mask(Path log, GivenSecrets secrets) throws IOException {
        Path safe = log.resolveSibling(log.getFileName() + ".masked");
        try (BufferedReader in = new BufferedReader(new InputStreamReader(Files.newInputStream(log), UTF_8));
                Writer out = Files.newBufferedWriter(safe, UTF_8)) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                out.write(secrets.mask(line));
                out.write('\n');
            }
        }
        Files.move(safe, log, StandardCopyOption.REPLACE_EXISTING);
    }
}
