package dev.fettle.model.plan;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.fettle.model.key.Default;
import dev.fettle.model.key.Key;
import dev.fettle.model.key.Range;
import dev.fettle.model.key.Section;
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
@Section(value = "budget", doc = "How much a tune may spend.")
public record Budget(
        @Key("Most trials of the search.") @Range(from = "3", to = "10000") @Default("12")
        int trials,

        @Key("Most time for search and duel together.") @Range(from = "1s", to = "168h") @Default("10m")
        Duration time,

        @Key("Pairs of the duel of winner against baseline.") @Range(from = "3", to = "1000") @Default("5")
        int pairs,

        @Key(
                "Whether the search sets its knobs in one warm JVM instead of starting one for each trial. The duel is on fresh JVMs in any case."
                        + " Default: true where all tuned knobs are live in a Tomcat, Jetty or Undertow that Fettle launches, except for threads.max of"
                        + " Jetty, hooks of each trial, and memory as the objective.")
        @JsonInclude(JsonInclude.Include.NON_EMPTY)
        Optional<Boolean> live,

        @Key(
                "Whether every trial of the search runs to its end. Otherwise one whose setting is surely worse than the best so far is ended early,"
                        + " and the time is spent on other settings.")
        @Default("false")
        @JsonInclude(JsonInclude.Include.NON_DEFAULT)
        boolean wholeTrials) {
    public static final Budget DEFAULT = new Budget(12, Duration.ofMinutes(10), 5);

    /** A budget that leaves it to Fettle where the search's trials run, and whether they may be ended early. */
    public Budget(int trials, Duration time, int pairs) {
        this(trials, time, pairs, Optional.empty(), false);
    }
}
