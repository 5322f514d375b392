package dev.fettle.load.scenario;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A text for a regular expression that limits how often it is read: some expressions take practically forever on some
 * texts.
 */
final class BoundedText implements CharSequence {

    private static final int LOOKS = 10_000_000;

    private final String text;
    private int left = LOOKS;

    /** The expression has read the text too often. */
    static final class TooLong extends RuntimeException {
        TooLong() {
            super("the regular expression takes too long on this answer", null, false, false);
        }
    }

    BoundedText(String text) {
        this.text = text;
    }

    /** The first group of the first match, the whole match when there is no group; null: no match. */
    static @Nullable String find(Pattern regex, String text) {
        try {
            var m = regex.matcher(new BoundedText(text));
            if (!m.find()) {
                return null;
            }
            int group = m.groupCount() > 0 ? 1 : 0;
            return m.start(group) < 0 ? null : text.substring(m.start(group), m.end(group));
        } catch (StackOverflowError e) {
            throw new TooLong();
        }
    }

    @Override
    public char charAt(int index) {
        if (--left < 0) {
            throw new TooLong();
        }
        return text.charAt(index);
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public CharSequence subSequence(int start, int end) {
        return text.substring(start, end);
    }

    @Override
    public String toString() {
        return text;
    }
}
