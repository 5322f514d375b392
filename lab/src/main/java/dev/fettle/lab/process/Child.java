package dev.fettle.lab.process;

import dev.fettle.lab.machine.DiskSpace;
import dev.fettle.lab.machine.Folders;
import dev.fettle.lab.machine.LabException;
import dev.fettle.model.text.CpuList;
import dev.fettle.model.text.OneLine;
import dev.fettle.watch.host.Proc;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A process started by Fettle, in its own process group under a guard that ends the group when Fettle is gone, even by
 * {@code kill -9}, and whatever has left the group. Its output goes to a log file.
 */
public final class Child implements AutoCloseable {
    private static final Duration GUARD_BOUND = Duration.ofSeconds(30);

    private static final Duration GRACE = Duration.ofSeconds(4);
    private static final Pattern STACK_FRAME = Pattern.compile("\\s+(at .*|\\.\\.\\. \\d+ more)");
    /** 128 + SIGKILL. */
    private static final int KILLED = 137;

    /** The end of the name of a child's marker, which lies next to its log in a trial's folder, or in the run's. */
    private static final String MARKER = ".pid";

    private static final int MARKERS_WITHIN = 3;

    private static final Pattern ID = Pattern.compile("[0-9a-f-]{36}");

    private static final int TAIL_BYTES = 64 * 1024;

    private final Process guard;
    private final Path log;
    private final LogLines lines;
    private final OrphanCleanup strays;
    private final String what;
    private final GivenSecrets secrets;
    private final LogBound bounded;
    private final long started = System.nanoTime();
    private final StartBound bound = new StartBound();
    private long pid = -1;

    /** Its exit code when Fettle began to end it; inner empty if it was still up; outer empty before that. */
    private Optional<OptionalInt> atClose = Optional.empty();

    private Child(Process guard, Path log, OrphanCleanup strays, String what, GivenSecrets secrets) {
        this.guard = guard;
        this.log = log;
        this.bounded = LogBound.of(log, LogBound.MOST, DiskSpace.system());
        this.lines = new LogLines(log, CrashOutput.TEXTS);
        this.strays = strays;
        this.what = what;
        this.secrets = secrets;
    }

    /**
     * Starts a command.
     *
     * @param what its name in messages: "target", "backend"
     * @param command argument list, not interpreted by a shell
     * @param cpus CPUs to pin it to
     * @param log receives standard output and error
     */
    public static Child start(
            String what,
            List<String> command,
            Map<String, String> environment,
            Path folder,
            Path log,
            Set<Integer> cpus)
            throws LabException, InterruptedException {
        return start(what, command, environment, List.of(), folder, log, cpus);
    }

