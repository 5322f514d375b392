package dev.fettle.load;

import java.nio.ByteBuffer;

/** Looks for a sequence of bytes in a body that comes in pieces (Knuth, Morris and Pratt); allocates nothing while it does. */
final class BodyMatcher implements ResponseSink {

    private final byte[] wanted;
    /** For each prefix of {@code wanted}, the length of the longest proper prefix of it which is also its suffix. */
    private final int[] fallback;

    private int matched;

    BodyMatcher(byte[] wanted) {
        this.wanted = wanted;
        this.fallback = new int[wanted.length];
        for (int i = 1, k = 0; i < wanted.length; i++) {
            while (k > 0 && wanted[i] != wanted[k]) {
                k = fallback[k - 1];
            }
            fallback[i] = wanted[i] == wanted[k] ? ++k : k;
        }
    }

    @Override
    public void begin() {
        matched = 0;
    }

    @Override
    public void body(ByteBuffer bytes, int from, int to) {
        int m = matched;
        for (int i = from; i < to && m < wanted.length; i++) {
            byte b = bytes.get(i);
            while (m > 0 && b != wanted[m]) {
                m = fallback[m - 1];
            }
            if (b == wanted[m]) {
                m++;
            }
        }
        matched = m;
    }

    boolean found() {
        return matched == wanted.length;
    }
}
