package dev.fettle.model.target;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * {@code {placeholder}}s in the arguments, environment and templates of a {@link Target.Command}, and in a {@link Hook}. A
 * placeholder is a letter followed by letters, digits and {@code . : _ -} in braces; any other brace is literal. An extra pair
 * of braces escapes it: {@code {{name}}} is the text {@code {name}}.
 */
public final class Placeholders {
    private static final String NAME = "[A-Za-z][A-Za-z0-9.:_-]*";
    /** Group 1 is an escaped placeholder, group 2 a placeholder's name. */
    private static final Pattern ONE = Pattern.compile("(?<!\\{)\\{(\\{++" + NAME + "}+)}|\\{(" + NAME + ")}");

    /** A line including its line break. */
    private static final Pattern LINE = Pattern.compile("[^\\n]*\\n|[^\\n]+");

    private Placeholders() {}

    /** The names in a text, in order, repeats included. */
    public static List<String> in(String text) {
        return ONE.matcher(text)
                .results()
                .filter(r -> r.group(2) != null)
                .map(r -> r.group(2))
                .toList();
    }

    /**
     * Replaces every placeholder.
     *
     * @param values the value of a name
     * @return empty if any placeholder has no value
     */
    public static Optional<String> expand(String text, Function<String, Optional<String>> values) {
        var out = new StringBuilder();
        Matcher m = ONE.matcher(text);
        while (m.find()) {
            Optional<String> value = m.group(2) == null ? Optional.of(m.group(1)) : values.apply(m.group(2));
            if (value.isEmpty()) {
                return Optional.empty();
            }
            m.appendReplacement(out, Matcher.quoteReplacement(value.get()));
        }
        m.appendTail(out);
        return Optional.of(out.toString());
    }

    /** Replaces every placeholder, line by line: a line with a placeholder that has no value is left out. */
    public static String expandLines(String text, Function<String, Optional<String>> values) {
        return LINE.matcher(text)
                .results()
                .flatMap(line -> expand(line.group(), values).stream())
                .collect(Collectors.joining());
    }
}
