package dev.fettle.model;

import java.util.List;

/**
 * The validity gate's verdict on a trial. No conclusion is ever drawn from a void one.
 *
 * @param reasons why it is void; empty for a valid trial
 */
public record Verdict(List<Reason> reasons) {
    public static final Verdict VALID = new Verdict(List.of());

    public Verdict {
        reasons = List.copyOf(reasons);
    }

    /** Whether the trial may be used. */
    public boolean valid() {
        return reasons.isEmpty();
    }

    /**
     * One broken rule.
     *
     * @param rule stable id, for example {@code littles-law}
     * @param message one line: the figure, the bound, and what it means
     * @param passing whether the cause may be gone the next time (steal, unsteady), so that a re-run makes sense
     */
    public record Reason(String rule, String message, boolean passing) {}
}
