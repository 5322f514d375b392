package dev.fettle.load.bytes;

import java.nio.ByteBuffer;

/**
 * Searches for a sequence of bytes in bytes that arrive in pieces (Knuth, Morris and Pratt). The caller keeps the
 * state, from 0.
 */
public final class BytePattern {

    private byte[] wanted = {};
    private int length;
    /** For each prefix of what is wanted, the length of the longest proper prefix of it which is also its suffix. */
    private int[] fallback = {};

    /** Searches for nothing yet, which is found everywhere. */
    public BytePattern() {}

    public BytePattern(byte[] wanted) {
        seek(wanted, wanted.length);
    }

    /** Searches for the first bytes of an array from now on, which must stay as they are. Allocates only to grow. */
    public void seek(byte[] bytes, int count) {
        wanted = bytes;
        length = count;
        if (fallback.length < count) {
            fallback = new int[Math.max(count, 2 * fallback.length)];
        }
        for (int i = 1, k = 0; i < count; i++) {
            while (k > 0 && wanted[i] != wanted[k]) {
                k = fallback[k - 1];
            }
            fallback[i] = wanted[i] == wanted[k] ? ++k : k;
        }
    }

    /** The state after more bytes. */
    public int advance(int state, ByteBuffer bytes, int from, int to) {
        int m = state;
        for (int i = from; i < to && m < length; i++) {
            byte b = bytes.get(i);
            while (m > 0 && b != wanted[m]) {
                m = fallback[m - 1];
            }
            if (b == wanted[m]) {
                m++;
            }
        }
        return m;
    }

    public boolean isFound(int state) {
        return state == length;
    }
}
