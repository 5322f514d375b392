package dev.fettle.report.document;

import java.util.Set;

/** Which outputs show a part of a document. */
public enum Where {
    EVERYWHERE(Medium.values()),
    /** In CSV and JSON alone. */
    FOR_PROGRAMS,
    /** In a terminal only if it is wide enough. */
    IF_ROOM(Medium.values()),
    /** Not in a terminal, which says it in other words. */
    NOT_IN_TERMINALS(Medium.PAGE, Medium.MARKUP),
    /** In a terminal alone: the others say it in a column or a plot. */
    IN_TERMINALS(Medium.TERMINAL),
    /** On a page alone, which has room and plots. */
    ON_PAGE(Medium.PAGE),
    /** Not on a page, which has it in its head or in a plot. */
    NOT_ON_PAGE(Medium.TERMINAL, Medium.MARKUP);

    private final Set<Medium> on;

    Where(Medium... on) {
        this.on = Set.of(on);
    }

    /** Whether such an output shows it. */
    public boolean isOn(Medium medium) {
        return on.contains(medium);
    }
}
