package dev.fettle.lab.machine;

import java.util.regex.Pattern;

/** Names of runs. They are read from files that may be somebody else's, and become parts of paths. */
public final class KeptName {
    /** Together with a number and an ending, a file's name may have 255 bytes. */
    private static final int LONGEST = 200;

    private static final int LONGEST_MADE = 150;

    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]*");
    private static final Pattern OLD = Pattern.compile("-[A-Za-z0-9._-]*");

    private KeptName() {}

    /** Whether a name is one that Fettle gives: letters, digits, dots, dashes and underscores, beginning with none of the dots and dashes. */
    public static boolean fits(String name) {
        return PLAIN.matcher(name).matches() && bounded(name);
    }

    /**
     * Whether it is the id of a run. That of a plan whose name began with another letter began with a dash until Fettle 0.1, and ended,
     * as all do, with the run's number.
     */
    public static boolean fits(String id, long number) {
        return fits(id) || OLD.matcher(id).matches() && bounded(id) && id.endsWith("-" + number);
    }

    private static boolean bounded(String name) {
        return name.length() <= LONGEST && !name.contains("..");
    }

    /** A name that {@link #fits}, from any other. */
    public static String of(String name) {
        String plain = name.replaceAll("[^A-Za-z0-9._-]", "-")
                .replaceAll("\\.{2,}", ".")
                .replaceFirst("^[.-]+", "");
        String bounded = plain.substring(0, Math.min(plain.length(), LONGEST_MADE));
        return bounded.isEmpty() ? "run" : bounded;
    }
}
