package dev.fettle.faults;

import dev.fettle.servers.app.Fault;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A log on a file system that is nearly full already, in the folder that the system property {@code fettle.disk} names. */
final class DiskFull implements Fault {
    private static final long LEFT = 2 << 20;

    private final OutputStream log;

    DiskFull() throws IOException {
        Path folder = Path.of(System.getProperty("fettle.disk"));
        log = Files.newOutputStream(folder.resolve("audit.log"));
        log.write(new byte[(int) Math.max(0, folder.toFile().getUsableSpace() - LEFT)]);
    }

    @Override
    public void spoil(Visit visit) throws IOException {
        synchronized (log) {
            log.write(visit.userAgent()
                    .substring(0, Math.min(8, visit.userAgent().length()))
                    .getBytes(StandardCharsets.UTF_8));
        }
    }
}
