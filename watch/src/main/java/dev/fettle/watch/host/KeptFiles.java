package dev.fettle.watch.host;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;

/**
 * Short files of {@code /proc} that begin with numbers and are read repeatedly, kept open: opening one costs the kernel five times
 * as much as reading it. The file of a thread that has ended stays unreadable, even if another thread reuses its number. Not
 * thread-safe.
 */
final class KeptFiles implements AutoCloseable {
    /** Maximum kept open; others are opened for each reading, since the load's connections need descriptors. */
    private static final int MOST = 512;

    private static final int LONGEST = 128;

    private final LongFunction<Path> files;
    private final Map<Long, FileChannel> open = new HashMap<>();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(LONGEST);

    /** @param files the file of each subject, by its number */
    KeptFiles(LongFunction<Path> files) {
        this.files = files;
    }

    /**
     * Reads the first numbers of a file.
     *
     * @param id whose
     * @return whether there are as many; not if the file is not there, or its subject is gone
     */
    boolean read(long id, long... into) {
        FileChannel kept = open.get(id);
        try {
            if (kept != null) {
                return read(kept, into);
            }
            FileChannel opened = FileChannel.open(files.apply(id));
            if (open.size() < MOST) {
                open.put(id, opened);
                return read(opened, into);
            }
            try (opened) {
                return read(opened, into);
            }
        } catch (IOException e) {
            open.remove(id);
            close(kept);
            return false;
        }
    }

    private boolean read(FileChannel from, long... into) throws IOException {
        buffer.clear();
        int length = Math.max(0, from.read(buffer, 0));
        int at = 0;
        for (int i = 0; i < into.length; i++) {
            int first = at;
            long n = 0;
            for (; at < length && buffer.get(at) >= '0' && buffer.get(at) <= '9'; at++) {
                n = 10 * n + buffer.get(at) - '0';
            }
            if (at == first) {
                return false;
            }
            into[i] = n;
            at++; // the blank
        }
        return true;
    }

    /** Closes all but these. */
    void retain(Set<Long> ids) {
        open.entrySet().removeIf(e -> {
            if (ids.contains(e.getKey())) {
                return false;
            }
            close(e.getValue());
            return true;
        });
    }

    private static void close(@org.jspecify.annotations.Nullable FileChannel file) {
        try {
            if (file != null) {
                file.close();
            }
        } catch (IOException e) {
            return; // nothing was written to it
        }
    }

    @Override
    public void close() {
        retain(Set.of());
    }
}
