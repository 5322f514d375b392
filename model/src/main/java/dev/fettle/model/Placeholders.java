package dev.fettle.model;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code {placeholder}}s in the arguments and environment of a {@link Target.Command}. Only a letter followed by
 * letters, digits and {@code . : _ -} in braces is one; any other brace stands for itself.
 */
public final class Placeholders {
    private static final Pattern ONE = Pattern.compile("\\{([A-Za-z][A-Za-z0-9.:_-]*)}");

    private Placeholders() {}

    /** The names in a text, in order, repeats included. */
    public static List<String> in(String text) {
        return ONE.matcher(text).results().map(r -> r.group(1)).toList();
    }

    /**
     * A text with every placeholder replaced.
     *
     * @param values the value of a name
     * @return empty if some placeholder has no value
     */
    public static Optional<String> expand(String text, Function<String, Optional<String>> values) {
        var out = new StringBuilder();
        Matcher m = ONE.matcher(text);
        while (m.find()) {
            Optional<String> value = values.apply(m.group(1));
            if (value.isEmpty()) {
                return Optional.empty();
            }
            m.appendReplacement(out, Matcher.quoteReplacement(value.get()));
        }
        m.appendTail(out);
        return Optional.of(out.toString());
    }
}
