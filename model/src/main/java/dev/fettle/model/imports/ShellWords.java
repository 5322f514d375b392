package dev.fettle.model.imports;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Splits a command line into words as a POSIX shell would, and {@code $'…'} as bash does; executes nothing. A shell variable
 * becomes a template's {@code ${name}}, so other texts' {@code ${} is escaped.
 */
final class ShellWords {
    private final String text;
    private final List<String> words = new ArrayList<>();
    private final Set<String> variables = new LinkedHashSet<>();
    private StringBuilder word = new StringBuilder();
    private boolean inWord;
    private int at;

    private ShellWords(String text) {
        this.text = text;
    }

    /** The words, and the shell variables that they name. */
    record Split(List<String> words, Set<String> variables) {}

    /** @throws ImportException if a quote is not closed, or something would have to be executed */
    static Split split(String text) {
        var s = new ShellWords(text);
        s.all();
        return new Split(List.copyOf(s.words), s.variables);
    }

    private void all() {
        while (at < text.length()) {
            char c = text.charAt(at++);
            switch (c) {
                case ' ', '\t', '\n', '\r' -> end();
                case '\'' -> single();
                case '"' -> doubled();
                case '\\' -> escaped();
                case '$' -> dollar(true);
                case '`', '|', ';', '&', '<', '>', '(', ')' ->
                    throw new ImportException("'" + c
                            + "' outside quotes would be for a shell, which is not asked: one curl command is wanted");
                case '#' -> {
                    if (inWord) {
                        literal(c);
                    } else {
                        while (at < text.length() && text.charAt(at) != '\n') {
                            at++;
                        }
                    }
                }
                default -> literal(c);
            }
        }
        end();
    }

    private void end() {
        if (inWord) {
            words.add(word.toString());
            word = new StringBuilder();
            inWord = false;
        }
    }

    /** One character that means itself. */
    private void literal(char c) {
        inWord = true;
        if (c == '{' && !word.isEmpty() && word.charAt(word.length() - 1) == '$') {
            word.append('$');
        }
        word.append(c);
    }

    private void single() {
        inWord = true;
        int close = text.indexOf('\'', at);
        if (close < 0) {
            throw new ImportException("a ' is not closed");
        }
        while (at < close) {
            literal(text.charAt(at++));
        }
        at++;
    }

    private void doubled() {
        inWord = true;
        while (at < text.length()) {
            char c = text.charAt(at++);
            switch (c) {
                case '"' -> {
                    return;
                }
                case '\\' -> {
                    char next = at < text.length() ? text.charAt(at) : ' ';
                    if (next == '\n') {
                        at++;
                    } else if ("$`\"\\".indexOf(next) >= 0) {
                        at++;
                        literal(next);
                    } else {
                        literal('\\');
                    }
                }
                case '`' -> throw new ImportException("`…` would have to be executed: put its output in its place");
                case '$' -> dollar(false);
                default -> literal(c);
            }
        }
        throw new ImportException("a \" is not closed");
    }

    private void escaped() {
        if (at == text.length()) {
            return;
        }
        char next = text.charAt(at++);
        if (next == '\r' && at < text.length() && text.charAt(at) == '\n') {
            at++;
        } else if (next != '\n') {
            literal(next);
        }
    }

    private void dollar(boolean bare) {
        char next = at < text.length() ? text.charAt(at) : ' ';
        if (next == '(') {
            throw new ImportException("$(…) would have to be executed: put its output in its place");
        }
        if (bare && next == '\'') {
            at++;
            ansi();
            return;
        }
        int from = next == '{' ? at + 1 : at;
        int to = from;
        while (to < text.length() && isNamePart(text.charAt(to), to == from)) {
            to++;
        }
        boolean closed = next != '{' || to < text.length() && text.charAt(to) == '}';
        if (to == from || !closed) {
            literal('$');
            return;
        }
        String name = text.substring(from, to);
        variables.add(name);
        inWord = true;
        word.append("${").append(name).append('}');
        at = next == '{' ? to + 1 : to;
    }

    private static boolean isNamePart(char c, boolean first) {
        return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || !first && c >= '0' && c <= '9';
    }

    /** {@code $'…'} */
    private void ansi() {
        inWord = true;
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (c == '\'') {
                return;
            }
            if (c != '\\' || at == text.length()) {
                literal(c);
                continue;
            }
            char e = text.charAt(at++);
            int known = "abefnrtv".indexOf(e);
            if (known >= 0) {
                literal("\u0007\b\u001B\f\n\r\t\u000B".charAt(known));
            } else if (e == 'x') {
                code(2, 16);
            } else if (e == 'u') {
                code(4, 16);
            } else if (e >= '0' && e <= '7') {
                at--;
                code(3, 8);
            } else {
                literal(e);
            }
        }
        throw new ImportException("a $' is not closed");
    }

    private void code(int most, int radix) {
        int value = 0;
        int digits = 0;
        while (digits < most && at < text.length() && Character.digit(text.charAt(at), radix) >= 0) {
            value = value * radix + Character.digit(text.charAt(at++), radix);
            digits++;
        }
        literal((char) value);
    }
}
