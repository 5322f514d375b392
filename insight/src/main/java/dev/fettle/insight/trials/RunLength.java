package dev.fettle.insight.trials;

import dev.fettle.model.load.Load;
import java.time.Duration;

/**
 * How long a sweep or comparison takes: announced before it begins, and kept.
 *
 * @param trials number of valid trials planned
 * @param usual with warm-ups of the usual length and no void trial
 * @param slow with each warm-up as long as its bound
 * @param bound upper bound, repeats included: each warm-up at twice its bound (what a bound that was too short is raised to)
 *     and slow launches, and one trial more, so that the very first can be repeated. A disturbed trial is repeated only if all that
 *     is left still fits ({@link #leavesRoom})
 */
public record RunLength(int trials, Duration usual, Duration slow, Duration bound) {
    /** What a trial takes besides warm-up and measuring: launch, read-back, stop. */
    private static final Duration OVERHEAD = Duration.ofSeconds(3);

    /** Warm-ups usually end well before their bound. */
    private static final Duration USUAL_WARM_UP = Duration.ofSeconds(6);

    /** Factor by which a warm-up may outlast its bound. */
    private static final int LONGER = 2;

    /** Upper bound of that overhead; a bare server needs about 3 s, a large application more. */
    private static final Duration OVERHEAD_AT_MOST = Duration.ofSeconds(15);

    /** The length of a run of this many trials under a load. */
    public static RunLength of(int trials, Load load) {
        return new RunLength(
                trials,
                usual(load).multipliedBy(trials),
                slow(load).multipliedBy(trials),
                trial(OVERHEAD_AT_MOST, load.warmUpAtMost().multipliedBy(LONGER), load)
                        .multipliedBy(trials + 1L));
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
     * Whether one more attempt leaves room for the remaining trials.
     *
     * @param spent seconds used by the attempts so far
     * @param left slots without a result, including the one to be repeated
     */
    boolean leavesRoom(double spent, int left) {
        double bounded = bound.toMillis() / 1e3;
        return spent + left * bounded / (trials + 1) <= bounded;
    }

    private static Duration trial(Duration overhead, Duration warmUp, Load load) {
        return overhead.plus(warmUp).plus(load.measure());
    }
}
