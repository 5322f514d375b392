package dev.fettle.insight;

import dev.fettle.insight.stats.Interval;
import java.util.Optional;

/**
 * What the pairs of a duel say besides their ratio.
 *
 * @param sideBySide pairs whose two sides were up at the same time and loaded in turn; the others ran one after the other
 * @param disturbed whether trials are among the data which the gate calls disturbed, because the machine never was calm
 * @param lastHalf the ratio in the last half of the measuring alone; unbounded where it is not known
 * @param shrinksBy upper bound (92.5 %, one-sided) of the share of the ratio that was lost from the first half of the measuring to
 *     the last: 0.02 for 2 %; infinite where it is not known
 * @param smallest the smallest ratio that such pairs would have shown with a chance of 80 % (below 1 for a p99 objective);
 *     infinite, or 0 for p99, for fewer than two pairs
 * @param slowStarts the share of its starts in which the candidate may be something else than what was seen: pairs without one
 *     such start exclude no smaller share with 95 % confidence
 * @param aaBound what the pairs show as a difference where there is none, as a factor of at least 1: by the order of the two
 *     sides, and by the default's own slices
 * @param takenBound what the CPU time that others took may have made of the ratio, as a factor of at least 1
 * @param cpuPerRequest CPU seconds a response of winner over baseline, from the same pairs
 * @param imbalance chance of voids as uneven as those of the two sides if both are alike; 1 if there was none
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
     * @param voids those of them that were void for anything but a failure of the target
     * @param failures those in which the target failed: died, hung, gave wrong answers
     */
    public record Arm(int attempts, int voids, int failures) {}
}
