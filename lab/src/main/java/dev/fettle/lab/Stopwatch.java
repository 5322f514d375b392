package dev.fettle.lab;

import dev.fettle.lab.machine.Clock;
import java.time.Duration;
import java.time.Instant;

/** When a trial began, and how long each of its steps took. */
final class Stopwatch {
    private final Instant started;
    private final Clock clock;
    private long since;

    Stopwatch(Clock clock) {
        this.clock = clock;
        started = clock.instant();
        since = clock.nanos();
    }

    Instant started() {
        return started;
    }

    /** Time since the start or the last lap. */
    Duration lap() {
        long now = clock.nanos();
        var lap = Duration.ofNanos(now - since);
        since = now;
        return lap;
    }
}
