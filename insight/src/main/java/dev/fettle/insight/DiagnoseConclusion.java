package dev.fettle.insight;

import dev.fettle.insight.stats.Usl;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a diagnosis found.
 *
 * @param result whether there is an answer
 * @param bottleneck what limits the server, or is broken in it; empty if nothing was found
 * @param others further findings that the first one does not explain, in the order of evaluation
 * @param healthy what was examined and found in order, with the figure
 * @param notObserved what could not be examined, with the reason
 * @param laws what the operational laws say, or why one does not apply
 * @param ramp throughput with different numbers of clients, if it was measured; the law fitted to it is among the laws
 * @param secondOpinion what JDK Mission Control's rules say about a recording of the same trial, if that was asked for;
 *     it is not Fettle's, and decides nothing
 */
public record DiagnoseConclusion(
        Result result,
        String headline,
        Optional<Finding> bottleneck,
        List<Finding> others,
        List<Looked> healthy,
        List<Looked> notObserved,
        List<String> laws,
        Optional<Ramp> ramp,
        List<Looked> secondOpinion,
        List<String> notes)
        implements Conclusion {
    public DiagnoseConclusion {
        others = List.copyOf(others);
        healthy = List.copyOf(healthy);
        notObserved = List.copyOf(notObserved);
        laws = List.copyOf(laws);
        secondOpinion = List.copyOf(secondOpinion);
        notes = List.copyOf(notes);
    }

    /** A copy with more notes. */
    public DiagnoseConclusion noted(List<String> more) {
        var all = new ArrayList<>(notes);
        all.addAll(more);
        return new DiagnoseConclusion(
                result, headline, bottleneck, others, healthy, notObserved, laws, ramp, secondOpinion, all);
    }

    /** Whether there is an answer. */
    public enum Result {
        FOUND,
        /** Everything that was examined is in order; what limits the load was not seen. */
        NOTHING_FOUND,
        /** The measurement can't be used. */
        NOT_VALID
    }

    /**
     * A rule and why it gave no finding.
     *
     * @param rule its id
     * @param what what it looks for, in a few words
     * @param words the figure, or why there is none
     */
    public record Looked(String rule, String what, String words) {}

    /**
     * Throughput with different numbers of clients.
     *
     * @param steps in the order they were measured
     * @param fit of the universal scalability law; empty if it does not fit
     * @param words what was fitted, or why nothing was
     */
    public record Ramp(List<RampStep> steps, Optional<Usl> fit, String words) {
        public Ramp {
            steps = List.copyOf(steps);
        }
    }

    /**
     * One measurement of a ramp.
     *
     * @param throughput valid responses a second
     * @param left why it is left out of the fit; empty if it is not
     */
    public record RampStep(int clients, double throughput, Optional<String> left) {}
}
