package dev.fettle.config;

import dev.fettle.model.text.OneLine;
import java.util.List;
import java.util.regex.Pattern;

/** Makes text safe for the place it is pasted into. */
public final class Escapes {
    private static final Pattern SHELL_SAFE = Pattern.compile("[A-Za-z0-9_@%+=:,./{}-]+");

    private Escapes() {}

    /** For an XML comment, which must not contain two hyphens in a row. */
    public static String xmlComment(String text) {
        return comment(text).replaceAll("-(?=-)", "- ").replaceAll("-$", "- ");
    }

    /** For a one-line comment; without backslashes, since Java interprets Unicode escapes even there. */
    public static String comment(String text) {
        return OneLine.of(text).replace('\\', '/');
    }

    /** A value in a properties or ini file. */
    public static String property(String value) {
        var out = new StringBuilder();
        value.chars().forEach(c -> {
            if (c == '\\') {
                out.append("\\\\");
            } else if (c < 0x20 || c > 0x7E) {
                out.append(String.format("\\u%04x", c));
            } else {
                out.append((char) c);
            }
        });
        return out.length() > 0 && out.charAt(0) == ' ' ? "\\" + out : out.toString();
    }

    /** One argument of a POSIX shell. */
    public static String shell(String argument) {
        String one = OneLine.of(argument);
        boolean plain = SHELL_SAFE.matcher(one).matches();
        return plain ? one : "'" + one.replace("'", "'\\''") + "'";
    }

    /** Arguments of a POSIX shell, separated by blanks. */
    public static String shell(List<String> arguments) {
        return String.join(" ", arguments.stream().map(Escapes::shell).toList());
    }

    /**
     * A line of a shell script that appends flags to a variable which is evaluated once more, as catalina.sh and standalone.sh do:
     * so each flag is quoted for that, and the whole for the assignment.
     */
    public static String appended(String variable, List<String> flags) {
        String safe = shell(flags).replaceAll("([\\\\\"$`])", "\\\\$1");
        return variable + "=\"$" + variable + " " + safe + "\"\n";
    }
}
