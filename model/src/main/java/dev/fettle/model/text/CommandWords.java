package dev.fettle.model.text;

import java.util.List;

/** A command line as a list of arguments: quotes and backslashes as in a shell, and nothing that would take one. */
public final class CommandWords extends ShellScanner {
    private CommandWords(String text) {
        super(text, 0);
    }

    /**
     * The arguments.
     *
     * @throws IllegalArgumentException with one line for the user, if there is none, or a shell would be needed
     */
    public static List<String> of(String text) {
        try {
            List<String> words = new CommandWords(text).allWords(": put it into a script, and name that");
            if (words.isEmpty()) {
                throw new IllegalArgumentException("a command is wanted");
            }
            return words;
        } catch (NeedsShell e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    @Override
    protected void dollar(boolean bare) {
        throw new NeedsShell(
                "a $ outside single quotes needs a shell, and none is used: put it into a script, and name that");
    }
}
