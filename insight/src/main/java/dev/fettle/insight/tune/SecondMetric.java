package dev.fettle.insight.tune;

import dev.fettle.insight.Shortfall;
import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.stats.Noise;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.insight.trials.SettingTrials;
import dev.fettle.model.load.Arrivals;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.trial.Measurement;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What may still be gained where nothing gives more throughput: less p99 at the same throughput. A CPU that is full serves as many
 * requests with fewer threads, and each of them waits less.
 *
 * <p>It is proven in the duel's pairs like any gain, by an interval of its own at {@value #LEVEL}: the look at throughput has the rest of the
 * 5 %. So a tune of nothing but noise claims less p99 in at most 0.5 %.
 */
record SecondMetric(Plan plan, Scoring scoring) {
    /** Level of the two-sided interval of p99. */
    static final double LEVEL = 0.99;

    /** The ratio of p99 must lie below this. */
    private static final double AT_MOST = 0.9;

    /** What is left of the objective: as an estimate, and at the interval's lower end. */
    private static final double SAME = 0.98;

    private static final double SURELY_SAME = 0.94;

    /** In the search p99 must be lower by this (logarithm), and by this many deviations of a difference. */
    private static final double LEAD = StrictMath.log(1.25);

    private static final double SURE = 2;

    /** Whether it is looked for: throughput is what the plan wants, and the clients' rate is not given. */
    boolean wanted() {
        Objective o = scoring.objective();
        return o.metric() == Objective.Metric.THROUGHPUT
                && o.against().isEmpty()
                && plan.load().arrivals() instanceof Arrivals.Closed
                && !plan.load().hasStages();
    }

    /** The setting with the lowest p99 of those that give as much as the default; empty if none is clearly lower. */
    Optional<SettingTrials> of(List<SettingTrials> seen) {
        SettingTrials baseline = seen.getFirst();
        if (!wanted() || !scoring.observed(baseline)) {
            return Optional.empty();
        }
        var noise = new Noise();
        seen.forEach(o -> noise.add(
                Arrays.stream(o.each(SecondMetric::p99)).map(StrictMath::log).toArray()));
        double sigma = new Posterior(scoring, seen).sigma();
        return seen.stream()
                .filter(o -> o != baseline && scoring.feasible(o))
                .filter(o ->
                        Statistics.average(scoring.of(o)) >= Statistics.average(scoring.of(baseline)) - least(sigma, o))
                .filter(o -> lower(o, baseline)
                        >= Math.max(
                                LEAD,
                                SURE
                                        * noise.sigma()
                                        * Math.sqrt(1.0 / o.valid().size()
                                                + 1.0 / baseline.valid().size())))
                .min(Comparator.comparingDouble(SettingTrials::p99));
    }

    private static double least(double sigma, SettingTrials o) {
        return Math.max(1 - SAME, sigma / Math.sqrt(o.valid().size()));
    }

    private static double p99(Measurement m) {
        return Math.max(1, m.latency().p99());
    }

    private static double lower(SettingTrials o, SettingTrials than) {
        return StrictMath.log(Math.max(1, than.p99()) / Math.max(1, o.p99()));
    }

    /**
     * Whether a duel shows it.
     *
     * @param missing what the duel lacks for an improvement by the objective
     */
    boolean shown(Duel duel, List<Shortfall> missing) {
        return wanted()
                && duel.pairs().size() >= TuneSlots.LEAST_PAIRS
                && missing.stream()
                        .allMatch(s -> s instanceof Shortfall.Bound
                                || s instanceof Shortfall.LastHalf
                                || s instanceof Shortfall.Moving)
                && duel.ratio().filter(SecondMetric::same).isPresent()
                && duel.p99AtTrade()
                        .filter(r -> r.bounded() && r.high() < AT_MOST)
                        .isPresent();
    }

    private static boolean same(Interval r) {
        return r.bounded() && r.estimate() >= SAME && r.low() >= SURELY_SAME;
    }
}
