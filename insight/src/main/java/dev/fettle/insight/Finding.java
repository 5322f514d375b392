package dev.fettle.insight;

import dev.fettle.model.text.OptionalFigure;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Optional;

/**
 * One thing that a diagnosis found, with its evidence and what would refute it.
 *
 * @param rule stable id of the rule that found it, for example {@code backend-wait}
 * @param severity how much it matters
 * @param title the cause in a few words
 * @param sentence the finding, with the figures
 * @param evidence the figures it rests on, one phrase each
 * @param share how much of a request's time, or of that in its worker, it explains, 0 to 1; empty if it is not about that time
 * @param remedy what to do, in the server's own terms where it has any
 * @param knob the knob that does it, if there is one
 * @param refutedBy the experiment that would refute it
 * @param symptoms what was also found and follows from it, one sentence each
 * @param test how the experiment came out, if it was made
 */
@RecordBuilder
public record Finding(
        String rule,
        Severity severity,
        String title,
        String sentence,
        List<String> evidence,
        OptionalFigure share,
        String remedy,
        Optional<String> knob,
        String refutedBy,
        List<String> symptoms,
        Optional<Test> test)
        implements FindingBuilder.With {
    public Finding {
        evidence = List.copyOf(evidence);
        symptoms = List.copyOf(symptoms);
    }

    /** How much a finding matters. */
    public enum Severity {
        /** What every server reaches some day: its CPUs are full, or its clients ask for no more. */
        LIMIT,
        /** It costs more than it should. */
        WARNING,
        /** Something is broken. */
        FAULT
    }

    /** The outcome of a test. */
    public enum Outcome {
        CONFIRMED,
        REFUTED,
        /** The test was made, but is inconclusive. */
        OPEN
    }

    /**
     * An experiment that could have refuted a finding.
     *
     * @param change what was changed
     * @param sentence the result, with both figures
     * @param scope what was tested, where that is less than the finding says; else blank
     */
    public record Test(Outcome outcome, String change, String sentence, String scope) {
        /** A test of all that the finding says. */
        public Test(Outcome outcome, String change, String sentence) {
            this(outcome, change, sentence, "");
        }
    }
}
