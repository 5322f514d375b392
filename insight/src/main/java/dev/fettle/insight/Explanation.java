package dev.fettle.insight;

import dev.fettle.model.text.OptionalFigure;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
 * @param brief the same for a table or a paragraph: with what a diagnosis of the trial found
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
        Support support,
        Brief brief)
        implements ExplanationBuilder.With {
    public Explanation {
        sentences = List.copyOf(sentences);
    }

    /**
     * The cause in short: the first finding of the trial's diagnosis, unless other trials of the run show more about its pool than one
     * trial can.
     *
     * @param title in a few words
     * @param sentences with the figures, most important first
     * @param refutedBy the experiment that would refute it; blank if the run has made it
     * @param finding the rule's finding, if the cause is one
     */
    public record Brief(String title, List<String> sentences, String refutedBy, Optional<Finding> finding) {
        public Brief {
            sentences = List.copyOf(sentences);
        }
    }

    /** Whether anything was seen of its target. */
    public boolean observed() {
        return busyThreads.isPresent() || cpuUtilisation.isPresent();
    }

    /** Whether the run shows that its pool, or what lies behind that, is the limit. */
    public boolean showsPool() {
        return support == Support.SHOWN && (limit == Limit.THREADS || limit == Limit.BEHIND_THREADS);
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
        THREADS("workers-full"),
        /** Whatever the worker threads wait for: with more threads throughput stays the same, and each is held longer. */
        BEHIND_THREADS("behind-the-workers"),
        /** The target's CPUs are full. */
        CPU("cpu-full"),
        /** Every client waits for its answer and nothing on the server is full: more clients would raise throughput. */
        CLIENTS("clients"),
        /** The server keeps up with an open load, and nothing that was watched on it is full. */
        RATE("rate"),
        /** Connections wait in the kernel's accept queue. */
        ACCEPT_QUEUE("accept-queue"),
        /** The evidence points to no resource. */
        UNKNOWN("");

        private final String rule;

        Limit(String rule) {
            this.rule = rule;
        }

        /** Id of the rule of a diagnosis that has its words; blank if none has. */
        public String rule() {
            return rule;
        }
    }
}
