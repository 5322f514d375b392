package dev.fettle.model.trial;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * What was seen of the target's process and of the host between two moments. A figure that could not be read is empty,
 * never zero.
 *
 * @param serverCpuSeconds CPU time the target used, user and system
 * @param compilerCpuSeconds the part of it that the JVM's just-in-time compilers used: it belongs to the warm-up, not
 *     to the requests
 * @param steal share of the time of the target's and generator's CPUs that the hypervisor took, 0 to 1
 * @param serverSteal {@code steal} of the target's own CPUs alone: this slows the target down, but is hidden in the mean
 *     over all CPUs
 * @param generatorSteal {@code steal} of the generator's CPUs alone
 * @param foreignCpu share of the CPU time of the target's and generator's CPUs that other processes used, 0 to 1
 * @param busyWorkers worker threads running a request, mean
 * @param busyWorkersMax worker threads running a request, most seen
 * @param workers worker threads in the pool, most seen
 * @param queued requests waiting for a worker, mean
 * @param gcMillis time in garbage collection
 * @param listenOverflows connections dropped in the target's network namespace because an accept queue was full: not
 *     necessarily the target's
 * @param synRetransmits SYN retransmissions in the target's network namespace
 * @param loadAverage one-minute load average at the end
 * @param acceptQueueMax most connections seen waiting in the target's own accept queue
 * @param acceptQueueDrops connections that the target's own listening socket dropped because its accept queue was full;
 *     {@code listenOverflows} counts those of all listeners in the network namespace
 */
@RecordBuilder
public record HostSeen(
        OptionalDouble serverCpuSeconds,
        OptionalDouble compilerCpuSeconds,
        OptionalDouble steal,
        OptionalDouble serverSteal,
        OptionalDouble generatorSteal,
        OptionalDouble foreignCpu,
        OptionalDouble busyWorkers,
        OptionalDouble busyWorkersMax,
        OptionalDouble workers,
        OptionalDouble queued,
        OptionalDouble gcMillis,
        OptionalDouble listenOverflows,
        OptionalDouble synRetransmits,
        OptionalDouble loadAverage,
        OptionalInt acceptQueueMax,
        OptionalDouble acceptQueueDrops)
        implements HostSeenBuilder.With {
    private static final OptionalDouble NO = OptionalDouble.empty();

    public static final HostSeen NOTHING =
            new HostSeen(NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, NO, OptionalInt.empty(), NO);

    /** A copy without CPU times, for a target whose process is not known. */
    public HostSeen withoutCpuTime() {
        return with().serverCpuSeconds(NO).compilerCpuSeconds(NO).build();
    }

    /** A copy in which others' use of the CPUs, and the time stolen from the target's, were determined anew. */
    public HostSeen withOthers(OptionalDouble foreign, OptionalDouble stolenFromServer) {
        return with().foreignCpu(foreign).serverSteal(stolenFromServer).build();
    }
}
