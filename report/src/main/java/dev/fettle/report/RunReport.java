package dev.fettle.report;

import dev.fettle.insight.Conclusion;
import dev.fettle.insight.gate.EarlyStopping;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.trial.TrialOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The input of a report: one run, finished or not.
 *
 * @param runId the run's id, as given to {@code fettle show}
 * @param kind {@code tune}, {@code sweep} or {@code compare}
 * @param plan the plan, secrets already removed
 * @param started when the run began
 * @param took wall-clock time so far, without the gaps between resumptions
 * @param environment the machine it ran on
 * @param outcomes every attempt in order, void and failed ones included
 * @param conclusion what was found; empty while the run is unfinished
 * @param complete whether the experiment ran to its own end
 */
public record RunReport(
        String runId,
        String kind,
        Plan plan,
        Instant started,
        Duration took,
        Environment environment,
        List<TrialOutcome> outcomes,
        Optional<Conclusion> conclusion,
        boolean complete) {
    public RunReport {
        outcomes = List.copyOf(outcomes);
    }

    /** A copy with another plan, such as one that still has its secrets. */
    public RunReport withPlan(Plan other) {
        return new RunReport(runId, kind, other, started, took, environment, outcomes, conclusion, complete);
    }

    public List<TrialOutcome> valid() {
        return outcomes.stream().filter(TrialOutcome::valid).toList();
    }

    /** The void trials, failed ones included; without those that were ended early, and starts without load that came up. */
    public List<TrialOutcome> voids() {
        return outcomes.stream()
                .filter(o -> !o.valid() && !o.cameUp() && !EarlyStopping.is(o))
                .toList();
    }

    /** The trials that were ended early, because their setting was surely worse than the best so far. */
    public List<TrialOutcome> early() {
        return outcomes.stream().filter(EarlyStopping::is).toList();
    }
}
