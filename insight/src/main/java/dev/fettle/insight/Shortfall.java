package dev.fettle.insight;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import dev.fettle.insight.stats.Interval;

/** What was missing for an improvement to be shown. The most telling one of a tune comes first. */
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

    /**
     * Neither the default nor another setting met the limits.
     *
     * @param others settings tried besides the default
     */
    record NothingFeasible(int others) implements Shortfall {}

    /**
     * Nothing looked better than the default by more than the noise.
     *
     * @param others settings tried besides the default; 0 where none was worth a trial
     * @param lead by how much, as a share, a setting would have had to look better to be taken to a duel
     */
    record NothingBetter(int others, double lead) implements Shortfall {}

    /**
     * There was no time for the duel, or for anything.
     *
     * @param spent seconds until then
     * @param budget seconds that the plan gives
     * @param needed seconds that it would have taken, going by the trials so far
     */
    record NoTime(double spent, double budget, double needed) implements Shortfall {}

    /**
     * The candidate failed.
     *
     * @param how in the past tense: {@code crashed}, {@code ran out of memory}
     * @param times pairs of the duel in which it did
     * @param of pairs that were begun
     */
    record Failed(String how, int times, int of) implements Shortfall {}

    /** The candidate's answers are not the default's. */
    record Answers(String difference) implements Shortfall {}

    /** Too few pairs have a figure on both sides. */
    record TooFewPairs(int counted, int least) implements Shortfall {}

    /** The interval does not lie wholly beyond the bound. */
    record Bound(double bound) implements Shortfall {}

    /** The candidate is not sure to meet the objective's limits. */
    record Limits(double p99AtMost, double errors) implements Shortfall {}

    /**
     * The last half of the measuring alone does not show it.
     *
     * @param ratio of the last halves
     */
    record LastHalf(Interval ratio) implements Shortfall {}

    /**
     * The gain may still be shrinking.
     *
     * @param shrinksBy upper bound of how much of the ratio was lost from the first half of the measuring to the last, as a share
     * @param allowed half of the smallest gain claimed, as a share; the bound has to be below it
     */
    record Moving(double shrinksBy, double allowed) implements Shortfall {}

    /**
     * Attempts were void on one side more often than chance explains.
     *
     * @param chance of voids as uneven as these if both sides are alike (Fisher's exact test)
     */
    record Lopsided(Proof.Arm baseline, Proof.Arm winner, double chance) implements Shortfall {}
}
