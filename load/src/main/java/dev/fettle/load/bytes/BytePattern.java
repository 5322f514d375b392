package dev.fettle.load.bytes;

import java.nio.ByteBuffer;

/**
 * Searches for a sequence of bytes in bytes that arrive in pieces (Knuth, Morris and Pratt). The caller keeps the
 * state, from 0.
 */
public final class BytePattern {

    private final byte[] wanted;
    /** For each prefix of {@code wanted}, the length of the longest proper prefix of it which is also its suffix. */
    private final int[] fallback;

    public BytePattern(byte[] wanted) {
        this.wanted = wanted;
        this.fallback = new int[wanted.length];
        for (int i = 1, k = 0; i < wanted.length; i++) {
            while (k > 0 && wanted[i] != wanted[k]) {
                k = fallback[k - 1];
            }
            fallback[i] = wanted[i] == wanted[k] ? ++k : k;
        }
    }

    /** The state after more bytes. */
    public int advance(int state, ByteBuffer bytes, int from, int to) {
        int m = state;
        for (int i = from; i < to && m < wanted.length; i++) {
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
        return state == wanted.length;
    }
}
