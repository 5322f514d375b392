package dev.fettle.watch.host;

import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import dev.fettle.watch.signal.SamplingRate;
import dev.fettle.watch.signal.SignalSource;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * CPU time by group of threads, the hottest thread, and how long runnable threads waited for a CPU, from {@code
 * /proc/PID/task/TID/schedstat} (nanoseconds), or {@code stat} (10 ms) on kernels without it. The time of threads that
 * ended between two looks is only in the process's total, and counts as other.
 */
final class ThreadCpu implements SignalSource {
    private static final double NANOS = 1e9;
    private static final String KIND = Sighting.HOTTEST;
    private static final String BUSIEST = Sighting.BUSIEST;
    private static final String CARRIERS = "ForkJoinPool-";
    private static final String NO_SCHEDSTAT = "this kernel keeps no schedstat";
    private static final String CUT_NAMES = "the kernel keeps 15 characters of a thread's name, and the connector's"
            + " acceptor, poller and workers differ only after that: all are among the workers";

    private final Proc proc;
    private final long pid;
    private final Supplier<Map<Long, String>> names;
    private final LongSupplier clock;
    private final SamplingRate rate = SamplingRate.ofThreads();
    private final ThreadSwitches switches;
    private final KeptFiles files;
    private final Map<ThreadGroup, Double> totals = new EnumMap<>(ThreadGroup.class);
    private final Set<ThreadGroup> told = EnumSet.noneOf(ThreadGroup.class);
    private Map<Long, Seen> threads = new HashMap<>();
    private OptionalFigure processAtBegin = OptionalFigure.empty();
    private double waited;
    private double gcWaited;
    private double marking;
    private boolean waitKnown;

    /** Whether the kernel's truncated names are not enough to tell the groups apart. */
    private boolean cut;

    private long last;

    /** Whether the load has rested since the last look. */
    private boolean rested;

    /** The three numbers of {@code schedstat}: time run, time waited for a CPU, number of runs. */
    private final long[] schedstat = new long[3];

    /** What a name tells; looked up once for each thread. */
    private record Name(String text, ThreadGroup group, boolean unclear) {
        static Name of(String text) {
            return new Name(text, ThreadGroup.of(text), ThreadGroup.unclear(text));
        }
    }

    /** What the last look read of a thread. */
    private record Seen(Name name, double cpu, double waited, long runs) {
        ThreadGroup group() {
            return name.group;
        }
    }

    /**
     * @param names whole thread names by the kernel's ids, where known; asked only if the kernel's names are not enough
     */
    ThreadCpu(Proc proc, long pid, Supplier<Map<Long, String>> names, LongSupplier clock) {
        this.proc = proc;
        this.pid = pid;
        this.names = names;
        this.files = new KeptFiles(id -> proc.root().resolve(pid + "/task/" + id + "/schedstat"));
        this.switches = new ThreadSwitches(proc, pid);
        this.clock = clock;
    }

