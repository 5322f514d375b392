package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding;

/** What a rule saw. */
sealed interface Look {
    /** It found something. */
    record Found(Finding finding) implements Look {}

    /** It is in order; {@code words} has the figure. */
    record Healthy(String words) implements Look {}

    /** It could not be looked at. */
    record NotObserved(String why) implements Look {}
}
