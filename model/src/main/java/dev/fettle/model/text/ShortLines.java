package dev.fettle.model.text;

import java.io.FilterReader;
import java.io.IOException;
import java.io.Reader;

/** Cuts long lines of a text that others wrote, so that a file whose lines have no end does not fill the memory. */
public final class ShortLines extends FilterReader {
    /** Longer than any line of a log or a recording, in characters. */
    public static final int MOST = 1 << 20;

    private final int most;
    private int length;
    private long cut;

    /** @param most characters of a line */
    public ShortLines(Reader in, int most) {
        super(in);
        this.most = most;
    }

    /** How many lines were cut so far. */
    public long cut() {
        return cut;
    }

    @Override
    public int read() throws IOException {
        char[] one = new char[1];
        return read(one, 0, 1) < 0 ? -1 : one[0];
    }

    @Override
    public int read(char[] into, int from, int atMost) throws IOException {
        while (true) {
            int n = super.read(into, from, atMost);
            if (n <= 0) {
                return n;
            }
            int kept = from;
            for (int i = from; i < from + n; i++) {
                length = into[i] == '\n' ? 0 : length + 1;
                cut += length == most + 1 ? 1 : 0;
                length = Math.min(length, most + 2);
                if (length <= most) {
                    into[kept++] = into[i];
                }
            }
            if (kept > from) {
                return kept - from;
            }
        }
    }
}
