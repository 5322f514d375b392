package dev.fettle.model.plan;

import java.time.Duration;

/**
 * How much a tune may spend.
 *
 * @param trials most trials of the search (the duel not counted), at least 3
 * @param time most wall-clock time for search and duel together. What void trials took that were repeated because something
 *     disturbed them comes on top, at most half as much again
 * @param pairs pairs of the duel, at least 3
 */
public record Budget(int trials, Duration time, int pairs) {
    public static final Budget DEFAULT = new Budget(12, Duration.ofMinutes(10), 5);
}
