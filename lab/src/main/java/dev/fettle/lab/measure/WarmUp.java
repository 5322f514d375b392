package dev.fettle.lab.measure;

import dev.fettle.model.text.Format;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The warm-up of a {@link Bench}: how long, and against which server.
 *
 * @param atMost upper bound
 * @param untilCompiled whether it ends as soon as Fettle's own code is compiled: when this JVM's compilers used less than
 *     {@link #CALM_SHARE} of a CPU over the last {@link #step}. Until then their work would look like send lag, or like a limit
 *     of the server
 * @param rehearsal whether the load goes to a small server inside Fettle, so that the one under test sees only requests that
 *     count
 */
public record WarmUp(Duration atMost, boolean untilCompiled, boolean rehearsal) {
    /** No warm-up: everything is measured, from the first connect. */
    public static final WarmUp NONE = lasting(Duration.ZERO);
    /** Until Fettle's own code is compiled. */
    public static final WarmUp UNTIL_COMPILED = new WarmUp(Duration.ofSeconds(10), true, false);
    /** Until Fettle's own code is compiled, without a request to the server under test. */
    public static final WarmUp REHEARSAL = new WarmUp(Duration.ofSeconds(10), true, true);

    /** Time between two readings of the compilers' CPU time. */
    static final Duration STEP = Duration.ofMillis(500);
    /** Share of a CPU below which the compilers are calm. */
    static final double CALM_SHARE = 0.05;

    /** In a shorter time the compilers' work does not reveal cold code. */
    private static final Duration SHORT = Duration.ofSeconds(1);
    /** In less than this the compilers' CPU time is not known: the kernel counts that of a running thread every few milliseconds. */
    private static final Duration TOO_SHORT = Duration.ofMillis(100);
    /** Compile time that every load has, for the code at its end. */
    private static final long FEW_NANOS = 100_000_000;
    /** But at this share of a CPU, the compilers had only looked calm because they were starved. */
    private static final double MOST_SHARE = 0.5;
    /** The generator was not the limit if its busiest thread used no more than this share of a CPU. */
    private static final double SLACK = 0.25;
    /** The generator did not make the latency longer if no more than this share of it was the generator's own CPU time. */
    private static final double LITTLE = 0.01;
    /** In the first step classes are still being loaded and hot code is not yet known. */
    private static final int STEPS_AT_LEAST = 2;

    /** A warm-up of a fixed length. */
    public static WarmUp lasting(Duration time) {
        return new WarmUp(time, false, false);
    }

    boolean isNone() {
        return atMost.isZero();
    }

    /** Time between two readings; half as long against Fettle's own server, which answers at once. */
    Duration step() {
        return rehearsal ? STEP.dividedBy(2) : STEP;
    }

    /** Reads the compilers' CPU time every {@link #step}; empty for a fixed length. */
    Optional<CompilerActivity> look(LongSupplier compiled) {
        return untilCompiled ? Optional.of(new CompilerActivity(compiled, step())) : Optional.empty();
    }

    /**
     * Why the figures may show Fettle's own start-up rather than the server's speed; empty if they don't.
     *
     * @param calm whether the compilers were calm when the measuring began
     * @param workedNanos the compilers' CPU time during it
     * @param busiest CPU share of the busiest generator thread, 0 to 1; NaN if it is not known
     * @param ownShare of the mean latency that is at most the generator's own CPU time, 0 to 1; NaN if it is not known
     */
    static Optional<String> cold(boolean calm, long workedNanos, Duration measured, double busiest, double ownShare) {
        if (busiest <= SLACK && ownShare <= LITTLE) {
            return Optional.empty(); // cold or not, it waited for the server
        }
        double share = workedNanos / (double) Math.max(1, measured.toNanos());
        if (share < CALM_SHARE && (calm || measured.compareTo(SHORT) >= 0)) {
            return Optional.empty();
        }
        if (calm && workedNanos < FEW_NANOS && share < MOST_SHARE) {
            return Optional.empty();
        }
        boolean known = share >= CALM_SHARE && measured.compareTo(TOO_SHORT) >= 0;
        return Optional.of(String.format(
                Locale.ROOT,
                "%s in these %s%s: the server may be faster than this, and its latency lower",
                known
                        ? "Fettle's own code was still being compiled (" + Format.share(share) + " of a CPU)"
                        : "Fettle's own code may still have been compiled",
                Format.time(measured),
                known ? "" : ", which are too short to be sure"));
    }

    /** The readings of one warm-up. */
    static final class CompilerActivity {
        private final LongSupplier worked;
        private final Duration step;
        private long before;
        private int steps;

        /**
         * @param worked the compilers' CPU time so far, in nanoseconds
         * @param step time between two readings
         */
        CompilerActivity(LongSupplier worked, Duration step) {
            this.worked = worked;
            this.step = step;
            before = worked.getAsLong();
        }

        /** Whether the compilers are calm; to be called once per step. */
        boolean calm() {
            long now = worked.getAsLong();
            boolean little = now - before < CALM_SHARE * step.toNanos();
            before = now;
            steps++;
            return little && steps >= STEPS_AT_LEAST;
        }
    }
}
