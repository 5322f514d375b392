package dev.fettle.cli.terminal;

/** Exit codes of the {@code fettle} command; part of its interface, shown by {@code fettle --help}. */
public final class ExitCodes {
    /** Done. "No improvement shown" and "no difference shown" are ordinary outcomes and count as done, too. */
    public static final int OK = 0;

    /** A failure that is not the user's mistake: disk full, target gone, a defect in Fettle. */
    public static final int FAILED = 1;

    /** Wrong arguments or a wrong plan. */
    public static final int USAGE = 2;

    /** The machine lacks something: JDK, Maven, a build; or another machine does, or can't be reached. The launcher uses it, too. */
    public static final int ENVIRONMENT = 3;

    /** It ran, but gave no valid result: every trial void, or no baseline. */
    public static final int NO_VALID_RESULT = 4;

    /** It ran, and a condition of {@code --fail-if} is met, a variant is slower than {@code --fail-if-slower} allows, or {@code --at-least} or the SLO's throughput is missed. */
    public static final int CONDITION_MET = 5;

    /** A tune had no time to try anything besides the default, or to prove what looked better: that is not "no improvement". */
    public static final int NOTHING_TRIED = 6;

    /** A gate, or a comparison with {@code --fail-if-slower}, could not tell whether something is slower: as {@link #NOTHING_TRIED}, neither a pass nor a failure. */
    public static final int CANT_TELL = 6;

    /** Stopped by Ctrl-C; after a TERM signal the code is 143, as the JVM sets it. */
    public static final int INTERRUPTED = 130;

    private ExitCodes() {}
}
