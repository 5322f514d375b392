package dev.fettle.cli;

import java.util.concurrent.locks.LockSupport;

/** Counts how often this machine stood still for a while: what was measured then is measured again. */
final class Stalls implements AutoCloseable {
    private static final long NAP_NANOS = 10_000_000;
    private static final long LONG_NANOS = 200_000_000;

    private final Thread sleeper = Thread.ofPlatform().daemon().unstarted(this::look);
    private volatile boolean ended;
    private volatile int seen;

    Stalls() {
        sleeper.start();
    }

    private void look() {
        while (!ended) {
            long before = System.nanoTime();
            LockSupport.parkNanos(NAP_NANOS);
            if (System.nanoTime() - before > LONG_NANOS) {
                seen = seen + 1;
            }
        }
    }

    /** How often it stood still for more than 0.2 s. */
    int seen() {
        return seen;
    }

    @Override
    public void close() {
        ended = true;
    }
}
