package dev.fettle.insight.trials;

import dev.fettle.model.load.Load;
import java.time.Duration;

/**
 * How long a sweep or a comparison takes, said before it begins and kept.
 *
 * @param trials valid trials that it wants
 * @param usual with warm-ups of the usual length, and none void
 * @param slow with each warm-up as long as its bound
 * @param bound it takes no longer than this, repeats included: with each warm-up at twice its bound, which a bound that was too
 *     short is raised to, and launches that take their time. A disturbed trial is repeated only as long as all that is left
 *     fits in even so ({@link #leavesRoom})
 */
public record RunLength(int trials, Duration usual, Duration slow, Duration bound) {
    /** What a trial takes besides warm-up and measuring: launch, read-back, stop. */
    private static final Duration OVERHEAD = Duration.ofSeconds(3);

    /** Warm-ups usually end well before their bound. */
    private static final Duration USUAL_WARM_UP = Duration.ofSeconds(6);

    /** By how much a warm-up may outlast its bound. */
    private static final int LONGER = 2;

    /** What a trial takes at most besides warm-up and measuring; a bare server needs some 3 s, a large application more. */
    private static final Duration OVERHEAD_AT_MOST = Duration.ofSeconds(15);

    /** Of so many trials under a load. */
    public static RunLength of(int trials, Load load) {
        return new RunLength(
                trials,
                usual(load).multipliedBy(trials),
                slow(load).multipliedBy(trials),
                trial(OVERHEAD_AT_MOST, load.warmUpAtMost().multipliedBy(LONGER), load)
                        .multipliedBy(trials));
    }

    /** One trial with a warm-up of the usual length. */
    public static Duration usual(Load load) {
        Duration bound = load.warmUpAtMost();
        return trial(OVERHEAD, bound.compareTo(USUAL_WARM_UP) < 0 ? bound : USUAL_WARM_UP, load);
    }

    /** One trial with a warm-up as long as its bound. */
    public static Duration slow(Load load) {
        return trial(OVERHEAD, load.warmUpAtMost(), load);
    }

    /**
     * Whether one trial more leaves room for the others.
     *
     * @param spent seconds that the attempts so far took
     * @param left places that have no result yet, the one that is to be repeated included
     */
    boolean leavesRoom(double spent, int left) {
        double bounded = bound.toMillis() / 1e3;
        return spent + left * bounded / Math.max(1, trials) <= bounded;
    }

    private static Duration trial(Duration overhead, Duration warmUp, Load load) {
        return overhead.plus(warmUp).plus(load.measure());
    }
}
