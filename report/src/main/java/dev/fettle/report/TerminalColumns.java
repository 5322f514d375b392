package dev.fettle.report;

import java.lang.Character.UnicodeScript;
import java.util.EnumSet;
import java.util.Set;

/** How many columns of a terminal a text takes: a Chinese character takes two, an accent that is put on a letter none. */
public final class TerminalColumns {
    private static final Set<UnicodeScript> WIDE = EnumSet.of(
            UnicodeScript.HAN,
            UnicodeScript.HANGUL,
            UnicodeScript.HIRAGANA,
            UnicodeScript.KATAKANA,
            UnicodeScript.BOPOMOFO,
            UnicodeScript.YI);

    private TerminalColumns() {}

    /** The columns that a text takes. */
    public static int of(String text) {
        return text.codePoints().map(TerminalColumns::of).sum();
    }

    /** The longest beginning of a text that takes no more columns than these. */
    public static String first(String text, int columns) {
        int used = 0;
        int at = 0;
        while (at < text.length()) {
            int c = text.codePointAt(at);
            used += of(c);
            if (used > columns) {
                return text.substring(0, at);
            }
            at += Character.charCount(c);
        }
        return text;
    }

    private static int of(int c) {
        if (c < 0x300) { // almost all there is
            return 1;
        }
        int type = Character.getType(c);
        if (type == Character.NON_SPACING_MARK
                || type == Character.ENCLOSING_MARK
                || type == Character.FORMAT
                || c >= 0x1160 && c <= 0x11FF) { // vowels and finals, joined to the Hangul letter before them
            return 0;
        }
        boolean half = c >= 0xFF61 && c <= 0xFFDC;
        boolean wide = WIDE.contains(UnicodeScript.of(c))
                || c >= 0x3000 && c <= 0x33FF // punctuation, circled and squared
                || c >= 0xFE30 && c <= 0xFE6F
                || c >= 0xFF01 && c <= 0xFF60
                || c >= 0xFFE0 && c <= 0xFFE6
                || Character.isEmojiPresentation(c);
        return wide && !half ? 2 : 1;
    }
}