    @Override
    public void sample(Sink sink) {
        long begin = clock.getAsLong();
        if (!rate.due(begin)) {
            return;
        }
        long cpu = OwnCpu.nanos();
        Optional<String> stat = proc.text(pid + "/stat");
        if (stat.isEmpty()) {
            return;
        }
        double process = Proc.cpu(stat.get());
        long alive = Proc.field(stat.get(), 17);
        processAtBegin = processAtBegin.isPresent() ? processAtBegin : OptionalFigure.of(process);
        boolean first = threads.isEmpty();
        Map<Long, Seen> now = look(alive);
        if (!cut && unclear(now)) {
            cut = true;
            now = look(alive);
        }
        double hottest = 0;
        Optional<Seen> who = Optional.empty();
        double busiest = 0;
        double ready = 0;
        Optional<Seen> serving = Optional.empty();
        for (var e : now.entrySet()) {
            Seen before = threads.get(e.getKey());
            Seen thread = e.getValue();
            // a new thread has used all its time since the last look
            double grown = before == null ? (first ? 0 : thread.cpu) : Math.max(0, thread.cpu - before.cpu);
            double stood = before == null ? (first ? 0 : thread.waited) : Math.max(0, thread.waited - before.waited);
            waited += stood;
            gcWaited += thread.group() == ThreadGroup.GC ? stood : 0;
            marking += isMarker(thread) ? grown + stood : 0;
            totals.merge(thread.group(), grown, Double::sum);
            if (grown > hottest) {
                hottest = grown;
                who = Optional.of(thread);
            }
            if (grown > busiest && thread.group().serves()) {
                busiest = grown;
                ready = grown + stood;
                serving = Optional.of(thread);
            }
        }
        threads = now;
        files.retain(now.keySet());
        report(sink, process - processAtBegin.getAsDouble(), now);
        // T: stopped by a signal; t: by a debugger
        sink.value(
                Signals.PROCESS_STOPPED,
                "Tt".indexOf(stat.get().charAt(stat.get().lastIndexOf(')') + 2)) < 0 ? 0 : 1);
        double seconds = (begin - last) / NANOS;
        if (!first && !rested && seconds > 0) {
            double share = hottest / seconds;
            sink.value(Signals.CPU_HOTTEST, share);
            who.ifPresent(w -> sink.sighting(new Sighting(KIND, w.name.text, Math.round(100 * share) / 100.0)));
            double used = busiest / seconds;
            serving.ifPresent(w -> sink.sighting(new Sighting(BUSIEST, w.name.text, Math.round(100 * used) / 100.0)));
            sink.value(Signals.BUSIEST_CPU, used);
            if (waitKnown) {
                sink.value(Signals.BUSIEST_READY, Math.min(1, ready / seconds));
            } else {
                sink.notObserved(Signals.BUSIEST_READY, NO_SCHEDSTAT);
            }
        }
        last = begin;
        rested = false;
        rate.looked(begin, OwnCpu.nanos() - cpu);
        ThreadGroup pool = threads.values().stream().anyMatch(t -> serves(t, ThreadGroup.WORKERS))
                ? ThreadGroup.WORKERS
                : ThreadGroup.APP;
        switches.sample(sink, begin, this::runs, id -> serves(threads.get(id), pool));
    }

    @Override
    public void gap() {
        rested = true;
        rate.rested();
        switches.rate().rested();
    }

    private void report(Sink sink, double process, Map<Long, Seen> now) {
        sink.value(Signals.CPU_TOTAL, process);
        double known = totals.values().stream().mapToDouble(Double::doubleValue).sum();
        boolean unclear = unclear(now);
        for (ThreadGroup g : ThreadGroup.values()) {
            boolean some = totals.containsKey(g);
            if (unclear && (g == ThreadGroup.ACCEPTOR || g == ThreadGroup.IO)) {
                sink.notObserved(g.signal(), CUT_NAMES);
            } else if (g == ThreadGroup.OTHER) {
                sink.value(g.signal(), totals.getOrDefault(g, 0.0) + Math.max(0, process - known));
            } else if (some) {
                if (told.add(g) && last != 0 && !rested) {
                    sink.valueAt(g.signal(), last, 0); // its first thread has started since
                }
                sink.value(g.signal(), totals.getOrDefault(g, 0.0));
            } else {
                sink.notObserved(g.signal(), "it has no thread whose name says so");
            }
        }
        collectors(sink, now);
        if (waitKnown) {
            sink.value(Signals.RUNQUEUE_WAIT, waited);
            sink.value(Signals.GC_WAITS, gcWaited);
        } else {
            sink.notObserved(Signals.RUNQUEUE_WAIT, NO_SCHEDSTAT);
            sink.notObserved(Signals.GC_WAITS, NO_SCHEDSTAT);
        }
    }

