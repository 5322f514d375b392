package dev.fettle.watch.jfr;

import dev.fettle.model.trial.Profile;
import dev.fettle.model.trial.Sighting;
import dev.fettle.watch.jvm.WorkerState;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import jdk.jfr.consumer.RecordedClass;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/** Reads a recording: a profile of each kind asked for, and what stood out. Recordings of Java 11 to 25. */
public final class RecordingReader {
    private static final double MILLIS = 1e6;

    /** Stands for the frames beyond those that a JVM records, by default the innermost 64. */
    static final String CUT_OFF = "[outer frames not recorded]";

    private static final List<String> LOCKS = List.of(
            "java.util.concurrent.locks.ReentrantLock",
            "java.util.concurrent.locks.ReentrantReadWriteLock",
            "java.util.concurrent.locks.StampedLock");

    /** Linux's {@code ip_local_port_range} begins here by default. */
    private static final int FIRST_EPHEMERAL = 32_768;

    private final Instant from;
    private final Instant to;
    private final Predicate<String> workers;
    private final Map<Profile.Kind, Profile.Builder> profiles = new EnumMap<>(Profile.Kind.class);
    private final RecordedSums sums = new RecordedSums();

    RecordingReader(Set<Profile.Kind> kinds, Instant from, Instant to, Predicate<String> workers) {
        this.from = from;
        this.to = to;
        this.workers = workers;
        kinds.forEach(k -> profiles.put(k, new Profile.Builder()));
    }

    /**
     * The content of a recording.
     *
     * @param profiles of each requested kind, empty ones included
     * @param sightings kinds {@code jfr.gc}, {@code jfr.vmOperation}, {@code jfr.monitor}, {@code jfr.pinned}, {@code
     *     jfr.socketRead}, {@code jfr.file}, {@code jfr.exception}, {@code jfr.alloc}
     */
    public record Recorded(List<Profile> profiles, List<Sighting> sightings) {}

    /**
     * Reads a file.
     *
     * @param kinds the profiles that are wanted
     * @param from events that began before are left out
     * @param to events that began later are left out
     * @param workers accepts thread names whose waits count; running code counts whatever the thread
     * @throws IOException if it is not a recording
     */
    public static Recorded read(Path file, Set<Profile.Kind> kinds, Instant from, Instant to, Predicate<String> workers)
            throws IOException {
        var reader = new RecordingReader(kinds, from, to, workers);
        try (var recording = new RecordingFile(file)) {
            while (recording.hasMoreEvents()) {
                reader.add(recording.readEvent());
            }
        }
        return reader.recorded((to.toEpochMilli() - from.toEpochMilli()) / 1e3);
    }

    /** What was added so far. */
    Recorded recorded(double seconds) {
        List<Profile> all = profiles.entrySet().stream()
                .map(e -> e.getValue().build(e.getKey(), source(e.getKey()), seconds))
                .toList();
        return new Recorded(all, sums.sightings(seconds));
    }

    private static String source(Profile.Kind kind) {
        return "Java Flight Recorder: "
                + switch (kind) {
                    case CPU -> "running Java code, sampled every " + RecordingSettings.SAMPLE_MILLIS + " ms";
                    case WALL ->
                        "running Java code, sampled every " + RecordingSettings.SAMPLE_MILLIS
                                + " ms, and workers' waits of " + RecordingSettings.SHORTEST_WAIT
                                + " or more, without waits for a task";
                    case LOCK -> "waits of " + RecordingSettings.SHORTEST_WAIT + " or more for monitors and locks";
                    case ALLOC -> "allocations, sampled";
                };
    }

    void add(RecordedEvent e) {
        if (e.getStartTime().isBefore(from) || e.getStartTime().isAfter(to)) {
            return;
        }
        double millis = e.getDuration().toNanos() / MILLIS;
        switch (e.getEventType().getName()) {
            case "jdk.ExecutionSample" -> sample(e);
            case "jdk.JavaMonitorEnter" -> {
                String type = className(e, "monitorClass");
                sums.monitor(type, millis, caller(e));
                waited(e, millis, "a monitor of " + type, true);
            }
            case "jdk.VirtualThreadPinned" -> sums.pinned(caller(e), millis);
            case "jdk.ThreadPark" -> {
                String type = className(e, "parkedClass");
                waited(e, millis, pool(e).orElse("a " + type), LOCKS.stream().anyMatch(type::startsWith));
            }
            case "jdk.JavaMonitorWait" -> waited(e, millis, "Object.wait", false);
            case "jdk.ThreadSleep" -> waited(e, millis, "sleep", false);
            case "jdk.SocketRead" -> {
                sums.socket(peer(e), millis, e.getLong("bytesRead"));
                waited(e, millis, "reading from " + peer(e), false);
            }
            case "jdk.SocketWrite" -> waited(e, millis, "writing to " + peer(e), false);
            case "jdk.FileRead", "jdk.FileWrite", "jdk.FileForce" -> {
                String path = String.valueOf(e.getString("path"));
                sums.file(path, millis);
                waited(e, millis, "the file " + path, false);
            }
            case "jdk.ObjectAllocationSample" -> allocated(e, e.getLong("weight"));
            case "jdk.ObjectAllocationInNewTLAB" -> allocated(e, e.getLong("tlabSize"));
            case "jdk.ObjectAllocationOutsideTLAB" -> allocated(e, e.getLong("allocationSize"));
            case "jdk.GarbageCollection" ->
                sums.collection(
                        e.getString("name") + ", " + e.getString("cause"),
                        e.getDuration("sumOfPauses").toNanos() / MILLIS,
                        e.getDuration("longestPause").toNanos() / MILLIS);
            case "jdk.ExecuteVMOperation" -> {
                if (e.getBoolean("safepoint")) {
                    sums.operation(e.getString("operation"), millis);
                }
            }
            case "jdk.ExceptionStatistics" -> sums.exceptions(e.getLong("throwables"));
            case "jdk.JavaExceptionThrow" -> sums.exception(className(e, "thrownClass"), caller(e));
            default -> {}
        }
    }

