package dev.fettle.lab.machine;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Time, passed in wherever the lab waits or measures: of this machine, or of a test that does not wait. */
public interface Clock extends InstantSource {
    /** The clock of this machine. */
    Clock SYSTEM = new Clock() {
        @Override
        public Instant instant() {
            return Instant.now();
        }

        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public void sleep(Duration time) throws InterruptedException {
            Thread.sleep(time);
        }
    };

    /** Nanoseconds since a fixed moment; only differences mean something. */
    long nanos();

    /** Waits; returns at once if the time is zero or less. */
    void sleep(Duration time) throws InterruptedException;

    /** Time since a reading of {@link #nanos()}. */
    default Duration since(long nanos) {
        return Duration.ofNanos(nanos() - nanos);
    }
}
