package dev.fettle.maven;

import java.util.Locale;

/** The goals, and what their exit codes mean. */
enum Goal {
    GATE("the head is slower than the base", "nothing could be compared, which says nothing about the change"),
    BENCH("a condition of <failIf> is met", "the result is void, which says nothing about the server"),
    CAPACITY(
            "the capacity is lower than <atLeast> or the SLO's throughput",
            "no rate was found that is known to meet the SLO, or less than <atLeast> was confirmed and more may be possible");

    private final String broken;
    private final String nothing;

    Goal(String broken, String nothing) {
        this.broken = broken;
        this.nothing = nothing;
    }

    /** The command's word. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What 5 means. */
    String broken() {
        return broken;
    }

    /** What 4 means. */
    String nothing() {
        return nothing;
    }
}
