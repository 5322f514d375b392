package dev.fettle.lab.measure;

import dev.fettle.lab.guest.Debts;
import dev.fettle.lab.machine.Clock;
import dev.fettle.lab.machine.DumpAllowance;
import dev.fettle.lab.machine.HostGuard;
import dev.fettle.lab.machine.LabException;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.OneLine;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregates;
import dev.fettle.model.trial.Conditions;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.ProfileWish;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.Timeline;
import dev.fettle.model.trial.WatchPoint;
import dev.fettle.watch.HostWatch;
import dev.fettle.watch.host.DisturbanceMeter;
import dev.fettle.watch.host.HostSignals;
import dev.fettle.watch.host.ListenOwner;
import dev.fettle.watch.host.ListenQueue;
import dev.fettle.watch.host.Proc;
import dev.fettle.watch.jvm.JvmSignals;
import dev.fettle.watch.jvm.WorkerProbe;
import dev.fettle.watch.signal.SignalSource;
import dev.fettle.watch.signal.TimelineRecorder;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Watches a running process without loading it; changes nothing in it. */
public final class LiveWatch implements AutoCloseable {
    private static final long STEP_MILLIS = 1000;
    private static final Duration TICK = Duration.ofMillis(250);
    private static final double NANOS = 1e9;

    /** One signal of each source: when all these are known, every source has been read. */
    private static final List<String> FIRST = List.of(
            Signals.CPU_TOTAL,
            Signals.HOST_BUSY,
            Signals.MEMORY_RSS,
            Signals.CTXT_VOLUNTARY,
            Signals.SOCKETS_ESTABLISHED,
            Signals.HEAP_USED,
            Signals.WAIT_IDLE,
            Signals.SESSIONS_ACTIVE);

    private final Proc proc;
    private final long pid;
    private final long startTicks;
    private final ServerPort port;
    private final List<String> arguments;
    private final List<SignalSource> sources;
    private final TimelineRecorder recorder = new TimelineRecorder(STEP_MILLIS);
    private final HostWatch watch;
    private final Clock clock;
    private long begun;
    private List<Sighting> sightings = List.of();
    private Map<String, String> notObserved = Map.of();

    private LiveWatch(
            Proc proc, long pid, long startTicks, ServerPort port, DumpAllowance dumps, boolean threads, Clock clock) {
        this.clock = clock;
        this.begun = clock.nanos();
        this.proc = proc;
        this.pid = pid;
        this.startTicks = startTicks;
        this.port = port;
        this.arguments = proc.arguments(pid);
        this.sources = sources(proc, pid, port, dumps, threads && dumps.any());
        recorder.keepRecent();
        // in another network namespace, the same port may belong to another process
        Supplier<Optional<ListenQueue.State>> queue =
                proc.sharesNetwork(pid).orElse(false) ? queue(pid, port) : Optional::empty;
        var meter = new DisturbanceMeter(
                proc,
                proc.allowedCpus(Long.toString(pid)),
                Set.of(),
                List.of(pid, ProcessHandle.current().pid()));
        this.watch = new HostWatch(proc, pid, meter, queue, WorkerProbe.NONE, sources, recorder);
    }

    /** Whether its JVM can be looked into: it is this user's. */
    public boolean isMine() {
        return proc.isAnothers(pid).isEmpty();
    }

    private static Supplier<Optional<ListenQueue.State>> queue(long pid, ServerPort port) {
        var queues = new HashMap<Integer, ListenQueue>();
        return () -> {
            OptionalInt now = port.now();
            return now.isEmpty()
                    ? Optional.empty()
                    : queues.computeIfAbsent(now.getAsInt(), p -> ListenQueue.of(pid, p))
                            .state();
        };
    }

    private static List<SignalSource> sources(
            Proc proc, long pid, ServerPort port, DumpAllowance dumps, boolean threads) {
        var all = new ArrayList<SignalSource>();
        all.add(HostSignals.of(proc, pid, dumps.names(pid, false)));
        all.add(JvmSignals.withWorkers(pid, () -> port.now().orElse(-1)).withThreads(threads));
        return all;
    }

