package dev.fettle.report;

import dev.fettle.insight.DiagnoseConclusion.Looked;

/** Wording for the second opinion, which must not be mistaken for Fettle's. */
public final class SecondOpinionWords {
    /** Its heading. */
    public static final String TITLE = "Second opinion: JDK Mission Control";

    /** Where it comes from. */
    public static final String WHOSE =
            "What the rules of JDK Mission Control say of a flight recording of the same trial. They see the JVM, and no worker pool,"
                    + " queue or kernel; nothing above comes from them.";

    private SecondOpinionWords() {}

    /** The result of one rule. */
    public static String of(Looked rule) {
        return rule.rule() + " (" + rule.what() + "): " + rule.words();
    }
}
