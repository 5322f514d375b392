package dev.fettle.insight;

import dev.fettle.model.text.OptionalFigure;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.ArrayList;
import java.util.List;

/**
 * What limits a setting, with the evidence.
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
 * @param refutedBy the experiment that would refute this explanation; blank if the run has made it, and then a sentence says
 *     how it came out
 * @param support how well the run supports the limit
 */
@RecordBuilder
public record Explanation(
        double throughput,
        OptionalFigure holdingSeconds,
        OptionalFigure busyThreads,
        OptionalFigure threadsMax,
        OptionalFigure cpuSecondsPerRequest,
        OptionalFigure cpuUtilisation,
        OptionalFigure cpuCeiling,
        OptionalFigure threadCeiling,
        Limit limit,
        List<String> sentences,
        String refutedBy,
        Support support)
        implements ExplanationBuilder.With {
    public Explanation {
        sentences = List.copyOf(sentences);
    }

    /** The ceiling of its threads, where the run shows that they are the limit; elsewhere what they wait for may be. */
    public OptionalFigure shownThreadCeiling() {
        return limit == Limit.THREADS && support == Support.SHOWN ? threadCeiling : OptionalFigure.empty();
    }

    /** A copy with one more sentence, which becomes the one at this index, or the last. */
    public Explanation with(int index, String sentence) {
        var more = new ArrayList<>(sentences);
        more.add(Math.min(index, more.size()), sentence);
        return withSentences(more);
    }

    /** How well the run supports a limit. */
    public enum Support {
        /** Observed directly, or confirmed by other trials of the run. */
        SHOWN,
        /** Nothing contradicts it, and nothing has tested it. */
        CONSISTENT
    }

    /** Resources that can be full. */
    public enum Limit {
        /** All worker threads are busy while CPU is left. */
        THREADS,
        /** Whatever the worker threads wait for: with more threads throughput stays the same, and each is held longer. */
        BEHIND_THREADS,
        /** The target's CPUs are full. */
        CPU,
        /** Every client waits for its answer and nothing on the server is full: more clients would raise throughput. */
        CLIENTS,
        /** The server keeps up with an open load, and nothing that was watched on it is full. */
        RATE,
        /** Connections wait in the kernel's accept queue. */
        ACCEPT_QUEUE,
        /** The evidence points to no resource. */
        UNKNOWN
    }
}