    /** How many threads a collector has for its pauses, and for marking. The serial one works in the VM's own thread. */
    private void collectors(Sink sink, Map<Long, Seen> now) {
        int pausing = 0;
        int marks = 0;
        int others = 0;
        for (Seen t : now.values()) {
            if (t.group() == ThreadGroup.GC) {
                pausing += t.name.text.startsWith("GC Thread") ? 1 : 0;
                marks += isMarker(t) ? 1 : 0;
                others += t.name.text.startsWith("VM Thread") ? 0 : 1;
            }
        }
        if (pausing == 0 && others > 0) {
            sink.notObserved(Signals.GC_WORKERS, "its collector works next to the program");
        } else {
            sink.value(Signals.GC_WORKERS, Math.max(1, pausing));
        }
        if (marks > 0) {
            sink.value(Signals.GC_MARKERS, marks);
            sink.value(Signals.GC_MARKING, marking);
        } else {
            sink.notObserved(Signals.GC_MARKERS, "it has no thread of G1 that marks");
            sink.notObserved(Signals.GC_MARKING, "it has no thread of G1 that marks");
        }
    }

    private static boolean isMarker(Seen thread) {
        return thread.name.text.startsWith("G1 Conc#");
    }

    private static boolean unclear(Map<Long, Seen> threads) {
        for (Seen t : threads.values()) {
            if (t.name.unclear) {
                return true;
            }
        }
        return false;
    }

    /** @param alive how many threads the process has */
    private Map<Long, Seen> look(long alive) {
        // asking costs the JVM a thread dump, so it is done only while some threads have no full name
        boolean unnamed = threads.isEmpty() || unclear(threads);
        Map<Long, String> whole = cut && unnamed ? names.get() : Map.of();
        return same(alive, whole).orElseGet(() -> listed(whole));
    }

    /** Those of the last look; empty if one of them has ended or another has begun. Only then they are listed. */
    private Optional<Map<Long, Seen>> same(long alive, Map<Long, String> whole) {
        if (threads.size() != alive) {
            return Optional.empty();
        }
        var now = HashMap.<Long, Seen>newHashMap(threads.size());
        for (var e : threads.entrySet()) {
            if (!scheduled(e.getKey())) {
                return Optional.empty();
            }
            now.put(e.getKey(), seen(name(e.getKey(), e.getValue(), whole)));
        }
        return Optional.of(now);
    }

    private Map<Long, Seen> listed(Map<Long, String> whole) {
        var now = HashMap.<Long, Seen>newHashMap(threads.size());
        for (long tid : proc.tasks(pid)) {
            Seen before = threads.get(tid);
            boolean scheduled = scheduled(tid);
            if (before != null && scheduled) {
                now.put(tid, seen(name(tid, before, whole)));
                continue;
            }
            Optional<Proc.Task> task = proc.thread(pid + "/task/" + tid);
            if (task.isEmpty()) {
                continue; // ended in the meantime
            }
            Name name = Name.of(whole.getOrDefault(tid, task.get().name()));
            waitKnown |= scheduled;
            now.put(tid, scheduled ? seen(name) : new Seen(name, task.get().cpuSeconds(), 0, -1));
        }
        return now;
    }

    /** Reads a thread's {@code schedstat}; a kernel that keeps none has zeros there. */
    private boolean scheduled(long tid) {
        return files.read(tid, schedstat) && (schedstat[0] | schedstat[1] | schedstat[2]) != 0;
    }

    /** From what was read last. */
    private Seen seen(Name name) {
        return new Seen(name, schedstat[0] / NANOS, schedstat[1] / NANOS, schedstat[2]);
    }

    /** Its name as before, unless its whole one has become known. */
    private static Name name(long tid, Seen before, Map<Long, String> whole) {
        String known = whole.getOrDefault(tid, before.name.text);
        return known.equals(before.name.text) ? before.name : Name.of(known);
    }

    @Override
    public void close() {
        files.close();
    }

    /** Whether a thread is of a group that runs requests; carriers of virtual threads wait for these and not for what a request needs. */
    private static boolean serves(@Nullable Seen thread, ThreadGroup group) {
        return thread != null && thread.group() == group && !thread.name.text.startsWith(CARRIERS);
    }

    /** How often each thread has run: one that has not run since the last look has not switched. */
    private Map<Long, Long> runs() {
        var runs = new HashMap<Long, Long>();
        threads.forEach((id, t) -> runs.put(id, t.runs));
        return runs;
    }

    @Override
    public List<SamplingRate.Slowed> slowed() {
        return Stream.of(rate, switches.rate())
                .flatMap(r -> r.slowed().stream())
                .toList();
    }
}
