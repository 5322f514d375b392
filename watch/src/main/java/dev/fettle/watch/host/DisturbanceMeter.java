package dev.fettle.watch.host;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Measures what others do to the CPUs of a trial: {@link #mark} now, {@link #since} later, as often as needed and for
 * any number of overlapping stretches. A mark reads {@code /proc/stat} and one line per process of the trial, about 100
 * µs in total.
 */
public final class DisturbanceMeter {
    private final Proc proc;
    private final Set<Integer> server;
    private final Set<Integer> generator;
    private final Set<Integer> all;
    private final List<Long> own;

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
        private final OptionalDouble own;

        private Mark(Optional<Map<Integer, Proc.CpuTimes>> cpus, OptionalDouble own) {
            this.cpus = cpus;
            this.own = own;
        }
    }

    /** Marks this moment. */
    public Mark mark() {
        return new Mark(proc.cpuTimes(), ownCpu());
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
        return new Disturbance(
                steal(a, b, all), steal(a, b, server), steal(a, b, generator), foreign(a, b, earlier.own, later.own));
    }

    private static OptionalDouble steal(
            Map<Integer, Proc.CpuTimes> a, Map<Integer, Proc.CpuTimes> b, Set<Integer> cpus) {
        Proc.CpuTimes before = Proc.CpuTimes.of(a, cpus);
        Proc.CpuTimes now = Proc.CpuTimes.of(b, cpus);
        return now.total() > before.total() ? OptionalDouble.of(now.stealSince(before)) : OptionalDouble.empty();
    }

    private OptionalDouble foreign(
            Map<Integer, Proc.CpuTimes> a,
            Map<Integer, Proc.CpuTimes> b,
            OptionalDouble ownBefore,
            OptionalDouble ownNow) {
        Proc.CpuTimes before = Proc.CpuTimes.of(a, all);
        Proc.CpuTimes now = Proc.CpuTimes.of(b, all);
        double time = now.total() - before.total();
        if (ownBefore.isEmpty() || ownNow.isEmpty() || time <= 0) {
            return OptionalDouble.empty();
        }
        double ours = ownNow.getAsDouble() - ownBefore.getAsDouble();
        return OptionalDouble.of(Math.max(0, now.process() - before.process() - ours) / time);
    }

    private OptionalDouble ownCpu() {
        double sum = 0;
        for (long p : own) {
            OptionalDouble cpu = proc.cpuSeconds(p);
            if (cpu.isEmpty()) {
                return cpu;
            }
            sum += cpu.getAsDouble();
        }
        return own.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(sum);
    }
}
