package dev.fettle.report;

import dev.fettle.insight.words.FigureText;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Condition;
import dev.fettle.model.plan.Redaction;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Verdict;
import java.time.Instant;
import java.util.List;

/**
 * The result of {@code fettle bench}, the input of all its outputs. Secrets in the load are removed here, so that no output can
 * contain them.
 *
 * @param target the loaded server: scheme, host and port
 * @param load the load offered
 * @param measurement the figures
 * @param evidence what was observed on this machine meanwhile
 * @param verdict whether the figures are valid
 * @param checks the user's conditions, in the given order
 * @param started when the load began
 */
public record BenchReport(
        String target,
        Load load,
        Measurement measurement,
        Evidence evidence,
        Verdict verdict,
        List<Check> checks,
        Instant started) {

    /** The rule broken when Fettle's own code was still being compiled, so that Fettle may have been the limit. */
    public static final String GENERATOR_COLD = "generator-cold";

    /** The rule broken when a thread of the load generator ended before its load did. */
    public static final String GENERATOR_FAILED = "generator-failed";

    /** The rule of a bench stopped by the user: the figures cover the time until then. */
    public static final String INTERRUPTED = "interrupted";

    public BenchReport {
        load = Redaction.of(load);
        checks = List.copyOf(checks);
    }

    /**
     * A condition that makes the bench fail.
     *
     * @param value the figure; empty if there was no valid response
     * @param met whether the condition holds
     */
    public record Check(Condition condition, OptionalFigure value, boolean met) {
        /** {@code p99 was 61.2 ms}. */
        public String text() {
            return value.isPresent()
                    ? condition.metric().id() + " was " + FigureText.figure(condition, value.getAsDouble())
                    : "there was no valid response, so there is no "
                            + condition.metric().id();
        }
    }

    /** Whether any of the user's conditions for failing is met. */
    public boolean failed() {
        return checks.stream().anyMatch(Check::met);
    }

    /** Whether the figures are valid, possibly with caution: a temporary disturbance does not void them. */
    public boolean valid() {
        return verdict.reasons().stream().allMatch(Verdict.Reason::passing);
    }

    /** Whether the user stopped it before its end. */
    public boolean interrupted() {
        return breaks(INTERRUPTED);
    }

    /** Whether a rule of the gate, or of a bench, is broken. */
    public boolean breaks(String rule) {
        return verdict.reasons().stream().anyMatch(r -> r.rule().equals(rule));
    }

    /** Whether the load was open, with requests due on a schedule. */
    public boolean open() {
        return measurement.detail().offered().isPresent();
    }
}
