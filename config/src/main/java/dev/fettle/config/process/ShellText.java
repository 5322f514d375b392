package dev.fettle.config.process;

import dev.fettle.config.ConfigException;
import java.util.List;

/** A command as a program prints it for a shell. */
public final class ShellText {
    private ShellText() {}

    /**
     * Its words, by the quoting rules of a POSIX shell; nothing is expanded or executed.
     *
     * @throws ConfigException if a quote is not closed, or it holds more than one command
     */
    public static List<String> words(String text) throws ConfigException {
        return ShellReader.of(text);
    }

    /** A shell's text without its lines of comment. */
    public static String uncommented(String text) {
        var out = new StringBuilder();
        text.lines().filter(l -> !l.startsWith("#")).forEach(l -> out.append(l).append('\n'));
        return out.toString();
    }
}
