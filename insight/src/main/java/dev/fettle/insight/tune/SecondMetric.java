package dev.fettle.insight.tune;

import dev.fettle.insight.SecondFigure;
import dev.fettle.insight.Shortfall;
import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.stats.Noise;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.insight.trials.SettingTrials;
import dev.fettle.load.api.Arrivals;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Objective.Metric;
import dev.fettle.model.plan.Plan;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What may still be gained where nothing is better by the objective: as much of it, with less p99 or CPU time per request, or more
 * throughput. A CPU that is full serves as many requests with fewer threads, and each of them waits less.
 *
 * <p>It is proven in the duel's pairs like any gain, on intervals of its own: {@value #SHARE} of the probability of a false claim at the
 * first look and half as much at each later one, divided by the number of metrics that are looked at. So a tune of nothing but noise claims
 * any in at most 1 %.
 */
record SecondMetric(Plan plan, Scoring scoring) {
    /** Two-sided probability that an interval of the first look is wrong, for all metrics together. */
    private static final double SHARE = 0.01;

    /** What is left of the objective: as an estimate, and at the interval's lower end; p99 differs more from trial to trial. */
    private static final double SAME = 0.98;

    /** The same as a logarithm, in the search. */
    static final double GIVEN_AWAY = 1 - SAME;

    private static final double SURELY_SAME = 0.94;

    private static final double SURELY_SAME_P99 = 0.9;

    /** In the search it must be better by this many deviations of a difference. */
    private static final double SURE = 2;

    /** The gain that a duel has to show, as a factor. */
    private static double worth(Metric metric) {
        return metric == Metric.P99 ? 1 / 0.9 : 1.05;
    }

    /** The gain (logarithm) that a setting has to show in the search. */
    static double lead(Metric metric) {
        return StrictMath.log(metric == Metric.P99 ? 1.25 : 1.1);
    }

    /** The metrics that are looked at: those that the load does not give. The p99 next to a capacity is that of another rate. */
    List<Metric> metrics() {
        Objective o = scoring.objective();
        boolean closed = plan.load().arrivals() instanceof Arrivals.Closed;
        return o.metric() == Metric.CAPACITY
                        || o.against().isPresent()
                        || plan.load().hasStages()
                ? List.of()
                : Stream.of(Metric.P99, Metric.CPU_PER_REQUEST, Metric.THROUGHPUT)
                        .filter(m -> m != o.metric() && (closed || m != Metric.THROUGHPUT))
                        .toList();
    }

    boolean wanted() {
        return !metrics().isEmpty();
    }

    /** Another metric as the objective, under the same limits. */
    Scoring by(Metric metric) {
        Objective o = scoring.objective();
        return new Scoring(new Objective(metric, Optional.empty(), o.p99AtMost(), o.errorsAtMost(), o.latencies()));
    }

    /** A setting with what leads it in a metric, in times of what is asked for. */
    private record Leader(SettingTrials setting, double lead) {}

    /** The setting that is as good as the default and clearly better in another metric, by the most; empty if there is none. */
    Optional<SettingTrials> of(List<SettingTrials> seen) {
        SettingTrials baseline = seen.getFirst();
        if (!scoring.observed(baseline)) {
            return Optional.empty();
        }
        List<SettingTrials> same = same(seen);
        return metrics().stream()
                .flatMap(m -> leaders(m, same, seen))
                .max(Comparator.comparingDouble(Leader::lead))
                .map(Leader::setting);
    }

    /** The settings but the default that are as good as it by the objective, as far as the search can tell. */
    List<SettingTrials> same(List<SettingTrials> seen) {
        SettingTrials baseline = seen.getFirst();
        double sigma = new Posterior(scoring, seen).sigma();
        double least = Statistics.average(scoring.of(baseline));
        return seen.stream()
                .filter(o -> o != baseline && scoring.feasible(o))
                .filter(o -> Statistics.average(scoring.of(o))
                        >= least
                                - Math.max(
                                        GIVEN_AWAY, sigma / Math.sqrt(o.valid().size())))
                .toList();
    }

    private Stream<Leader> leaders(Metric metric, List<SettingTrials> same, List<SettingTrials> seen) {
        Scoring other = by(metric);
        SettingTrials baseline = seen.getFirst();
        if (!other.observed(baseline)) {
            return Stream.empty();
        }
        var noise = new Noise();
        seen.forEach(o -> noise.add(other.of(o)));
        double from = Statistics.average(other.of(baseline));
        return same.stream()
                .filter(other::observed)
                .map(o -> {
                    double error = noise.sigma()
                            * Math.sqrt(1.0 / o.valid().size()
                                    + 1.0 / baseline.valid().size());
                    return new Leader(
                            o, (Statistics.average(other.of(o)) - from) / Math.max(lead(metric), SURE * error));
                })
                .filter(l -> l.lead() >= 1);
    }

    /**
     * What a duel's pairs show of the other metrics.
     *
     * @param again whether it is a later look
     */
    List<PairGain> of(List<DuelPair> pairs, boolean again) {
        List<Metric> metrics = metrics();
        double level = 1 - (again ? SHARE / 2 : SHARE) / Math.max(1, metrics.size());
        return metrics.stream()
                .map(m -> PairGain.of(pairs, m, level))
                .flatMap(Optional::stream)
                .toList();
    }

    /**
     * The same for a conclusion. A gain is claimed where the objective is better, or the same as nearly as the pairs can tell.
     *
     * @param missing what the duel lacks for an improvement by the objective
     */
    List<SecondFigure> figures(Duel duel, List<Shortfall> missing) {
        boolean claimable = missing.isEmpty()
                || sound(duel, missing) && duel.ratio().filter(this::same).isPresent();
        return duel.beside().stream()
                .map(g -> new SecondFigure(
                        g.metric(), g.ratio(), g.baseline(), g.winner(), claimable && g.shows(worth(g.metric()))))
                .toList();
    }

    /** Whether more pairs may show a gain that these suggest. */
    boolean open(Duel duel, List<Shortfall> missing) {
        return !missing.isEmpty()
                && sound(duel, missing)
                && duel.ratio().filter(r -> better(r).estimate() >= SAME).isPresent()
                && duel.beside().stream().anyMatch(g -> g.estimate() > StrictMath.log(g.bound(worth(g.metric()))))
                && figures(duel, missing).stream().noneMatch(SecondFigure::shown);
    }

    /** Whether nothing is missing but a gain by the objective. */
    private static boolean sound(Duel duel, List<Shortfall> missing) {
        return duel.pairs().size() >= TuneSlots.LEAST_PAIRS
                && missing.stream()
                        .allMatch(s -> s instanceof Shortfall.Bound
                                || s instanceof Shortfall.LastHalf
                                || s instanceof Shortfall.Moving);
    }

    private boolean same(Interval ratio) {
        Interval r = better(ratio);
        return r.bounded()
                && r.estimate() >= SAME
                && r.low() >= (scoring.objective().metric() == Metric.P99 ? SURELY_SAME_P99 : SURELY_SAME);
    }

    /** The objective's ratio so that more is better. */
    private Interval better(Interval ratio) {
        return scoring.objective().metric().low() ? ratio.inverse() : ratio;
    }
}
