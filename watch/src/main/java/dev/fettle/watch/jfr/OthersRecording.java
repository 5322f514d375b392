package dev.fettle.watch.jfr;

import dev.fettle.model.text.Format;
import dev.fettle.model.text.NamedFile;
import dev.fettle.model.trial.Profile;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.Timeline;
import dev.fettle.watch.jvm.RecordedThreads;
import dev.fettle.watch.jvm.SeenThread;
import dev.fettle.watch.signal.TimelineRecorder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import jdk.jfr.EventType;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordedThread;
import jdk.jfr.consumer.RecordingFile;
import org.jspecify.annotations.Nullable;

/**
 * A flight recording that others made, as what a watch of Fettle's would have seen: of JDK 8u262 to 25, or of async-profiler. It is read event by
 * event in bounded memory; what its settings left out is not observed.
 */
public final class OthersRecording {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double SHORT_PERIOD_MILLIS = 20;

    /** Frames of a stack that are kept. */
    private static final int DEPTH = 160;

    /** Stacks that are kept made, as most events share theirs. */
    private static final int MOST_STACKS = 20_000;

    /** The innermost frames of such waits, which recorders leave out or not, from version to version. */
    private static final Map<String, StackTraceElement> INNERMOST = Map.of(
            "jdk.ThreadSleep", frame("java.lang.Thread", "sleep"),
            "jdk.SocketRead", frame("sun.nio.ch.SocketDispatcher", "read0"),
            "jdk.SocketWrite", frame("sun.nio.ch.SocketDispatcher", "write0"),
            "jdk.FileRead", frame("java.io.FileInputStream", "readBytes"),
            "jdk.FileWrite", frame("java.io.FileOutputStream", "writeBytes"),
            "jdk.FileForce", frame("java.io.FileOutputStream", "writeBytes"));

    /** Stands for the frames that a recorder left out of a worker's stack. */
    private static final StackTraceElement CUT_OFF = frame(RecordingReader.CUT_OFF, "worker");

    private static final Set<Profile.Kind> KINDS = EnumSet.of(Profile.Kind.CPU, Profile.Kind.LOCK, Profile.Kind.ALLOC);

    /** What has to be recorded for it to be known what a thread does that has no event. */
    private static final List<String> WAITS = List.of(
            "jdk.JavaMonitorEnter",
            "jdk.JavaMonitorWait",
            "jdk.ThreadPark",
            "jdk.ThreadSleep",
            "jdk.SocketRead",
            "jdk.ExecutionSample");

    private final Instant from;
    private final Instant to;
    private final TimelineRecorder out;
    private final RecordedFigures figures;
    private final RecordedLooks looks;
    private final RecordingReader reader;
    private final AsyncReader profiler;
    private final boolean ofProfiler;

    private final Map<Long, String> types = new HashMap<>();
    private final Set<String> on = new HashSet<>();
    private final Map<String, Double> thresholds = new HashMap<>();
    private final Map<RecordedStackTrace, StackTraceElement[]> stacks = new HashMap<>();
    private double sampleMillis = SHORT_PERIOD_MILLIS;
    private double profilerMillis = AsyncRecording.CPU_MILLIS;
    private double wallMillis = AsyncRecording.WALL_MILLIS;
    private String jvm = "";
    private Optional<Sighting> deadlock = Optional.empty();
    private boolean wall;

    /** Events of workers that are virtual threads, and of others. */
    private long virtual;

    private long platform;
    private long events;
    private long unread;

    /**
     * What a recording holds.
     *
     * @param by what recorded it: {@code JDK 21.0.4}, {@code async-profiler 4.1}; blank if it does not say
     * @param from its beginning, or that of the part that was asked for
     * @param to its end
     * @param notes what it lacks, in a few words each
     * @param timeline its figures, sightings and threads
     * @param profiles those of its samples that have any
     */
    public record Recorded(
            String by, Instant from, Instant to, List<String> notes, Timeline timeline, List<Profile> profiles) {
        public Recorded {
            notes = List.copyOf(notes);
            profiles = List.copyOf(profiles);
        }
    }

