package dev.fettle.insight.capacity;

import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import java.util.List;

/**
 * A probe and what it says.
 *
 * @param process the process it was put on, from 0, where a search launches several
 */
public record Judged(Probe probe, ProbeVerdict verdict, int process) {
    /** A probe of a search in one process. */
    public Judged(Probe probe, ProbeVerdict verdict) {
        this(probe, verdict, 0);
    }

    /** The probes among a run's outcomes, in order. */
    public static List<Judged> of(List<TrialOutcome> outcomes) {
        return outcomes.stream()
                .filter(o -> isProbe(o.spec().phase()))
                .map(o -> new Judged(
                        Probe.of(o), ProbeVerdict.read(o.verdict()), o.spec().block()))
                .toList();
    }

    /** Whether it says something about the server. */
    boolean isValid() {
        return verdict.result() == ProbeVerdict.Result.MET || verdict.result() == ProbeVerdict.Result.BROKEN;
    }

    /** Whether a trial of this phase is a probe of the search: not its warm-up, and not the spike. */
    public static boolean isProbe(TrialSpec.Phase phase) {
        return switch (phase) {
            case BRACKET, NARROW, CONFIRM -> true;
            case BASELINE,
                    SEARCH,
                    RACE,
                    START,
                    DUEL,
                    SWEEP,
                    COMPARE,
                    GATE,
                    EXPLAIN,
                    WARM_UP,
                    IDLE,
                    SPIKE,
                    DIAGNOSE,
                    OBSERVE,
                    TEST,
                    RAMP -> false;
        };
    }
}
