package dev.fettle.insight.tune;

import dev.fettle.insight.Starts;
import dev.fettle.insight.trials.StartVerdict;
import dev.fettle.insight.trials.TrialSlots.Filled;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.trial.TrialOutcome;
import java.util.List;

/**
 * Whether it is the setting's doing that a candidate did not start. A start is short, so both sides are started without load, in turn,
 * until their counts decide: Fisher's exact test, one-sided, after every second round, and a last time at the end. Simulated with failures in
 * 5, 20 and 50 % of the starts of both sides, 60 tunes each, a candidate was blamed in 0, 2 and 3 % of them; one that fails in 30 more starts
 * of a hundred than the default was let through in a third ({@code StartCheckTest}).
 *
 * @param state what the counts say
 * @param alone starts of both sides without load since the candidate first failed
 * @param starts of the candidate and of the default: without load, and in pairs
 */
record StartCheck(State state, int alone, Starts starts) {
    private static final int FIRST_LOOK = 4;

    /** What the counts say of a candidate. */
    enum State {
        /** It always started. */
        STARTS,
        OPEN,
        /** It fails more often than the default. */
        BLAMED,
        /** It fails, and no more often than chance explains. */
        CLEARED
    }

    /** What is known of a candidate after these slots, the pairs of its duel and starts without load. */
    static StartCheck of(List<Filled> filled, Setting candidate, Setting byDefault) {
        int failed = 0;
        int of = 0;
        int defaultFailed = 0;
        int defaultOf = 0;
        int alone = 0;
        State state = State.STARTS;
        for (Filled f : filled) {
            Setting setting = f.slot().spec().setting();
            boolean own = setting.equals(candidate);
            boolean start = TuneSlots.isStart(f);
            if (!own && !setting.equals(byDefault) || !start && !TuneSlots.ofDuel(f)) {
                continue;
            }
            for (TrialOutcome attempt : f.attempts()) {
                if (StartVerdict.saysNothing(attempt)) {
                    continue;
                }
                int one = StartVerdict.failedToStart(attempt) ? 1 : 0;
                of += own ? 1 : 0;
                failed += own ? one : 0;
                defaultOf += own ? 0 : 1;
                defaultFailed += own ? 0 : one;
                state = state == State.STARTS && own && one == 1 ? State.OPEN : state;
            }
            if (start && state != State.STARTS) {
                alone++;
            }
            boolean look = start ? alone % 4 == 0 && alone / 2 >= FIRST_LOOK : own && TuneSlots.ofDuel(f);
            if (look && (state == State.OPEN && start || state == State.CLEARED)) {
                state = look(alone / 2, new Starts(failed, of, defaultFailed, defaultOf), state);
            }
        }
        return new StartCheck(state, alone, new Starts(failed, of, defaultFailed, defaultOf));
    }

    private static State look(int rounds, Starts s, State before) {
        // the last look is that of a candidate that is still open
        int until = before == State.OPEN ? rounds : Math.min(rounds, StartVerdict.MOST_ROUNDS - 1);
        return switch (StartVerdict.of(s, until, 1)) {
            case BLAMED -> State.BLAMED;
            case CLEARED -> State.CLEARED;
            case OPEN -> before;
        };
    }

    /** Whether the candidate's turn is next: it and the default begin a round in turn. */
    boolean candidateNext() {
        return alone % 4 == 1 || alone % 4 == 2;
    }

    boolean is(State wanted) {
        return state == wanted;
    }
}
