package dev.fettle.report.document;

/** What an output is read on. */
public enum Medium {
    TERMINAL,
    /** A page with plots. */
    PAGE,
    /** Text with markup and without plots: Markdown. */
    MARKUP
}
