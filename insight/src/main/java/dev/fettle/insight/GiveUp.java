package dev.fettle.insight;

import dev.fettle.model.plan.Objective;

/**
 * When a trial may be ended before its time: once it is surely worse than this. Anyone who runs the trial only holds its windows against
 * the bound, see {@code gate.EarlyStopping}.
 *
 * @param metric {@code THROUGHPUT}, or {@code P99} under a load of one rate; nothing else can be judged while a trial runs
 * @param worseThan responses per second, or nanoseconds, above 0: clearly worse than the best setting so far, by more than the noise
 *     between trials
 * @param from seconds of load before which nothing is decided, 0 or more: a JVM may be that slow to come up
 */
public record GiveUp(Objective.Metric metric, double worseThan, double from) {
    public GiveUp {
        if (metric != Objective.Metric.THROUGHPUT && metric != Objective.Metric.P99) {
            throw new IllegalArgumentException(metric + " can't be judged while a trial runs");
        }
    }
}
