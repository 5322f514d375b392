package dev.fettle.report.render;

import dev.fettle.report.Wording;
import java.util.List;
import java.util.regex.Pattern;

/** Text made safe for the place it is pasted into. */
public final class Escapes {
    private static final Pattern SHELL_SAFE = Pattern.compile("[A-Za-z0-9_@%+=:,./{}-]+");

    private Escapes() {}

    /** For XML and HTML, text and attribute values alike; characters that XML 1.0 forbids become a replacement. */
    public static String markup(String text) {
        var out = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(c -> {
            switch (c) {
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '&' -> out.append("&amp;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                default -> out.appendCodePoint(allowed(c) ? c : 0xFFFD);
            }
        });
        return out.toString();
    }

    private static boolean allowed(int c) {
        boolean control = c < 0x20 && c != '\t' && c != '\n' && c != '\r';
        boolean surrogate = c >= 0xD800 && c <= 0xDFFF;
        return !control && !surrogate && c != 0xFFFE && c != 0xFFFF;
    }

    /** Inside an XML comment, where two hyphens may not meet. */
    public static String xmlComment(String text) {
        return comment(text).replaceAll("-(?=-)", "- ").replaceAll("-$", "- ");
    }

    /** A one-line comment; no backslash, since Java reads Unicode escapes even there. */
    public static String comment(String text) {
        return Wording.clean(text).replace('\\', '/');
    }

    /** A value in a properties or ini file. */
    static String property(String value) {
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
    static String shell(String argument) {
        String one = Wording.clean(argument);
        boolean plain = SHELL_SAFE.matcher(one).matches();
        return plain ? one : "'" + one.replace("'", "'\\''") + "'";
    }

    /** Arguments of a POSIX shell, one behind the other. */
    static String shell(List<String> arguments) {
        return String.join(" ", arguments.stream().map(Escapes::shell).toList());
    }

    /** A line of a shell's script that puts flags behind those that a variable holds. */
    static String appended(String variable, List<String> flags) {
        String safe = String.join(" ", flags).replaceAll("([\\\\\"$`])", "\\\\$1");
        return variable + "=\"$" + variable + " " + safe + "\"\n";
    }

    /** JSON inside a script element: nothing that could end the element or start a comment is left. */
    public static String scriptJson(String json) {
        return json.replace("<", "\\u003c")
                .replace(">", "\\u003e")
                .replace("&", "\\u0026")
                .replace("\u2028", "\\u2028")
                .replace("\u2029", "\\u2029");
    }
}
