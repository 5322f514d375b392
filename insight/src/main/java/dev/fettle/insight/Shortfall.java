package dev.fettle.insight;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.fettle.insight.stats.Interval;
import java.util.Objects;
import java.util.Optional;

/** Why an improvement could not be shown. A tune lists the most important reason first. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "missing")
@JsonSubTypes({
    @JsonSubTypes.Type(value = Shortfall.NothingFeasible.class, name = "within-limits"),
    @JsonSubTypes.Type(value = Shortfall.NothingBetter.class, name = "better-candidate"),
    @JsonSubTypes.Type(value = Shortfall.NoTime.class, name = "time"),
    @JsonSubTypes.Type(value = Shortfall.Failed.class, name = "no-failure"),
    @JsonSubTypes.Type(value = Shortfall.Answers.class, name = "same-answers"),
    @JsonSubTypes.Type(value = Shortfall.TooFewPairs.class, name = "pairs"),
    @JsonSubTypes.Type(value = Shortfall.Bound.class, name = "interval"),
    @JsonSubTypes.Type(value = Shortfall.Limits.class, name = "limits"),
    @JsonSubTypes.Type(value = Shortfall.LastHalf.class, name = "last-half"),
    @JsonSubTypes.Type(value = Shortfall.Moving.class, name = "end-of-drift"),
    @JsonSubTypes.Type(value = Shortfall.Lopsided.class, name = "even-voids")
})
public sealed interface Shortfall {
    /** For the scatter of trials where no setting was measured twice. */
    double NOT_MEASURED = -1;

    /**
     * Neither the default nor another setting met the limits.
     *
     * @param others settings tried besides the default
     */
    record NothingFeasible(int others) implements Shortfall {}

    /**
     * Nothing looked better than the default by more than the noise.
     *
     * @param others settings tried besides the default; 0 if none was worth a trial
     * @param lead how much better, as a share, a setting had to look to enter the duel
     * @param compared how many of those were within the limits, or surely worse; the others failed, gave no figures, gave other answers
     *     or broke a limit
     * @param scatter standard deviation between trials of one setting (logarithm); 0 if all others were far behind;
     *     {@link #NOT_MEASURED} where no setting was measured twice
     * @param noticed the smallest gain (a share) that a setting would have had to give to look better in four runs of five; 0 if that is not
     *     known
     */
    record NothingBetter(int others, double lead, int compared, double scatter, double noticed) implements Shortfall {}

    /**
     * There was no time for the duel, or for any trial.
     *
     * @param spent seconds used
     * @param budget seconds the plan allows
     * @param needed estimated seconds it would have taken, from the trials so far
     */
    record NoTime(double spent, double budget, double needed) implements Shortfall {}

    /**
     * The candidate failed.
     *
     * @param how in the past tense: {@code crashed}, {@code ran out of memory}
     * @param times pairs of the duel in which it failed
     * @param of pairs begun
     * @param starts how often it and the default failed to start, if that is how it failed
     */
    record Failed(String how, int times, int of, Optional<Starts> starts) implements Shortfall {
        public Failed {
            starts = Objects.requireNonNullElse(starts, Optional.empty());
        }
    }

    /** The candidate's answers are not the default's. */
    record Answers(String difference) implements Shortfall {}

    /** Too few pairs have figures on both sides. */
    record TooFewPairs(int counted, int least) implements Shortfall {}

    /** The interval does not lie entirely beyond the bound. */
    record Bound(double bound) implements Shortfall {}

    /** The candidate may not meet the objective's limits. */
    record Limits(double p99AtMost, double errors) implements Shortfall {}

    /**
     * The last half of the measured time alone does not show it.
     *
     * @param ratio of the last halves
     */
    record LastHalf(Interval ratio) implements Shortfall {}

    /**
     * The gain may still be shrinking.
     *
     * @param shrinksBy upper bound, as a share, of the loss in ratio from the first half of the measured time to the last
     * @param allowed half of the smallest gain claimed, as a share; the bound must be below it
     */
    record Moving(double shrinksBy, double allowed) implements Shortfall {}

    /**
     * Attempts were void on one side more often than chance explains.
     *
     * @param chance probability of voids this uneven if both sides are alike (Fisher's exact test)
     */
    record Lopsided(Proof.Arm baseline, Proof.Arm winner, double chance) implements Shortfall {}
}
