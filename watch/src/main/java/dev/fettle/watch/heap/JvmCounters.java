package dev.fettle.watch.heap;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a JVM of HotSpot keeps counted in a file that others may map ({@code hsperfdata}), as {@code jstat} reads it: also while it answers
 * nothing, since no thread of it has to run for that. Of the collectors that have an old generation: Serial, Parallel and G1.
 *
 * @see <a href="https://github.com/openjdk/jdk/blob/jdk-25-ga/src/hotspot/share/runtime/perfMemory.hpp">its format</a>
 */
public final class JvmCounters {
    private static final int MAGIC = 0xcafec0c0;
    private static final int HEAD = 32;
    private static final int ENTRY_HEAD = 20;
    private static final int MOST_BYTES = 1 << 20;
    private static final int MOST_ENTRIES = 5000;
    private static final int MOST_SPACES = 3;

    private final Path file;

    private JvmCounters(Path file) {
        this.file = file;
    }

    /**
     * What is in the heap.
     *
     * @param used bytes that the last collection left in use, as far as the collector has counted them since
     * @param max the most that the heap may become, bytes
     * @param gcSeconds time in collections that have ended, since the start
     */
    public record Heap(double used, double max, double gcSeconds) {
        /** The part of it in use, 0 to 1. */
        public double share() {
            return max > 0 ? Math.min(1, used / max) : 0;
        }
    }

    /**
     * Those of a process; empty if it keeps none.
     *
     * @param proc the root of the proc file system
     * @param pid its id
     * @param inside its id in its own namespace
     */
    public static Optional<JvmCounters> of(Path proc, long pid, String inside) {
        Path folder = proc.resolve(pid + "/root/tmp");
        try (DirectoryStream<Path> users = Files.newDirectoryStream(folder, "hsperfdata_*")) {
            for (Path user : users) {
                Path file = user.resolve(inside);
                if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                    return Optional.of(new JvmCounters(file));
                }
            }
        } catch (IOException e) {
            return Optional.empty(); // it has none, or they are another user's
        }
        return Optional.empty();
    }

    /** What it says now; empty if that can't be read, or its collector has no old generation. */
    public Optional<Heap> read() {
        try {
            return Files.size(file) > MOST_BYTES ? Optional.empty() : heap(Files.readAllBytes(file));
        } catch (IOException e) {
            return Optional.empty(); // it has ended
        }
    }

    static Optional<Heap> heap(byte[] bytes) {
        Map<String, Long> all = numbers(bytes);
        @Nullable Long young = all.get("sun.gc.generation.0.maxCapacity");
        @Nullable Long old = all.get("sun.gc.generation.1.maxCapacity");
        @Nullable Long frequency = all.get("sun.os.hrt.frequency");
        if (young == null || old == null || frequency == null || frequency <= 0 || old <= 0) {
            return Optional.empty();
        }
        double used = all.getOrDefault("sun.gc.generation.1.space.0.used", 0L);
        for (int i = 0; i < MOST_SPACES; i++) {
            used += all.getOrDefault("sun.gc.generation.0.space." + i + ".used", 0L);
        }
        double ticks =
                all.getOrDefault("sun.gc.collector.0.time", 0L) + all.getOrDefault("sun.gc.collector.1.time", 0L);
        // of G1 either generation may take the whole heap
        double max = young.equals(old) ? old : (double) old + young;
        return Optional.of(new Heap(used, max, ticks / frequency));
    }

    /** The counters that are numbers. */
    private static Map<String, Long> numbers(byte[] bytes) {
        var found = new HashMap<String, Long>();
        if (bytes.length < HEAD || ByteBuffer.wrap(bytes).getInt(0) != MAGIC) {
            return found;
        }
        ByteBuffer in = ByteBuffer.wrap(bytes).order(bytes[4] == 0 ? ByteOrder.BIG_ENDIAN : ByteOrder.LITTLE_ENDIAN);
        int at = in.getInt(24);
        int n = Math.min(MOST_ENTRIES, in.getInt(28));
        for (int i = 0; i < n && at >= HEAD && at <= bytes.length - ENTRY_HEAD; i++) {
            int length = in.getInt(at);
            int name = at + in.getInt(at + 4);
            int value = at + in.getInt(at + 16);
            if (length < ENTRY_HEAD || at > bytes.length - length || name < at || name >= at + length || value < at) {
                break;
            }
            if (in.getInt(at + 8) == 0 && bytes[at + 12] == 'J' && value <= at + length - Long.BYTES) {
                found.put(text(bytes, name, at + length), in.getLong(value));
            }
            at += length;
        }
        return found;
    }

    private static String text(byte[] bytes, int from, int before) {
        int end = from;
        while (end < before && bytes[end] != 0) {
            end++;
        }
        return new String(bytes, from, Math.max(0, end - from), StandardCharsets.US_ASCII);
    }
}
