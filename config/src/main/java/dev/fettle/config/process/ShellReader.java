package dev.fettle.config.process;

import dev.fettle.config.ConfigException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads words as a POSIX shell does, quotes, backslashes and plain variables included; executes nothing. What would have to be
 * executed, or is more than a plain variable, is refused.
 */
public final class ShellReader {
    private static final String ENDS = " \t\r\n;&|<>()";

    private final String text;
    private final Map<String, String> variables;
    private final Set<String> unknown = new TreeSet<>();
    private int at;

    /** @param variables names and values; one that is missing is empty, as in a shell */
    public ShellReader(String text, int from, Map<String, String> variables) {
        this.text = text;
        this.at = from;
        this.variables = variables;
    }

    /**
     * All words of a text, without variables: each {@code $} is itself.
     *
     * @throws ConfigException if a quote is not closed
     */
    public static List<String> of(String text) throws ConfigException {
        var words = new ShellReader(text, 0, Map.of());
        var out = new ArrayList<String>();
        while (words.skipBlanks("\n\r")) {
            out.add(words.word(false).orElseThrow(() -> new ConfigException("a quote is not closed")));
            if (words.at < text.length() && ";&|<>()".indexOf(text.charAt(words.at)) >= 0) {
                throw new ConfigException("'" + text.charAt(words.at) + "' outside quotes would be for a shell");
            }
        }
        return out;
    }

    /** Where the next word begins. */
    public int at() {
        return at;
    }

    /** Variables that were used and have no value. */
    public Set<String> unknown() {
        return unknown;
    }

    /** Goes to the next word; false at the end of the text. A backslash before a line's end is a blank, too. */
    boolean skipBlanks(String besides) {
        while (at < text.length()) {
            if (text.startsWith("\\\n", at)) {
                at += 2;
            } else if (text.startsWith("\\\r\n", at)) {
                at += 3;
            } else if (" \t".indexOf(text.charAt(at)) >= 0 || besides.indexOf(text.charAt(at)) >= 0) {
                at++;
            } else {
                return true;
            }
        }
        return false;
    }

    /** The word that begins here, possibly empty; nothing if it can't be read without a shell. */
    public Optional<String> word(boolean expand) {
        var out = new StringBuilder();
        while (at < text.length() && ENDS.indexOf(text.charAt(at)) < 0) {
            char c = text.charAt(at++);
            switch (c) {
                case '\'' -> {
                    int close = text.indexOf('\'', at);
                    if (close < 0) {
                        return Optional.empty();
                    }
                    out.append(text, at, close);
                    at = close + 1;
                }
                case '"' -> {
                    if (!doubled(expand, out)) {
                        return Optional.empty();
                    }
                }
                case '\\' -> {
                    if (at < text.length() && text.charAt(at) != '\n') {
                        out.append(text.charAt(at));
                    }
                    at++;
                }
                case '`' -> {
                    return Optional.empty();
                }
                case '$' -> {
                    if (!variable(expand, out)) {
                        return Optional.empty();
                    }
                }
                default -> out.append(c);
            }
        }
        return Optional.of(out.toString());
    }

    private boolean doubled(boolean expand, StringBuilder out) {
        while (at < text.length()) {
            char c = text.charAt(at++);
            switch (c) {
                case '"' -> {
                    return true;
                }
                case '\\' -> {
                    char next = at < text.length() ? text.charAt(at) : '\\';
                    if (next == '\n') {
                        at++;
                    } else if ("$`\"\\".indexOf(next) >= 0) {
                        out.append(next);
                        at++;
                    } else {
                        out.append(c);
                    }
                }
                case '`' -> {
                    return false;
                }
                case '$' -> {
                    if (!variable(expand, out)) {
                        return false;
                    }
                }
                default -> out.append(c);
            }
        }
        return false;
    }

    /** A {@code $} has been read: puts the value of {@code $NAME} or {@code ${NAME}}; false if it is something else. */
    private boolean variable(boolean expand, StringBuilder out) {
        if (!expand) {
            out.append('$');
            return true;
        }
        boolean braces = at < text.length() && text.charAt(at) == '{';
        int from = braces ? at + 1 : at;
        int to = from;
        while (to < text.length() && (Character.isLetterOrDigit(text.charAt(to)) || text.charAt(to) == '_')) {
            to++;
        }
        if (to == from || Character.isDigit(text.charAt(from)) || (braces && !text.startsWith("}", to))) {
            return false;
        }
        String name = text.substring(from, to);
        at = braces ? to + 1 : to;
        String value = variables.get(name);
        if (value == null) {
            unknown.add(name);
        } else {
            out.append(value);
        }
        return true;
    }
}
