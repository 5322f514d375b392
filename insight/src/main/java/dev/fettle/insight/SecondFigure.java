package dev.fettle.insight;

import dev.fettle.insight.stats.Interval;
import dev.fettle.model.plan.Objective;

/**
 * What the pairs of a duel show in a metric next to the objective's.
 *
 * @param ratio winner over baseline, with an interval whose level allows for all such metrics and interim analyses
 * @param baseline geometric mean over the pairs, in the metric's unit
 * @param winner the same of the winner
 * @param shown whether a gain is claimed: the whole interval lies beyond what is worth it, and the objective is no worse
 */
public record SecondFigure(Objective.Metric metric, Interval ratio, double baseline, double winner, boolean shown) {
    /** What to write into a plan to have the metric as its objective. */
    public String objective() {
        return "objective: {" + (metric.low() ? "minimize" : "maximize") + ": " + metric.id() + "}";
    }
}
