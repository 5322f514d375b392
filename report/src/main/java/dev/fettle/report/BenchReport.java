package dev.fettle.report;

import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Condition;
import dev.fettle.model.plan.Redaction;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Verdict;
import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;

/**
 * What {@code fettle bench} has found: all that its outputs show. Secrets of the load are taken out here, so that no output
 * can have them.
 *
 * @param target what was loaded: scheme, host and port
 * @param load how it was offered
 * @param measurement what came of it
 * @param evidence what was seen of this machine meanwhile
 * @param verdict whether the figures may be believed
 * @param checks the user's conditions, in their order
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

    /** The rule that is broken when Fettle's own code was still being compiled: then the limit may have been Fettle. */
    public static final String GENERATOR_COLD = "generator-cold";

    /** The rule of a bench that its user stopped: the figures are those until then. */
    public static final String INTERRUPTED = "interrupted";

    public BenchReport {
        load = Redaction.of(load);
        checks = List.copyOf(checks);
    }

    /**
     * A condition that makes the bench fail.
     *
     * @param value the figure it is about; empty if there is none, because there was no valid response
     * @param met whether it is so
     */
    public record Check(Condition condition, OptionalDouble value, boolean met) {
        /** {@code p99 was 61.2ms}. */
        public String text() {
            return value.isPresent()
                    ? condition.metric().id() + " was " + condition.metric().text(rounded(value.getAsDouble()))
                    : "there was no valid response, so there is no "
                            + condition.metric().id();
        }

        /** Four significant digits are what the figure has at most. */
        private static double rounded(double value) {
            return value == 0 || !Double.isFinite(value)
                    ? value
                    : new java.math.BigDecimal(value)
                            .round(new java.math.MathContext(4))
                            .doubleValue();
        }
    }

    /** Whether any condition of the user's is met. */
    public boolean failed() {
        return checks.stream().anyMatch(Check::met);
    }

    /** Whether the figures may be believed, if with caution: what may be gone the next time does not make them void. */
    public boolean valid() {
        return verdict.reasons().stream().allMatch(Verdict.Reason::passing);
    }

    /** Whether the user stopped it before its end. */
    public boolean interrupted() {
        return verdict.reasons().stream().anyMatch(r -> r.rule().equals(INTERRUPTED));
    }

    /** Whether requests were due on a schedule. */
    public boolean open() {
        return measurement.detail().offered().isPresent();
    }
}
