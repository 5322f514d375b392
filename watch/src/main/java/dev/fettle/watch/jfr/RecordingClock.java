package dev.fettle.watch.jfr;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * The time of day by which a recording is cut: read once before the recording begins, and counted on from there by a clock that nobody sets.
 * The times in a recording go on in the same way from its own beginning, whatever time of day its later parts name. So a step of the
 * machine's clock meanwhile moves neither.
 */
public final class RecordingClock {
    /** A clock that is only slewed drifts by less in an hour. */
    private static final Duration STEP = Duration.ofSeconds(2);

    private final InstantSource day;
    private final LongSupplier nanos;
    private final Instant begin;
    private final long beginNanos;

    /** Reads the machine's clock: to be made right before the recording begins. */
    public RecordingClock() {
        this(InstantSource.system(), System::nanoTime);
    }

    RecordingClock(InstantSource day, LongSupplier nanos) {
        this.day = day;
        this.nanos = nanos;
        this.beginNanos = nanos.getAsLong();
        this.begin = day.instant();
    }

    /** The time of day, as if the machine's clock had not been set since. */
    public Instant now() {
        return begin.plusNanos(nanos.getAsLong() - beginNanos);
    }

    /**
     * Whether the machine's clock was set since. If it was before the recording had begun, its times can't be compared with these.
     */
    public boolean wasSet() {
        return Duration.between(now(), day.instant()).abs().compareTo(STEP) > 0;
    }
}
