package dev.fettle.watch.host;

import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import dev.fettle.watch.signal.LookRate;
import dev.fettle.watch.signal.SignalSource;
import java.io.IOException;
import java.nio.file.Files;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * CPU time by group of threads, the hottest thread, and how long runnable threads waited for a CPU, from {@code
 * /proc/PID/task/TID/schedstat} (nanoseconds), or {@code stat} (10 ms) on kernels without it. The time of threads that
 * ended between two looks is only in the process's total, and counts as other.
 */
final class ThreadCpu implements SignalSource {
    private static final double NANOS = 1e9;
    private static final String KIND = Sighting.HOTTEST;
    private static final String BUSIEST = Sighting.BUSIEST;
    private static final String NO_SCHEDSTAT = "this kernel keeps no schedstat";
    private static final String CUT_NAMES = "the kernel keeps 15 characters of a thread's name, and the connector's"
            + " acceptor, poller and workers differ only after that: all are among the workers";

    private final Proc proc;
    private final long pid;
    private final Supplier<Map<Long, String>> names;
    private final LongSupplier clock;
    private final LookRate rate = LookRate.fromOutside("threads' CPU time");
    private final ThreadSwitches switches;
    private final KeptFiles files;
    private final Map<ThreadGroup, Double> totals = new EnumMap<>(ThreadGroup.class);
    private final Set<ThreadGroup> told = EnumSet.noneOf(ThreadGroup.class);
    private Map<Long, Seen> threads = new HashMap<>();
    private OptionalDouble processAtBegin = OptionalDouble.empty();
    private double waited;
    private boolean waitKnown;

    /** Whether the kernel's truncated names are not enough to tell the groups apart. */
    private boolean cut;

    private long last;

    /** What the last look read of a thread. */
    private record Seen(String name, ThreadGroup group, double cpu, double waited, long runs) {

        /** From the three numbers of {@code schedstat}: time run, time waited for a CPU, number of runs. */
        static Seen of(String name, ThreadGroup group, String[] f) {
            return new Seen(
                    name, group, Long.parseLong(f[0]) / NANOS, Long.parseLong(f[1]) / NANOS, Long.parseLong(f[2]));
        }
    }

    /**
     * @param names whole thread names by the kernel's ids, where known; asked only if the kernel's names are not enough
     */
    ThreadCpu(Proc proc, long pid, Supplier<Map<Long, String>> names, LongSupplier clock) {
        this.proc = proc;
        this.pid = pid;
        this.names = names;
        this.files = new KeptFiles(proc.root());
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
        OptionalDouble process = proc.cpuSeconds(pid);
        if (process.isEmpty()) {
            return;
        }
        processAtBegin = processAtBegin.isPresent() ? processAtBegin : process;
        boolean first = threads.isEmpty();
        Map<Long, Seen> now = look();
        if (!cut && now.values().stream().anyMatch(t -> ThreadGroup.unclear(t.name))) {
            cut = true;
            now = look();
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
            totals.merge(thread.group, grown, Double::sum);
            if (grown > hottest) {
                hottest = grown;
                who = Optional.of(thread);
            }
            if (grown > busiest && thread.group.serves()) {
                busiest = grown;
                ready = grown + stood;
                serving = Optional.of(thread);
            }
        }
        threads = now;
        files.retain(now.keySet().stream()
                .map(id -> pid + "/task/" + id + "/schedstat")
                .collect(Collectors.toSet()));
        report(sink, process.getAsDouble() - processAtBegin.getAsDouble(), now);
        double seconds = (begin - last) / NANOS;
        if (!first && seconds > 0) {
            double share = hottest / seconds;
            sink.value(Signals.CPU_HOTTEST, share);
            who.ifPresent(w -> sink.sighting(new Sighting(KIND, w.name, Math.round(100 * share) / 100.0)));
            double used = busiest / seconds;
            serving.ifPresent(w -> sink.sighting(new Sighting(BUSIEST, w.name, Math.round(100 * used) / 100.0)));
            sink.value(Signals.BUSIEST_CPU, used);
            if (waitKnown) {
                sink.value(Signals.BUSIEST_READY, Math.min(1, ready / seconds));
            } else {
                sink.notObserved(Signals.BUSIEST_READY, NO_SCHEDSTAT);
            }
        }
        last = begin;
        rate.looked(begin, OwnCpu.nanos() - cpu);
        switches.sample(sink, begin, runs());
    }

