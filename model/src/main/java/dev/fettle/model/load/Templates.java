package dev.fettle.model.load;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Texts of a scenario with places for values: {@code ${name}} or {@code ${name|filter}}; {@code $${} stands for the
 * characters themselves.
 */
public final class Templates {
    /** What can be done with a value: see docs/scenarios.md. */
    public static final List<String> FILTERS = List.of("raw", "url", "json", "path");

    /** Variables that are always there. */
    public static final List<String> BUILT_IN = List.of("user", "iteration", "random.uuid");

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]{0,63}");

    private Templates() {}

    /** Whether a variable can have that name. */
    public static boolean isName(String name) {
        return NAME.matcher(name).matches();
    }

    /**
     * The variables that a text names, in order, repeats included.
     *
     * @throws IllegalArgumentException if a place is not as it should be; the message is for the user
     */
    public static List<String> variables(String text) {
        var out = new ArrayList<String>();
        for (int at = text.indexOf("${"); at >= 0; at = text.indexOf("${", at)) {
            if (at > 0 && text.charAt(at - 1) == '$') {
                at += 2;
                continue;
            }
            int end = text.indexOf('}', at);
            if (end < 0) {
                throw new IllegalArgumentException("'${' without '}' (for the characters themselves write $${)");
            }
            String inside = text.substring(at + 2, end);
            int bar = inside.indexOf('|');
            String filter = bar < 0 ? "raw" : inside.substring(bar + 1);
            if (!FILTERS.contains(filter)) {
                throw new IllegalArgumentException("no filter '" + filter + "': raw, url, json and path are there");
            }
            out.add(bar < 0 ? inside : inside.substring(0, bar));
            at = end;
        }
        return out;
    }

    /** Whether a text has neither places nor escapes. */
    public static boolean isPlain(String text) {
        return !text.contains("${");
    }

    /** Whether a text is one place and nothing else. */
    public static boolean isPlace(String text) {
        return text.matches("\\$\\{[^}]*}");
    }

    /** A text in which nothing is a place. */
    public static String escape(String text) {
        return text.replace("${", "$${");
    }
}
