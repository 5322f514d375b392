package dev.fettle.insight;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;

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
        OptionalDouble share,
        String remedy,
        Optional<String> knob,
        String refutedBy,
        List<String> symptoms,
        Optional<Test> test)
        implements FindingBuilder.With {
    /** Rules whose findings have a share of something else in older journals: of the CPUs, of the answers, of a limit. */
    private static final Set<String> NOT_OF_TIME = Set.of(
            "heap-exhausted",
            "direct-memory-exhausted",
            "threads-limit",
            "hung",
            "died",
            "deadlock",
            "descriptors-used-up",
            "ports-used-up",
            "refused",
            "connect-timeouts",
            "read-timeouts",
            "connections-cut-off",
            "server-errors",
            "wrong-answers",
            "cpu-quota",
            "exceptions",
            "tls-handshakes",
            "expensive-method",
            "large-answers",
            "cpu-full",
            "heap-small",
            "allocation",
            "explicit-gc",
            "humongous-allocation",
            "virtual-pinned",
            "keep-alive-off",
            "sessions-pile-up",
            "still-warming",
            "live-heap-grows",
            "think-time");

    public Finding {
        share = NOT_OF_TIME.contains(rule) ? OptionalDouble.empty() : share;
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
        public Test {
            scope = Objects.requireNonNullElse(scope, ""); // older journals have none
        }

        /** A test of all that the finding says. */
        public Test(Outcome outcome, String change, String sentence) {
            this(outcome, change, sentence, "");
        }
    }
}
