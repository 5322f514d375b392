package dev.fettle.watch.host;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Short files of {@code /proc} that are read repeatedly, kept open: opening one costs the kernel five times as much as
 * reading it. The file of a thread that has ended stays unreadable, even if another thread reuses its number. Not
 * thread-safe.
 */
final class KeptFiles implements AutoCloseable {
    /** Maximum kept open; others are opened for each reading, since the load's connections need descriptors. */
    private static final int MOST = 512;

    private static final int LONGEST = 1024;

    private final Path root;
    private final Map<String, FileChannel> open = new HashMap<>();
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(LONGEST);
    private final byte[] bytes = new byte[LONGEST];

    KeptFiles(Path root) {
        this.root = root;
    }

    /** A file's text, up to a thousand characters; empty if it is not there, or its subject is gone. */
    Optional<String> text(String file) {
        FileChannel kept = open.get(file);
        try {
            if (kept != null) {
                return Optional.of(read(kept));
            }
            FileChannel opened = FileChannel.open(root.resolve(file));
            if (open.size() < MOST) {
                open.put(file, opened);
                return Optional.of(read(opened));
            }
            try (opened) {
                return Optional.of(read(opened));
            }
        } catch (IOException e) {
            open.remove(file);
            close(kept);
            return Optional.empty();
        }
    }

    private String read(FileChannel from) throws IOException {
        buffer.clear();
        int n = Math.max(0, from.read(buffer, 0));
        buffer.get(0, bytes, 0, n);
        return new String(bytes, 0, n, StandardCharsets.ISO_8859_1);
    }

    /** Closes all but these. */
    void retain(Set<String> files) {
        open.entrySet().removeIf(e -> {
            if (files.contains(e.getKey())) {
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