    private OthersRecording(Instant from, Instant to, List<EventType> eventTypes) {
        this.from = from;
        this.to = to;
        long nanos = Math.max(1, Duration.between(from, to).toNanos());
        long step = Math.max(500, nanos / 1_000_000 / Timeline.MOST_POINTS + 1);
        out = new TimelineRecorder(step, () -> 0);
        out.measuringBegins();
        figures = new RecordedFigures(out, nanos, step * 1_000_000);
        looks = new RecordedLooks(nanos);
        reader = new RecordingReader(KINDS, from, to, RecordedThreads::isWorker);
        profiler = new AsyncReader(KINDS, from, to, RecordedThreads::isWorker);
        eventTypes.forEach(t -> types.put(t.getId(), t.getName()));
        ofProfiler = eventTypes.stream().anyMatch(t -> t.getName().startsWith("profiler."));
    }

    /** Whether a file is a flight recording, of any version. */
    public static boolean is(Path file) {
        try (InputStream in = NamedFile.open(file)) {
            byte[] head = in.readNBytes(RecordingParts.MAGIC.length());
            return new String(head, StandardCharsets.ISO_8859_1).equals(RecordingParts.MAGIC);
        } catch (IOException e) {
            return false; // missing, a folder, or not to be read
        }
    }

    /**
     * When a recording began.
     *
     * @throws IOException if it can't be read
     */
    public static Instant started(Path file) throws IOException {
        return RecordingParts.of(file).from();
    }

    /**
     * Reads a recording, or a part of it.
     *
     * @param from what ended before is left out
     * @param to what began later is left out
     * @throws IOException if it can't be read; the message says why
     */
    public static Recorded read(Path file, Instant from, Instant to) throws IOException {
        RecordingParts parts = RecordingParts.of(file);
        Instant begin = from.isAfter(parts.from()) ? from : parts.from();
        Instant end = to.isBefore(parts.to()) ? to : parts.to();
        if (!begin.isBefore(end)) {
            throw new IOException("it has nothing of that time: it is from "
                    + parts.from().truncatedTo(ChronoUnit.SECONDS) + " to "
                    + parts.to().truncatedTo(ChronoUnit.SECONDS));
        }
        boolean cut = parts.cut();
        OthersRecording it;
        try (var recording = new RecordingFile(file)) {
            it = new OthersRecording(begin, end, parts.cut() ? List.of() : recording.readEventTypes());
            cut |= !it.take(recording);
        } catch (IOException | RuntimeException | VirtualMachineError e) {
            throw new IOException("its events are damaged and can't be read", e);
        }
        return it.recorded(cut);
    }

    /** Takes all events up to the end, or up to where it is damaged; false if it is. */
    private boolean take(RecordingFile recording) throws IOException {
        try {
            while (recording.hasMoreEvents()) {
                take(recording.readEvent());
            }
            return true;
        } catch (IOException | RuntimeException | VirtualMachineError e) {
            if (events == 0) {
                throw e;
            }
            return false;
        }
    }

    private void take(RecordedEvent e) {
        events++;
        try {
            add(e);
        } catch (IllegalArgumentException | ClassCastException x) {
            unread++; // another version has another field of this name, or none
        }
    }

    private long nanos(Instant at) {
        return Duration.between(from, at).toNanos();
    }

    private void add(RecordedEvent e) {
        String type = e.getEventType().getName();
        switch (type) {
            case "jdk.ActiveSetting" -> setting(e);
            case "jdk.JVMInformation" -> jvm = version(EventFields.text(e, "jvmVersion"));
            default -> {}
        }
        if (e.getStartTime().isAfter(to) || e.getEndTime().isBefore(from)) {
            return;
        }
        figures.add(type, nanos(e.getStartTime()), e);
        threads(type, e);
        if (ofProfiler) {
            profiler.add(e);
        } else {
            reader.add(e);
        }
    }

