package dev.fettle.insight.diagnose;

import java.util.List;
import java.util.function.Function;

/**
 * One way in which a server can be limited or broken, and how to see it.
 *
 * @param id stable name, in kebab case
 * @param stage when the rule is applied
 * @param what what it looks for, in a few words
 * @param threshold the bound, and where it comes from
 * @param symptomOf ids of rules whose findings explain this one
 * @param look what it sees
 * @param shownBy ids of the signals that show what it found, the most informative first: a page draws them beside it
 */
record Rule(
        String id,
        Stage stage,
        String what,
        String threshold,
        List<String> symptomOf,
        Function<Sight, Look> look,
        List<String> shownBy) {
    Rule {
        symptomOf = List.copyOf(symptomOf);
        shownBy = List.copyOf(shownBy);
    }

    /** A rule that no signal over time shows. */
    Rule(String id, Stage stage, String what, String threshold, List<String> symptomOf, Function<Sight, Look> look) {
        this(id, stage, what, threshold, symptomOf, look, List.of());
    }

    /** A copy that is shown by these signals. */
    Rule shownBy(String... signals) {
        return new Rule(id, stage, what, threshold, symptomOf, look, List.of(signals));
    }

    /** The order of evaluation: B.2 of the catalogue of failure modes. */
    enum Stage {
        /** The target failed as a whole. */
        FAILED,
        /** Something is stuck or used up. */
        BROKEN,
        /** What failed requests show, where nothing else explains them. */
        ERRORS,
        /** What uses the CPU time, where the CPUs are the limit. */
        CPU,
        /** Who holds the workers, and what they wait for. */
        WAITING,
        /** Only the slowest requests, or all of them now and then. */
        TAIL,
        /** Something gets worse over time. */
        TREND,
        /** Nothing on the server is full: the clients are the limit. */
        ASKED
    }
}
