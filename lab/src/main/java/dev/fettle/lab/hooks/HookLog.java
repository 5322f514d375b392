package dev.fettle.lab.hooks;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fettle.lab.machine.Folders;
import dev.fettle.lab.process.GivenSecrets;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** The file with a hook's output. */
final class HookLog {
    /** Of a line, this many characters are kept. */
    static final int LONGEST = 1 << 20;

    /** Read beyond that, so that a secret at the end of what is kept is seen as a whole, or not kept. */
    private static final int BEYOND = 1 << 14;

    private HookLog() {}

    /** Masks the secrets in a finished log. */
    static void mask(Path log, GivenSecrets secrets) throws IOException {
        Path safe = log.resolveSibling(log.getFileName() + ".masked");
        Folders.writePrivate(safe, new byte[0]);
        try (Reader in = new BufferedReader(new InputStreamReader(Files.newInputStream(log), UTF_8));
                Writer out = Files.newBufferedWriter(safe, UTF_8)) {
            mask(in, out, secrets);
        }
        Files.move(safe, log, StandardCopyOption.REPLACE_EXISTING);
    }

    private static void mask(Reader in, Writer out, GivenSecrets secrets) throws IOException {
        var line = new StringBuilder();
        long length = 0;
        int before = '\n';
        for (int c = in.read(); c >= 0; c = in.read()) {
            if (c != '\n' && c != '\r') {
                length++;
                if (line.length() < LONGEST + BEYOND) {
                    line.append((char) c);
                }
            } else if (c == '\r' || before != '\r') {
                end(line, length, out, secrets);
                length = 0;
            }
            before = c;
        }
        if (length > 0) {
            end(line, length, out, secrets);
        }
    }

    private static void end(StringBuilder line, long length, Writer out, GivenSecrets secrets) throws IOException {
        String masked = secrets.mask(line.toString());
        if (length > line.length()) {
            int kept = Math.max(0, masked.length() - BEYOND);
            kept -= kept > 0 && Character.isHighSurrogate(masked.charAt(kept - 1)) ? 1 : 0;
            out.write(masked, 0, kept);
            out.write("… (of " + length + " characters in this line, the rest is left out)");
        } else {
            out.write(masked);
        }
        out.write('\n');
        line.setLength(0);
    }
}
