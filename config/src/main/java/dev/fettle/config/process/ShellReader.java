package dev.fettle.config.process;

import dev.fettle.config.ConfigException;
import dev.fettle.model.text.ShellScanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads words as a POSIX shell does, including quotes, backslashes and plain variables; executes nothing. Anything that
 * would have to be executed, or is more than a plain variable, is refused.
 */
public final class ShellReader {
    /** The longest argument or variable that Linux passes to a program, in bytes. */
    private static final int LONGEST = 128 * 1024;

    private final ShellScanner scanner;
    private final Map<String, String> variables;
    private final Set<String> unknown = new TreeSet<>();

    /** @param variables names and values; one that is missing is empty, as in a shell */
    public ShellReader(String text, int from, Map<String, String> variables) {
        this.scanner = new ShellScanner(text, from);
        this.variables = variables;
    }

    /**
     * All words of a text, without variables: each {@code $} stands for itself.
     *
     * @throws ConfigException if a quote is not closed, or it contains more than one command
     */
    public static List<String> words(String text) throws ConfigException {
        var words = new ShellReader(text, 0, Map.of());
        var out = new ArrayList<String>();
        while (words.skipBlanks("\n\r")) {
            out.add(words.word(false).orElseThrow(() -> new ConfigException("a quote is not closed")));
            if (";&|<>()".indexOf(words.scanner.here()) >= 0) {
                throw new ConfigException("'" + words.scanner.here() + "' outside quotes would be for a shell");
            }
        }
        return out;
    }

    /** A shell text without comment lines. */
    public static String uncommented(String text) {
        var out = new StringBuilder();
        text.lines().filter(l -> !l.startsWith("#")).forEach(l -> out.append(l).append('\n'));
        return out.toString();
    }

    /** Position of the next word. */
    public int at() {
        return scanner.at();
    }

    /** Variables that were used and have no value. */
    public Set<String> unknown() {
        return unknown;
    }

    /** Moves to the next word; false at the end of the text. */
    boolean skipBlanks(String besides) {
        return scanner.skipBlanks(besides);
    }

    /** The word that begins here, possibly empty; nothing if reading it takes a shell. */
    public Optional<String> word(boolean expand) {
        var out = new StringBuilder();
        try {
            scanner.word(new ShellScanner.Word() {
                @Override
                public void literal(char c) {
                    out.append(c);
                }

                @Override
                public void dollar(ShellScanner scanner, boolean bare) {
                    out.append(expand ? variable() : "$");
                    if (out.length() > LONGEST) {
                        throw new ShellScanner.NeedsShell("a word that is longer than the kernel passes on");
                    }
                }
            });
        } catch (ShellScanner.NeedsShell e) {
            return Optional.empty();
        }
        return Optional.of(out.toString());
    }

    /** The value of {@code $NAME} or {@code ${NAME}}, whose {@code $} has been read. */
    private String variable() {
        String text = scanner.text();
        boolean braces = scanner.here() == '{';
        int from = braces ? scanner.at() + 1 : scanner.at();
        int to = from;
        while (to < text.length() && (Character.isLetterOrDigit(text.charAt(to)) || text.charAt(to) == '_')) {
            to++;
        }
        if (to == from || Character.isDigit(text.charAt(from)) || (braces && !text.startsWith("}", to))) {
            throw new ShellScanner.NeedsShell("more than a variable");
        }
        String name = text.substring(from, to);
        scanner.to(braces ? to + 1 : to);
        String value = variables.get(name);
        if (value == null) {
            unknown.add(name);
        }
        return value == null ? "" : value;
    }
}