    private void setting(RecordedEvent e) {
        String event = types.getOrDefault((long) EventFields.number(e, "id"), "");
        String name = EventFields.text(e, "name");
        String value = EventFields.text(e, "value");
        if (ofProfiler) {
            profiler.add(e);
            double nanos = number(value);
            if (name.equals("interval") && nanos > 0) {
                profilerMillis = nanos / NANOS_PER_MILLI;
            } else if (name.equals("wall") && nanos > 0) {
                wallMillis = nanos / NANOS_PER_MILLI;
            }
            return;
        }
        switch (name) {
            case "enabled" -> {
                if (value.equals("true")) {
                    on.add(event);
                }
            }
            case "threshold" -> millis(value).ifPresent(v -> thresholds.merge(event, v, Math::min));
            case "period" ->
                millis(value).filter(v -> v > 0).ifPresent(v -> {
                    figures.period(event, v);
                    if (event.equals("jdk.ExecutionSample")) {
                        sampleMillis = v;
                        looks.sampledEvery(v);
                    }
                });
            default -> {}
        }
    }

    private static double number(String text) {
        return !text.isEmpty() && text.length() < 16 && text.chars().allMatch(Character::isDigit)
                ? Long.parseLong(text)
                : -1;
    }

    /** {@code 20 ms}, as settings have it; empty for {@code everyChunk}. */
    private static Optional<Double> millis(String text) {
        int blank = text.indexOf(' ');
        double n = number(blank < 0 ? text : text.substring(0, blank));
        String unit = blank < 0 ? "" : text.substring(blank + 1).strip().toLowerCase(Locale.ROOT);
        double factor = switch (unit) {
            case "ns" -> 1 / NANOS_PER_MILLI;
            case "us" -> 1e-3;
            case "ms" -> 1;
            case "s" -> 1e3;
            case "m" -> 60e3;
            case "h" -> 3600e3;
            default -> -1;
        };
        return n < 0 || factor < 0 ? Optional.empty() : Optional.of(n * factor);
    }

    /** {@code 17.0.9+9} of {@code OpenJDK 64-Bit Server VM (17.0.9+9) for linux-amd64 JRE …}. */
    private static String version(String text) {
        int open = text.indexOf('(');
        int close = text.indexOf(')', open + 1);
        return open < 0 || close < 0 ? "" : text.substring(open + 1, close);
    }

    // ---- what threads do
    // ---------------------------------------------------------------------------------------------

    private void threads(String type, RecordedEvent e) {
        switch (type) {
            case "jdk.JavaMonitorEnter" -> waited(e, Thread.State.BLOCKED, "monitorClass");
            case "jdk.JavaMonitorWait" -> waited(e, Thread.State.WAITING, "monitorClass");
            case "jdk.ThreadPark" -> waited(e, Thread.State.WAITING, "parkedClass");
            case "jdk.ThreadSleep" -> waited(e, Thread.State.TIMED_WAITING, "");
            case "jdk.SocketRead", "jdk.SocketWrite", "jdk.FileRead", "jdk.FileWrite", "jdk.FileForce" ->
                waited(e, Thread.State.RUNNABLE, "");
            case "jdk.ExecutionSample" -> {
                sampled(e, 0);
                if (!ofProfiler) {
                    figures.ran(nanos(e.getStartTime()));
                }
            }
            case "jdk.NativeMethodSample", "jdk.CPUTimeSample" -> sampled(e, 0);
            case "profiler.WallClockSample" -> sampled(e, Math.max(1, EventFields.number(e, "samples")) * wallMillis);
            case "jdk.ThreadDump" -> dump(nanos(e.getStartTime()), EventFields.text(e, "result"));
            default -> {}
        }
    }

    private void dump(long at, String text) {
        looks.dump(at, text);
        Optional<Sighting> found = RecordedThreads.deadlock(text);
        out.valueAt(Signals.THREADS_DEADLOCKED, at, found.map(Sighting::count).orElse(0.0));
        if (found.isPresent()) {
            deadlock = found;
        }
    }

