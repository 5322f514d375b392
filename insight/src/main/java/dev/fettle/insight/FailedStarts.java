package dev.fettle.insight;

/**
 * How often a setting, variant or cell failed to start, and what that says of it.
 *
 * @param of which: a setting, a variant's name, a cell's point
 * @param counts of its starts, and of the default's or all others'
 */
public record FailedStarts(String of, Starts counts, Because because) {
    /** Why it failed. */
    public enum Because {
        /** It fails more often than chance explains. */
        ITS_OWN_DOING,
        /** It fails no more often than chance explains. */
        CHANCE,
        /** The counts do not tell. */
        NOT_KNOWN
    }
}
