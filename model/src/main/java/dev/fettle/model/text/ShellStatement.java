package dev.fettle.model.text;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;

/**
 * Finds where a statement of a shell script ends, whatever it does: the lines that a backslash or an operator joins, a block to
 * its end, a function with its body, and a here-document are one statement. Nothing is run.
 */
public final class ShellStatement extends ShellScanner {
    private static final String LOOP = "loop";
    /** What begins a block, and what the block is to what ends it. */
    private static final Map<String, String> OPENS =
            Map.of("if", "if", "case", "case", "for", LOOP, "while", LOOP, "until", LOOP, "select", LOOP, "{", "{");

    private static final Map<String, String> CLOSES = Map.of("fi", "if", "esac", "case", "done", LOOP, "}", "{");
    /** A name follows them, not a command. */
    private static final Set<String> NAMED = Set.of("for", "case", "select");

    private static final Set<String> BEFORE_COMMANDS = Set.of("then", "do", "else", "elif", "!", "time");
    /** Deeper substitutions are not followed: the rest of the text is passed over. */
    private static final int DEEPEST = 50;

    private final Deque<String> open = new ArrayDeque<>();
    private final Deque<String> documents = new ArrayDeque<>();
    /** Whether a command can begin here, so that a keyword is one. */
    private boolean first = true;
    /** Whether an operator joins the next line. */
    private boolean joined;
    /** Whether the end of an arithmetic command may still come. */
    private boolean arithmetic = true;
    /** Whether a function's name comes next. */
    private boolean function;
    /** How many substitutions are open. */
    private int depth;

    private ShellStatement(String text, int from) {
        super(text, from);
    }

    /**
     * The position after the statement that begins at another: the end of its line, or, after a block, the {@code ;} as well.
     */
    public static int end(String text, int from) {
        return new ShellStatement(text, from).end();
    }

    private int end() {
        boolean begun = false;
        boolean block = false;
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '\n') {
                if (open.isEmpty() && !joined && documents.isEmpty()) {
                    return at;
                }
                at++;
                first = true;
                if (!documents.isEmpty()) {
                    passDocuments();
                    if (open.isEmpty() && !joined) {
                        return at;
                    }
                }
            } else if (c == ' ' || c == '\t' || c == '\r') {
                at++;
            } else if (c == '\\' && (text.startsWith("\n", at + 1) || text.startsWith("\r\n", at + 1))) {
                at = text.indexOf('\n', at) + 1;
            } else if (c == '#') {
                at = lineEnd();
            } else if (c == ';' && block && open.isEmpty()) {
                return at;
            } else {
                token(c);
                block = begun ? block : !open.isEmpty();
                begun = true;
            }
        }
        return at;
    }

    private void token(char c) {
        switch (c) {
            case ';' -> {
                at++;
                first = true;
            }
            case '&', '|' -> operator(c);
            case '(' -> {
                int end = first && arithmetic && text.startsWith("((", at) ? text.indexOf("))", at) : -1;
                arithmetic &= end >= 0 || !first || !text.startsWith("((", at);
                if (end >= 0) { // arithmetic: << shifts there
                    at = end + 2;
                    first = false;
                    joined = false;
                } else {
                    bracket();
                }
            }
            case ')' -> { // of a subshell, or after the pattern of a case
                if ("(".equals(open.peek())) {
                    open.pop();
                }
                at++;
                first = true;
                joined = false;
            }
            case '<', '>' -> redirection();
            default -> {
                int begin = at;
                word();
                String word = text.substring(begin, at);
                joined = function; // its body comes next
                first = function || first && leadsOn(word);
                function = first && word.equals("function");
            }
        }
    }

    private void operator(char c) {
        boolean twice = text.startsWith(String.valueOf(c), at + 1);
        at += twice ? 2 : 1;
        joined = twice || c == '|';
        first = true;
    }

    /** A subshell, or the brackets of a function, whose body comes next. */
    private void bracket() {
        boolean array = at > 0 && text.charAt(at - 1) == '='; // ARGS=()
        int close = at + 1;
        while (close < text.length() && text.charAt(close) == ' ') {
            close++;
        }
        boolean empty = text.startsWith(")", close);
        at = empty ? close + 1 : at + 1;
        joined = empty && !array;
        first = true;
        if (!empty) {
            open.push("(");
        }
    }

    private void redirection() {
        boolean document = text.startsWith("<<", at) && !text.startsWith("<<<", at);
        while (at < text.length() && "<>&".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        if (document) {
            at += text.startsWith("-", at) ? 1 : 0;
            while (at < text.length() && text.charAt(at) == ' ') {
                at++;
            }
            int begin = at;
            word();
            documents.add(text.substring(begin, at).replaceAll("[\"'\\\\]", ""));
        }
        joined = false;
    }

    private void passDocuments() {
        while (!documents.isEmpty()) {
            String end = documents.poll();
            String line;
            do {
                int newline = lineEnd();
                line = text.substring(at, newline).strip();
                at = Math.min(text.length(), newline + 1);
            } while (at < text.length() && !line.equals(end));
        }
    }

    /** Whether another command can follow a word at the place of a command: it is a keyword. */
    private boolean leadsOn(String word) {
        boolean pattern = "case".equals(open.peek()) && !word.equals("esac") && isPattern();
        String opens = OPENS.get(word);
        String closes = CLOSES.get(word);
        if (pattern) {
            return false;
        }
        if (opens != null) {
            open.push(opens);
            return !NAMED.contains(word);
        }
        if (closes != null) {
            if (closes.equals(open.peek())) {
                open.pop();
            }
            return true;
        }
        return BEFORE_COMMANDS.contains(word) || word.equals("function");
    }

    /** Whether the word that was read is a pattern of a case. */
    private boolean isPattern() {
        int next = at;
        while (next < text.length() && text.charAt(next) == ' ') {
            next++;
        }
        return next < text.length() && (text.charAt(next) == ')' || text.charAt(next) == '|');
    }

    // -- words, of which only the end is wanted
    // -------------------------------------------------------------------------

    @Override
    protected void literal(char c) {
        // it is part of the statement, whatever it is
    }

    @Override
    protected void command() {
        past('`');
    }

    @Override
    protected void unclosed(char quote) {
        at = text.length();
    }

    @Override
    protected void dollar(boolean bare) {
        if (here() == '{') {
            past('}');
        } else if (here() == '(') {
            depth++;
            int brackets = 0;
            do {
                char c = text.charAt(at);
                brackets += c == '(' ? 1 : c == ')' ? -1 : 0;
                if (depth > DEEPEST) {
                    at = text.length();
                } else {
                    part();
                }
            } while (brackets > 0 && at < text.length());
            depth--;
        }
    }
}
