package dev.fettle.config.boot;

import java.util.ArrayList;
import java.util.List;

/** Reads Java properties as {@link java.util.Properties} does, and remembers where each one stands. */
public final class PropertiesText {
    private final String text;
    private int at;

    private PropertiesText(String text) {
        this.text = text;
    }

    /**
     * A property.
     *
     * @param start where its name begins
     * @param end where its last line ends
     */
    public record Property(String name, String value, int start, int end) {}

    /**
     * All of them, in order.
     *
     * @throws IllegalArgumentException if a character is written as {@code \}{@code u} without four digits
     */
    public static List<Property> read(String text) {
        var reader = new PropertiesText(text);
        var out = new ArrayList<Property>();
        while (reader.next()) {
            int start = reader.at;
            String name = reader.part("=: \t\f");
            reader.blanks();
            if (reader.at < text.length() && "=:".indexOf(text.charAt(reader.at)) >= 0) {
                reader.at++;
                reader.blanks();
            }
            out.add(new Property(name, reader.part(""), start, reader.at));
        }
        return out;
    }

    /** Moves to the next property; false at the end. */
    private boolean next() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '#' || c == '!') {
                while (at < text.length() && !ends(at)) {
                    at++;
                }
            } else if (" \t\f\r\n".indexOf(c) >= 0 || (c == '\\' && at + 1 < text.length() && ends(at + 1))) {
                at++;
            } else {
                return true;
            }
        }
        return false;
    }

    private boolean ends(int where) {
        return text.charAt(where) == '\n' || text.charAt(where) == '\r';
    }

    private void blanks() {
        while (at < text.length() && (" \t\f".indexOf(text.charAt(at)) >= 0 || continued())) {
            at++;
        }
    }

    /** Whether a backslash joins this line with the next; if so, moves to the last character of the join. */
    private boolean continued() {
        if (text.charAt(at) != '\\' || (at + 1 < text.length() && !ends(at + 1))) {
            return false;
        }
        at += text.startsWith("\r\n", at + 1) ? 2 : at + 1 < text.length() ? 1 : 0;
        while (at + 1 < text.length() && " \t\f".indexOf(text.charAt(at + 1)) >= 0) {
            at++;
        }
        return true;
    }

    /** Reads up to one of these characters or the end of the line, and resolves escapes. */
    private String part(String stops) {
        var out = new StringBuilder();
        for (; at < text.length() && !ends(at) && stops.indexOf(text.charAt(at)) < 0; at++) {
            if (continued()) {
                continue;
            }
            char c = text.charAt(at);
            if (c == '\\') {
                c = text.charAt(++at);
                if (c == 'u') {
                    out.append(unicode());
                } else {
                    int plain = "tnrf".indexOf(c);
                    out.append(plain < 0 ? c : "\t\n\r\f".charAt(plain));
                }
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }

    private char unicode() {
        String digits = text.substring(at + 1, Math.min(text.length(), at + 5));
        if (!digits.matches("[0-9A-Fa-f]{4}")) {
            throw new IllegalArgumentException("\\u%s is no character: four digits follow \\u".formatted(digits));
        }
        at += 4;
        return (char) Integer.parseInt(digits, 16);
    }
}
