package dev.fettle.load.schedule;

import java.util.function.LongSupplier;

/**
 * Nanoseconds since the start of the run, as one engine thread last read them. Reading the clock has a cost; {@link
 * #last} has none.
 */
public final class LoopClock {

    private final LongSupplier nanoTime;
    private long origin;
    private long last;

    public LoopClock(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** The run starts at this reading of the same clock. */
    public void start(long startNanos) {
        origin = startNanos;
    }

    public long read() {
        last = nanoTime.getAsLong() - origin;
        return last;
    }

    public long last() {
        return last;
    }

    /** Converts another thread's reading of the same clock to this scale. */
    public long at(long nanoTime) {
        return nanoTime - origin;
    }
}
