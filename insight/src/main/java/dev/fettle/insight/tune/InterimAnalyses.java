package dev.fettle.insight.tune;

import dev.fettle.insight.Shortfall;
import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.insight.trials.TrialSlots.Filled;
import dev.fettle.model.plan.Plan;
import java.util.List;

/**
 * When a duel is analysed: after the plan's pairs, and if these are inconclusive and there is time, after 1.6 and 2.4
 * times as many (5, 8 and 12).
 *
 * <p>Repeated looks at growing data would find false wins. So the probability of one is divided beforehand: 2.5 % for
 * the first look, 1.25 % for each of the others, 5 % in all by Bonferroni's inequality. At a later look the interval is
 * wider for the same pairs, but usually narrower in effect, as there are more pairs.
 *
 * @param first pairs at the first look
 */
record InterimAnalyses(int first) {
    private static final double SECOND = 1.6;
    private static final double THIRD = 2.4;
    /** Two-sided level of the second and third looks. */
    static final double LATER_LEVEL = 0.975;

    static InterimAnalyses of(Plan plan) {
        return new InterimAnalyses(Math.max(plan.budget().pairs(), TuneSlots.LEAST_PAIRS));
    }

    List<Integer> all() {
        return List.of(first, (int) Math.ceil(SECOND * first), (int) Math.ceil(THIRD * first));
    }

    /** The level of an interval after so many pairs were begun. Between two looks it is that of the later one. */
    double level(List<Integer> blocks, int begun) {
        return again(blocks, begun) ? LATER_LEVEL : Statistics.LEVEL;
    }

    /**
     * Whether a look after so many pairs is a later one, whether or not all have figures. A first look at too few pairs with figures can
     * claim nothing, so what it may spend is left to the next one.
     *
     * @param blocks the pairs that have figures
     */
    boolean again(List<Integer> blocks, int begun) {
        return begun > first && blocks.stream().filter(b -> b < first).count() >= TuneSlots.LEAST_PAIRS;
    }

    /** Total pairs to run, after these slots. Another look is only planned if there is time for all its pairs. */
    int goal(Plan plan, List<Filled> filled) {
        var time = new TuneTime(plan);
        int goal = first;
        for (int look : all().subList(1, 3)) {
            int before = goal;
            List<Filled> until = filled.stream()
                    .filter(f -> !TuneSlots.duel(f) || f.slot().spec().block() < before)
                    .toList();
            boolean held = until.stream().filter(TuneSlots::duel).count() >= 2L * before;
            if (!held || !open(plan, until) || !time.forPairs(until, look - before)) {
                return goal;
            }
            goal = look;
        }
        return goal;
    }

    /** Whether more pairs could settle it: these suggest a gain, by the objective or next to it, and all that is missing is certainty. */
    private static boolean open(Plan plan, List<Filled> filled) {
        var scoring = new Scoring(plan.objective());
        Duel now = Duel.of(plan, filled);
        List<Shortfall> missing = now.shortfalls(scoring);
        boolean byObjective = !missing.isEmpty()
                && missing.stream()
                        .allMatch(s -> s instanceof Shortfall.Bound
                                || s instanceof Shortfall.LastHalf
                                || s instanceof Shortfall.Moving)
                && now.ratio().filter(r -> suggests(r, now, scoring)).isPresent();
        return byObjective || new SecondMetric(plan, scoring).open(now, missing);
    }

    private static boolean suggests(Interval ratio, Duel duel, Scoring scoring) {
        double threshold = duel.threshold(scoring.objective());
        return threshold > 1 ? ratio.estimate() > threshold : ratio.estimate() < threshold;
    }
}
