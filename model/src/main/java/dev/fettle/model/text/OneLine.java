package dev.fettle.model.text;

/** Makes outside text safe to print on one line. */
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

    private static boolean bidi(int c) {
        return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
    }
}
