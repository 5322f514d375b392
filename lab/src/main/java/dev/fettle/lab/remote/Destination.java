package dev.fettle.lab.remote;

import java.util.regex.Pattern;

/**
 * Another machine, as {@code ssh} takes it: {@code host}, {@code user@host}, {@code ssh://user@host:port}, or a name of the user's
 * ssh configuration.
 *
 * @param text as the user wrote it; never something that ssh or a shell could take for an option or a command
 */
public record Destination(String text) {
    private static final int LONGEST = 255;

    /** A host's name can be an address of IPv6, with its zone; a user's can be of a directory: {@code me@corp@host}. */
    private static final Pattern RIGHT = Pattern.compile(
            "^(?:ssh://)?(?:[A-Za-z0-9_][A-Za-z0-9_.+@-]*@)?"
                    + "(?:[A-Za-z0-9_][A-Za-z0-9_.-]*|\\[?(?=[0-9A-Fa-f.]*:[0-9A-Fa-f.]*:)[0-9A-Fa-f:.]+(?:%[A-Za-z0-9_.-]+)?\\]?)/?$");

    private static final Pattern WITH_PORT = Pattern.compile(
            "^ssh://(?:[A-Za-z0-9_][A-Za-z0-9_.+@-]*@)?[A-Za-z0-9_\\[][A-Za-z0-9_.:%\\]-]*:[0-9]{1,5}/?$");

    /** @throws IllegalArgumentException if it is none; the message says what would be right */
    public Destination {
        if (text.length() > LONGEST
                || !(RIGHT.matcher(text).matches() || WITH_PORT.matcher(text).matches())) {
            throw new IllegalArgumentException(
                    "HOST, USER@HOST, ssh://USER@HOST:PORT, or a name of your ssh configuration is wanted");
        }
    }

    /** The machine's name alone, fit for the name of a file. */
    public String name() {
        String host = text.startsWith("ssh://") ? text.substring("ssh://".length()) : text;
        return host.substring(host.lastIndexOf('@') + 1).replaceAll("[^A-Za-z0-9._-]", "-");
    }

    @Override
    public String toString() {
        return text;
    }
}
