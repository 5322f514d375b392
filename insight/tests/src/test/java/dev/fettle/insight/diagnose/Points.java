package dev.fettle.insight.diagnose;

import dev.fettle.insight.Explanation;
import dev.fettle.model.trial.TrialOutcome;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/** What limits a trial, without what the rules of a diagnosis find in it. */
public final class Points {
    private Points() {}

    public static Optional<Explanation> explain(TrialOutcome trial) {
        return explain(trial, List.of());
    }

    public static Optional<Explanation> explain(TrialOutcome trial, List<TrialOutcome> run) {
        return explain(trial, run, t -> 0);
    }

    public static Optional<Explanation> explain(
            TrialOutcome trial, List<TrialOutcome> run, ToDoubleFunction<TrialOutcome> moved) {
        return PointLimit.of(trial, run, moved).map(PointLimit::explanation);
    }
}
