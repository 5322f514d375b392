package dev.fettle.insight.tune;

import java.util.EnumSet;
import java.util.Set;

/**
 * A part of the search over several knobs that it can do without, to see what the part gives. A tune has them {@link #ALL}; of a
 * search over one knob only {@link #RACE} is one.
 */
public enum SearchPart {
    /**
     * The law of the pool: the size that it predicts from the default's trial, what it says of every size before that is tried, and the
     * narrower range of sizes that are looked at.
     */
    LAW,
    /** What two knobs do together. Without it the model adds up what each does alone. */
    PAIRS,
    /** The model of where the server fails or breaks a limit. Without it only settings that were seen to fail are avoided. */
    LIMITS,
    /** Settings far from each other at the beginning. Without it they are random. */
    SPREAD,
    /**
     * The best once more before one is chosen. Without it a search over one knob has the race's trials; one over several sets none aside
     * for it, and races with those that it leaves over.
     */
    RACE,
    /** Trials of the best with some of its changes taken away. Without it the search has these trials. */
    SIMPLER;

    /** The whole search. */
    public static final Set<SearchPart> ALL = Set.of(values());

    /** All but one. */
    public static Set<SearchPart> without(SearchPart part) {
        return Set.copyOf(EnumSet.complementOf(EnumSet.of(part)));
    }
}
