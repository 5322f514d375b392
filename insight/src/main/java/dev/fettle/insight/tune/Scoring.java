package dev.fettle.insight.tune;

import dev.fettle.insight.gate.EarlyStopping;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.insight.trials.ObjectiveFigure;
import dev.fettle.insight.trials.SettingTrials;
import dev.fettle.model.plan.Condition;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** The objective as a number where more is better ({@link ObjectiveFigure}), and the limits. */
public record Scoring(Objective objective) {
    private static final double INFEASIBLE = 1000;
    private static final double FAILED = 2 * INFEASIBLE;

    /** For trials of a plan with this objective. */
    public Scoring {
        objective = objective.ofTrials();
    }

    ObjectiveFigure figure() {
        return new ObjectiveFigure(objective.metric());
    }

    /** The ratio that a score (a logarithm) stands for. */
    double ratio(double score) {
        return figure().ratio(score);
    }

    /** The scores of the trials in which the objective was observed. */
    double[] of(SettingTrials o) {
        // a loop, not a stream: a search ranks its settings by these figures many times
        ObjectiveFigure figure = figure();
        var scores = new double[o.valid().size()];
        int n = 0;
        for (TrialOutcome t : o.valid()) {
            OptionalFigure score = o.score(t, figure);
            if (score.isPresent()) {
                scores[n++] = score.getAsDouble();
            }
        }
        return Arrays.copyOf(scores, n);
    }

    /** The best score that a setting may have whose trial was ended early; empty for any other. */
    OptionalFigure atBest(SettingTrials o) {
        return OptionalFigure.from(o.early(), EarlyStopping::atBest).map(figure()::score);
    }

    /** Whether the objective was observed in any of its trials. */
    boolean observed(SettingTrials o) {
        return o.valid().stream().anyMatch(this::observed);
    }

    boolean observed(TrialOutcome t) {
        return figure().of(t).isPresent();
    }

    /**
     * Whether the limits on latency and errors are met, by answers like the baseline's. False if it has no trial, or if the
     * target failed in one.
     */
    public boolean feasible(SettingTrials o) {
        return measured(o) && withinLatencies(o);
    }

    /** Whether its trials show how fast the setting is. They don't if one failed, or if the answers differ. */
    boolean measured(SettingTrials o) {
        return observed(o)
                && !hopeless(o)
                && o.failure().isEmpty()
                && o.otherAnswers().isEmpty()
                && o.errorShare() <= objective.errorsAtMost();
    }

    /** Whether it met the SLO of a capacity at no rate, in any of its trials: then there is no figure to compare. */
    boolean hopeless(SettingTrials o) {
        return objective.metric() == Objective.Metric.CAPACITY
                && o.valid().stream().anyMatch(figure()::isZero);
    }

    /** Whether its figures are within the limits on latency and errors, whether or not the target failed in a trial. */
    boolean withinLimits(SettingTrials o) {
        return withinLatencies(o) && o.errorShare() <= objective.errorsAtMost();
    }

    private boolean withinLatencies(SettingTrials o) {
        return withinP99(o.p99()) && objective.latencies().stream().allMatch(c -> c.holds(median(c, o)));
    }

    /** Whether one trial's figures are within the limits. */
    boolean holds(Measurement m) {
        return withinP99(m.latency().p99())
                && SettingTrials.errorShare(List.of(m)) <= objective.errorsAtMost()
                && objective.latencies().stream().allMatch(c -> c.holds(latency(c, m)));
    }

    boolean withinP99(double nanos) {
        return objective.p99AtMost().map(limit -> nanos <= limit.toNanos()).orElse(true);
    }

    /**
     * How far a setting was beyond the limit on latency that it is farthest from meeting, as a logarithm; negative if
     * it meets all, empty if there is none.
     */
    OptionalFigure beyondLatencies(SettingTrials o) {
        return OptionalFigure.of(limits().stream().mapToDouble(l -> l.beyond(o)).max());
    }

    /** The limits on latency. */
    List<Limit> limits() {
        return Stream.concat(
                        objective.p99AtMost().stream()
                                .map(limit -> new Limit(m -> m.latency().p99(), limit.toNanos())),
                        objective.latencies().stream().map(c -> new Limit(m -> latency(c, m), c.bound())))
                .toList();
    }

    /** A limit on a figure of latency, both in nanoseconds. */
    record Limit(ToDoubleFunction<Measurement> figure, double most) {
        /** How far the median of a setting's trials is beyond it, as a logarithm. */
        double beyond(SettingTrials o) {
            return StrictMath.log(Math.max(Statistics.median(o.each(figure)), 1) / Math.max(most, 1));
        }
    }

    /** The median of its trials' figure that a limit on latency is about, nanoseconds. */
    private static double median(Condition limit, SettingTrials o) {
        return Statistics.median(o.each(m -> latency(limit, m)));
    }

    /** The figure that a limit on latency is about, nanoseconds. */
    static double latency(Condition limit, Measurement m) {
        return limit.metric().of(m.latency());
    }

    /**
     * The mean score; everything infeasible ranks below everything feasible, and a setting without a valid trial comes last. What only
     * breaks limits on latency ranks by how far it is from meeting them, since that is what a search has to mend first.
     */
    double rank(SettingTrials o) {
        if (!observed(o)) {
            return Double.NEGATIVE_INFINITY;
        }
        if (feasible(o)) {
            return Statistics.average(of(o));
        }
        return measured(o) ? -INFEASIBLE - beyondLatencies(o).orElse(0) : Statistics.average(of(o)) - FAILED;
    }

    public Comparator<SettingTrials> bestFirst() {
        return Comparator.comparingDouble(this::rank).reversed();
    }
}
