package dev.fettle.lab;

import dev.fettle.lab.measure.LoadedTarget.Seen;
import dev.fettle.model.plan.Redaction;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.HookOutcome;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Puts the outcome of a trial together, however it was driven.
 *
 * @param spec what was tried; secrets are removed
 * @param took the time charged to it
 * @param hooks the outcomes of its hooks
 */
record TrialEnd(int ordinal, TrialSpec spec, Instant started, Duration took, List<HookOutcome> hooks) {
    TrialEnd {
        spec = Redaction.of(spec);
        hooks = List.copyOf(hooks);
    }

    /** One that was measured. */
    TrialOutcome measured(Seen seen, Verdict verdict) {
        return new TrialOutcome(
                ordinal,
                spec,
                started,
                took,
                seen.warmUp(),
                Optional.of(seen.measurement()),
                Optional.of(seen.evidence()),
                Optional.empty(),
                verdict,
                hooks);
    }

    /**
     * One that has failed.
     *
     * @param until what was watched until then
     */
    TrialOutcome failed(TrialOutcome.Failure failure, Optional<Evidence> until) {
        return unmeasured(Optional.of(failure), until, voidBecause(failure));
    }

    /** One whose target only had to come up. */
    TrialOutcome cameUp() {
        return unmeasured(Optional.empty(), Optional.empty(), Verdict.VALID);
    }

    private TrialOutcome unmeasured(Optional<TrialOutcome.Failure> failure, Optional<Evidence> until, Verdict verdict) {
        return new TrialOutcome(
                ordinal, spec, started, took, Duration.ZERO, Optional.empty(), until, failure, verdict, hooks);
    }

    private static Verdict voidBecause(TrialOutcome.Failure failure) {
        return new Verdict(List.of(new Verdict.Reason(
                failure.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'),
                failure.message(),
                failure.kind().passing())));
    }
}
