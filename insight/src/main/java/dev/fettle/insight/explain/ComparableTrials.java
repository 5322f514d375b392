package dev.fettle.insight.explain;

import dev.fettle.model.load.Load;
import dev.fettle.model.trial.TrialOutcome;
import java.time.Duration;

/** What has to be equal for two trials of a run to be compared. */
final class ComparableTrials {
    private ComparableTrials() {}

    /**
     * A trial's load without how long it was warmed up and measured. A search in a warm JVM measures for a shorter time, and a bound on
     * warm-ups that was too short is raised: throughput and holding time are the same figures all the same.
     */
    static Load load(TrialOutcome o) {
        return o.spec().load().withWarmUpAtMost(Duration.ZERO).withMeasure(Duration.ZERO);
    }
}
