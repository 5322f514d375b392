package dev.fettle.watch;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * Watches one target over one measuring phase: {@link #begin}, {@link #sample} a few times a second, {@link #end}.
 * Counters become differences, gauges become means and maxima. Not thread-safe.
 */
public final class HostWatch {
    /** How HotSpot's compiler threads are called; the kernel keeps 15 characters. */
    private static final List<String> COMPILERS = List.of("C1 CompilerThre", "C2 CompilerThre", "JVMCI CompilerT");

    private final Proc proc;
    private final long pid;
    private final Set<Integer> cpus;
    private final List<Long> own;
    private final WorkerProbe probe;
    private final List<WorkerProbe.Sample> samples = new ArrayList<>();

    private OptionalDouble compilersAtBegin = OptionalDouble.empty();
    private OptionalDouble cpuAtBegin = OptionalDouble.empty();
    private OptionalDouble ownAtBegin = OptionalDouble.empty();
    private Optional<Proc.CpuTimes> hostAtBegin = Optional.empty();
    private Map<String, Long> tcpAtBegin = Map.of();

    /**
     * A watch that has not begun.
     *
     * @param pid the target's process
     * @param cpus CPUs that matter: the target's and the generator's; empty for all
     * @param own all processes that belong to the trial (target, backend, generator): what others use of the CPUs is foreign;
     *     empty if they are not all known
     */
    public HostWatch(Proc proc, long pid, Set<Integer> cpus, List<Long> own, WorkerProbe probe) {
        this.proc = proc;
        this.pid = pid;
        this.cpus = Set.copyOf(cpus);
        this.own = List.copyOf(own);
        this.probe = probe;
    }

    /** The measuring phase begins. */
    public void begin() {
        samples.clear();
        cpuAtBegin = proc.cpuSeconds(pid);
        compilersAtBegin = compilers();
        ownAtBegin = ownCpu();
        hostAtBegin = proc.cpuTimes(cpus);
        tcpAtBegin = proc.tcpCounters(pid);
        sample();
    }

    /** Looks at the gauges once. */
    public void sample() {
        probe.sample().ifPresent(samples::add);
    }

    /** The measuring phase ends. */
    public Seen end() {
        OptionalDouble cpu = proc.cpuSeconds(pid);
        OptionalDouble compilers = compilers();
        OptionalDouble ownNow = ownCpu();
        Optional<Proc.CpuTimes> host = proc.cpuTimes(cpus);
        Map<String, Long> tcp = proc.tcpCounters(pid);
        sample();
        return new Seen(
                both(cpuAtBegin, cpu),
                both(compilersAtBegin, compilers),
                hostAtBegin.isPresent() && host.isPresent()
                        ? OptionalDouble.of(host.get().stealSince(hostAtBegin.get()))
                        : OptionalDouble.empty(),
                foreign(both(ownAtBegin, ownNow), host),
                mean(s -> s.busy().orElse(Double.NaN)),
                max(s -> s.busy().orElse(Double.NaN)),
                max(s -> s.workers().orElse(Double.NaN)),
                mean(s -> s.queued().orElse(Double.NaN)),
                gc(),
                difference(tcp, "ListenOverflows"),
                difference(tcp, "TCPSynRetrans"),
                proc.loadAverage());
    }

    /**
     * What was seen between begin and end; empty where it could not be read. The figures mean what {@code
     * dev.fettle.model.Evidence} says.
     */
    public record Seen(
            OptionalDouble cpuSeconds,
            OptionalDouble compilerSeconds,
            OptionalDouble steal,
            OptionalDouble foreignCpu,
            OptionalDouble busyWorkers,
            OptionalDouble busyWorkersMax,
            OptionalDouble workers,
            OptionalDouble queued,
            OptionalDouble gcMillis,
            OptionalDouble listenOverflows,
            OptionalDouble synRetransmits,
            OptionalDouble loadAverage) {}

    /** Whether a thread is one of HotSpot's just-in-time compilers. */
    public static boolean isCompiler(Proc.Task thread) {
        return COMPILERS.stream().anyMatch(thread.name()::startsWith);
    }

    /** CPU seconds of the JVM's compiler threads; empty for a process that has none. */
    private OptionalDouble compilers() {
        return proc.threads(pid).stream()
                .filter(HostWatch::isCompiler)
                .mapToDouble(Proc.Task::cpuSeconds)
                .reduce(Double::sum);
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

    private OptionalDouble foreign(OptionalDouble ours, Optional<Proc.CpuTimes> now) {
        if (ours.isEmpty() || hostAtBegin.isEmpty() || now.isEmpty()) {
            return OptionalDouble.empty();
        }
        double all = now.get().process() - hostAtBegin.get().process();
        double time = now.get().total() - hostAtBegin.get().total();
        return time <= 0 ? OptionalDouble.empty() : OptionalDouble.of(Math.max(0, all - ours.getAsDouble()) / time);
    }

    private static OptionalDouble both(OptionalDouble before, OptionalDouble after) {
        return before.isPresent() && after.isPresent()
                ? OptionalDouble.of(after.getAsDouble() - before.getAsDouble())
                : OptionalDouble.empty();
    }

    private OptionalDouble difference(Map<String, Long> now, String counter) {
        Long a = tcpAtBegin.get(counter);
        Long b = now.get(counter);
        return a == null || b == null ? OptionalDouble.empty() : OptionalDouble.of(b - a);
    }

    private OptionalDouble gc() {
        if (samples.size() < 2) {
            return OptionalDouble.empty();
        }
        return both(samples.getFirst().gcMillis(), samples.getLast().gcMillis());
    }

    private OptionalDouble mean(ToDoubleFunction<WorkerProbe.Sample> f) {
        return samples.stream().mapToDouble(f).filter(v -> !Double.isNaN(v)).average();
    }

    private OptionalDouble max(ToDoubleFunction<WorkerProbe.Sample> f) {
        return samples.stream().mapToDouble(f).filter(v -> !Double.isNaN(v)).max();
    }
}