    private void sample(RecordedEvent e) {
        @Nullable RecordedStackTrace stack = e.getStackTrace();
        if (stack != null) {
            List<String> frames = frames(stack);
            add(Profile.Kind.CPU, frames, RecordingSettings.SAMPLE_MILLIS);
            @Nullable RecordedThread thread = e.getThread("sampledThread");
            if (thread != null && workers.test(String.valueOf(thread.getJavaName()))) {
                add(Profile.Kind.WALL, frames, RecordingSettings.SAMPLE_MILLIS);
            }
        }
    }

    private void waited(RecordedEvent e, double millis, String forWhat, boolean lock) {
        @Nullable RecordedStackTrace stack = e.getStackTrace();
        if (stack == null || idle(stack)) {
            return;
        }
        List<String> frames = with(frames(stack), "[waits: " + forWhat + ", in " + caller(e) + "]");
        if (lock) {
            add(Profile.Kind.LOCK, frames, millis);
        }
        @Nullable RecordedThread thread = e.getThread();
        if (thread != null && workers.test(String.valueOf(thread.getJavaName()))) {
            add(Profile.Kind.WALL, frames, millis);
        }
    }

    private void allocated(RecordedEvent e, double bytes) {
        String type = className(e, "objectClass");
        @Nullable RecordedStackTrace stack = e.getStackTrace();
        sums.allocated(type, bytes);
        if (stack != null) {
            add(Profile.Kind.ALLOC, with(frames(stack), "[" + type + "]"), bytes);
        }
    }

    private void add(Profile.Kind kind, List<String> frames, double weight) {
        Profile.Builder b = profiles.get(kind);
        if (b != null) {
            b.add(frames, weight);
        }
    }

    /** Whether it is an idle wait: of a pool for a task, or of a connector for a connection. */
    private static boolean idle(RecordedStackTrace stack) {
        return WorkerState.waitsForWork(elements(stack.getFrames()));
    }

    /** The awaited resource if the stack is in the code of a connection pool. */
    private static Optional<String> pool(RecordedEvent e) {
        return Optional.ofNullable(e.getStackTrace())
                .flatMap(s -> WorkerState.pool(elements(s.getFrames())))
                .map(p -> "a connection or object of " + p);
    }

    /** Frames as in a thread dump, innermost first. */
    static StackTraceElement[] elements(List<RecordedFrame> frames) {
        return frames.stream()
                .map(RecordedFrame::getMethod)
                .map(m -> new StackTraceElement(m.getType().getName(), m.getName(), null, -1))
                .toArray(StackTraceElement[]::new);
    }

    /** Outermost first. */
    private static List<String> frames(RecordedStackTrace stack) {
        var names = new ArrayList<String>();
        if (stack.isTruncated()) {
            names.add(CUT_OFF);
        }
        for (RecordedFrame f : stack.getFrames().reversed()) {
            names.add(name(f.getMethod()));
        }
        return names;
    }

    private static List<String> with(List<String> frames, String innermost) {
        var all = new ArrayList<>(frames);
        all.add(innermost);
        return all;
    }

    /** The method's name, without the number in the name of a hidden class, which differs from start to start. */
    static String name(RecordedMethod m) {
        return plain(m.getType().getName()) + "." + m.getName();
    }

    static String plain(String type) {
        if (!type.contains("0x") && !type.contains("$$Lambda")) {
            return type; // nearly all are
        }
        return type.replaceAll("[./]0x[0-9a-f]+", "").replaceAll("(\\$\\$Lambda)[$/0-9]+", "$1");
    }

    static String caller(RecordedEvent e) {
        @Nullable RecordedStackTrace stack = e.getStackTrace();
        return stack == null
                ? "?"
                : stack.getFrames().stream()
                        .map(RecordedFrame::getMethod)
                        .filter(m -> !m.getType().getName().startsWith("java.")
                                && !m.getType().getName().startsWith("jdk."))
                        .findFirst()
                        .map(RecordingReader::name)
                        .orElse("?");
    }

    static String className(RecordedEvent e, String field) {
        @Nullable RecordedClass type = e.getClass(field);
        return type == null ? "?" : arrays(plain(type.getName()));
    }

    /** {@code byte[]} for {@code [B}. */
    static String arrays(String name) {
        int depth = 0;
        while (depth < name.length() && name.charAt(depth) == '[') {
            depth++;
        }
        if (depth == 0 || depth == name.length()) {
            return name;
        }
        String of = name.substring(depth);
        String element = switch (of) {
            case "B" -> "byte";
            case "C" -> "char";
            case "I" -> "int";
            case "J" -> "long";
            case "Z" -> "boolean";
            case "D" -> "double";
            case "F" -> "float";
            case "S" -> "short";
            default -> of.startsWith("L") && of.endsWith(";") ? of.substring(1, of.length() - 1) : of;
        };
        return element + "[]".repeat(depth);
    }

    private static String peer(RecordedEvent e) {
        @Nullable String host = e.getString("host");
        @Nullable String address = e.getString("address");
        String name = host == null || host.isBlank() ? address == null ? "?" : address : host;
        int port = e.getInt("port");
        // a port chosen by the kernel is a client's and differs for each connection
        return port >= FIRST_EPHEMERAL ? name + Sighting.CLIENTS_PORT : String.format(Locale.ROOT, "%s:%d", name, port);
    }
}
