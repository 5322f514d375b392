package dev.fettle.faults;

import dev.fettle.servers.app.Fault;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;

/** Every request writes its pages to a journal, one after the other, and waits until each is on the disk. */
final class FsyncPerRequest implements Fault {
    private static final int WRITES = 4;
    private static final byte[] PAGE = new byte[64 * 1024];

    private final Idle<RandomAccessFile> files = new Idle<>(FsyncPerRequest::open);

    /** Among the temporary files, which go with the trial. */
    private static RandomAccessFile open() throws IOException {
        return new RandomAccessFile(Files.createTempFile("audit", ".log").toFile(), "rw");
    }

    @Override
    public void spoil(Visit visit) throws IOException {
        files.lend(FsyncPerRequest::write);
    }

    private static void write(RandomAccessFile file) throws IOException {
        file.seek(0); // it would fill the disk
        for (int i = 0; i < WRITES; i++) {
            file.write(PAGE);
            file.getFD().sync();
        }
    }
}
