package dev.fettle.insight.tune;

import dev.fettle.insight.trials.RunLength;
import dev.fettle.model.plan.Plan;
import java.time.Duration;

/**
 * How long a tune of a plan takes, estimated before it begins.
 *
 * @param least the default, one other setting and a duel of the fewest pairs, with warm-ups of the usual length: with less time
 *     nothing can be shown, and normally nothing is tried
 * @param leastSlow the same when every warm-up runs to its bound
 * @param usual all trials of the budget, with warm-ups of the usual length
 */
public record TimeNeeded(Duration least, Duration leastSlow, Duration usual) {
    /** The time that a tune of this plan needs. */
    public static TimeNeeded of(Plan plan) {
        Duration usual = RunLength.usual(plan.load());
        return new TimeNeeded(
                usual.multipliedBy(TuneSlots.LEAST_TRIALS),
                RunLength.slow(plan.load()).multipliedBy(TuneSlots.LEAST_TRIALS),
                usual.multipliedBy(plan.budget().trials()
                        + plan.earlier().settings().size()
                        + 2L * Math.max(plan.budget().pairs(), TuneSlots.LEAST_PAIRS)));
    }

    /** Whether the plan's budget is enough to show anything, with trials of the usual length. */
    public boolean fits(Plan plan) {
        return plan.budget().time().compareTo(least) >= 0;
    }
}
