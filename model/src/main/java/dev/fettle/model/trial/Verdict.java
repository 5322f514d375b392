package dev.fettle.model.trial;

import java.util.List;
import java.util.stream.Stream;

/**
 * The validity gate's verdict on a trial. No conclusion is ever drawn from a void one.
 *
 * @param reasons why it is void; empty for a valid trial
 * @param advisories what does not void it, but must be read along with its figures
 */
public record Verdict(List<Reason> reasons, List<Advisory> advisories) {
    public static final Verdict VALID = new Verdict(List.of());

    public Verdict {
        reasons = List.copyOf(reasons);
        advisories = List.copyOf(advisories);
    }

    /** A verdict without advisories. */
    public Verdict(List<Reason> reasons) {
        this(reasons, List.of());
    }

    /** Whether the trial may be used. */
    public boolean valid() {
        return reasons.isEmpty();
    }

    /** Whether an advisory was given. */
    public boolean advises(String rule) {
        return advisories.stream().anyMatch(a -> a.rule().equals(rule));
    }

    /** A copy that is void for one more reason, which comes first. */
    public Verdict because(Reason reason) {
        return new Verdict(Stream.concat(Stream.of(reason), reasons.stream()).toList(), advisories);
    }

    /**
     * One broken rule.
     *
     * @param rule stable id, for example {@code littles-law}
     * @param message one line: the figure, the bound, and what it means
     * @param passing whether the cause came from outside (stolen time, other processes, the generator) and may be gone the next
     *     time, so that a re-run makes sense
     */
    public record Reason(String rule, String message, boolean passing) {}

    /**
     * One thing to know about figures that may be used.
     *
     * @param rule stable id, for example {@code think-time}
     * @param message one line: the figure, and what it means for a reader
     */
    public record Advisory(String rule, String message) {}
}
