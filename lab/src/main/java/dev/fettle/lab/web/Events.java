package dev.fettle.lab.web;

import java.time.Duration;
import java.util.Optional;

/**
 * What a browser follows. Where each of them is, is a number that the browser itself has ({@code Last-Event-ID}): nothing is queued for
 * it, and one that comes late or again gets what it lacks in one piece.
 */
@FunctionalInterface
public interface Events {
    /** Before the first event. */
    long NONE = -1;

    /**
     * One event.
     *
     * @param id what {@link #after} is asked for next
     * @param name its type; a word
     * @param data its text, of any number of lines
     */
    record Event(long id, String name, String data) {}

    /**
     * Waits for what comes after an event. Called by the thread of one browser.
     *
     * @param id of the last one that the browser has; {@link #NONE} if it has none, and any number if it says so
     * @param atMost to wait
     * @return empty if there was nothing
     */
    Optional<Event> after(long id, Duration atMost) throws InterruptedException;
}
