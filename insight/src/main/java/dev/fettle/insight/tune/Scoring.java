package dev.fettle.insight.tune;

import dev.fettle.insight.stats.Statistics;
import dev.fettle.insight.trials.SettingTrials;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.trial.Measurement;
import java.util.Comparator;

/**
 * The objective as a number: the logarithm of throughput, or of 1/p99; more is better. On the logarithm a difference is a
 * ratio, and noise is about the same for fast and slow settings.
 */
public record Scoring(Objective objective) {
    private static final double INFEASIBLE = 1000;

    double of(Measurement m) {
        return switch (objective.metric()) {
            case THROUGHPUT -> StrictMath.log(Math.max(m.throughput(), 1e-9));
            case P99 -> -StrictMath.log(Math.max(m.latency().p99(), 1));
        };
    }

    /** The score as what it is the logarithm of. */
    double ratio(double score) {
        return StrictMath.exp(objective.metric() == Objective.Metric.P99 ? -score : score);
    }

    double[] of(SettingTrials o) {
        return o.each(this::of);
    }

    /**
     * Whether the limits on p99 and errors are met, by answers like the baseline's; false without a trial, and where the target failed
     * in one.
     */
    public boolean feasible(SettingTrials o) {
        return measured(o) && withinP99(o.p99());
    }

    /** Whether its trials say how fast the setting is: not those of one that failed, or answered otherwise. */
    boolean measured(SettingTrials o) {
        return !o.valid().isEmpty()
                && o.failure().isEmpty()
                && o.otherAnswers().isEmpty()
                && o.errorShare() <= objective.errorsAtMost();
    }

    boolean withinP99(double nanos) {
        return objective.p99AtMost().map(limit -> nanos <= limit.toNanos()).orElse(true);
    }

    /** The mean score, with everything infeasible below everything feasible, and no valid trial at the very end. */
    double rank(SettingTrials o) {
        if (o.valid().isEmpty()) {
            return Double.NEGATIVE_INFINITY;
        }
        double mean = Statistics.average(of(o));
        return feasible(o) ? mean : mean - INFEASIBLE;
    }

    public Comparator<SettingTrials> bestFirst() {
        return Comparator.comparingDouble(this::rank).reversed();
    }
}
