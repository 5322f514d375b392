package dev.fettle.model.text;

/** Reads words with POSIX shell quoting and escaping; executes nothing. */
public final class ShellScanner {
    /** Characters that end a word outside quotes. */
    private static final String ENDS = " \t\r\n;&|<>()";

    /** Receives the parts of a word. */
    public interface Word {
        /** A literal character. */
        void literal(char c);

        /**
         * Called after a {@code $}; reads the rest of the expansion from the scanner.
         *
         * @param bare whether it is outside quotes
         */
        void dollar(ShellScanner scanner, boolean bare);
    }

    /** A word needs a shell to be expanded. */
    public static final class NeedsShell extends RuntimeException {
        public NeedsShell(String message) {
            super(message);
        }
    }

    private final String text;
    private int at;

    public ShellScanner(String text, int from) {
        this.text = text;
        this.at = from;
    }

    /** The current position. */
    public int at() {
        return at;
    }

    /** Moves to a position. */
    public void to(int where) {
        at = where;
    }

    public String text() {
        return text;
    }

    /** The current character; a blank at the end. */
    public char here() {
        return at < text.length() ? text.charAt(at) : ' ';
    }

    /**
     * Skips to the next word; false at the end of the text. A backslash before a line break also counts as a blank.
     *
     * @param besides characters skipped in addition to blanks and tabs
     */
    public boolean skipBlanks(String besides) {
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
    private int joined() {
        return text.startsWith("\\\r\n", at)
                ? 3
                : text.startsWith("\\\n", at) ? 2 : text.startsWith("\\", at) && at + 1 == text.length() ? 1 : 0;
    }

    /** Reads the word that starts here. */
    public void word(Word word) {
        while (at < text.length() && ENDS.indexOf(text.charAt(at)) < 0) {
            int joined = joined();
            if (joined > 0) {
                at += joined;
                continue;
            }
            char c = text.charAt(at++);
            switch (c) {
                case '\'' -> single(word);
                case '"' -> doubled(word);
                case '\\' -> word.literal(text.charAt(at++));
                case '`' -> throw command();
                case '$' -> word.dollar(this, true);
                default -> word.literal(c);
            }
        }
    }

    private void single(Word word) {
        int close = text.indexOf('\'', at);
        if (close < 0) {
            throw new NeedsShell("a ' is not closed");
        }
        text.substring(at, close).chars().forEach(c -> word.literal((char) c));
        at = close + 1;
    }

    private void doubled(Word word) {
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
                        word.literal("$`\"\\".indexOf(here()) >= 0 ? text.charAt(at++) : c);
                    }
                }
                case '`' -> throw command();
                case '$' -> word.dollar(this, false);
                default -> word.literal(c);
            }
        }
        throw new NeedsShell("a \" is not closed");
    }

    private static NeedsShell command() {
        return new NeedsShell("`…` would have to be executed: put its output in its place");
    }
}