    /**
     * As above.
     *
     * @param told what it reads from a file, {@code name=value}, whose secrets it must not repeat either
     */
    public static Child start(
            String what,
            List<String> command,
            Map<String, String> environment,
            List<String> told,
            Path folder,
            Path log,
            Set<Integer> cpus)
            throws LabException, InterruptedException {
        var full = new ArrayList<String>();
        Path marker = log.toAbsolutePath().resolveSibling(log.getFileName() + MARKER);
        var strays = new OrphanCleanup(new Proc(), UUID.randomUUID().toString(), marker);
        full.addAll(List.of("setsid", "sh", guardScript(folder).toString(), marker.toString(), strays.id()));
        if (!cpus.isEmpty()) {
            full.addAll(List.of("taskset", "-c", CpuList.text(cpus)));
        }
        full.addAll(command);
        try {
            Files.deleteIfExists(marker); // of the one before with the same log
            Folders.writePrivate(log, new byte[0]); // it may say what it was given
            var builder = new ProcessBuilder(full)
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile());
            CallersLocale.restore(builder.environment());
            builder.environment().putAll(environment);
            var given = Stream.concat(command.stream(), told.stream()).toList();
            var child = new Child(builder.start(), log, strays, what, GivenSecrets.of(given, environment));
            try {
                child.awaitPid();
            } catch (InterruptedException e) {
                child.close();
                throw e;
            }
            return child;
        } catch (IOException e) {
            throw new LabException("cannot start the " + what + ": " + e.getMessage(), e);
        }
    }

    /**
     * Ends what commands of a run that was killed have left running: daemons of commands that had ended before, and so had no guard any more.
     *
     * @param runFolder of the run, which nobody may be going on with
     * @return how many they were
     */
    public static int endLeftBehind(Path runFolder) throws LabException, InterruptedException {
        int ended = 0;
        for (Path marker : markers(runFolder)) {
            Optional<String> id =
                    lines(marker).skip(1).findFirst().filter(i -> ID.matcher(i).matches());
            var strays = new OrphanCleanup(
                    new Proc(), id.orElseGet(() -> UUID.randomUUID().toString()), marker);
            ended += strays.end();
        }
        return ended;
    }

    private static List<Path> markers(Path runFolder) throws LabException {
        var markers = new ArrayList<Path>();
        if (!Files.isDirectory(runFolder)) {
            return markers;
        }
        try {
            Files.walkFileTree(runFolder, Set.of(), MARKERS_WITHIN, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    // a link may lead to what any process holds open
                    if (attributes.isRegularFile()
                            && file.getFileName().toString().endsWith(MARKER)) {
                        markers.add(file);
                    }
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFileFailed(Path file, IOException e) {
                    return FileVisitResult.CONTINUE; // what a hook left there may be another user's
                }
            });
        } catch (IOException e) {
            throw new LabException("cannot read " + runFolder + ": " + e.getMessage(), e);
        }
        return markers;
    }

    private static Path guardScript(Path folder) throws LabException {
        Path script = folder.resolve("guard-4.sh"); // an older Fettle's takes or writes other things
        try (InputStream in = Child.class.getResourceAsStream("/dev/fettle/lab/guard.sh")) {
            if (in == null) {
                throw new IllegalStateException("guard.sh is missing from the class path");
            }
            byte[] text = in.readAllBytes();
            if (!Files.exists(script)
                    || !Arrays.equals(Files.readAllBytes(script), text)) { // a power cut leaves it empty
                Folders.replace(script, text);
            }
            return script;
        } catch (IOException e) {
            throw new LabException("cannot write " + script + ": " + e.getMessage(), e);
        }
    }

    /** The guard writes it into the marker: the log may be full of other things by now. */
    private void awaitPid() throws InterruptedException, LabException {
        while (true) {
            boolean over = !guard.isAlive() || age().compareTo(GUARD_BOUND) > 0;
            Optional<String> line = lines(strays.marker()).findFirst();
            if (line.isPresent()) {
                pid = Long.parseLong(line.get());
                return;
            }
            if (over) {
                String said = tail(5);
                close();
                throw new LabException("cannot start the " + what + (said.isBlank() ? "" : ": " + said));
            }
            Thread.sleep(5);
        }
    }

    /** The whole lines of a marker; none if it is not there yet. */
    private static Stream<String> lines(Path marker) {
        try {
            String text = Files.readString(marker);
            return text.substring(0, text.lastIndexOf('\n') + 1).lines();
        } catch (IOException e) {
            return Stream.empty();
        }
    }

    /** The pid of the process itself, below the guard. */
    public long pid() {
        return pid;
    }

    /** The pid of the JVM: the process itself, or, if it is a script, the first {@code java} below it. */
    public long jvmPid() {
        return ProcessHandle.of(pid).stream()
                .flatMap(p -> Stream.concat(Stream.of(p), p.descendants()))
                .filter(p -> p.info().command().map(c -> c.endsWith("/java")).orElse(false))
                .mapToLong(ProcessHandle::pid)
                .findFirst()
                .orElse(pid);
    }

    /** Time since it started. */
    public Duration age() {
        return Duration.ofNanos(System.nanoTime() - started);
    }

    /** Whether it has had long enough to get ready. */
    public boolean overdue() {
        return bound.over(age(), this::cpuTime);
    }

    private Duration cpuTime() {
        return ProcessHandle.of(pid).stream()
                .flatMap(p -> Stream.concat(Stream.of(p), p.descendants()))
                .flatMap(p -> p.info().totalCpuDuration().stream())
                .reduce(Duration.ZERO, Duration::plus);
    }

    public boolean alive() {
        return guard.isAlive();
    }

    /** The exit code, once it has ended; 128 + the number for a signal. */
    public OptionalInt exitCode() {
        return guard.isAlive() ? OptionalInt.empty() : OptionalInt.of(guard.exitValue());
    }

    /**
     * Whether another process killed it, as the kernel does when memory runs out. Fettle itself kills one that won't
     * end.
     */
    public boolean killed() {
        return atClose.orElseGet(this::exitCode).orElse(0) == KILLED;
    }

    /** Waits for the end. */
    public boolean awaitEnd(Duration max) throws InterruptedException {
        return guard.waitFor(max.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * Waits for an output line that starts with one of the prefixes, by which it says that it is ready; empty if it ended without
     * one or is {@link #overdue}.
     */
    public Optional<String> awaitReady(String... prefixes) throws InterruptedException {
        while (true) {
            boolean ended = !guard.isAlive();
            Optional<String> line = Stream.of(prefixes)
                    .flatMap(p -> lines.startingWith(p, ended).stream())
                    .min(Comparator.comparingLong(LogLines.Line::at))
                    .map(LogLines.Line::text);
            if (line.isPresent() || ended || overdue()) {
                return line;
            }
            Thread.sleep(5);
        }
    }

    /** The end of the output. */
    private String output() {
        try {
            String text = LogEnd.of(log, TAIL_BYTES);
            int lastNewline = text.lastIndexOf('\n');
            return lastNewline < 0 && guard.isAlive()
                    ? ""
                    : guard.isAlive() ? text.substring(0, lastNewline + 1) : text;
        } catch (IOException e) {
            return "";
        }
    }

    /**
     * The output from its beginning, with whatever secrets it has.
     *
     * @param most bytes that are read
     */
    public String whole(int most) throws IOException {
        try (InputStream in = Files.newInputStream(log)) {
            return new String(in.readNBytes(most), StandardCharsets.UTF_8);
        }
    }

    /** Whether a line of the output contains a text, however long ago it was. */
    public boolean said(String text) {
        return lineWith(text).isPresent();
    }

    /** Bounds what it writes into logs of its own below a folder, as its output is bounded. */
    public void boundLogs(Path folder) {
        bounded.within(folder);
    }

    /** What to say if the disk has so little left that the process has to end. */
    public Optional<String> diskFull() {
        return bounded.full();
    }

    /** Bytes that are missing from its logs, as there were too many; known once it is closed. */
    public long logsLeftOut() {
        return bounded.leftOut();
    }

    /** What masks the secrets that it was given in its output. */
    public GivenSecrets secrets() {
        return secrets;
    }

    /** The first line of the output that contains a text, however long ago it was; secrets are masked. */
    public Optional<String> lineWith(String text) {
        return lines.with(text, !guard.isAlive()).map(l -> secrets.mask(l.text().trim()));
    }

    /** What its output warns of so far, and how often; numbers are left out, and secrets are masked. */
    public Map<String, Integer> warnings() {
        var masked = new LinkedHashMap<String, Integer>();
        LogWarnings.of(log).forEach((text, n) -> masked.merge(secrets.mask(text), n, Integer::sum));
        return masked;
    }

    /** The last lines of the output without stack frames, on one line; secrets are masked. */
    public String tail(int lines) {
        return String.join(" | ", lastLines(lines));
    }

    /** The last lines of the output without stack frames and colours; secrets are masked. */
    public List<String> lastLines(int lines) {
        var all = output().lines()
                .map(OneLine::colourless)
                .filter(l -> !l.isBlank() && !STACK_FRAME.matcher(l).matches())
                .toList();
        return all.subList(Math.max(0, all.size() - lines), all.size()).stream()
                .map(String::trim)
                .map(secrets::mask) // line by line: everything after a secret's name is masked
                .toList();
    }

    /**
     * Ends the process and everything it started, by SIGTERM and then SIGKILL. Returns when nothing is left. The group of a guard that
     * has ended before is ended only while it has no leader: Linux gives its number to nobody as long as somebody is in it, and whoever
     * has the number leads another group.
     */
    @Override
    public void close() {
        boolean interrupted = Thread.interrupted();
        atClose = Optional.of(atClose.orElseGet(this::exitCode));
        long group = guard.pid();
        boolean led = guard.isAlive();
        try (OutputStream stdin = guard.getOutputStream()) {
            stdin.flush();
        } catch (IOException e) {
            interrupted |= Thread.interrupted(); // the guard was gone already
        }
        try {
            if (!guard.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
                guard.descendants().forEach(ProcessHandle::destroyForcibly);
            }
            if (led || ProcessHandle.of(group).isEmpty() && new Proc().groupRuns(group)) {
                killGroup(group);
                guard.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS);
                awaitGone(group);
            }
            strays.end();
        } catch (InterruptedException e) {
            interrupted = true;
            guard.descendants().forEach(ProcessHandle::destroyForcibly);
            guard.destroyForcibly();
            strays.kill();
        }
        bounded.close();
        strays.marker().toFile().delete();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** A process that was sent SIGKILL is gone only when the kernel next runs it, which on a busy machine takes a while. */
    private static void awaitGone(long group) throws InterruptedException {
        var proc = new Proc();
        long end = System.nanoTime() + GRACE.toNanos();
        while (proc.groupRuns(group) && System.nanoTime() < end) {
            Thread.sleep(5);
        }
    }

    private static void killGroup(long group) throws InterruptedException {
        try {
            new ProcessBuilder("kill", "-KILL", "--", "-" + group)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor(2, TimeUnit.SECONDS);
        } catch (IOException e) {
            return; // no kill program: the descendants were ended one by one above
        }
    }
}
