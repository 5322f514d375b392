package dev.fettle.model.text;

import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Makes outside text safe to print, on one line or line by line. */
public final class OneLine {
    private OneLine() {}

    /** One line that can't move the cursor or change colours: control characters become spaces. */
    public static String of(String text) {
        var out = new StringBuilder(text.length());
        text.codePoints()
                .map(c -> Character.isISOControl(c) || c == 0x2028 || c == 0x2029 || bidi(c) ? ' ' : c)
                .forEach(out::appendCodePoint);
        return out.toString();
    }

    /** Each line of a text made safe; its line feeds stay. */
    public static String each(String text) {
        return text.indexOf('\n') < 0
                ? of(text)
                : Stream.of(text.split("\n", -1)).map(OneLine::of).collect(Collectors.joining("\n"));
    }

    private static boolean bidi(int c) {
        return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
    }
}
