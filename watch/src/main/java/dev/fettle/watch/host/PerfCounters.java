package dev.fettle.watch.host;

import dev.fettle.model.trial.Signals;
import dev.fettle.watch.signal.SignalSource;
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
 * How long HotSpot had all threads stopped, and how many classes it has, from the file in which it keeps its own counters ({@code /tmp/hsperfdata_USER/PID}, see
 * jstat(1)): reading it costs the JVM nothing. The file is a head of 32 bytes and entries of a name and a value each.
 */
final class PerfCounters implements SignalSource {
    private static final int MAGIC = 0xcafec0c0;
    private static final int HEAD = 32;
    private static final int ENTRY = 20;

    /** HotSpot's file has 32 KiB unless PerfDataMemorySize says otherwise. */
    private static final long MOST_BYTES = 1 << 20;

    private static final int MOST_NAME = 200;
    private static final byte LONG = 'J';

    /** Looks for the file that a JVM may not have written yet. */
    private static final int TRIES = 20;

    private static final String FREQUENCY = "sun.os.hrt.frequency";
    private static final String NONE =
            "the JVM's file of counters (hsperfdata) was not found: it is switched off, or another user's";

    /** Counters, and their signals; the first two are in ticks. */
    private static final Map<String, String> WANTED = Map.of(
            "sun.rt.safepointTime", Signals.SAFEPOINT_SHARE,
            "sun.rt.safepointSyncTime", Signals.SAFEPOINT_REACH,
            "sun.rt.safepoints", Signals.SAFEPOINT_COUNT);

    private final Proc proc;
    private final long pid;
    private Optional<Path> file = Optional.empty();
    private int tries;

    PerfCounters(Proc proc, long pid) {
        this.proc = proc;
        this.pid = pid;
    }

    @Override
    public void sample(Sink sink) {
        if (file.isEmpty() && tries < TRIES) {
            tries++;
            file = find();
        }
        Map<String, Long> values =
                file.flatMap(PerfCounters::content).map(PerfCounters::read).orElse(Map.of());
        long frequency = values.getOrDefault(FREQUENCY, 0L);
        if (frequency <= 0) {
            sink.notObserved("safepoint.*", NONE);
            return;
        }
        Long loaded = values.get("java.cls.loadedClasses");
        if (loaded != null) {
            sink.value(
                    Signals.CLASSES_LOADED,
                    (double) loaded
                            + values.getOrDefault("java.cls.sharedLoadedClasses", 0L)
                            - values.getOrDefault("java.cls.unloadedClasses", 0L)
                            - values.getOrDefault("java.cls.sharedUnloadedClasses", 0L));
        }
        WANTED.forEach((name, signal) -> {
            Long value = values.get(name);
            if (value == null) {
                sink.notObserved(signal, "this JVM does not count " + name);
            } else {
                sink.value(signal, signal.equals(Signals.SAFEPOINT_COUNT) ? value : (double) value / frequency);
            }
        });
    }

    /** In the target's own /tmp, by the pid that it has there; of its own user. */
    private Optional<Path> find() {
        String status = proc.text(pid + "/status").orElse("");
        String own = Long.toString(pid);
        int at = status.indexOf("\nNSpid:");
        if (at >= 0) {
            String[] ids =
                    status.substring(at + 7, Fields.end(status, at + 7)).strip().split("\\s+");
            own = ids[ids.length - 1];
        }
        long user = proc.user(Long.toString(pid)).orElse(-1);
        try (DirectoryStream<Path> users =
                Files.newDirectoryStream(proc.root().resolve(pid + "/root/tmp"), "hsperfdata_*")) {
            for (Path folder : users) {
                Path candidate = folder.resolve(own);
                if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                        && Files.isRegularFile(candidate, LinkOption.NOFOLLOW_LINKS)
                        && (int) Files.getAttribute(candidate, "unix:uid", LinkOption.NOFOLLOW_LINKS) == user) {
                    return Optional.of(candidate);
                }
            }
        } catch (IOException | DirectoryIteratorException | UnsupportedOperationException e) {
            return Optional.empty();
        }
        return Optional.empty();
    }

    private static Optional<ByteBuffer> content(Path file) {
        try (var in = Files.newByteChannel(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS))) {
            if (in.size() > MOST_BYTES) {
                return Optional.empty();
            }
            ByteBuffer all = ByteBuffer.allocate((int) in.size());
            while (all.hasRemaining() && in.read(all) >= 0) {}
            return Optional.of(all.flip());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** The counters of 64 bits by name; none if it is no such file. */
    static Map<String, Long> read(ByteBuffer all) {
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
