package dev.fettle.watch.jfr;

import dev.fettle.model.trial.Profile;
import dev.fettle.watch.jvm.WorkerState;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedMethod;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/** Reads what async-profiler recorded: a profile of each kind asked for. It writes flight recorder files. */
public final class AsyncReader {
    private static final double NANOS_A_MILLI = 1e6;

    /** Types of frames that are not Java methods. */
    private static final Set<String> NATIVE = Set.of("Native", "C++", "Kernel");

    private final Instant from;
    private final Instant to;
    private final Predicate<String> workers;
    private final Map<Profile.Kind, Profile.Builder> profiles = new EnumMap<>(Profile.Kind.class);
    private String version = "";
    private String clock = "";

    AsyncReader(Set<Profile.Kind> kinds, Instant from, Instant to, Predicate<String> workers) {
        this.from = from;
        this.to = to;
        this.workers = workers;
        kinds.forEach(k -> profiles.put(k, new Profile.Builder()));
    }

    /**
     * Reads a file.
     *
     * @param kinds the profiles that are wanted
     * @param from what happened earlier is left out
     * @param to what happened later is left out
     * @param workers accepts thread names whose waits count; everything else counts whatever the thread
     * @return one of each requested kind, empty ones included
     * @throws IOException if it is not a recording
     */
    public static List<Profile> read(
            Path file, Set<Profile.Kind> kinds, Instant from, Instant to, Predicate<String> workers)
            throws IOException {
        var reader = new AsyncReader(kinds, from, to, workers);
        try (var recording = new RecordingFile(file)) {
            while (recording.hasMoreEvents()) {
                reader.add(recording.readEvent());
            }
        }
        return reader.profiles(Duration.between(from, to).toMillis() / 1e3);
    }

    /** What was added so far. */
    List<Profile> profiles(double seconds) {
        return profiles.entrySet().stream()
                .map(e -> e.getValue().build(e.getKey(), source(e.getKey()), seconds))
                .toList();
    }

    /** The profiler's version, and what it samples by; blank before its settings were added. */
    String version() {
        return version;
    }

    private String source(Profile.Kind kind) {
        return "async-profiler " + version + ": "
                + switch (kind) {
                    case CPU ->
                        "CPU time of all threads, "
                                + (clock.equals("perf_events")
                                        ? "the kernel's and the JVM's own part included"
                                        : "the JVM's own part included, without the kernel's frames, which it may not see here")
                                + ", sampled every " + AsyncRecording.CPU_MILLIS + " ms of it";
                    case WALL ->
                        "workers, running or waiting, sampled every " + AsyncRecording.WALL_MILLIS
                                + " ms, without waits for a task";
                    case LOCK ->
                        "waits for monitors, ReentrantLocks and Semaphores, a sample for each "
                                + AsyncRecording.LOCK_MILLIS + " ms waited";
                    case ALLOC -> "allocations, a sample for each " + (AsyncRecording.ALLOC_BYTES >> 10) + " KiB";
                };
    }

    void add(RecordedEvent e) {
        String type = e.getEventType().getName();
        if (type.equals("jdk.ActiveSetting")) {
            setting(e);
            return;
        }
        if (type.equals("profiler.WallClockSample")) {
            wall(e);
            return;
        }
        if (e.getStartTime().isBefore(from) || e.getStartTime().isAfter(to)) {
            return;
        }
        switch (type) {
            case "jdk.ExecutionSample" -> add(e, Profile.Kind.CPU, AsyncRecording.CPU_MILLIS, Optional.empty());
            case "jdk.JavaMonitorEnter" -> waited(e, "a monitor of " + RecordingReader.className(e, "monitorClass"));
            case "jdk.ThreadPark" -> waited(e, "a " + RecordingReader.className(e, "parkedClass"));
            case "jdk.ObjectAllocationInNewTLAB" -> allocated(e, e.getLong("tlabSize"));
            case "jdk.ObjectAllocationOutsideTLAB" -> allocated(e, e.getLong("allocationSize"));
            default -> {}
        }
    }

