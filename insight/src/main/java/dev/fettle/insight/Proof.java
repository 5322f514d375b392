package dev.fettle.insight;

import dev.fettle.insight.stats.Interval;
import java.util.Optional;

/**
 * What the pairs of a duel show besides their ratio.
 *
 * @param sideBySide number of pairs whose sides were up together and loaded in turn; the others ran one after the other
 * @param disturbed whether the data include trials that the gate calls disturbed, because the machine was never calm
 * @param lastHalf the ratio in the last half of the measured time; unbounded if unknown
 * @param shrinksBy upper bound (92.5 %, one-sided) of the share of the ratio lost from the first half of the measured time to
 *     the last: 0.02 for 2 %; infinite if unknown
 * @param smallest the smallest ratio that these pairs would have shown with 80 % power (below 1 for a p99 objective); infinite,
 *     or 0 for p99, for fewer than two pairs
 * @param slowStarts upper 95 % bound on the share of starts in which the candidate may behave differently, given that none of
 *     these did
 * @param aaBound A/A check: the difference these pairs show where there is none, as a factor of at least 1, from the order of
 *     the sides and from the default's own slices
 * @param takenBound how far CPU time taken by others may have shifted the ratio, as a factor of at least 1
 * @param cpuPerRequest CPU time per response, winner over baseline, from the same pairs
 * @param imbalance probability of voids this uneven if both sides are alike; 1 if there were none
 */
public record Proof(
        int sideBySide,
        boolean disturbed,
        Interval lastHalf,
        double shrinksBy,
        double smallest,
        double slowStarts,
        double aaBound,
        double takenBound,
        Optional<Interval> cpuPerRequest,
        Arm baseline,
        Arm winner,
        double imbalance) {

    /**
     * One side of a duel.
     *
     * @param attempts trials, repeated ones included
     * @param voids of those, the ones void for anything but a failure of the target
     * @param failures of those, the ones in which the target failed: died, hung, gave wrong answers
     */
    public record Arm(int attempts, int voids, int failures) {}
}
