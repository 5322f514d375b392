package dev.fettle.faults;

import dev.fettle.servers.Fault;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Every request writes a file of its own and waits until it is on the disk. */
final class FsyncPerRequest implements Fault {
    private static final int WRITES = 4;

    private final ThreadLocal<FileOutputStream> files = ThreadLocal.withInitial(FsyncPerRequest::open);

    private static FileOutputStream open() {
        try {
            return new FileOutputStream(
                    Files.createTempFile(Path.of("."), "audit", ".log").toFile());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void spoil(Visit visit) throws IOException {
        for (int i = 0; i < WRITES; i++) {
            files.get().write(visit.userAgent().getBytes(StandardCharsets.UTF_8));
            files.get().write('\n');
            files.get().getFD().sync();
        }
    }
}
