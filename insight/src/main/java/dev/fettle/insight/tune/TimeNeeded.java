package dev.fettle.insight.tune;

import dev.fettle.insight.trials.RunLength;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.WarmSearch;
import java.time.Duration;
import java.util.Optional;

/**
 * How long a tune of a plan takes, estimated before it begins.
 *
 * @param least the default, one other setting and a duel of the fewest pairs, with warm-ups of the usual length: with less time
 *     nothing can be shown, and normally nothing is tried
 * @param leastSlow the same when every warm-up runs to its bound
 * @param usual all trials of the budget, with warm-ups of the usual length
 * @param inWarmJvm how long a setting of the search is measured in the one warm JVM; empty if each has a fresh one
 */
public record TimeNeeded(Duration least, Duration leastSlow, Duration usual, Optional<Duration> inWarmJvm) {
    /** The time that a tune of this plan needs. */
    public static TimeNeeded of(Plan plan) {
        Duration usual = RunLength.usual(plan.load());
        return new TimeNeeded(
                usual.multipliedBy(TuneSlots.LEAST_TRIALS),
                RunLength.slow(plan.load()).multipliedBy(TuneSlots.LEAST_TRIALS),
                usual.multipliedBy(2L * Math.max(plan.budget().pairs(), TuneSlots.LEAST_PAIRS))
                        .plus(search(plan, usual)),
                Optional.of(WarmSlots.measure(plan.load())).filter(t -> WarmSearch.of(plan)));
    }

    /** Settings between two trials of the default, where the search has one warm JVM. */
    public static int settingsBetweenDefaults() {
        return WarmSlots.EVERY;
    }

    private static Duration search(Plan plan, Duration usual) {
        int trials = plan.budget().trials() + plan.earlier().settings().size();
        return WarmSearch.of(plan)
                ? usual.plus(WarmSlots.length(plan.load()).multipliedBy(trials - 1 + WarmSlots.anchors(trials)))
                : usual.multipliedBy(trials);
    }

    /** Whether the plan's budget is enough to show anything, with trials of the usual length. */
    public boolean fits(Plan plan) {
        return plan.budget().time().compareTo(least) >= 0;
    }
}
