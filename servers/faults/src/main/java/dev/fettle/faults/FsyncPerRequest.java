package dev.fettle.faults;

import dev.fettle.servers.app.Fault;
import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Every request writes its pages to a journal, one after the other, and waits until each is on the disk. */
final class FsyncPerRequest implements Fault {
    private static final int WRITES = 4;
    private static final byte[] PAGE = new byte[64 * 1024];

    private final ThreadLocal<RandomAccessFile> files = ThreadLocal.withInitial(FsyncPerRequest::open);

    private static RandomAccessFile open() {
        try {
            File file = Files.createTempFile(Path.of("."), "audit", ".log").toFile();
            return new RandomAccessFile(file, "rw");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void spoil(Visit visit) throws IOException {
        RandomAccessFile file = files.get();
        file.seek(0); // it would fill the disk
        for (int i = 0; i < WRITES; i++) {
            file.write(PAGE);
            file.getFD().sync();
        }
    }
}
