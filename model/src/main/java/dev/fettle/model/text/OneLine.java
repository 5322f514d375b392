package dev.fettle.model.text;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Makes outside text safe to print, on one line or line by line. */
public final class OneLine {
    private OneLine() {}

    /** One line that can't move the cursor or change colours: control characters become spaces. */
    public static String of(String text) {
        var out = new StringBuilder(text.length());
        text.codePoints().map(c -> controls(c) ? ' ' : c).forEach(out::appendCodePoint);
        return out.toString();
    }

    /** A text without a terminal's colours and other sequences that begin with ESC and a bracket. */
    public static String colourless(String text) {
        if (text.indexOf('\u001B') < 0) {
            return text;
        }
        var out = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) == '\u001B' && i + 1 < text.length() && text.charAt(i + 1) == '[') {
                i += 2;
                while (i < text.length() && text.charAt(i) >= ' ' && text.charAt(i) < '@') {
                    i++;
                }
            } else {
                out.append(text.charAt(i));
            }
        }
        return out.toString();
    }

    /** Each line of a text made safe; its line feeds stay. */
    public static String each(String text) {
        return text.indexOf('\n') < 0
                ? of(text)
                : Stream.of(text.split("\n", -1)).map(OneLine::of).collect(Collectors.joining("\n"));
    }

    /**
     * A text for a terminal, without what controls one: only line feeds, tabs and the given codes stay.
     *
     * @param codes matches what may stay, such as colours
     */
    public static String shown(String text, Pattern codes) {
        if (text.codePoints().noneMatch(c -> controls(c) && c != '\n' && c != '\t')) {
            return text;
        }
        var out = new StringBuilder(text.length());
        Matcher code = codes.matcher(text);
        for (int at = 0; at < text.length(); ) {
            if (code.region(at, text.length()).lookingAt() && code.end() > at) {
                out.append(code.group());
                at = code.end();
                continue;
            }
            int c = text.codePointAt(at);
            if (!controls(c) || c == '\n' || c == '\t') {
                out.appendCodePoint(c);
            }
            at += Character.charCount(c);
        }
        return out.toString();
    }

    private static boolean controls(int c) {
        return Character.isISOControl(c) || c == 0x2028 || c == 0x2029 || bidi(c);
    }

    private static boolean bidi(int c) {
        return (c >= 0x202A && c <= 0x202E)
                || (c >= 0x2066 && c <= 0x2069)
                || c == 0x200E
                || c == 0x200F
                || c == 0x061C;
    }
}
