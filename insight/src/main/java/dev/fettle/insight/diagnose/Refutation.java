package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import java.util.Optional;

/**
 * The experiment that could refute a rule's finding: one change, and a prediction made beforehand of a figure.
 *
 * @param change the trial to make
 * @param figure what it shows
 * @param tests what of the finding it tests
 */
record Refutation(Change change, Figure figure, Tests tests) {
    /** None is cheap. */
    static final Refutation NONE = by((_, _) -> Optional.empty());

    /** What is changed; empty if the change is not cheap, or the target not ours to change. */
    interface Change {
        Optional<Plan> of(Finding finding, TrialOutcome baseline);
    }

    /** What a test shows of the figure that the finding is about. */
    interface Figure {
        /**
         * @param expected what comes out if the finding is right
         * @param clear factor from which on it is better
         */
        TestedFigure of(Expected expected, TrialFacts before, TrialFacts after, double clear);
    }

    /** What must come out if the finding is right. */
    enum Expected {
        MORE,
        /** More requests at once get no more throughput: the clients are not the limit, nor are idle workers. */
        SAME
    }

    /** What of a finding is tested. */
    enum Tests {
        /** Its cause; by more load, that the clients are not the limit. */
        CAUSE,
        /** All that it says, by more load, too. */
        ALL,
        /** What lies behind the workers, if the CPUs are not full. */
        BEHIND,
        /** It says how often something was counted: a test can only show whether that costs anything. */
        COUNTED
    }

    /**
     * A test that can be run.
     *
     * @param change in words
     */
    record Plan(TrialSpec spec, String change, Expected expected) {}

    /** A change whose figure is throughput. */
    static Refutation by(Change change) {
        return new Refutation(
                change, (_, before, after, clear) -> TestedFigure.throughput(before, after, clear), Tests.CAUSE);
    }

    Refutation figure(Figure of) {
        return new Refutation(change, of, tests);
    }

    Refutation tests(Tests what) {
        return new Refutation(change, figure, what);
    }
}
