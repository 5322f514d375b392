package dev.fettle.model.load;

import java.util.ArrayList;
import java.util.List;

/** Scenario texts with placeholders {@code ${name}} or {@code ${name|filter}}; {@code $${} is a literal {@code ${}. */
public final class Templates {
    /** Filters for values, see docs/scenarios.md. */
    public static final List<String> FILTERS = List.of("raw", "url", "json", "path");

    /** Variables that are always there. */
    public static final List<String> BUILT_IN = List.of("user", "iteration", "random.uuid");

    /** What a variable's name looks like. */
    public static final String NAME = "[A-Za-z_][A-Za-z0-9_.-]{0,63}";

    private Templates() {}

    /** Whether this is a valid variable name. */
    public static boolean isName(String name) {
        return name.matches(NAME);
    }

    /**
     * The variables in a text, in order, repeats included.
     *
     * @throws IllegalArgumentException if a placeholder is malformed; the message is for the user
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

    /** Whether a text has neither placeholders nor escapes. */
    public static boolean isPlain(String text) {
        return !text.contains("${");
    }

    /** Whether a text is exactly one placeholder. */
    public static boolean isPlace(String text) {
        return text.matches("\\$\\{[^}]*}");
    }

    /** Escapes a text so that it has no placeholders. */
    public static String escape(String text) {
        return text.replace("${", "$${");
    }
}
