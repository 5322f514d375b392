package dev.fettle.watch;

import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Aggregates;
import dev.fettle.model.trial.Signals;
import dev.fettle.watch.host.CpuOfThreads;
import dev.fettle.watch.host.Disturbance;
import dev.fettle.watch.host.DisturbanceMeter;
import dev.fettle.watch.host.HostSignals;
import dev.fettle.watch.host.ListenQueue;
import dev.fettle.watch.host.Proc;
import dev.fettle.watch.jvm.WorkerProbe;
import dev.fettle.watch.signal.SamplingRate;
import dev.fettle.watch.signal.SignalSource;
import dev.fettle.watch.signal.TimelineRecorder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * Watches one target over one measuring phase: {@link #begin}, {@link #sample} a few times a second, {@link #end}.
 * Counters become differences, gauges become means and maxima. Not thread-safe.
 */
public final class HostWatch {
    /** Names of HotSpot's compiler threads; the kernel keeps 15 characters. */
    private static final List<String> COMPILERS = List.of("C1 CompilerThre", "C2 CompilerThre", "JVMCI CompilerT");

    /** The first length of a timeline's point; it doubles when there are too many. */
    public static final long STEP_MILLIS = 500;

    /** From one look at what others do to the CPUs to the next: it lists all processes. */
    private static final long MARK_NANOS = 980_000_000;

    /** From this share of the CPUs on, processes at idle priority are reported. */
    private static final double NOTABLE = 0.1;

    private final Proc proc;
    private final long pid;
    private final CpuOfThreads compiling;
    private final DisturbanceMeter disturbances;
    private final WorkerProbe probe;
    private final Supplier<Optional<ListenQueue.State>> queue;
    /** Why there is no queue, if there is none. */
    private final String noQueue;

    private final List<SignalSource> sources;
    private final TimelineRecorder recorder;
    private final List<WorkerProbe.Sample> samples = new ArrayList<>();

    private OptionalFigure compilersAtBegin = OptionalFigure.empty();
    private OptionalFigure cpuAtBegin = OptionalFigure.empty();
    private Optional<DisturbanceMeter.Mark> markAtBegin = Optional.empty();
    /** The largest share of the CPUs that processes at idle priority used over a stretch, 0 to 1. */
    private double gaveWay;

    private Map<String, Long> tcpAtBegin = Map.of();
    private Optional<DisturbanceMeter.Mark> lastMark = Optional.empty();
    private long lastMarkAt;
    private int mostWaiting = -1;
    private OptionalLong dropsAtBegin = OptionalLong.empty();
    private OptionalLong dropsLast = OptionalLong.empty();

    /**
     * A watch that has not begun.
     *
     * @param recorder keeps what is read
     */
    public HostWatch(
            Proc proc,
            long pid,
            DisturbanceMeter disturbances,
            Supplier<Optional<ListenQueue.State>> queue,
            WorkerProbe probe,
            List<SignalSource> sources,
            TimelineRecorder recorder) {
        this(
                proc,
                pid,
                disturbances,
                queue,
                "its listening socket can't be seen from here: it is on another machine, in another network namespace, or there is none",
                probe,
                sources,
                recorder);
    }

    /** @param noQueue why there is no queue, if there is none */
    private HostWatch(
            Proc proc,
            long pid,
            DisturbanceMeter disturbances,
            Supplier<Optional<ListenQueue.State>> queue,
            String noQueue,
            WorkerProbe probe,
            List<SignalSource> sources,
            TimelineRecorder recorder) {
        this.noQueue = noQueue;
        this.sources = List.copyOf(sources);
        this.recorder = recorder;
        this.queue = queue;
        this.proc = proc;
        this.pid = pid;
        this.compiling = new CpuOfThreads(proc, pid, HostWatch::isCompiler, 1);
        this.disturbances = disturbances;
        this.probe = probe;
    }

    /** A watch of the host alone, where the target's process is not known. */
    public static HostWatch ofHost(Proc proc, DisturbanceMeter disturbances) {
        return new HostWatch(
                proc,
                ProcessHandle.current().pid(),
                disturbances,
                Optional::empty,
                "the target's process is not known",
                WorkerProbe.NONE,
                List.of(HostSignals.ofHost(proc)),
                new TimelineRecorder(STEP_MILLIS));
    }

    /** The timeline, from the creation of this watch on. */
    public TimelineRecorder recorder() {
        return recorder;
    }

    /** Notes on how the target was observed. */
    public List<String> notes() {
        var notes = new ArrayList<String>();
        sources.forEach(s -> notes.addAll(s.notes()));
        List<SamplingRate.Slowed> slowed =
                sources.stream().flatMap(s -> s.slowed().stream()).toList();
        if (!slowed.isEmpty()) {
            notes.add("read less often, as reading is expensive: "
                    + slowed.stream()
                            .map(s -> s.what() + " every " + Format.seconds(s.seconds()))
                            .collect(Collectors.joining(", ")));
        }
        if (gaveWay > NOTABLE) {
            notes.add("programs at idle priority used up to " + Format.share(gaveWay)
                    + " of the CPUs: they give way to the load, so this is not held against the figures");
        }
        return notes;
    }

    /** Starts a measuring phase, which is not the warm-up. */
    public void measure() {
        measuringBegins();
        begin();
    }

    /** The warm-up is over, unless it was before; a phase that has begun continues. */
    public void measuringBegins() {
        if (!recorder.isMeasuring()) {
            sources.forEach(SignalSource::measuringBegins);
            recorder.measuringBegins();
        }
    }

    /** Starts a phase. Counters of the timeline continue only if sampling did not pause. */
    public void begin() {
        samples.clear();
        mostWaiting = -1;
        dropsAtBegin = OptionalLong.empty();
        dropsLast = OptionalLong.empty();
        cpuAtBegin = proc.cpuSeconds(pid);
        compilersAtBegin = compilers();
        markAtBegin = Optional.of(disturbances.mark());
        tcpAtBegin = proc.tcpCounters(pid);
        sample(probe.sample());
    }

    /**
     * Reads a last time what was read seldom because it is expensive; to be called when the measuring has ended, while the load's
     * connections are still open: those that it closes are left in CLOSE_WAIT by workers that still answer them.
     */
    public void last() {
        sources.forEach(s -> s.last(recorder));
    }

    /** The load has rested, and begins again: counters go on from here. */
    public void gap() {
        recorder.gap();
        lastMark = Optional.empty();
        sources.forEach(SignalSource::gap);
    }

    /** Reads the gauges once. */
    public void sample() {
        sample(probe.glance());
    }

    private void sample(Optional<WorkerProbe.Sample> workers) {
        workers.ifPresent(s -> {
            samples.add(s);
            s.workers().ifPresent(v -> recorder.value(Signals.WORKERS_TOTAL, v));
            s.busy().ifPresent(v -> recorder.value(Signals.WORKERS_BUSY, v));
            s.queued().ifPresent(v -> recorder.value(Signals.WORKERS_QUEUED, v));
        });
        look();
        disturbed();
        sources.forEach(s -> s.sample(recorder));
    }

    private void disturbed() {
        long now = System.nanoTime();
        if (lastMark.isPresent() && now - lastMarkAt < MARK_NANOS) {
            return;
        }
        DisturbanceMeter.Mark mark = disturbances.glance();
        lastMark.map(before -> disturbances.between(before, mark).foreign()).ifPresent(foreign -> {
            if (foreign.isPresent()) {
                recorder.span(Signals.HOST_FOREIGN, lastMarkAt, now, foreign.getAsDouble());
            } else {
                recorder.notObserved(Signals.HOST_FOREIGN, "not all processes of the trial are known");
            }
        });
        lastMark = Optional.of(mark);
        lastMarkAt = now;
    }

    private void look() {
        Optional<ListenQueue.State> seen = queue.get();
        seen.ifPresent(s -> {
            mostWaiting = Math.max(mostWaiting, s.waiting());
            recorder.value(Signals.ACCEPT_QUEUE, s.waiting());
            recorder.value(Signals.ACCEPT_LIMIT, s.limit());
            s.drops().ifPresent(d -> recorder.value(Signals.ACCEPT_DROPS, d));
        });
        if (seen.isEmpty()) {
            for (String id : List.of(Signals.ACCEPT_QUEUE, Signals.ACCEPT_LIMIT, Signals.ACCEPT_DROPS)) {
                recorder.notObserved(id, noQueue);
            }
        }
        seen.map(ListenQueue.State::drops).filter(OptionalLong::isPresent).ifPresent(d -> {
            dropsAtBegin = dropsAtBegin.isPresent() ? dropsAtBegin : d;
            dropsLast = d;
        });
    }

    /** Ends the measuring phase. */
    public Aggregates end() {
        OptionalFigure cpu = proc.cpuSeconds(pid);
        OptionalFigure compilers = compilers();
        Disturbance disturbed = markAtBegin.map(disturbances::since).orElse(Disturbance.UNKNOWN);
        gaveWay = Math.max(gaveWay, disturbed.yielding().orElse(0));
        Map<String, Long> tcp = proc.tcpCounters(pid);
        sample(probe.sample());
        return Aggregates.NOTHING
                .with(Aggregate.SERVER_CPU_SECONDS, both(cpuAtBegin, cpu))
                .with(Aggregate.COMPILER_CPU_SECONDS, both(compilersAtBegin, compilers))
                .with(Aggregate.STEAL, disturbed.steal())
                .with(Aggregate.SERVER_STEAL, disturbed.serverSteal())
                .with(Aggregate.GENERATOR_STEAL, disturbed.generatorSteal())
                .with(Aggregate.FOREIGN_CPU, disturbed.foreign())
                .with(Aggregate.BUSY_WORKERS, mean(s -> s.busy().orElse(Double.NaN)))
                .with(Aggregate.BUSY_WORKERS_MAX, max(s -> s.busy().orElse(Double.NaN)))
                .with(Aggregate.WORKERS, max(s -> s.workers().orElse(Double.NaN)))
                .with(Aggregate.QUEUED, mean(s -> s.queued().orElse(Double.NaN)))
                .with(Aggregate.GC_MILLIS, gc())
                .with(Aggregate.LISTEN_OVERFLOWS, difference(tcp, "ListenOverflows"))
                .with(Aggregate.SYN_RETRANSMITS, difference(tcp, "TCPSynRetrans"))
                .with(Aggregate.LOAD_AVERAGE, proc.loadAverage())
                .with(
                        Aggregate.ACCEPT_QUEUE_MAX,
                        mostWaiting < 0 ? OptionalFigure.empty() : OptionalFigure.of(mostWaiting))
                .with(Aggregate.ACCEPT_QUEUE_DROPS, drops());
    }

    private OptionalFigure drops() {
        return dropsAtBegin.isPresent() && dropsLast.isPresent()
                // the counter has 32 bits
                ? OptionalFigure.of(dropsLast.getAsLong() - dropsAtBegin.getAsLong() & 0xffffffffL)
                : OptionalFigure.empty();
    }

    /** Whether a thread is one of HotSpot's just-in-time compilers. */
    public static boolean isCompiler(Proc.Task thread) {
        return isCompiler(thread.name());
    }

    private static boolean isCompiler(String thread) {
        return COMPILERS.stream().anyMatch(thread::startsWith);
    }

    /** CPU seconds of the JVM's compiler threads; empty for a process that has none. */
    private OptionalFigure compilers() {
        // of hundreds of threads these are few, and a pair of trials has a stretch a second
        OptionalLong nanos = compiling.nanos();
        if (nanos.isPresent()) {
            return OptionalFigure.of(nanos.getAsLong() / 1e9);
        }
        return OptionalFigure.of(proc.threads(pid).stream()
                .filter(HostWatch::isCompiler)
                .mapToDouble(Proc.Task::cpuSeconds)
                .reduce(Double::sum));
    }

    private static OptionalFigure both(OptionalFigure before, OptionalFigure after) {
        return before.with(after, (b, a) -> a - b);
    }

    private OptionalFigure difference(Map<String, Long> now, String counter) {
        Long a = tcpAtBegin.get(counter);
        Long b = now.get(counter);
        return a == null || b == null ? OptionalFigure.empty() : OptionalFigure.of(b - a);
    }

    private OptionalFigure gc() {
        if (samples.size() < 2) {
            return OptionalFigure.empty();
        }
        return both(samples.getFirst().gcMillis(), samples.getLast().gcMillis());
    }

    private OptionalFigure mean(ToDoubleFunction<WorkerProbe.Sample> f) {
        return OptionalFigure.of(
                samples.stream().mapToDouble(f).filter(v -> !Double.isNaN(v)).average());
    }

    private OptionalFigure max(ToDoubleFunction<WorkerProbe.Sample> f) {
        return OptionalFigure.of(
                samples.stream().mapToDouble(f).filter(v -> !Double.isNaN(v)).max());
    }
}
