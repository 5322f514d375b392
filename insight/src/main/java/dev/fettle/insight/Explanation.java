package dev.fettle.insight;

import java.util.List;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * What limits a setting, and on what evidence.
 *
 * <p>Laws used: Little's law N = X·R (holding time R_hold = busy threads / X); the utilisation law U = X·S (CPU per
 * request S = CPU seconds / responses); the ceiling of a pool of m threads is m / R_hold, the CPU's is cores / S.
 *
 * @param throughput valid responses per second
 * @param holdingSeconds mean time a worker thread is held by one request
 * @param busyThreads mean busy worker threads
 * @param threadsMax worker threads available
 * @param cpuSecondsPerRequest CPU time per valid response
 * @param cpuUtilisation of the CPUs the target may use, 0 to 1
 * @param cpuCeiling responses per second at which its CPUs are full
 * @param threadCeiling responses per second at which all its threads are busy
 * @param limit the resource that is full
 * @param sentences the reasoning in plain sentences with the figures in it, most important first
 * @param refutedBy the experiment that would show this explanation wrong; blank where the run has made it: then a sentence
 *     tells how it came out
 * @param support how far the run bears the limit out
 */
public record Explanation(
        double throughput,
        OptionalDouble holdingSeconds,
        OptionalDouble busyThreads,
        OptionalDouble threadsMax,
        OptionalDouble cpuSecondsPerRequest,
        OptionalDouble cpuUtilisation,
        OptionalDouble cpuCeiling,
        OptionalDouble threadCeiling,
        Limit limit,
        List<String> sentences,
        String refutedBy,
        Support support) {
    public Explanation {
        sentences = List.copyOf(sentences);
        // journals of before have none: each trial was explained from itself alone then
        support = Objects.requireNonNullElse(support, Support.CONSISTENT);
    }

    /** How far the run bears a limit out. */
    public enum Support {
        /** Seen by itself, or by what other trials of the run did. */
        SHOWN,
        /** Nothing speaks against it, and nothing has tested it. */
        CONSISTENT
    }

    /** Resources that can be full. */
    public enum Limit {
        /** All worker threads are busy while CPU is left. */
        THREADS,
        /** What the worker threads wait for: with more of them throughput stays, and each is held longer. */
        BEHIND_THREADS,
        /** The target's CPUs are full. */
        CPU,
        /** Every client waits for its answer and nothing on the server is full: more clients would get more. */
        CLIENTS,
        /** An open load's requests were served as they came, and nothing on the server is full. */
        RATE,
        /** Connections wait in the kernel's accept queue. */
        ACCEPT_QUEUE,
        /** The evidence names no resource. */
        UNKNOWN
    }
}