    /** With the name of its program, which may be anything: no path, or no text. */
    static String about(long pid, List<String> arguments, OptionalInt port) {
        String program = arguments.isEmpty() ? "" : arguments.getFirst();
        String name =
                OneLine.of(program.substring(program.lastIndexOf('/') + 1)).strip();
        return "process " + pid + (name.isEmpty() ? "" : " (" + name + ")")
                + (port.isPresent() ? ", port " + port.getAsInt() : "");
    }

    /**
     * Starts watching a process.
     *
     * @param url chooses the process or, if it listens on several ports, the port; without one, the port with the most
     *     connections is used
     * @param dumps whether whole names of its threads may be had from a thread dump
     * @throws LabException if there is no such process, or no process of this user listens there; or if the URL, alone,
     *     is another machine's
     */
    public static LiveWatch open(OptionalLong asked, Optional<URI> url, DumpAllowance dumps) throws LabException {
        return open(asked, url, dumps, false);
    }

    /**
     * Starts watching a process for a diagnosis: a few times all its threads are read at once, if its dumps are allowed.
     *
     * @throws LabException as {@link #open}
     */
    public static LiveWatch observe(OptionalLong asked, Optional<URI> url, DumpAllowance dumps) throws LabException {
        return open(asked, url, dumps, true);
    }

    private static LiveWatch open(OptionalLong asked, Optional<URI> url, DumpAllowance dumps, boolean threads)
            throws LabException {
        var proc = new Proc();
        var listeners = new ListenOwner();
        OptionalInt port = url.map(HostGuard::port).map(OptionalInt::of).orElse(OptionalInt.empty());
        if (asked.isEmpty() && url.isPresent() && !HostGuard.isHere(url.get())) {
            throw new LabException(url.get().getHost()
                    + " is not this machine: run fettle watch there; a process here is named with --pid");
        }
        long pid = asked.isPresent() ? asked.getAsLong() : owner(listeners, port.orElseThrow());
        OptionalLong started = proc.startTicks(pid);
        if (started.isEmpty() || !proc.runs(pid, started.getAsLong())) {
            throw new LabException("there is no process " + pid);
        }
        if (proc.isKernelThread(pid)) {
            throw new LabException("process " + pid + " is a thread of the kernel: no server runs in it");
        }
        Optional<String> thread = proc.isAThread(pid);
        if (thread.isPresent()) {
            throw new LabException(thread.get());
        }
        if (port.isPresent() && !listeners.mayBe(pid, port.getAsInt())) {
            throw new LabException("process " + pid + " does not listen on port " + port.getAsInt());
        }
        return new LiveWatch(
                proc,
                pid,
                started.getAsLong(),
                new ServerPort(pid, port, listeners, Clock.SYSTEM),
                dumps,
                threads,
                Clock.SYSTEM);
    }

    private static long owner(ListenOwner listeners, int port) throws LabException {
        SortedSet<Long> owners = listeners.owners(port);
        if (owners.isEmpty()) {
            throw new LabException("no process of this user listens on port " + port
                    + " of this machine: name it with --pid, or run Fettle as the process's user");
        }
        if (owners.size() > 1) {
            throw new LabException(
                    "processes " + owners + " listen on port " + port + ": name the one that is meant with --pid");
        }
        return owners.getFirst();
    }

    /**
     * Starts a recording of where the JVM's time goes; the caller ends it.
     *
     * @param debts if Fettle did not launch it, where the end of the recording is written down as owed
     * @param folder where the recording is kept
     * @throws LabException if recording fails; the message says why
     */
    public Profiling profile(Optional<Debts> debts, ProfileWish wish, Path folder) throws LabException {
        try {
            Profiling begun = Profiling.begin(pid, port.now().orElse(-1), debts, wish, folder);
            begun.measuringBegins();
            return begun;
        } catch (IOException e) {
            throw new LabException("process " + pid + " can't be profiled: " + e.getMessage(), e);
        }
    }

