package dev.fettle.report.document;

/** How words stand out: each output has its own way to show it. */
public enum Tone {
    PLAIN,
    /** The answer, the best of a table, or a difference that is shown. */
    STRONG,
    /** What is there to be complete: void rows, values that were not set, where a figure comes from. */
    QUIET,
    /** A name as it is written in a file or on a command line. */
    CODE,
    GOOD,
    /** Outside the limits, not judged, or other than it was set. */
    CAUTION,
    BAD
}
