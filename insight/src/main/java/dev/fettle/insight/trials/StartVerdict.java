package dev.fettle.insight.trials;

import dev.fettle.insight.FailedStarts;
import dev.fettle.insight.Starts;
import dev.fettle.insight.stats.Imbalance;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialOutcome.Kind;
import java.util.Set;

/** Whether it is a setting's doing that its target did not start: Fisher's exact test, one-sided, on the counts of starts. */
public enum StartVerdict {
    /** The counts do not decide. */
    OPEN,
    /** It fails more often than what it is compared with. */
    BLAMED,
    /** It fails, and no more often than chance explains. */
    CLEARED;

    /** Level of each look but the last. */
    private static final double EACH_LOOK = 0.025;

    private static final double LAST_LOOK = 0.05;

    /** From this round on one that fails no more often is not to blame; from the other, nor is one that fails once more. */
    private static final int NO_MORE_OFTEN = 12;

    private static final int ONCE_MORE = 18;

    /** Rounds after which the counts decide. */
    public static final int MOST_ROUNDS = 24;

    private static final Set<Kind> AT_START = Set.of(Kind.DID_NOT_START, Kind.NEVER_READY, Kind.NOT_EFFECTIVE);

    /** The same for a conclusion. */
    public FailedStarts.Because because() {
        return switch (this) {
            case OPEN -> FailedStarts.Because.NOT_KNOWN;
            case BLAMED -> FailedStarts.Because.ITS_OWN_DOING;
            case CLEARED -> FailedStarts.Because.CHANCE;
        };
    }

    /** Whether an attempt failed before it was under load, for a reason that may lie in its start alone. */
    public static boolean failedToStart(TrialOutcome attempt) {
        return attempt.failure().filter(f -> AT_START.contains(f.kind())).isPresent();
    }

    /** Whether an attempt says nothing of its start: it failed for a reason that may pass. */
    public static boolean saysNothing(TrialOutcome attempt) {
        return attempt.failure().filter(f -> f.kind().passing()).isPresent();
    }

    /**
     * What the counts say after so many rounds of starts without load, one of each side.
     *
     * @param judged how many settings are judged by such counts, which share the probability of a wrong verdict
     */
    public static StartVerdict of(Starts s, int rounds, int judged) {
        double chance = Imbalance.more(s.failed(), s.of(), s.defaultFailed(), s.defaultOf());
        if (chance <= (rounds >= MOST_ROUNDS ? LAST_LOOK : EACH_LOOK) / judged) {
            return BLAMED;
        }
        // the other side may have been started more often
        double expected = s.defaultShare() * s.of();
        boolean alike = rounds >= NO_MORE_OFTEN && s.failed() <= expected
                || rounds >= ONCE_MORE && s.failed() <= expected + 1
                || rounds >= MOST_ROUNDS;
        return alike ? CLEARED : OPEN;
    }
}