    private void waited(RecordedEvent e, Thread.State state, String lock) {
        long begin = nanos(e.getStartTime());
        long end = nanos(e.getEndTime());
        @Nullable RecordedThread thread = e.getThread();
        if (thread == null || !looks.isWithin(begin, end)) {
            return;
        }
        String name = EventFields.name(thread);
        count(thread, name);
        StackTraceElement[] stack = stack(e, name);
        if (stack.length == 0) {
            return;
        }
        @Nullable StackTraceElement innermost = INNERMOST.get(e.getEventType().getName());
        if (innermost != null) {
            stack = with(innermost, stack);
        }
        long owner = state == Thread.State.BLOCKED
                ? EventFields.thread(e, "previousOwner")
                        .map(RecordedThread::getId)
                        .orElse(-1L)
                : -1;
        looks.waited(
                begin,
                end,
                new SeenThread(
                        thread.getId(),
                        name,
                        state,
                        lock.isEmpty() ? "" : EventFields.lock(e, lock),
                        owner,
                        Math.max(1, begin), // another wait at the same place began at another time
                        stack));
    }

    private static StackTraceElement frame(String type, String method) {
        return new StackTraceElement(type, method, null, -1);
    }

    private static StackTraceElement[] with(StackTraceElement innermost, StackTraceElement[] stack) {
        var all = new StackTraceElement[stack.length + 1];
        all[0] = innermost;
        System.arraycopy(stack, 0, all, 1, stack.length);
        return all;
    }

    /** @param millis how long it lasts; 0 for a moment */
    private void sampled(RecordedEvent e, double millis) {
        @Nullable
        RecordedThread thread = EventFields.thread(e, "sampledThread")
                .or(() -> Optional.ofNullable(e.getThread()))
                .orElse(null);
        long at = nanos(e.getStartTime());
        if (thread == null) {
            return;
        }
        String name = EventFields.name(thread);
        count(thread, name);
        StackTraceElement[] stack = stack(e, name);
        if (stack.length == 0) {
            return;
        }
        wall |= millis > 0;
        boolean asleep = EventFields.text(e, "state").equals("STATE_SLEEPING");
        wall |= asleep;
        var seen =
                new SeenThread(thread.getId(), name, asleep ? asleep(e, stack) : Thread.State.RUNNABLE, "", -1, stack);
        if (millis > 0) {
            looks.waited(at, at + (long) (millis * NANOS_PER_MILLI), seen);
        } else {
            looks.sampled(at, seen);
        }
    }

    /** The state of a thread that the kernel has asleep, by its frames. */
    private static Thread.State asleep(RecordedEvent e, StackTraceElement[] stack) {
        String top = stack[0].getClassName();
        if (top.endsWith(".Unsafe") || top.equals("java.lang.Object") || top.equals("java.lang.Thread")) {
            return Thread.State.WAITING;
        }
        @Nullable RecordedStackTrace all = e.getStackTrace();
        boolean monitor = all != null
                && all.getFrames().stream()
                        .filter(f -> !f.isJavaFrame())
                        .anyMatch(f -> f.getMethod().getName().contains("ObjectMonitor::"));
        return monitor ? Thread.State.BLOCKED : Thread.State.RUNNABLE;
    }

    private void count(RecordedThread thread, String name) {
        if (thread.isVirtual()) {
            virtual++;
        } else if (RecordedThreads.isWorker(name)) {
            platform++;
        }
    }

    /** Its Java frames, the innermost first. */
    private StackTraceElement[] stack(RecordedEvent e, String thread) {
        @Nullable RecordedStackTrace trace = e.getStackTrace();
        if (trace == null) {
            return new StackTraceElement[0];
        }
        if (stacks.size() > MOST_STACKS) {
            stacks.clear();
        }
        StackTraceElement[] made = stacks.computeIfAbsent(trace, OthersRecording::elements);
        if (trace.isTruncated() && RecordedThreads.isWorker(thread)) {
            var all = new StackTraceElement[made.length + 1];
            System.arraycopy(made, 0, all, 0, made.length);
            all[made.length] = CUT_OFF;
            return all;
        }
        return made;
    }

    private static StackTraceElement[] elements(RecordedStackTrace trace) {
        return trace.getFrames().stream()
                .filter(RecordedFrame::isJavaFrame)
                .limit(DEPTH)
                .map(f -> new StackTraceElement(
                        RecordingReader.plain(f.getMethod().getType().getName()),
                        f.getMethod().getName(),
                        null,
                        f.getLineNumber() > 0 ? f.getLineNumber() : -1))
                .toArray(StackTraceElement[]::new);
    }

