package dev.fettle.model.trial;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A figure of the target's process or of the host over all of a trial's measured time. What is added here is joined over the
 * stretches of a trial, kept in the journal and written to the results; what remains is to read it.
 */
public enum Aggregate {
    SERVER_CPU_SECONDS("serverCpuSeconds", Join.TOTAL, "CPU time that the target used, user and system, in seconds."),
    COMPILER_CPU_SECONDS(
            "compilerCpuSeconds",
            Join.TOTAL,
            "The part of it that the JVM's just-in-time compilers used: it belongs to the warm-up, not to the requests."),
    STEAL(
            "stealShare",
            Join.MEAN,
            "Share of the time of the target's and generator's CPUs that the hypervisor took, 0 to 1."),
    SERVER_STEAL(
            "serverStealShare",
            Join.MEAN,
            "The same of the target's own CPUs: it slows the target down, but is hidden in the mean over all CPUs."),
    GENERATOR_STEAL("generatorStealShare", Join.MEAN, "The same of the generator's CPUs."),
    FOREIGN_CPU(
            "foreignCpuShare",
            Join.MEAN,
            "Share of the CPU time of the target's and generator's CPUs that other processes used, 0 to 1."),
    BUSY_WORKERS("busyWorkersMean", Join.MEAN, "Worker threads that ran a request, mean."),
    BUSY_WORKERS_MAX("busyWorkersMax", Join.MOST, "Worker threads that ran a request, most observed."),
    WORKERS("workersMax", Join.MOST, "Worker threads in the pool, most observed."),
    QUEUED("queuedMean", Join.MEAN, "Requests that waited for a worker, mean."),
    GC_MILLIS("gcMillis", Join.TOTAL, "Time in garbage collection, in milliseconds."),
    LISTEN_OVERFLOWS(
            "listenOverflows",
            Join.TOTAL,
            "Connections dropped in the target's network namespace because an accept queue was full: not necessarily the"
                    + " target's."),
    SYN_RETRANSMITS("synRetransmits", Join.TOTAL, "SYNs sent again in the target's network namespace."),
    LOAD_AVERAGE("loadAverage", Join.LAST, "Load average of one minute, at the end."),
    ACCEPT_QUEUE_MAX(
            "acceptQueueMax", Join.MOST, "Connections that waited in the target's own accept queue, most observed."),
    ACCEPT_QUEUE_DROPS(
            "acceptQueueDrops",
            Join.TOTAL,
            "Connections that the target's own listening socket dropped because its accept queue was full.");

    /** How those of several stretches become one. */
    public enum Join {
        /** They add up; one that is missing makes the sum unknown. */
        TOTAL,
        /** Their mean, weighted by time, over the stretches in which it was observed. */
        MEAN,
        /** The most in any stretch in which it was observed. */
        MOST,
        /** That of the last stretch. */
        LAST
    }

    private static final Map<String, Aggregate> BY_ID =
            Arrays.stream(values()).collect(Collectors.toUnmodifiableMap(Aggregate::id, a -> a));

    private final String id;
    private final Join join;
    private final String about;

    Aggregate(String id, Join join, String about) {
        this.id = id;
        this.join = join;
        this.about = about;
    }

    /** Its name in journals and results. */
    public String id() {
        return id;
    }

    /** How those of several stretches become one. */
    public Join join() {
        return join;
    }

    /** One sentence, with its unit. */
    public String about() {
        return about;
    }

    /** The one with this name. */
    static Optional<Aggregate> of(String id) {
        return Optional.ofNullable(BY_ID.get(id));
    }
}