    private void report(Sink sink, double process, Map<Long, Seen> now) {
        sink.value(Signals.CPU_TOTAL, process);
        sink.value(Signals.THREADS_TOTAL, now.size());
        double known = totals.values().stream().mapToDouble(Double::doubleValue).sum();
        boolean unclear = now.values().stream().anyMatch(t -> ThreadGroup.unclear(t.name));
        for (ThreadGroup g : ThreadGroup.values()) {
            boolean some = totals.containsKey(g);
            if (unclear && (g == ThreadGroup.ACCEPTOR || g == ThreadGroup.IO)) {
                sink.notObserved(g.signal(), CUT_NAMES);
            } else if (g == ThreadGroup.OTHER) {
                sink.value(g.signal(), totals.getOrDefault(g, 0.0) + Math.max(0, process - known));
            } else if (some) {
                if (told.add(g) && last != 0) {
                    sink.valueAt(g.signal(), last, 0); // its first thread has started since
                }
                sink.value(g.signal(), totals.getOrDefault(g, 0.0));
            } else {
                sink.notObserved(g.signal(), "it has no thread whose name says so");
            }
        }
        if (waitKnown) {
            sink.value(Signals.RUNQUEUE_WAIT, waited);
        } else {
            sink.notObserved(Signals.RUNQUEUE_WAIT, NO_SCHEDSTAT);
        }
    }

    private Map<Long, Seen> look() {
        var now = new HashMap<Long, Seen>();
        // asking costs the JVM a thread dump, so it is done only while some threads have no full name
        boolean unnamed = threads.isEmpty() || threads.values().stream().anyMatch(t -> ThreadGroup.unclear(t.name));
        Map<Long, String> whole = cut && unnamed ? names.get() : Map.of();
        try (var folders = Files.newDirectoryStream(proc.root().resolve(pid + "/task"))) {
            for (var folder : folders) {
                String id = folder.getFileName().toString();
                long tid = Long.parseLong(id);
                Seen before = threads.get(tid);
                String file = pid + "/task/" + id;
                Optional<String> schedstat = files.text(file + "/schedstat").filter(t -> !t.startsWith("0 0 0"));
                if (before != null
                        && schedstat.isPresent()
                        && (!whole.containsKey(tid) || whole.get(tid).equals(before.name))) {
                    now.put(
                            tid,
                            Seen.of(
                                    before.name,
                                    before.group,
                                    schedstat.get().trim().split(" ")));
                    continue;
                }
                Optional<Proc.Task> task = proc.thread(file);
                if (task.isEmpty()) {
                    continue; // ended in the meantime
                }
                String name = whole.getOrDefault(tid, task.get().name());
                waitKnown |= schedstat.isPresent();
                String[] f = schedstat.map(t -> t.trim().split(" ")).orElse(new String[0]);
                now.put(
                        tid,
                        f.length < 3
                                ? new Seen(
                                        name, ThreadGroup.of(name), task.get().cpuSeconds(), 0, -1)
                                : Seen.of(name, ThreadGroup.of(name), f));
            }
        } catch (IOException | java.nio.file.DirectoryIteratorException e) {
            return now; // the process is gone
        }
        return now;
    }

    @Override
    public void close() {
        files.close();
    }

    /** How often each thread has run: one that has not run since the last look has not switched. */
    private Map<Long, Long> runs() {
        var runs = new HashMap<Long, Long>();
        threads.forEach((id, t) -> runs.put(id, t.runs));
        return runs;
    }

    @Override
    public List<LookRate.Slowed> slowed() {
        return Stream.of(rate, switches.rate())
                .flatMap(r -> r.slowed().stream())
                .toList();
    }
}
