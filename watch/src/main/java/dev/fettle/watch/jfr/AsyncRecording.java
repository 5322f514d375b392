package dev.fettle.watch.jfr;

import dev.fettle.model.trial.Profile;
import dev.fettle.watch.jvm.NoAnswerException;
import dev.fettle.watch.jvm.RunningJvm;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;

/**
 * A profile that async-profiler takes inside another JVM. It sees what the JVM's own recorder can't: code of the kernel
 * and of the JVM, and threads between two safepoints. Closing this stops it; its library stays in the process until the
 * process ends.
 */
public final class AsyncRecording implements AutoCloseable {
    /** CPU time between two samples. */
    static final int CPU_MILLIS = 10;

    /** Time between two samples of each thread, running or not. */
    static final int WALL_MILLIS = 20;

    /** Lock waiting time, over all threads, that one sample stands for. */
    static final int LOCK_MILLIS = 1;

    /** Allocated bytes that one sample stands for. */
    static final long ALLOC_BYTES = 512 << 10;

    /** Then it stops by itself, whatever happens to Fettle. */
    private static final int LONGEST_SECONDS = 3600;

    /** Without the JVM's arguments and its system properties, which may hold passwords. */
    private static final int NO_SYSTEM_INFO = 1;

    private static final int NO_SYSTEM_PROPERTIES = 2;

    private final long pid;
    private final Path library;
    private final Path file;
    private final Path log;
    private final Set<Profile.Kind> kinds;
    private final long begun = System.nanoTime();
    private boolean open = true;
    private boolean endedItself;
    private boolean gone;

    private AsyncRecording(long pid, Path library, Path file, Path log, Set<Profile.Kind> kinds) {
        this.pid = pid;
        this.library = library;
        this.file = file;
        this.log = log;
        this.kinds = kinds;
    }

    /**
     * Starts one.
     *
     * @param kinds at least one
     * @param file written by the JVM
     * @throws IOException if it can't run there; the message says why
     */
    public static AsyncRecording start(long pid, Set<Profile.Kind> kinds, Path file) throws IOException {
        return start(pid, kinds, file, System.getenv());
    }

    /**
     * The same, with a given environment.
     *
     * @param environment of this process: says where the user's cache folder is
     */
    public static AsyncRecording start(long pid, Set<Profile.Kind> kinds, Path file, Map<String, String> environment)
            throws IOException {
        Path library = ProfilerLibrary.unpack(environment);
        check(pid, library);
        Path whole = file.toAbsolutePath();
        if (whole.toString().contains(",")) {
            throw new IOException("it takes no file with a comma in its name: " + whole);
        }
        Path log = whole.resolveSibling(whole.getFileName() + ".log");
        var it = new AsyncRecording(pid, library, whole, log, Set.copyOf(kinds));
        try {
            it.tell("start," + events(kinds) + ",timeout=" + LONGEST_SECONDS + ",jfropts="
                    + (NO_SYSTEM_INFO | NO_SYSTEM_PROPERTIES));
        } catch (NoAnswerException e) {
            if (Files.exists(whole)) {
                it.close(); // the file shows that it has started; if it starts later, it ends by itself
            }
            throw e;
        }
        return it;
    }

    /** The events to sample. */
    static String events(Set<Profile.Kind> kinds) {
        var all = new StringJoiner(",");
        if (kinds.contains(Profile.Kind.CPU)) {
            all.add("event=cpu,interval=" + CPU_MILLIS + "ms");
        }
        if (kinds.contains(Profile.Kind.WALL)) {
            all.add("wall=" + WALL_MILLIS + "ms");
        }
        if (kinds.contains(Profile.Kind.LOCK)) {
            all.add("lock=" + LOCK_MILLIS + "ms");
        }
        if (kinds.contains(Profile.Kind.ALLOC)) {
            all.add("alloc=" + ALLOC_BYTES);
        }
        return all.toString();
    }

