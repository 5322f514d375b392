package dev.fettle.config.boot;

import dev.fettle.config.YamlText.Value;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/** Reads Java properties as {@link Properties} does, with the position of each. */
public final class PropertiesText {
    private PropertiesText() {}

    /**
     * All properties, in order.
     *
     * @throws IllegalArgumentException if a character is written as {@code \}{@code u} without four digits
     */
    public static List<Value> read(String text) {
        var out = new ArrayList<Value>();
        for (int start = next(text, 0); start < text.length(); ) {
            int end = end(text, start);
            int from = start;
            line(text.substring(start, end)).forEach((n, v) -> out.add(new Value((String) n, (String) v, from, end)));
            start = next(text, end);
        }
        return out;
    }

    private static Properties line(String text) {
        var one = new Properties();
        try {
            one.load(new StringReader(text));
        } catch (IOException e) {
            throw new IllegalStateException(e); // a text in memory
        }
        return one;
    }

    private static int next(String text, int from) {
        int at = from;
        while (at < text.length() && " \t\f\r\n".indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        return at;
    }

    /** Offset of a line's end; a backslash joins it with the next line, but not in a comment. */
    private static int end(String text, int start) {
        boolean comment = "#!".indexOf(text.charAt(start)) >= 0;
        int at = start;
        while (at < text.length() && "\r\n".indexOf(text.charAt(at)) < 0) {
            boolean escape = !comment && text.charAt(at) == '\\';
            at += !escape ? 1 : text.startsWith("\r\n", at + 1) ? 3 : 2;
        }
        return Math.min(at, text.length());
    }
}
