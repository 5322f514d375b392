package dev.fettle.model.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Duration;
import java.util.Optional;

/**
 * How much a tune may spend.
 *
 * @param trials maximum trials of the search, without the duel; at least 3
 * @param time maximum wall-clock time for search and duel together. Repeats of disturbed trials are added, up to half
 *     as much again
 * @param pairs pairs in the duel, at least 3
 * @param live whether the search sets its knobs in one warm JVM instead of starting one for each trial; empty: where that
 *     is possible, see {@link WarmSearch}
 * @param wholeTrials whether every trial of the search runs to its end; otherwise one whose setting is surely worse than the best so far
 *     is ended early
 */
public record Budget(
        int trials,
        Duration time,
        int pairs,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Optional<Boolean> live,
        @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean wholeTrials) {
    public static final Budget DEFAULT = new Budget(12, Duration.ofMinutes(10), 5);

    /** A budget that leaves it to Fettle where the search's trials run, and whether they may be ended early. */
    public Budget(int trials, Duration time, int pairs) {
        this(trials, time, pairs, Optional.empty(), false);
    }
}