    /**
     * Two copies in one process take each other's signals, and a process in a container sees other files; both are
     * refused.
     */
    private static void check(long pid, Path library) throws IOException {
        Path proc = Path.of("/proc", Long.toString(pid));
        boolean another = Files.readString(proc.resolve("maps"), StandardCharsets.ISO_8859_1)
                .lines()
                .filter(l -> l.contains(ProfilerLibrary.NAME))
                .anyMatch(l -> !l.endsWith(library.toString()));
        if (another) {
            throw new IOException("another copy of it is loaded there already, which somebody may be using");
        }
        if (!Files.readSymbolicLink(proc.resolve("ns/mnt"))
                .equals(Files.readSymbolicLink(Path.of("/proc/self/ns/mnt")))) {
            throw new IOException("the process is in a container, where Fettle's files are not seen");
        }
    }

    /**
     * Stops one that a Fettle which is gone has left in a process, unless it is over.
     *
     * @param file into which it records; whole afterwards
     * @return whether it was there
     * @throws IOException if the process does not answer
     */
    public static boolean stopLeft(long pid, Path file) throws IOException {
        Path library = ProfilerLibrary.unpack(System.getenv());
        if (!isLoaded(pid, library)) {
            return false;
        }
        var left = new AsyncRecording(
                pid, library, file.toAbsolutePath(), file.resolveSibling(file.getFileName() + ".log"), Set.of());
        try {
            left.tell("stop");
            left.keepPrivate();
            return true;
        } catch (IOException e) {
            if (hadNothingToStop(e)) {
                return false;
            }
            throw e;
        }
    }

    /** Whether the library was asked, and refused: it refuses to stop only what does not run. */
    private static boolean hadNothingToStop(IOException e) {
        return e.getCause() instanceof IOException refused && RunningJvm.refusedByAgent(refused);
    }

    private static boolean isLoaded(long pid, Path library) throws IOException {
        try (var maps = Files.lines(Path.of("/proc", Long.toString(pid), "maps"), StandardCharsets.ISO_8859_1)) {
            return maps.anyMatch(l -> l.endsWith(library.toString()));
        }
    }

    private void tell(String command) throws IOException {
        try {
            RunningJvm.loadNative(pid, library, command + ",jfr,file=" + file + ",log=" + log);
        } catch (NoAnswerException e) {
            throw e;
        } catch (IOException e) {
            throw new IOException(e.getMessage() + said(), e);
        } finally {
            Files.deleteIfExists(log);
        }
    }

    /** What it logged when it refused to start. */
    private String said() throws IOException {
        return Files.exists(log)
                ? Files.readString(log, StandardCharsets.ISO_8859_1)
                        .lines()
                        .filter(l -> l.contains("[ERROR]"))
                        .findFirst()
                        .map(l -> " (" + l.replace("[ERROR]", "").strip() + ")")
                        .orElse("")
                : "";
    }

    /** The kinds that it profiles. */
    public Set<Profile.Kind> kinds() {
        return kinds;
    }

    /**
     * Stops it.
     *
     * @return the complete file
     * @throws IOException if the JVM does not answer, or has ended
     */
    public Path stop() throws IOException {
        if (open) {
            open = false;
            try {
                tell("stop");
                gone = true;
            } catch (IOException e) {
                gone = hadNothingToStop(e);
                if (System.nanoTime() - begun < LONGEST_SECONDS * 1_000_000_000L || !Files.exists(file)) {
                    throw e;
                }
                endedItself = true; // and wrote its file
            }
            keepPrivate();
        }
        return file;
    }

    private void keepPrivate() throws IOException {
        if (Files.exists(file)) {
            Files.setPosixFilePermissions(file, FlightRecording.OWNER);
        }
    }

    /** Whether it had stopped by itself when it was to be stopped, since it had run for its longest time. */
    public boolean endedItself() {
        return endedItself;
    }

    /** Whether it runs no more, as far as the process answered. */
    public boolean isGone() {
        return gone;
    }

    @Override
    public void close() {
        try {
            stop();
        } catch (IOException e) {
            return; // the JVM has ended, and the profile with it
        }
    }
}
