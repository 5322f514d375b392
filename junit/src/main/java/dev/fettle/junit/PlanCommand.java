package dev.fettle.junit;

import java.util.Locale;

/** What can be asked of a plan in a test. */
public enum PlanCommand {
    /**
     * The highest rate that meets the plan's SLO. It fails if the SLO's {@code throughput>…} is missed, if even the lowest rate breaks the
     * SLO, or below {@code --at-least}.
     */
    CAPACITY,
    /** The plan's variants. It fails if one breaks a limit of the objective, or is slower than {@code --fail-if-slower} allows. */
    COMPARE;

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
