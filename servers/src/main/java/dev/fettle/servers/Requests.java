package dev.fettle.servers;

import java.util.concurrent.atomic.LongAdder;

/** Counts the requests inside what is served. */
final class Requests {
    private final LongAdder begun = new LongAdder();
    private final LongAdder ended = new LongAdder();

    void begin() {
        begun.increment();
    }

    void end() {
        ended.increment();
    }

    /** Those under way now. Ended is read first, so that the answer is never below zero. */
    long inFlight() {
        long over = ended.sum();
        return begun.sum() - over;
    }

    long finished() {
        return ended.sum();
    }
}
