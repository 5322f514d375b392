package dev.fettle.lab.audit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Runs a short command with an empty environment: an argument list, no shell, a time limit. The only place where an audit starts a
 * process, and only a {@link TrustedProgram}.
 */
final class Tried {
    private static final int MOST_BYTES = 4 << 20;
    /** Far more than any command takes: a busy machine must not change a verdict. */
    private static final long SECONDS = 60;

    private Tried() {}

    record Said(int code, String text) {}

    /** Its output; empty if it can't be run or does not end in time. */
    static Optional<Said> run(TrustedProgram program, List<String> arguments, Path folder) throws InterruptedException {
        var command = new ArrayList<String>();
        command.add(program.toString());
        command.addAll(arguments);
        var builder = new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true);
        builder.environment().clear();
        builder.environment().put("LC_ALL", "C");
        Process p;
        try {
            p = builder.start();
            p.getOutputStream().close();
        } catch (IOException e) {
            return Optional.empty();
        }
        try {
            // the reader ends when the process does; a process that hangs is ended by the watchdog
            var watchdog = Thread.ofVirtual().start(() -> {
                try {
                    if (!p.waitFor(SECONDS, TimeUnit.SECONDS)) {
                        p.destroyForcibly();
                    }
                } catch (InterruptedException e) {
                    p.destroyForcibly();
                }
            });
            String text;
            try (InputStream in = p.getInputStream()) {
                text = new String(in.readNBytes(MOST_BYTES), StandardCharsets.UTF_8);
            }
            int code = p.waitFor();
            watchdog.interrupt();
            boolean killed = code == 128 + 9;
            return killed ? Optional.empty() : Optional.of(new Said(code, text));
        } catch (IOException e) {
            return Optional.empty();
        } finally {
            p.destroyForcibly();
        }
    }
}
