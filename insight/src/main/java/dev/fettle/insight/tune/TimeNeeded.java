package dev.fettle.insight.tune;

import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Plan;
import java.time.Duration;

/**
 * How long a tune of a plan takes, said before it begins.
 *
 * @param least the default, one other setting and a duel of the fewest pairs, with warm-ups of the usual length: with less time
 *     nothing can be shown, and as a rule nothing is tried
 * @param leastSlow the same when every warm-up runs to its bound
 * @param usual all trials of the budget, with warm-ups of the usual length
 */
public record TimeNeeded(Duration least, Duration leastSlow, Duration usual) {
    /** What a trial takes besides warm-up and measuring: launch, read-back, stop. */
    public static final Duration OVERHEAD = Duration.ofSeconds(3);

    /** Warm-ups usually end well before their bound. */
    public static final Duration USUAL_WARM_UP = Duration.ofSeconds(6);

    /** Of a tune. */
    public static TimeNeeded of(Plan plan) {
        Load load = plan.load();
        Duration bound = load.warmUpAtMost();
        Duration usual = trial(load, bound.compareTo(USUAL_WARM_UP) < 0 ? bound : USUAL_WARM_UP);
        return new TimeNeeded(
                usual.multipliedBy(TuneScript.LEAST_TRIALS),
                trial(load, bound).multipliedBy(TuneScript.LEAST_TRIALS),
                usual.multipliedBy(
                        plan.budget().trials() + 2L * Math.max(plan.budget().pairs(), TuneScript.LEAST_PAIRS)));
    }

    /** Whether the plan's budget leaves room for anything to be shown, going by trials of the usual length. */
    public boolean fits(Plan plan) {
        return plan.budget().time().compareTo(least) >= 0;
    }

    private static Duration trial(Load load, Duration warmUp) {
        return OVERHEAD.plus(warmUp).plus(load.measure());
    }
}
