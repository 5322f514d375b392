package dev.fettle.insight.tune;

import dev.fettle.insight.Shortfall;
import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.insight.trials.TrialSlots.Filled;
import dev.fettle.model.plan.Plan;
import java.util.List;

/**
 * When a duel is looked at: after the plan's pairs, and if those leave it open and there is time, after 1.6 and 2.4 times as many (5,
 * 8 and 12).
 *
 * <p>Looking again and again until something is seen finds luck. So the chance of a false win is shared out beforehand: 2.5 % for
 * the first look, 1.25 % for each of the others, 5 % together by Bonferroni's inequality. A later look has a wider interval for
 * the same pairs, and as a rule a narrower one for its own, which are more.
 *
 * @param first pairs at the first look
 */
record DuelLooks(int first) {
    private static final double SECOND = 1.6;
    private static final double THIRD = 2.4;
    /** Two-sided, of the second look and the third. */
    static final double LATER_LEVEL = 0.975;

    static DuelLooks of(Plan plan) {
        return new DuelLooks(Math.max(plan.budget().pairs(), TuneSlots.LEAST_PAIRS));
    }

    List<Integer> all() {
        return List.of(first, (int) Math.ceil(SECOND * first), (int) Math.ceil(THIRD * first));
    }

    /** The level of an interval over so many pairs. Between two looks it is that of the later one. */
    double level(int pairs) {
        return pairs <= first ? Statistics.LEVEL : LATER_LEVEL;
    }

    /** Pairs to hold in all, after these slots. A look is only begun when there is time for all its pairs. */
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

    /** Whether more pairs could show what these do not: all that is missing is certainty of a gain that they suggest. */
    private static boolean open(Plan plan, List<Filled> filled) {
        var scoring = new Scoring(plan.objective());
        Duel now = Duel.of(plan, filled);
        List<Shortfall> missing = now.shortfalls(scoring);
        return !missing.isEmpty()
                && missing.stream()
                        .allMatch(s -> s instanceof Shortfall.Bound
                                || s instanceof Shortfall.LastHalf
                                || s instanceof Shortfall.Moving)
                && now.ratio().filter(r -> suggests(r, now, scoring)).isPresent();
    }

    private static boolean suggests(Interval ratio, Duel duel, Scoring scoring) {
        double threshold = duel.threshold(scoring.objective());
        return threshold > 1 ? ratio.estimate() > threshold : ratio.estimate() < threshold;
    }
}
