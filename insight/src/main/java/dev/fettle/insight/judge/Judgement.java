package dev.fettle.insight.judge;

import dev.fettle.model.imports.Published;
import java.util.List;

/**
 * What can be said about published figures.
 *
 * @param figures what was read
 * @param outcome whether they can be believed
 * @param refusals why they can't mean what they seem to
 * @param cautions what a reader must know along with them
 * @param checked the laws that could be checked and hold, with the result
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
        /** They contradict each other, or measure something other than they seem to. */
        REFUSED,
        /** Nothing that could be checked speaks against them. */
        NOT_REFUTED,
        /** Too few figures: no law could be checked. */
        TOO_FEW
    }

    /**
     * One thing that was found.
     *
     * @param rule stable id; the validity gate's if it is one of its rules
     * @param message one line: the figures, the bound, what it means
     */
    public record Finding(String rule, String message) {}
}
