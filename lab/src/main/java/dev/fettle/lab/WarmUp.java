package dev.fettle.lab;

import dev.fettle.load.Compilers;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * How long a {@link Bench} offers its load before it measures.
 *
 * @param atMost its bound
 * @param untilCompiled whether it ends sooner, when Fettle's own code is compiled: when this JVM's compilers have worked less
 *     than {@link #CALM_SHARE} of a CPU over the last {@link #STEP}. Until then their work would be taken for send lag, or for a
 *     limit of the server
 */
public record WarmUp(Duration atMost, boolean untilCompiled) {
    /** No warm-up: all is measured, from the first connect. */
    public static final WarmUp NONE = lasting(Duration.ZERO);
    /** Until Fettle's own code is compiled. */
    public static final WarmUp UNTIL_COMPILED = new WarmUp(Duration.ofSeconds(10), true);

    /** Between two looks at the compilers. */
    static final Duration STEP = Duration.ofMillis(500);
    /** Calm compilers' share of a CPU. */
    static final double CALM_SHARE = 0.05;

    /** The classes of the first request are still being loaded in the first step; what is hot is not yet known. */
    private static final int STEPS_AT_LEAST = 2;

    /** A warm-up of a given length. */
    public static WarmUp lasting(Duration time) {
        return new WarmUp(time, false);
    }

    boolean isNone() {
        return atMost.isZero();
    }

    /** Who looks at the compilers, every {@link #STEP}; empty: its length is given. */
    Optional<Look> look() {
        return untilCompiled ? Optional.of(new Look(Compilers::workedNanos)) : Optional.empty();
    }

    /** The looks of one warm-up. */
    static final class Look {
        private final LongSupplier worked;
        private long before;
        private int steps;

        /** @param worked what the compilers have worked so far, in nanoseconds */
        Look(LongSupplier worked) {
            this.worked = worked;
            before = worked.getAsLong();
        }

        /** Whether they are calm. A step has passed since the last call, or since the beginning. */
        boolean calm() {
            long now = worked.getAsLong();
            boolean little = now - before < CALM_SHARE * STEP.toNanos();
            before = now;
            steps++;
            return little && steps >= STEPS_AT_LEAST;
        }
    }
}
