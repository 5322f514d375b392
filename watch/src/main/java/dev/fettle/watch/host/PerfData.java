package dev.fettle.watch.host;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The file in which HotSpot keeps its own counters ({@code /tmp/hsperfdata_USER/PID}, see jstat(1)): reading it costs the JVM nothing, and no
 * thread of it has to run for that. The file is a head of 32 bytes and entries of a name and a value each.
 *
 * @see <a href="https://github.com/openjdk/jdk/blob/jdk-25-ga/src/hotspot/share/runtime/perfMemory.hpp">its format</a>
 */
public final class PerfData {
    private static final int MAGIC = 0xcafec0c0;
    private static final int HEAD = 32;
    private static final int ENTRY = 20;

    /** HotSpot's file has 32 KiB unless PerfDataMemorySize says otherwise. */
    private static final long MOST_BYTES = 1 << 20;

    private static final int MOST_NAME = 200;
    private static final byte LONG = 'J';

    private final Path file;

    private PerfData(Path file) {
        this.file = file;
    }

    /** That of a process, in its own /tmp, by the pid that it has there; of its own user. Empty if it keeps none that can be read. */
    public static Optional<PerfData> of(Proc proc, long pid) {
        String inside = proc.inside(pid);
        long user = proc.user(Long.toString(pid)).orElse(-1);
        try (DirectoryStream<Path> users =
                Files.newDirectoryStream(proc.root().resolve(pid + "/root/tmp"), "hsperfdata_*")) {
            for (Path folder : users) {
                Path candidate = folder.resolve(inside);
                if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                        && Files.isRegularFile(candidate, LinkOption.NOFOLLOW_LINKS)
                        && (int) Files.getAttribute(candidate, "unix:uid", LinkOption.NOFOLLOW_LINKS) == user) {
                    return Optional.of(new PerfData(candidate));
                }
            }
        } catch (IOException | DirectoryIteratorException | UnsupportedOperationException e) {
            return Optional.empty();
        }
        return Optional.empty();
    }

    /** Its counters of 64 bits by name, as they are now; none if they can't be read. */
    public Map<String, Long> counters() {
        try (var in = Files.newByteChannel(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            if (in.size() > MOST_BYTES) {
                return Map.of();
            }
            ByteBuffer all = ByteBuffer.allocate((int) in.size());
            while (all.hasRemaining() && in.read(all) >= 0) {}
            return read(all.flip());
        } catch (IOException e) {
            return Map.of(); // it has ended
        }
    }

    /** The counters of 64 bits by name; none if it is no such file. */
    public static Map<String, Long> read(ByteBuffer all) {
        var values = new HashMap<String, Long>();
        if (all.limit() < HEAD || all.order(ByteOrder.BIG_ENDIAN).getInt(0) != MAGIC) {
            return values;
        }
        all.order(all.get(4) == 1 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN);
        int at = all.getInt(24);
        int left = all.getInt(28);
        while (left-- > 0 && at >= HEAD && at <= all.limit() - ENTRY) {
            int length = all.getInt(at);
            if (length < ENTRY || length > all.limit() - at) {
                return values;
            }
            int name = all.getInt(at + 4);
            int data = all.getInt(at + 16);
            if (all.get(at + 12) == LONG
                    && all.getInt(at + 8) == 0
                    && name >= ENTRY
                    && name < length
                    && data >= ENTRY
                    && data <= length - Long.BYTES) {
                values.put(name(all, at + name, Math.min(at + length, at + name + MOST_NAME)), all.getLong(at + data));
            }
            at += length;
        }
        return values;
    }

    private static String name(ByteBuffer all, int from, int most) {
        int end = from;
        while (end < most && all.get(end) != 0) {
            end++;
        }
        var bytes = new byte[end - from];
        all.get(from, bytes);
        return new String(bytes, StandardCharsets.US_ASCII);
    }
}
