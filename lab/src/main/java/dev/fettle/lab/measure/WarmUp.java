package dev.fettle.lab.measure;

import dev.fettle.load.JitCompilers;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * How long a {@link Bench} offers its load before it measures, and to whom.
 *
 * @param atMost its bound
 * @param untilCompiled whether it ends sooner, when Fettle's own code is compiled: when this JVM's compilers have worked less
 *     than {@link #CALM_SHARE} of a CPU over the last {@link #step}. Until then their work would be taken for send lag, or for a
 *     limit of the server
 * @param rehearsal whether the load goes to a small server of Fettle's own, so that the one under test sees only what is counted
 */
public record WarmUp(Duration atMost, boolean untilCompiled, boolean rehearsal) {
    /** No warm-up: all is measured, from the first connect. */
    public static final WarmUp NONE = lasting(Duration.ZERO);
    /** Until Fettle's own code is compiled. */
    public static final WarmUp UNTIL_COMPILED = new WarmUp(Duration.ofSeconds(10), true, false);
    /** Until Fettle's own code is compiled, without a request to the server under test. */
    public static final WarmUp REHEARSAL = new WarmUp(Duration.ofSeconds(10), true, true);

    /** Between two looks at the compilers. */
    static final Duration STEP = Duration.ofMillis(500);
    /** Calm compilers' share of a CPU. */
    static final double CALM_SHARE = 0.05;

    /** In so short a time code that is not warm can't be seen by its compilers' work. */
    private static final Duration SHORT = Duration.ofSeconds(1);
    /** So little is compiled in any load: what its end needs. */
    private static final long FEW_NANOS = 100_000_000;
    /** But where that is so large a share of a CPU, compilers that were starved before only looked calm. */
    private static final double MOST_SHARE = 0.5;
    /** The classes of the first request are still being loaded in the first step; what is hot is not yet known. */
    private static final int STEPS_AT_LEAST = 2;

    /** A warm-up of a given length. */
    public static WarmUp lasting(Duration time) {
        return new WarmUp(time, false, false);
    }

    boolean isNone() {
        return atMost.isZero();
    }

    /** Between two looks: on a server that answers at once, half the time shows as much. */
    Duration step() {
        return rehearsal ? STEP.dividedBy(2) : STEP;
    }

    /** Who looks at the compilers, every {@link #step}; empty: its length is given. */
    Optional<Look> look() {
        return untilCompiled ? Optional.of(new Look(JitCompilers::workedNanos, step())) : Optional.empty();
    }

    /**
     * Why what was measured may be Fettle's own start rather than the server's speed; empty if it is not.
     *
     * @param calm whether the compilers were calm when the measuring began
     * @param workedNanos what they worked while it lasted
     */
    static Optional<String> cold(boolean calm, long workedNanos, Duration measured) {
        double share = workedNanos / (double) Math.max(1, measured.toNanos());
        if (share < CALM_SHARE && (calm || measured.compareTo(SHORT) >= 0)) {
            return Optional.empty();
        }
        if (calm && workedNanos < FEW_NANOS && share < MOST_SHARE) {
            return Optional.empty();
        }
        return Optional.of(String.format(
                Locale.ROOT,
                "Fettle's own code was still being compiled (%.0f %% of a CPU) in these %.3g s: the server may be faster than"
                        + " this, and its latency lower",
                100 * share,
                measured.toNanos() / 1e9));
    }

    /** The looks of one warm-up. */
    static final class Look {
        private final LongSupplier worked;
        private final Duration step;
        private long before;
        private int steps;

        /**
         * @param worked what the compilers have worked so far, in nanoseconds
         * @param step between two looks
         */
        Look(LongSupplier worked, Duration step) {
            this.worked = worked;
            this.step = step;
            before = worked.getAsLong();
        }

        /** Whether they are calm. A step has passed since the last call, or since the beginning. */
        boolean calm() {
            long now = worked.getAsLong();
            boolean little = now - before < CALM_SHARE * step.toNanos();
            before = now;
            steps++;
            return little && steps >= STEPS_AT_LEAST;
        }
    }
}
