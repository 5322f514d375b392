package dev.fettle.lab.fake;

/** What a target is asked for when something happens to it. */
public enum Phase {
    LAUNCH,
    READY,
    READ_BACK,
    /** A load that is not measured, a closed one. */
    WARM_UP,
    /** A closed load that is measured. */
    MEASURE,
    /** A pause of its load. */
    REST,
    /** A single client, to find out whether it is at rest. */
    LOOK,
    /** An open load. */
    PROBE,
    /** Values are set in it. */
    SET,
    STOP
}
