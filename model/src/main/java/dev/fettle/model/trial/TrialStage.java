package dev.fettle.model.trial;

import java.util.Locale;

/** What is being done with a trial's target. Not every trial has all of them, and some come more than once. */
public enum TrialStage {
    /** Its process is started. */
    LAUNCH,
    /** It is waited for until it gives the right answer. */
    READY,
    /** What was set is read back. */
    READ_BACK,
    /** It has the load, and is not measured yet. */
    WARM_UP,
    /** It is measured. */
    MEASURE,
    /** It has no load, or that of a single client, until it is at rest. */
    REST,
    /** It is measured at one rate after the other. */
    PROBE,
    /** It is ended. */
    STOP;

    /** Its name in journals and results: {@code warm-up}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
