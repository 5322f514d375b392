package dev.fettle.model.text;

import java.time.DateTimeException;
import java.time.Instant;
import java.util.Optional;

/**
 * A moment that stands in a file, which anybody may have written. It lies from 1970 to 2200: with others, no difference is too long to be
 * counted in nanoseconds.
 */
public final class WrittenTime {
    private static final Instant EARLIEST = Instant.EPOCH;
    private static final Instant LATEST = Instant.parse("2200-01-01T00:00:00Z");

    private WrittenTime() {}

    /**
     * A moment in the form {@code 2026-03-01T12:00:00Z}.
     *
     * @throws DateTimeException if it has another form, or is too early or too late
     */
    public static Instant of(String text) {
        return in(Instant.parse(text))
                .orElseThrow(() -> new DateTimeException(OneLine.of(text) + " is not from 1970 to 2200"));
    }

    /** A moment, if it is neither too early nor too late. */
    public static Optional<Instant> in(Instant at) {
        return Optional.of(at).filter(t -> !t.isBefore(EARLIEST) && !t.isAfter(LATEST));
    }
}