    /**
     * What was observed of it so far, as the evidence of a trial without load. To be called once, after it was watched.
     */
    public Evidence evidence() {
        Set<Integer> cpus = proc.allowedCpus(Long.toString(pid));
        watch.last();
        Aggregates seen = watch.end().withOthers(OptionalFigure.empty(), OptionalFigure.empty());
        Timeline all = timeline();
        return new Evidence(
                cpus.size(),
                new Evidence.Cpus(cpus, Set.of()),
                seen,
                OptionalFigure.empty(),
                OptionalFigure.empty(),
                RecordedEvidence.limit(all),
                0,
                Map.of(),
                Map.of(),
                notes(),
                all,
                List.of(),
                Conditions.ALONE);
    }

    /** What is watched, as the target of a trial. */
    public Target.Running target() {
        OptionalInt at = port.now();
        return new Target.Running(
                pid,
                at.isPresent() ? Optional.of(URI.create("http://127.0.0.1:" + at.getAsInt())) : Optional.empty(),
                false,
                false,
                Optional.empty());
    }

    /** Everything from now on is measured, and nothing before: rates begin anew. */
    public void measure() {
        watch.measuringBegins();
    }

    /** A description of what is watched. */
    public String about() {
        return about(pid, arguments, port.now());
    }

    /** The timeline so far. */
    public Timeline timeline() {
        return recorder.timeline();
    }

    /** The last minute, second by second, however long it has been watched. */
    public Timeline lastMinute() {
        return recorder.recent();
    }

    /** Notes on how the process was read. */
    public List<String> notes() {
        return watch.notes();
    }

    /** Receives each second as it ends; an exception ends the watch. */
    public interface EachSecond {
        /** Returns whether to go on. */
        boolean second(WatchPoint point) throws LabException;
    }

    /**
     * Watches until each source has reported something, or why it can't; or until the time is over or the process ends.
     * It takes two seconds at least, since a rate takes two samples.
     *
     * @return whether the process ended
     */
    public boolean once(Duration atMost) throws LabException {
        return run(atMost, point -> true, () -> {
            Timeline now = timeline();
            return clock.nanos() - begun > 2 * STEP_MILLIS * 1_000_000
                    && !now.notObserved().containsValue(JvmSignals.NOT_YET)
                    && FIRST.stream().allMatch(now::accountsFor);
        });
    }

    /**
     * Watches until the time is over, the process ends, or the thread is interrupted.
     *
     * @return whether the process ended
     */
    public boolean run(Duration atMost, EachSecond each) throws LabException {
        return run(atMost, each, () -> false);
    }

    private boolean run(Duration atMost, EachSecond each, BooleanSupplier enough) throws LabException {
        begun = clock.nanos(); // earlier steps, such as starting a profile, may take seconds
        recorder.takeLatest();
        watch.begin();
        long end = begun + atMost.toNanos();
        for (long second = 1;
                begun + second * STEP_MILLIS * 1_000_000 <= end;
                second = next(second, clock.nanos() - begun)) {
            long until = begun + second * STEP_MILLIS * 1_000_000;
            try {
                for (long left = until - clock.nanos(); left > 0; left = until - clock.nanos()) {
                    clock.sleep(Duration.ofNanos(Math.min(left, TICK.toNanos())));
                    watch.sample();
                }
            } catch (InterruptedException e) {
                return false; // interrupted by the user: a normal end
            }
            if (!proc.runs(pid, startTicks)) {
                return true;
            }
            if (!each.second(point()) || enough.getAsBoolean()) {
                return false;
            }
        }
        return false;
    }

    /** The next second; after it was stopped for a while (Ctrl-Z), those that have passed meanwhile are left out. */
    static long next(long second, long elapsedNanos) {
        return Math.max(second, elapsedNanos / (STEP_MILLIS * 1_000_000)) + 1;
    }

    private WatchPoint point() {
        double at = Math.round((clock.nanos() - begun) / NANOS * 1000) / 1000.0;
        List<Sighting> all = recorder.sightings();
        List<Sighting> seen = all.stream().filter(s -> !sightings.contains(s)).toList();
        Map<String, String> reasons = recorder.notObserved();
        var why = new TreeMap<>(reasons);
        why.entrySet().removeAll(notObserved.entrySet());
        sightings = all;
        notObserved = reasons;
        return new WatchPoint(at, recorder.takeLatest(), seen, why);
    }

    @Override
    public void close() {
        sources.forEach(SignalSource::close);
    }
}
