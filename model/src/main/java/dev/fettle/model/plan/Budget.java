package dev.fettle.model.plan;

import java.time.Duration;

/**
 * How much a tune may spend.
 *
 * @param trials maximum trials of the search, without the duel; at least 3
 * @param time maximum wall-clock time for search and duel together. Repeats of disturbed trials are added, up to half
 *     as much again
 * @param pairs pairs in the duel, at least 3
 */
public record Budget(int trials, Duration time, int pairs) {
    public static final Budget DEFAULT = new Budget(12, Duration.ofMinutes(10), 5);
}
