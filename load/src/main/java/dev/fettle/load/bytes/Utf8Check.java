package dev.fettle.load.bytes;

import java.nio.ByteBuffer;

/** Checks that bytes arriving in pieces are UTF-8 (RFC 3629, 4). ASCII is checked eight bytes at a time. */
public final class Utf8Check {

    private static final long HIGHS = 0x8080808080808080L;

    /** Bytes still missing from the current character. */
    private int missing;
    /**
     * Lower bound of the next of them, with {@code high} the upper one: rules out overlong forms, surrogates and values
     * beyond Unicode.
     */
    private int low;

    private int high;

    /** Starts a text. */
    public void begin() {
        missing = 0;
    }

    /** Whether these bytes are a valid continuation of the text. */
    public boolean accepts(ByteBuffer b, int from, int to) {
        int i = from;
        while (i < to) {
            if (missing == 0) {
                i = skipAscii(b, i, to);
                if (i < to && !lead(b.get(i++) & 0xff)) {
                    return false;
                }
            } else {
                int next = b.get(i++) & 0xff;
                if (next < low || next > high) {
                    return false;
                }
                missing--;
                low = 0x80;
                high = 0xbf;
            }
        }
        return true;
    }

    /** Whether the text may end here. */
    public boolean isWhole() {
        return missing == 0;
    }

    private static int skipAscii(ByteBuffer b, int from, int to) {
        int i = from;
        while (i <= to - Long.BYTES && (b.getLong(i) & HIGHS) == 0) {
            i += Long.BYTES;
        }
        while (i < to && b.get(i) >= 0) {
            i++;
        }
        return i;
    }

    private boolean lead(int first) {
        low = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
        high = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
        missing = first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
        return first >= 0xc2 && first <= 0xf4;
    }
}