    // ---- what came of it
    // -----------------------------------------------------------------------------------------------

    private boolean isOn(String event) {
        return on.contains(event);
    }

    private Recorded recorded(boolean cut) {
        figures.finish(on::contains, sampleMillis);
        List<String> missing = missing();
        RecordedLooks.Result seen = missing.isEmpty() ? looks.result(out) : looks.ofDumps();
        double seconds = Duration.between(from, to).toMillis() / 1e3;
        RecordingReader.Recorded summed = reader.recorded(seconds);
        String by = ofProfiler ? "async-profiler " + profiler.version() : jvm.isEmpty() ? "" : "JDK " + jvm;
        var notes = new ArrayList<String>();
        if (cut) {
            notes.add("its last part is not complete, and was left out");
        }
        if (unread > 0) {
            notes.add(unread + " of its events have other fields than are known, and were left out");
        }
        if (!missing.isEmpty()) {
            notes.add("not recorded: " + String.join(", ", missing));
            waitsNotObserved("not all that threads may wait for was recorded: " + String.join(", ", missing));
        } else if (!seen.workersSeen()) {
            waitsNotObserved("no event of a worker thread of a known server is in the recording");
        } else if (!ofProfiler) {
            shortest(notes, seen.untold());
        }
        Timeline all = out.timeline();
        var sightings = new ArrayList<Sighting>(seen.sightings());
        sightings.addAll(summed.sightings());
        deadlock.ifPresent(sightings::add);
        return new Recorded(
                by.strip(),
                from,
                to,
                notes,
                all.withSightings(sightings).withThreads(seen.threads()),
                profiles(summed, seconds));
    }

    private void waitsNotObserved(String why) {
        out.notObserved("wait.*", why);
        out.notObserved(Signals.WORKERS_BUSY, why);
    }

    /** The kinds of what threads do that were not recorded. */
    private List<String> missing() {
        if (ofProfiler) {
            return wall ? List.of() : List.of("threads that wait (async-profiler -e wall)");
        }
        if (virtual > platform) {
            return List.of("what virtual threads park for, which no JVM records");
        }
        return WAITS.stream()
                .filter(w -> !isOn(w) && !(w.equals("jdk.ExecutionSample") && isOn("jdk.CPUTimeSample")))
                .map(w -> w.substring("jdk.".length()))
                .toList();
    }

    private void shortest(List<String> notes, double untold) {
        double least = WAITS.stream()
                .filter(this::isOn)
                .mapToDouble(w -> thresholds.getOrDefault(w, 0.0))
                .max()
                .orElse(0);
        if (least > 0) {
            notes.add("waits shorter than " + Format.seconds(least / 1e3) + " are not in it: for "
                    + Math.round(100 * untold) + " % of the workers' time it does not say what they did");
        }
    }

    private List<Profile> profiles(RecordingReader.Recorded summed, double seconds) {
        if (ofProfiler) {
            double factor = profilerMillis / AsyncRecording.CPU_MILLIS;
            return profiler.profiles(seconds).stream()
                    .filter(p -> !p.isEmpty())
                    .map(p -> p.kind() == Profile.Kind.CPU
                            ? p.scaled(
                                    factor,
                                    "async-profiler " + profiler.version() + ": CPU time, sampled every "
                                            + Format.seconds(profilerMillis / 1e3) + " of it")
                            : p.scaled(1, "async-profiler " + profiler.version()))
                    .toList();
        }
        double factor = sampleMillis / RecordingSettings.SAMPLE_MILLIS;
        return summed.profiles().stream()
                .filter(p -> !p.isEmpty())
                .map(p -> p.kind() == Profile.Kind.CPU
                        ? p.scaled(
                                factor,
                                "Java Flight Recorder: running Java code, sampled every "
                                        + Format.seconds(sampleMillis / 1e3))
                        : p.scaled(1, "Java Flight Recorder: what is long enough for its settings"))
                .toList();
    }
}
