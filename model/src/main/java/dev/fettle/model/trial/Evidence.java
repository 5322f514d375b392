package dev.fettle.model.trial;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * What the watch saw of the target, the host and the generator during one trial's measuring phase. A figure that could
 * not be read is empty, never zero.
 *
 * @param serverCpus CPUs the target may use
 * @param serverCpuSeconds CPU time the target used, user and system
 * @param compilerCpuSeconds the part of it that the JVM's just-in-time compilers used: it belongs to the warming up, not to
 *     the requests
 * @param generatorCpuShare the busiest generator thread's share of one core, 0 to 1
 * @param sendLagP99Millis how late requests left the generator at p99; empty in the closed model
 * @param steal share of the time of the target's and generator's CPUs that the hypervisor took, 0 to 1
 * @param foreignCpu share of the CPU time of the target's and generator's CPUs that other processes used, 0 to 1
 * @param busyWorkers worker threads running a request, mean
 * @param busyWorkersMax worker threads running a request, most seen
 * @param workers worker threads in the pool, most seen
 * @param queued requests waiting for a worker, mean
 * @param gcMillis time in garbage collection
 * @param listenOverflows connections dropped in the target's network namespace because an accept queue was full: not
 *     necessarily the target's
 * @param synRetransmits SYN retransmissions in the target's network namespace
 * @param acceptQueueLimit the listening socket's effective backlog
 * @param loadAverage one-minute load average at the end
 * @param startupMillis from launch to ready
 * @param effective knob values read back from the running target; includes ones that nobody set
 * @param facts versions and names: server, JDK, process arguments without secrets
 * @param notes what could not be read, and why
 * @param serverSteal share of the time of the target's own CPUs that the hypervisor took, 0 to 1: what slows the target down,
 *     which the mean over all CPUs hides
 * @param generatorSteal the same of the generator's CPUs
 * @param acceptQueueMax most connections seen waiting in the target's own accept queue; at {@code acceptQueueLimit} it is full
 * @param acceptQueueDrops connections that the target's own listening socket has dropped, which it does where its accept queue
 *     is full; {@code listenOverflows} counts those of all listeners in the network namespace
 * @param timeline the same and more, over time
 * @param profiles where its time went, where that was asked for
 */
