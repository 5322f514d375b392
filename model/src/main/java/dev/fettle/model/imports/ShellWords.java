package dev.fettle.model.imports;

import dev.fettle.model.text.ShellScanner;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Splits a command line into words as a POSIX shell would, including bash's {@code $'…'}; executes nothing. A shell variable
 * becomes a template's {@code ${name}}; any other {@code ${} is escaped.
 */
final class ShellWords extends ShellScanner {
    private final Set<String> variables = new LinkedHashSet<>();

    private ShellWords(String text) {
        super(text, 0);
    }

    /** The words, and the shell variables in them. */
    record Split(List<String> words, Set<String> variables) {}

    /** @throws ImportException if a quote is not closed, or something would have to be executed */
    static Split split(String text) {
        var s = new ShellWords(text);
        try {
            return new Split(s.allWords(": give a single curl command"), s.variables);
        } catch (NeedsShell e) {
            throw new ImportException(String.valueOf(e.getMessage()));
        }
    }

    @Override
    protected void literal(char c) {
        if (c == '{' && !word.isEmpty() && word.charAt(word.length() - 1) == '$') {
            word.append('$');
        }
        word.append(c);
    }

    @Override
    protected void dollar(boolean bare) {
        if (here() == '(') {
            throw new NeedsShell("$(…) would have to be executed: put its output in its place");
        }
        if (bare && here() == '\'') {
            at++;
            ansi();
            return;
        }
        String variable = variable();
        if (variable.isEmpty()) {
            literal('$');
            return;
        }
        String name = Draft.variableName(variable);
        variables.add(name);
        word.append("${").append(name).append('}');
    }

    /** {@code $'…'} */
    private void ansi() {
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
        throw new NeedsShell("a $' is not closed");
    }

    private void code(int most, int radix) {
        int value = 0;
        for (int digits = 0; digits < most && Character.digit(here(), radix) >= 0; digits++) {
            value = value * radix + Character.digit(text.charAt(at++), radix);
        }
        literal((char) value);
    }
}
