package dev.fettle.model.imports;

import dev.fettle.model.text.ShellScanner;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Splits a command line into words as a POSIX shell would, including bash's {@code $'…'}; executes nothing. A shell variable
 * becomes a template's {@code ${name}}; any other {@code ${} is escaped.
 */
final class ShellWords implements ShellScanner.Word {
    private final Set<String> variables = new LinkedHashSet<>();
    private StringBuilder word = new StringBuilder();

    private ShellWords() {}

    /** The words, and the shell variables in them. */
    record Split(List<String> words, Set<String> variables) {}

    /** @throws ImportException if a quote is not closed, or something would have to be executed */
    static Split split(String text) {
        var scanner = new ShellScanner(text, 0);
        var s = new ShellWords();
        var words = new ArrayList<String>();
        while (scanner.skipBlanks("\r\n")) {
            char c = scanner.here();
            if (c == '#') {
                int end = text.indexOf('\n', scanner.at());
                scanner.to(end < 0 ? text.length() : end);
                continue;
            }
            if ("`|;&<>()".indexOf(c) >= 0) {
                throw new ImportException(
                        "'" + c + "' outside quotes needs a shell, and none is used: give a single curl command");
            }
            s.word = new StringBuilder();
            try {
                scanner.word(s);
            } catch (ShellScanner.NeedsShell e) {
                throw new ImportException(String.valueOf(e.getMessage()));
            }
            words.add(s.word.toString());
        }
        return new Split(List.copyOf(words), s.variables);
    }

    @Override
    public void literal(char c) {
        if (c == '{' && !word.isEmpty() && word.charAt(word.length() - 1) == '$') {
            word.append('$');
        }
        word.append(c);
    }

    @Override
    public void dollar(ShellScanner scanner, boolean bare) {
        char next = scanner.here();
        if (next == '(') {
            throw new ImportException("$(…) would have to be executed: put its output in its place");
        }
        if (bare && next == '\'') {
            scanner.to(scanner.at() + 1);
            ansi(scanner);
            return;
        }
        String text = scanner.text();
        int from = next == '{' ? scanner.at() + 1 : scanner.at();
        int to = from;
        while (to < text.length() && isNamePart(text.charAt(to), to == from)) {
            to++;
        }
        boolean closed = next != '{' || to < text.length() && text.charAt(to) == '}';
        if (to == from || !closed) {
            literal('$');
            return;
        }
        String name = Draft.variableName(text.substring(from, to));
        variables.add(name);
        word.append("${").append(name).append('}');
        scanner.to(next == '{' ? to + 1 : to);
    }

    private static boolean isNamePart(char c, boolean first) {
        return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || !first && c >= '0' && c <= '9';
    }

    /** {@code $'…'} */
    private void ansi(ShellScanner in) {
        while (in.at() < in.text().length()) {
            char c = taken(in);
            if (c == '\'') {
                return;
            }
            if (c != '\\' || in.at() == in.text().length()) {
                literal(c);
                continue;
            }
            char e = taken(in);
            int known = "abefnrtv".indexOf(e);
            if (known >= 0) {
                literal("\u0007\b\u001B\f\n\r\t\u000B".charAt(known));
            } else if (e == 'x') {
                code(in, 2, 16);
            } else if (e == 'u') {
                code(in, 4, 16);
            } else if (e >= '0' && e <= '7') {
                in.to(in.at() - 1);
                code(in, 3, 8);
            } else {
                literal(e);
            }
        }
        throw new ImportException("a $' is not closed");
    }

    private static char taken(ShellScanner in) {
        char c = in.here();
        in.to(in.at() + 1);
        return c;
    }

    private void code(ShellScanner in, int most, int radix) {
        int value = 0;
        for (int digits = 0; digits < most && Character.digit(in.here(), radix) >= 0; digits++) {
            value = value * radix + Character.digit(taken(in), radix);
        }
        literal((char) value);
    }
}