public record Evidence(
        int serverCpus,
        OptionalDouble serverCpuSeconds,
        OptionalDouble compilerCpuSeconds,
        OptionalDouble generatorCpuShare,
        OptionalDouble sendLagP99Millis,
        OptionalDouble steal,
        OptionalDouble foreignCpu,
        OptionalDouble busyWorkers,
        OptionalDouble busyWorkersMax,
        OptionalDouble workers,
        OptionalDouble queued,
        OptionalDouble gcMillis,
        OptionalDouble listenOverflows,
        OptionalDouble synRetransmits,
        OptionalInt acceptQueueLimit,
        OptionalDouble loadAverage,
        double startupMillis,
        Map<String, String> effective,
        Map<String, String> facts,
        List<String> notes,
        OptionalDouble serverSteal,
        OptionalDouble generatorSteal,
        OptionalInt acceptQueueMax,
        OptionalDouble acceptQueueDrops,
        Timeline timeline,
        List<Profile> profiles) {
    public Evidence {
        profiles = List.copyOf(Objects.requireNonNullElse(profiles, List.of())); // older journals have none
        timeline = Objects.requireNonNullElse(timeline, Timeline.NONE); // older journals have none
        effective = Collections.unmodifiableMap(new TreeMap<>(effective));
        facts = Collections.unmodifiableMap(new TreeMap<>(facts));
        notes = List.copyOf(notes);
    }

    /** Where nothing was profiled. */
    public Evidence(
            int serverCpus,
            OptionalDouble serverCpuSeconds,
            OptionalDouble compilerCpuSeconds,
            OptionalDouble generatorCpuShare,
            OptionalDouble sendLagP99Millis,
            OptionalDouble steal,
            OptionalDouble foreignCpu,
            OptionalDouble busyWorkers,
            OptionalDouble busyWorkersMax,
            OptionalDouble workers,
            OptionalDouble queued,
            OptionalDouble gcMillis,
            OptionalDouble listenOverflows,
            OptionalDouble synRetransmits,
            OptionalInt acceptQueueLimit,
            OptionalDouble loadAverage,
            double startupMillis,
            Map<String, String> effective,
            Map<String, String> facts,
            List<String> notes,
            OptionalDouble serverSteal,
            OptionalDouble generatorSteal,
            OptionalInt acceptQueueMax,
            OptionalDouble acceptQueueDrops,
            Timeline timeline) {
        this(
                serverCpus,
                serverCpuSeconds,
                compilerCpuSeconds,
                generatorCpuShare,
                sendLagP99Millis,
                steal,
                foreignCpu,
                busyWorkers,
                busyWorkersMax,
                workers,
                queued,
                gcMillis,
                listenOverflows,
                synRetransmits,
                acceptQueueLimit,
                loadAverage,
                startupMillis,
                effective,
                facts,
                notes,
                serverSteal,
                generatorSteal,
                acceptQueueMax,
                acceptQueueDrops,
                timeline,
                List.of());
    }

    /** Where nothing is known of each side's stolen time, and nothing of the target's listening socket but its limit. */
    public Evidence(
            int serverCpus,
            OptionalDouble serverCpuSeconds,
            OptionalDouble compilerCpuSeconds,
            OptionalDouble generatorCpuShare,
            OptionalDouble sendLagP99Millis,
            OptionalDouble steal,
            OptionalDouble foreignCpu,
            OptionalDouble busyWorkers,
            OptionalDouble busyWorkersMax,
            OptionalDouble workers,
            OptionalDouble queued,
            OptionalDouble gcMillis,
            OptionalDouble listenOverflows,
            OptionalDouble synRetransmits,
            OptionalInt acceptQueueLimit,
            OptionalDouble loadAverage,
            double startupMillis,
            Map<String, String> effective,
            Map<String, String> facts,
            List<String> notes) {
        this(
                serverCpus,
                serverCpuSeconds,
                compilerCpuSeconds,
                generatorCpuShare,
                sendLagP99Millis,
                steal,
                foreignCpu,
                busyWorkers,
                busyWorkersMax,
                workers,
                queued,
                gcMillis,
                listenOverflows,
                synRetransmits,
                acceptQueueLimit,
                loadAverage,
                startupMillis,
                effective,
                facts,
                notes,
                OptionalDouble.empty(),
                OptionalDouble.empty(),
                OptionalInt.empty(),
                OptionalDouble.empty(),
                Timeline.NONE);
    }

    /** Whether the target's own accept queue was full: it was seen to be, or its socket has dropped connections. */
    public boolean acceptQueueWasFull() {
        boolean seen = acceptQueueMax.isPresent()
                && acceptQueueLimit.isPresent()
                && acceptQueueMax.getAsInt() >= acceptQueueLimit.getAsInt();
        return seen || acceptQueueDrops.orElse(0) > 0;
    }

    /** This, with another timeline. */
    public Evidence withTimeline(Timeline other) {
        return with(notes, other, profiles);
    }

    /** This, with more notes. */
    public Evidence withNotes(List<String> others) {
        var more = new ArrayList<>(notes);
        more.addAll(others);
        return with(more, timeline, profiles);
    }

    /** This, with what was recorded of it. */
    public Evidence withProfiles(List<Profile> recorded) {
        return with(notes, timeline, recorded);
    }

    private Evidence with(List<String> allNotes, Timeline other, List<Profile> recorded) {
        return new Evidence(
                serverCpus,
                serverCpuSeconds,
                compilerCpuSeconds,
                generatorCpuShare,
                sendLagP99Millis,
                steal,
                foreignCpu,
                busyWorkers,
                busyWorkersMax,
                workers,
                queued,
                gcMillis,
                listenOverflows,
                synRetransmits,
                acceptQueueLimit,
                loadAverage,
                startupMillis,
                effective,
                facts,
                allNotes,
                serverSteal,
                generatorSteal,
                acceptQueueMax,
                acceptQueueDrops,
                other,
                recorded);
    }
}
