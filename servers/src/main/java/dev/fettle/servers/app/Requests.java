package dev.fettle.servers.app;

import java.util.concurrent.atomic.LongAdder;

/** Counts the requests inside an application or a WAR. */
public final class Requests {
    private final LongAdder begun = new LongAdder();
    private final LongAdder ended = new LongAdder();

    public void begin() {
        begun.increment();
    }

    public void end() {
        ended.increment();
    }

    /** Requests in flight. The number of ended ones is read first, so that the result is never below zero. */
    long inFlight() {
        long over = ended.sum();
        return begun.sum() - over;
    }

    long finished() {
        return ended.sum();
    }
}
