package dev.fettle.insight.diagnose;

import java.util.List;
import java.util.function.Function;

/**
 * One way in which a server can be limited or broken, and how to see it.
 *
 * @param id stable name, in kebab case
 * @param stage when the rule is applied
 * @param what what it detects, in a few words
 * @param threshold the bound, and where it comes from
 * @param symptomOf ids of rules whose findings explain this one
 * @param look what it sees
 * @param shownBy ids of the signals that show what it found, the most informative first: a page draws them next to it
 */
record Rule(
        String id,
        Stage stage,
        String what,
        String threshold,
        List<String> symptomOf,
        Function<TrialFacts, RuleResult> look,
        List<String> shownBy) {
    Rule {
        symptomOf = List.copyOf(symptomOf);
        shownBy = List.copyOf(shownBy);
    }

    /** A rule that no signal over time shows. */
    Rule(
            String id,
            Stage stage,
            String what,
            String threshold,
            List<String> symptomOf,
            Function<TrialFacts, RuleResult> look) {
        this(id, stage, what, threshold, symptomOf, look, List.of());
    }

    /** A copy that is shown by these signals. */
    Rule shownBy(String... signals) {
        return new Rule(id, stage, what, threshold, symptomOf, look, List.of(signals));
    }

    /** The order of evaluation. */
    enum Stage {
        FAILED("The target failed as a whole"),
        BROKEN("Something is stuck or used up"),
        ERRORS("Requests fail"),
        CPU("Where the CPU time goes"),
        WAITING("What requests wait for"),
        TAIL("Some requests are slow, or all of them now and then"),
        TREND("What changes while it is measured"),
        ASKED("The clients are the limit");

        private final String title;

        Stage(String title) {
            this.title = title;
        }

        /** Its heading. */
        String title() {
            return title;
        }
    }
}
