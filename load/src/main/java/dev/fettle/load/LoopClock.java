package dev.fettle.load;

import java.util.function.LongSupplier;

/** Nanoseconds since the start of the run, as one engine thread last read them. Reading costs; {@link #last} does not. */
final class LoopClock {

    private final LongSupplier nanoTime;
    private long origin;
    private long last;

    LoopClock(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** The run starts, at this reading of the same clock. */
    void start(long startNanos) {
        origin = startNanos;
    }

    long read() {
        last = nanoTime.getAsLong() - origin;
        return last;
    }

    long last() {
        return last;
    }

    /** A reading of the same clock by somebody else, on this scale. */
    long at(long nanoTime) {
        return nanoTime - origin;
    }
}
