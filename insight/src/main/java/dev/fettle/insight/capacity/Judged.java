package dev.fettle.insight.capacity;

import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import java.util.List;

/** A probe and what it says. */
public record Judged(Probe probe, ProbeVerdict verdict) {

    /** The probes among a run's outcomes, in order. */
    public static List<Judged> of(List<TrialOutcome> outcomes) {
        return outcomes.stream()
                .filter(o -> isProbe(o.spec().phase()))
                .map(o -> new Judged(Probe.of(o), ProbeVerdict.read(o.verdict())))
                .toList();
    }

    /** Whether a trial of this phase is a probe of the search: not its warm-up, and not the spike. */
    public static boolean isProbe(TrialSpec.Phase phase) {
        return switch (phase) {
            case BRACKET, NARROW, CONFIRM -> true;
            case BASELINE, SEARCH, RACE, DUEL, SWEEP, COMPARE, WARM_UP, IDLE, SPIKE, DIAGNOSE, TEST, RAMP -> false;
        };
    }
}
