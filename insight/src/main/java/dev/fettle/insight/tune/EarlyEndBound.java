package dev.fettle.insight.tune;

import dev.fettle.insight.GiveUp;
import dev.fettle.insight.stats.Noise;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.insight.trials.AttemptStatus;
import dev.fettle.insight.trials.Origin;
import dev.fettle.insight.trials.SettingTrials;
import dev.fettle.load.api.Arrivals;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Objective.Metric;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Measurement.Window;
import java.util.List;
import java.util.Optional;

/**
 * The bound by which a search's next trial may be ended early: below which its setting is surely worse than the best so far.
 *
 * <p>The bound lies below the best's shrunken mean (or its own, if that is lower: the luckiest trial is not the best setting) by the
 * upper limit, at 99.9 %, of what two trials of one setting may differ by; the noise is pooled over all repeats, the default's
 * included. As the repeats are few, it is always far below ({@link #LEAST}), and for p99, whose noise is larger, three times as much.
 *
 * <p>There is none where speed alone does not decide: with two metrics, or with one that is not known while a trial runs. Nor for the
 * default, for a trial that is to measure what a knob gives, or once trials that others disturbed have to count.
 *
 * @param scoring of the plan's objective
 */
record EarlyEndBound(Plan plan, Scoring scoring) {
    /**
     * At least this far, as a logarithm, from the best. With 1.5, and 10 % noise on a machine that drifts and swings by as much, 2 % of
     * the settings as good as the best were given up.
     */
    private static final double LEAST = StrictMath.log(1.75);

    private static final double LEAST_P99 = StrictMath.log(3);

    /** Level of a two-sided interval whose lower bound holds at 99.9 % one-sided. */
    private static final double ONE_SIDED_999 = 0.998;

    /** A load is judged from this many seconds on, and from twice as many as the slowest trial so far took to come up. */
    private static final double FROM = 5;

    private static final double SLOWER = 2;

    /** A trial has come up when this many windows in a row have this share of its throughput. */
    private static final int WINDOWS_UP = 4;

    private static final double SHARE_UP = 0.8;

    /** The bound for a setting's trial. */
    Optional<GiveUp> bound(List<SettingTrials> seen, Setting next, Origin origin) {
        if (plan.budget().wholeTrials()
                || !judgeable()
                || next.equals(plan.hold())
                || origin == Origin.ABLATION
                || seen.stream()
                        .flatMap(o -> o.valid().stream())
                        .anyMatch(t -> AttemptStatus.of(t) == AttemptStatus.DISTURBED)) {
            return Optional.empty();
        }
        // what a duel could not show to meet the limits must not keep others from being measured
        var clearance = LimitMargin.of(scoring, seen, InterimAnalyses.of(plan).first());
        var belief = new Posterior(scoring, clearance.of(seen, seen.getFirst()));
        return belief.best().map(best -> {
            var noise = new Noise();
            seen.stream().filter(scoring::measured).forEach(o -> noise.add(scoring.of(o)));
            double least = metric() == Metric.P99 ? LEAST_P99 : LEAST;
            double apart = Math.max(least, noise.half(best.valid().size(), 1, ONE_SIDED_999));
            double level = Math.min(belief.mean(best), Statistics.average(scoring.of(best)));
            return new GiveUp(metric(), scoring.ratio(level - apart), from(seen));
        });
    }

    private Metric metric() {
        return scoring.objective().metric();
    }

    /** Whether speed alone decides, and is known while a trial runs. */
    private boolean judgeable() {
        boolean open = plan.load().arrivals() instanceof Arrivals.Open;
        return scoring.objective().against().isEmpty()
                && !plan.load().hasStages()
                && (open ? metric() == Metric.P99 : metric() == Metric.THROUGHPUT);
    }

    private static double from(List<SettingTrials> seen) {
        double slowest = seen.stream()
                .flatMap(o -> o.valid().stream())
                .flatMap(t -> t.measurement().stream())
                .mapToDouble(EarlyEndBound::cameUp)
                .max()
                .orElse(0);
        return Math.max(FROM, SLOWER * slowest);
    }

    /** Seconds of load until a trial had nearly its throughput. */
    private static double cameUp(Measurement m) {
        List<Window> all = m.windows();
        double loaded = 0;
        for (int i = 0; i < all.size(); i++) {
            loaded += all.get(i).seconds();
            if (i + 1 >= WINDOWS_UP) {
                double rate = all.subList(i + 1 - WINDOWS_UP, i + 1).stream()
                        .mapToDouble(Window::throughput)
                        .average()
                        .orElse(0);
                if (rate >= SHARE_UP * m.throughput()) {
                    return loaded;
                }
            }
        }
        return loaded;
    }
}
