package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding;
import java.util.List;

/** What a rule saw. */
sealed interface RuleResult {
    /**
     * It found something.
     *
     * @param waitsFor the resources for want of which it happens in this case, in addition to those that its rule always names
     * @param weight of the findings of a stage the one with the largest comes first
     * @param explains whether it costs enough to be the cause of another one
     */
    record Found(Finding finding, List<String> waitsFor, double weight, boolean explains) implements RuleResult {
        public Found {
            waitsFor = List.copyOf(waitsFor);
        }
    }

    /** It is in order; {@code words} has the figure. */
    record Healthy(String words) implements RuleResult {}

    /** It could not be looked at. */
    record NotObserved(String why) implements RuleResult {}
}