    private void setting(RecordedEvent e) {
        String name = e.getString("name");
        if ("version".equals(name)) {
            version = e.getString("value");
        } else if ("engine".equals(name)) {
            clock = e.getString("value");
        }
    }

    /** One event stands for all samples in which a thread did not move. */
    private void wall(RecordedEvent e) {
        @Nullable RecordedThread thread = e.getThread("sampledThread");
        @Nullable RecordedStackTrace stack = e.getStackTrace();
        if (stack == null || thread == null || !workers.test(String.valueOf(thread.getJavaName()))) {
            return;
        }
        double millis = within(e.getStartTime(), e.getInt("samples") * (double) AsyncRecording.WALL_MILLIS, from, to);
        StackTraceElement[] java = RecordingReader.elements(stack.getFrames().stream()
                .filter(f -> !NATIVE.contains(f.getType()))
                .toList());
        boolean sleeps = "STATE_SLEEPING".equals(e.getString("state"));
        // a thread entering or leaving the kernel is not reported as sleeping
        boolean idle = sleeps
                ? WorkerState.waitsForWork(java)
                : WorkerState.of(Thread.State.RUNNABLE, java) == WorkerState.IDLE;
        if (millis > 0 && !idle) {
            Optional<String> pool = sleeps ? WorkerState.pool(java) : Optional.empty();
            add(e, Profile.Kind.WALL, millis, pool.map(p -> "[waits: a connection or object of " + p + "]"));
        }
    }

    /** Milliseconds of a span, which begins at {@code start}, that lie between two instants. */
    static double within(Instant start, double millis, Instant from, Instant to) {
        double begin = Math.max(0, millis(start, from));
        double end = Math.min(millis, millis(start, to));
        return Math.max(0, end - begin);
    }

    private static double millis(Instant from, Instant to) {
        return from.equals(Instant.MIN)
                ? Double.MAX_VALUE
                : Duration.between(from, to).toNanos() / NANOS_A_MILLI;
    }

    /**
     * Of waits shorter than the interval only some are recorded, with a probability in proportion to their length; each
     * then stands for one interval.
     */
    private void waited(RecordedEvent e, String forWhat) {
        double millis = Math.max(e.getDuration().toNanos() / NANOS_A_MILLI, AsyncRecording.LOCK_MILLIS);
        add(
                e,
                Profile.Kind.LOCK,
                millis,
                Optional.of("[waits: " + forWhat + ", in " + RecordingReader.caller(e) + "]"));
    }

    private void allocated(RecordedEvent e, double bytes) {
        add(e, Profile.Kind.ALLOC, bytes, Optional.of("[" + RecordingReader.className(e, "objectClass") + "]"));
    }

    private void add(RecordedEvent e, Profile.Kind kind, double weight, Optional<String> innermost) {
        Profile.Builder profile = profiles.get(kind);
        @Nullable RecordedStackTrace stack = e.getStackTrace();
        if (profile != null && stack != null) {
            var names = new ArrayList<String>();
            for (RecordedFrame f : stack.getFrames().reversed()) {
                names.add(name(f));
            }
            innermost.ifPresent(names::add);
            profile.add(names, weight);
        }
    }

    private static String name(RecordedFrame f) {
        RecordedMethod m = f.getMethod();
        return switch (f.getType()) {
            case "Kernel" -> m.getName() + " [kernel]";
            case "Native", "C++" -> m.getName() + library(m.getType().getName());
            default -> RecordingReader.name(m);
        };
    }

    /** {@code  [libjvm]} for {@code libjvm.so}; nothing if it is unknown. */
    private static String library(String file) {
        return file.isEmpty() ? "" : " [" + file.replaceAll("\\.so.*", "") + "]";
    }
}
