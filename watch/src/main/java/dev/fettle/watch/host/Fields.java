package dev.fettle.watch.host;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Parses the kernel's files of names and numbers. They are read many times a minute under load: so without regular
 * expressions, and without a string for each field.
 */
final class Fields {
    /** A number of more digits may not fit. */
    private static final int MOST_DIGITS = 18;

    private Fields() {}

    /** Lines {@code name number}; others are left out. */
    static Map<String, Long> space(String text) {
        var all = new HashMap<String, Long>();
        for (int line = 0; line < text.length(); line = end(text, line) + 1) {
            int at = text.indexOf(' ', line);
            if (at > line && at < end(text, line)) {
                String name = text.substring(line, at);
                number(text, at).ifPresent(n -> all.put(name, n));
            }
        }
        return all;
    }

    /**
     * The number after a key, past blanks.
     *
     * @param key with the line break before it, unless it is the file's first: {@code "\nVmRSS:"}
     * @return empty if there is no such key, or something else than a number behind it
     */
    static OptionalLong after(String text, String key) {
        int at = text.indexOf(key);
        return at < 0 ? OptionalLong.empty() : number(text, at + key.length());
    }

    private static OptionalLong number(String text, int from) {
        int at = past(text, from, text.length());
        int end = blank(text, at, text.length());
        if (at == end || end - at > MOST_DIGITS) {
            return OptionalLong.empty();
        }
        long n = 0;
        for (int i = at; i < end; i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return OptionalLong.empty();
            }
            n = 10 * n + c - '0';
        }
        return OptionalLong.of(n);
    }

    /**
     * Numbers that follow each other.
     *
     * @param from where to begin
     * @param to where the line ends
     * @param into receives the first ones
     * @return how many it received
     */
    static int numbers(String text, int from, int to, long... into) {
        int n = 0;
        for (int at = past(text, from, to); at < to && n < into.length; n++) {
            int end = blank(text, at, to);
            into[n] = Long.parseLong(text, at, end, 10);
            at = past(text, end, to);
        }
        return n;
    }

    /** The end of the line that begins at a place. */
    static int end(String text, int line) {
        int end = text.indexOf('\n', line);
        return end < 0 ? text.length() : end;
    }

    /** The first place from one on that is not blank; a line's end is not. */
    static int past(String text, int from, int to) {
        int at = from;
        while (at < to && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
            at++;
        }
        return at;
    }

    /** The first place from one on that is blank, or a line's end. */
    static int blank(String text, int from, int to) {
        int at = from;
        while (at < to && text.charAt(at) != ' ' && text.charAt(at) != '\t' && text.charAt(at) != '\n') {
            at++;
        }
        return at;
    }
}
