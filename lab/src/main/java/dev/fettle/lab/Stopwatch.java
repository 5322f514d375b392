package dev.fettle.lab;

import dev.fettle.lab.machine.LabEnvironment;
import java.time.Duration;
import java.time.Instant;

/** When a trial began, and how long each of its steps took. */
final class Stopwatch {
    private final Instant started;
    private long since = System.nanoTime();

    Stopwatch(LabEnvironment env) {
        started = env.clock().instant();
    }

    Instant started() {
        return started;
    }

    /** Time since the start or the last lap. */
    Duration lap() {
        long now = System.nanoTime();
        var lap = Duration.ofNanos(now - since);
        since = now;
        return lap;
    }
}
