package dev.fettle.servers;

import java.util.concurrent.atomic.LongAdder;

/** Counts the requests inside an application or a WAR. */
final class Requests {
    private final LongAdder begun = new LongAdder();
    private final LongAdder ended = new LongAdder();

    void begin() {
        begun.increment();
    }

    void end() {
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
