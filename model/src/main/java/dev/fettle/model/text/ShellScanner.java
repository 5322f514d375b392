package dev.fettle.model.text;

import java.util.ArrayList;
import java.util.List;

/** Reads words with POSIX shell quoting and escaping; executes nothing. What a {@code $} stands for is up to the subclass. */
public abstract class ShellScanner {
    /** Characters that end a word outside quotes. */
    private static final String ENDS = " \t\r\n;&|<>()";

    /** A word needs a shell to be expanded. */
    public static final class NeedsShell extends RuntimeException {
        public NeedsShell(String message) {
            super(message);
        }
    }

    /** What is read. */
    protected final String text;
    /** The current position. */
    protected int at;
    /** The word so far, without its quotes. */
    protected final StringBuilder word = new StringBuilder();

    protected ShellScanner(String text, int from) {
        this.text = text;
        this.at = from;
    }

    /**
     * Called after a {@code $}; reads the rest of the expansion, and appends what it stands for.
     *
     * @param bare whether it is outside quotes
     */
    protected abstract void dollar(boolean bare);

    /** Appends a literal character. */
    protected void literal(char c) {
        word.append(c);
    }

    /** Called after a {@code `}. */
    protected void command() {
        throw new NeedsShell("`…` would have to be executed: put its output in its place");
    }

    /** Called where a quote is not closed. */
    protected void unclosed(char quote) {
        throw new NeedsShell("a " + quote + " is not closed");
    }

    /** The current character; a blank at the end. */
    protected final char here() {
        return at < text.length() ? text.charAt(at) : ' ';
    }

    /**
     * All words from here to the end, which are those of one command.
     *
     * @param right what the message on an operator ends with: what would be right
     * @throws NeedsShell if there is an operator, or reading a word takes a shell
     */
    protected final List<String> allWords(String right) {
        var words = new ArrayList<String>();
        while (skipBlanks("\r\n")) {
            if (comment()) {
                at = lineEnd();
            } else if (ENDS.indexOf(here()) >= 0) {
                throw new NeedsShell("'" + here() + "' outside quotes needs a shell, and none is used" + right);
            } else {
                words.add(word());
            }
        }
        return List.copyOf(words);
    }

    /** Whether a comment begins at this place for a word. */
    protected boolean comment() {
        return here() == '#';
    }

    /**
     * Skips to the next word; false at the end of the text. A backslash before a line break also counts as a blank.
     *
     * @param besides characters skipped in addition to blanks and tabs
     */
    protected final boolean skipBlanks(String besides) {
        while (at < text.length()) {
            int joined = joined();
            if (joined > 0) {
                at += joined;
            } else if (" \t".indexOf(text.charAt(at)) >= 0 || besides.indexOf(text.charAt(at)) >= 0) {
                at++;
            } else {
                return true;
            }
        }
        return false;
    }

    /** Length of a line continuation here: a backslash and the line break or end of text after it; 0 if there is none. */
    protected final int joined() {
        return text.startsWith("\\\r\n", at)
                ? 3
                : text.startsWith("\\\n", at) ? 2 : text.startsWith("\\", at) && at + 1 == text.length() ? 1 : 0;
    }

    /** Reads the word that starts here, possibly an empty one. */
    protected final String word() {
        word.setLength(0);
        while (at < text.length() && ENDS.indexOf(text.charAt(at)) < 0) {
            part();
        }
        return word.toString();
    }

    /** A character of a word, or what a quote or an expansion holds together. */
    protected final void part() {
        int joined = joined();
        if (joined > 0) {
            at += joined;
            return;
        }
        char c = text.charAt(at++);
        switch (c) {
            case '\'' -> single();
            case '"' -> doubled();
            case '\\' -> literal(text.charAt(at++));
            case '`' -> command();
            case '$' -> dollar(true);
            default -> literal(c);
        }
    }

    private void single() {
        int close = text.indexOf('\'', at);
        if (close < 0) {
            at = text.length();
            unclosed('\'');
            return;
        }
        text.substring(at, close).chars().forEach(c -> literal((char) c));
        at = close + 1;
    }

    private void doubled() {
        while (at < text.length()) {
            char c = text.charAt(at++);
            switch (c) {
                case '"' -> {
                    return;
                }
                case '\\' -> {
                    if (here() == '\n') {
                        at++;
                    } else {
                        literal("$`\"\\".indexOf(here()) >= 0 ? text.charAt(at++) : c);
                    }
                }
                case '`' -> command();
                case '$' -> dollar(false);
                default -> literal(c);
            }
        }
        unclosed('"');
    }

    /**
     * The name of a variable after its {@code $}, with or without braces, which is read; empty, and nothing is read, if there is no name,
     * or more than a name in the braces.
     */
    protected final String variable() {
        boolean braces = here() == '{';
        int from = braces ? at + 1 : at;
        int to = from;
        while (to < text.length() && isNamePart(text.charAt(to), to == from)) {
            to++;
        }
        if (to == from || braces && !text.startsWith("}", to)) {
            return "";
        }
        at = braces ? to + 1 : to;
        return text.substring(from, to);
    }

    private static boolean isNamePart(char c, boolean first) {
        return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || !first && c >= '0' && c <= '9';
    }

    /** Moves past the next such character; to the end if there is none. */
    protected final void past(char end) {
        int close = text.indexOf(end, at);
        at = close < 0 ? text.length() : close + 1;
    }

    /** Where this line ends. */
    protected final int lineEnd() {
        int newline = text.indexOf('\n', at);
        return newline < 0 ? text.length() : newline;
    }
}
