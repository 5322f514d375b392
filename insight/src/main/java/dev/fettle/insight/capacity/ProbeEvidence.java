package dev.fettle.insight.capacity;

import dev.fettle.insight.explain.Thresholds;
import dev.fettle.insight.words.Say;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What the watch saw of the server's process in a probe's measured time. A figure that could not be read is empty, never zero.
 *
 * @param cpus CPUs that the process may use
 * @param cpuShare share of them that it used, 0 to 1
 * @param busy worker threads running a request, mean
 * @param workers worker threads in the pool, most seen
 * @param mostWorkers the pool's largest size, as read back
 * @param queued requests waiting for a worker, mean
 * @param gcShare share of the time in garbage collection, 0 to 1
 * @param dropped connections dropped in the network namespace because an accept queue was full: not necessarily the server's
 * @param acceptQueue the listening socket's effective backlog
 * @param serverSteal share of the time of the server's own CPUs that the hypervisor took, 0 to 1
 * @param generatorSteal the same of the generator's CPUs
 * @param foreignCpu share of the CPU time of the server's and the generator's CPUs that other processes used, 0 to 1
 * @param acceptQueueMax most connections seen waiting in the server's own accept queue
 * @param acceptQueueDrops connections that the server's own listening socket has dropped
 * @param timeline what was seen over time
 */
public record ProbeEvidence(
        int cpus,
        OptionalDouble cpuShare,
        OptionalDouble busy,
        OptionalDouble workers,
        OptionalLong mostWorkers,
        OptionalDouble queued,
        OptionalDouble gcShare,
        OptionalDouble dropped,
        OptionalInt acceptQueue,
        OptionalDouble serverSteal,
        OptionalDouble generatorSteal,
        OptionalDouble foreignCpu,
        OptionalInt acceptQueueMax,
        OptionalDouble acceptQueueDrops,
        Timeline timeline) {
    /** Where nothing is known of what disturbed it, and nothing of the listening socket but its limit. */
    public ProbeEvidence(
            int cpus,
            OptionalDouble cpuShare,
            OptionalDouble busy,
            OptionalDouble workers,
            OptionalLong mostWorkers,
            OptionalDouble queued,
            OptionalDouble gcShare,
            OptionalDouble dropped,
            OptionalInt acceptQueue) {
        this(
                cpus,
                cpuShare,
                busy,
                workers,
                mostWorkers,
                queued,
                gcShare,
                dropped,
                acceptQueue,
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalInt.empty(),
                OptionalDouble.empty(),
                Timeline.NONE);
    }

    /** What the watch saw in so many seconds. */
    static ProbeEvidence of(Evidence e, double seconds) {
        return new ProbeEvidence(
                e.serverCpus(),
                over(e.serverCpuSeconds(), e.serverCpus() * seconds),
                e.busyWorkers(),
                e.workers(),
                Optional.ofNullable(e.effective().get("threads.max"))
                        .filter(v -> v.matches("[0-9]{1,9}"))
                        .map(v -> OptionalLong.of(Long.parseLong(v)))
                        .orElse(OptionalLong.empty()),
                e.queued(),
                over(e.gcMillis(), 1000 * seconds),
                e.listenOverflows(),
                e.acceptQueueLimit(),
                e.serverSteal(),
                e.generatorSteal(),
                e.foreignCpu(),
                e.acceptQueueMax(),
                e.acceptQueueDrops(),
                e.timeline());
    }

    private static OptionalDouble over(OptionalDouble part, double whole) {
        return part.isPresent() && whole > 0 ? OptionalDouble.of(part.getAsDouble() / whole) : OptionalDouble.empty();
    }

    /** A pool this near its largest size does not grow any more; what the server keeps for itself is not among the workers. */
    private static final double GROWN = 0.9;

    /** What was full, one phrase each; empty if nothing was, as far as it could be read. */
    public List<String> full() {
        var full = new ArrayList<String>();
        if (threadsFull()) {
            full.add(Say.about(busy.getAsDouble()) + " of its " + Math.round(workers.getAsDouble())
                    + " worker threads were busy");
        }
        if (cpuShare.orElse(0) >= Thresholds.CPU_FULL) {
            full.add("it used " + Say.percent(cpuShare.getAsDouble()) + " of its " + Say.count(cpus, "CPU"));
        }
        if (gcShare.orElse(0) >= Thresholds.GC_MUCH) {
            full.add("garbage collection took " + Say.percent(gcShare.getAsDouble()) + " of the time");
        }
        String queue = acceptQueue.isPresent() ? " of " + acceptQueue.getAsInt() : "";
        if (acceptQueueDrops.orElse(0) > 0) {
            full.add(connections(acceptQueueDrops.getAsDouble()) + " dropped at its full accept queue" + queue);
        } else if (acceptQueueMax.isPresent()
                && acceptQueue.isPresent()
                && acceptQueueMax.getAsInt() >= acceptQueue.getAsInt()) {
            full.add("its accept queue" + queue + " was full");
        }
        return full;
    }

    private static String connections(double n) {
        return Math.round(n) == 1 ? "one connection was" : Math.round(n) + " connections were";
    }

    private boolean threadsFull() {
        if (busy.isEmpty() || workers.orElse(0) < 1) {
            return false;
        }
        boolean mayGrow = mostWorkers.isPresent()
                && workers.getAsDouble() < GROWN * mostWorkers.getAsLong()
                && queued.orElse(0) < 1;
        return !mayGrow && busy.getAsDouble() >= Thresholds.THREADS_FULL * workers.getAsDouble();
    }

    /** What was full, or that nothing was and how full it was; empty if nothing could be read. */
    String words() {
        List<String> full = full();
        if (!full.isEmpty()) {
            return String.join(" and ", full);
        }
        var seen = new ArrayList<String>();
        if (busy.isPresent() && workers.isPresent()) {
            seen.add(Say.about(busy.getAsDouble()) + " of " + mostWorkers.orElse(Math.round(workers.getAsDouble()))
                    + " worker threads busy");
        }
        if (cpuShare.isPresent()) {
            seen.add(Say.percent(cpuShare.getAsDouble()) + " of its " + Say.count(cpus, "CPU") + " used");
        }
        // the counter is the network namespace's: whose queue it was that was full, it does not say
        if (dropped.orElse(0) > 0) {
            seen.add(connections(dropped.getAsDouble()) + " dropped at full accept queues in its network namespace"
                    + (acceptQueueMax.isPresent() || acceptQueueDrops.isPresent()
                            ? ", not its own"
                            : ", its own or another's"));
        }
        return seen.isEmpty() ? "" : "nothing that was watched in it was full (" + String.join(", ", seen) + ")";
    }
}
