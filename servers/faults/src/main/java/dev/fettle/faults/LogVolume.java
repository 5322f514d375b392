package dev.fettle.faults;

import dev.fettle.servers.app.Fault;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;

/** A log of all that a request brings and gets, of twelve kilobytes each. */
final class LogVolume implements Fault {
    private static final String LINE = "DEBUG http.wire - " + "0123456789abcdef".repeat(32) + "\n";
    private static final int LINES = 23;

    private final Writer log;

    LogVolume() throws IOException {
        Path file = Files.createTempFile("login-debug", ".log");
        file.toFile().deleteOnExit();
        log = Files.newBufferedWriter(file);
    }

    @Override
    public void spoil(Visit visit) throws IOException {
        var all = new StringBuilder(visit.userAgent());
        for (int i = 0; i < LINES; i++) {
            all.append(LINE);
        }
        synchronized (log) {
            log.append(all);
        }
    }
}
