package dev.fettle.watch.host;

import dev.fettle.model.text.OptionalFigure;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Measures what others do to the CPUs of a trial: {@link #mark} now, {@link #since} later, as often as needed and for
 * any number of overlapping stretches. A mark reads {@code /proc/stat} and one line per process, some 20 µs each.
 *
 * <p>Processes at idle priority give way to a trial and are counted apart from others, but only where that is certain:
 * the trial uses all CPUs (it is not known where they ran), does not itself run at idle priority, and is in the same
 * scheduling group as they are.
 */
public final class DisturbanceMeter {
    private static final long GLANCE_NANOS = 1_000_000_000;

    /** A process that changes its priority is found by then. */
    private static final long ALL_NANOS = 10 * GLANCE_NANOS;

    private final Proc proc;
    private final Set<Integer> server;
    private final Set<Integer> generator;
    private final Set<Integer> all;
    private final List<Long> own;
    /** CPU seconds of each process at idle priority, as last read. */
    private Map<Long, Double> yielding = Map.of();
    /** CPU seconds they used since the first mark, including processes that have ended. */
    private double gaveWay;

    private final Yielding search;
    private boolean listed;
    private long listedAt;
    private long allAt;

    /**
     * A meter.
     *
     * @param server CPUs that the target may use; empty for all
     * @param generator CPUs that the generator may use; empty for all
     * @param own all processes that belong to the trial (target, backend, generator); any other use of the CPUs is
     *     foreign. Empty if they are not all known
     */
    public DisturbanceMeter(Proc proc, Set<Integer> server, Set<Integer> generator, List<Long> own) {
        this.proc = proc;
        this.search = new Yielding(proc);
        this.server = Set.copyOf(server);
        this.generator = Set.copyOf(generator);
        this.own = List.copyOf(own);
        var both = new HashSet<Integer>();
        if (!server.isEmpty() && !generator.isEmpty()) {
            both.addAll(server);
            both.addAll(generator);
        }
        all = Set.copyOf(both);
    }

    /** A moment. Opaque: it only serves as an argument of {@link #since}. */
    public static final class Mark {
        private final Optional<Map<Integer, Proc.CpuTimes>> cpus;
        private final OptionalFigure own;
        private final OptionalFigure yielding;

        private Mark(Optional<Map<Integer, Proc.CpuTimes>> cpus, OptionalFigure own, OptionalFigure yielding) {
            this.cpus = cpus;
            this.own = own;
            this.yielding = yielding;
        }
    }

    /** Marks this moment. */
    public synchronized Mark mark() {
        look(search.to(own));
        listedAt = System.nanoTime();
        allAt = listedAt;
        return marked();
    }

    /**
     * Marks this moment, using the processes at idle priority found up to a second ago, or up to ten seconds ago for one that
     * changed its priority: much cheaper, but less exact.
     */
    public synchronized Mark glance() {
        long now = System.nanoTime();
        if (!listed || now - allAt > ALL_NANOS) {
            return mark();
        }
        boolean isOld = now - listedAt > GLANCE_NANOS;
        look(isOld ? search.withNew() : Set.copyOf(yielding.keySet()));
        listedAt = isOld ? now : listedAt;
        return marked();
    }

    /**
     * Adds what each process used since the last look. For one that has ended, the time since then is lost; for a new
     * one, all its time counts.
     */
    private void look(Set<Long> pids) {
        var now = new HashMap<Long, Double>();
        for (long pid : pids) {
            OptionalFigure used = own.contains(pid) ? OptionalFigure.empty() : proc.cpuSeconds(pid);
            if (used.isPresent()) {
                double all = used.getAsDouble();
                now.put(pid, all);
                gaveWay += Math.max(0, all - yielding.getOrDefault(pid, listed ? 0 : all));
            }
        }
        yielding = now;
        listed = true;
    }

    private Mark marked() {
        Optional<Map<Integer, Proc.CpuTimes>> cpus = proc.cpuTimes();
        boolean certain =
                cpus.isPresent() && (all.isEmpty() || all.containsAll(cpus.get().keySet()));
        return new Mark(cpus, ownCpu(), certain ? OptionalFigure.of(gaveWay) : OptionalFigure.empty());
    }

    /** The disturbance between a mark and now. */
    public Disturbance since(Mark earlier) {
        return between(earlier, mark());
    }

    /** The disturbance over a time from now on; waits that long. */
    public Disturbance over(Duration time) throws InterruptedException {
        Mark begin = mark();
        Thread.sleep(time);
        return since(begin);
    }

    /** The disturbance between two marks. */
    public Disturbance between(Mark earlier, Mark later) {
        if (earlier.cpus.isEmpty() || later.cpus.isEmpty()) {
            return Disturbance.UNKNOWN;
        }
        Map<Integer, Proc.CpuTimes> a = earlier.cpus.get();
        Map<Integer, Proc.CpuTimes> b = later.cpus.get();
        Proc.CpuTimes before = Proc.CpuTimes.of(a, all);
        Proc.CpuTimes now = Proc.CpuTimes.of(b, all);
        double time = now.total() - before.total();
        OptionalFigure ours = difference(earlier.own, later.own);
        OptionalFigure gaveWay = difference(earlier.yielding, later.yielding);
        boolean known = ours.isPresent() && time > 0;
        double others = known ? now.process() - before.process() - ours.getAsDouble() : 0;
        return new Disturbance(
                steal(a, b, all),
                steal(a, b, server),
                steal(a, b, generator),
                known ? OptionalFigure.of(Math.max(0, others - gaveWay.orElse(0)) / time) : OptionalFigure.empty(),
                known ? gaveWay.map(g -> Math.clamp(g, 0, Math.max(0, others)) / time) : OptionalFigure.empty());
    }

    /** The difference, at least zero: clocks of processes and of CPUs do not tick together. */
    private static OptionalFigure difference(OptionalFigure before, OptionalFigure now) {
        return before.with(now, (b, n) -> Math.max(0, n - b));
    }

    private static OptionalFigure steal(
            Map<Integer, Proc.CpuTimes> a, Map<Integer, Proc.CpuTimes> b, Set<Integer> cpus) {
        Proc.CpuTimes before = Proc.CpuTimes.of(a, cpus);
        Proc.CpuTimes now = Proc.CpuTimes.of(b, cpus);
        return now.total() > before.total() ? OptionalFigure.of(now.stealSince(before)) : OptionalFigure.empty();
    }

    private OptionalFigure ownCpu() {
        double sum = 0;
        for (long p : own) {
            OptionalFigure cpu = proc.cpuSeconds(p);
            if (cpu.isEmpty()) {
                return cpu;
            }
            sum += cpu.getAsDouble();
        }
        return own.isEmpty() ? OptionalFigure.empty() : OptionalFigure.of(sum);
    }
}
