package dev.fettle.config.process;

import dev.fettle.config.ConfigException;
import dev.fettle.model.text.ShellScanner;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads words as a POSIX shell does, including quotes, backslashes and plain variables; executes nothing. Anything that
 * would have to be executed, or is more than a plain variable, is refused.
 */
public final class ShellReader extends ShellScanner {
    /** The longest argument or variable that Linux passes to a program, in bytes. */
    private static final int LONGEST = 128 * 1024;

    private final Optional<Map<String, String>> variables;
    private final Set<String> unknown = new TreeSet<>();

    private ShellReader(String text, int from, Optional<Map<String, String>> variables) {
        super(text, from);
        this.variables = variables;
    }

    /** @param variables names and values; one that is missing is empty, as in a shell */
    public ShellReader(String text, int from, Map<String, String> variables) {
        this(text, from, Optional.of(variables));
    }

    /**
     * All words of a text, without variables: each {@code $} stands for itself.
     *
     * @throws ConfigException if a quote is not closed, or it contains more than one command
     */
    public static List<String> words(String text) throws ConfigException {
        try {
            return new ShellReader(text, 0, Optional.empty()).allWords("");
        } catch (NeedsShell e) {
            throw new ConfigException(String.valueOf(e.getMessage()));
        }
    }

    /** A shell text without comment lines. */
    public static String uncommented(String text) {
        var out = new StringBuilder();
        text.lines().filter(l -> !l.startsWith("#")).forEach(l -> out.append(l).append('\n'));
        return out.toString();
    }

    /** Position of the next word. */
    public int at() {
        return at;
    }

    /** Variables that were used and have no value. */
    public Set<String> unknown() {
        return unknown;
    }

    /** The word that begins here, possibly empty; nothing if reading it takes a shell. */
    public Optional<String> next() {
        try {
            return Optional.of(word());
        } catch (NeedsShell e) {
            return Optional.empty();
        }
    }

    @Override
    protected boolean comment() {
        return false;
    }

    @Override
    protected void dollar(boolean bare) {
        word.append(variables.map(this::value).orElse("$"));
        if (word.length() > LONGEST) {
            throw new NeedsShell("a word that is longer than the kernel passes on");
        }
    }

    private String value(Map<String, String> values) {
        String name = variable();
        if (name.isEmpty()) {
            throw new NeedsShell("more than a variable");
        }
        if (!values.containsKey(name)) {
            unknown.add(name);
        }
        return values.getOrDefault(name, "");
    }
}
