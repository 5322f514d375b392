package dev.fettle.lab.fake;

import dev.fettle.lab.machine.Clock;
import java.time.Duration;
import java.time.Instant;

/** Time that passes when somebody waits for it, and at no other moment. */
public final class FakeClock implements Clock {
    private static final Instant BEGIN = Instant.parse("2026-01-01T00:00:00Z");

    private long nanos = 7_000_000_000L;

    @Override
    public Instant instant() {
        return BEGIN.plusNanos(nanos);
    }

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public void sleep(Duration time) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        pass(time);
    }

    /** Lets time pass for something that can't be interrupted. */
    void pass(Duration time) {
        nanos += Math.max(0, time.toNanos());
    }
}
