package dev.fettle.insight.judge;

import dev.fettle.model.imports.Published;
import java.util.List;

/**
 * What can be said of figures that somebody published.
 *
 * @param figures what was read
 * @param outcome whether they can be believed
 * @param refusals why they can't mean what they seem to
 * @param cautions what has to be read along with them
 * @param checked the laws that their figures allowed to check and that did not break, with what came of it
 * @param unknown what would have to be known to believe them
 */
public record Judgement(
        Published figures,
        Outcome outcome,
        List<Finding> refusals,
        List<Finding> cautions,
        List<String> checked,
        List<String> unknown) {
    public Judgement {
        refusals = List.copyOf(refusals);
        cautions = List.copyOf(cautions);
        checked = List.copyOf(checked);
        unknown = List.copyOf(unknown);
    }

    /** Whether figures can be believed. They are never shown to be true: that takes a trial of one's own. */
    public enum Outcome {
        /** They contradict each other, or measure something else than it seems. */
        REFUSED,
        /** Nothing that could be checked speaks against them. */
        NOT_REFUTED,
        /** No law could be checked: they are too few. */
        TOO_FEW
    }

    /**
     * One thing that was found.
     *
     * @param rule stable id; the validity gate's where the rule is its
     * @param message one line: the figures, the bound, what it means
     */
    public record Finding(String rule, String message) {}
}
