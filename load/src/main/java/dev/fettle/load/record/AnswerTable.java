package dev.fettle.load.record;

import dev.fettle.load.AnswerCounts;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/**
 * Counts the answers to one step on one engine thread by what they look like. Of a fixed size: what finds no room is counted by
 * rough length, and without its content.
 */
public final class AnswerTable {

    private static final int ROOM = 32;
    private static final int LENGTH_BITS = 48;
    private static final long LENGTHS = (1L << LENGTH_BITS) - 1;
    /** Four to an octave. */
    private static final int ROUGH = 4 * LENGTH_BITS;

    static {
        // read now: once the load has used up the descriptors, a class in a folder can't be opened any more
        new AnswerCounts(Map.of(new AnswerCounts.Shape(0, 0, 0), 1L), Map.of(new AnswerCounts.Content(0, 0, 0), 1L), 0)
                .plus(AnswerCounts.NONE);
    }

    /** Status and length, and a bit that is always set; 0: free. */
    private final long[] shapes = new long[ROOM];

    private final long[] counts = new long[ROOM];
    private final long[] rough = new long[ROUGH];
    private final long[] contents = new long[ROOM];
    private final int[] hashes = new int[ROOM];
    private final long[] contentCounts = new long[ROOM];
    private long otherContents;
    private int last;

    /** A complete answer. */
    void add(int status, long length) {
        long key = key(status, length);
        if (shapes[last] == key) {
            counts[last]++;
            return;
        }
        for (int i = 0; i < ROOM; i++) {
            if (shapes[i] == key || shapes[i] == 0) {
                shapes[i] = key;
                counts[i]++;
                last = i;
                return;
            }
        }
        rough[roughly(length)]++;
    }

    /** What was in it. */
    void add(int status, long length, int hash) {
        long key = key(status, length);
        for (int i = 0; i < ROOM; i++) {
            if (contents[i] == 0 || contents[i] == key && hashes[i] == hash) {
                contents[i] = key;
                hashes[i] = hash;
                contentCounts[i]++;
                return;
            }
        }
        otherContents++;
    }

    void clear() {
        if (shapes[0] != 0) {
            Arrays.fill(shapes, 0);
            Arrays.fill(counts, 0);
            Arrays.fill(rough, 0);
            Arrays.fill(contents, 0);
            Arrays.fill(contentCounts, 0);
            otherContents = 0;
            last = 0;
        }
    }

    public AnswerCounts answers() {
        var byShape = new TreeMap<AnswerCounts.Shape, Long>();
        var byContent = new TreeMap<AnswerCounts.Content, Long>();
        for (int i = 0; i < ROOM; i++) {
            if (shapes[i] != 0) {
                byShape.put(new AnswerCounts.Shape(status(shapes[i]), length(shapes[i]), length(shapes[i])), counts[i]);
            }
            if (contents[i] != 0) {
                byContent.put(
                        new AnswerCounts.Content(status(contents[i]), length(contents[i]), hashes[i]),
                        contentCounts[i]);
            }
        }
        for (int i = 0; i < ROUGH; i++) {
            if (rough[i] > 0) {
                byShape.put(new AnswerCounts.Shape(0, shortest(i), shortest(i + 1) - 1), rough[i]);
            }
        }
        return new AnswerCounts(byShape, byContent, otherContents);
    }

    /** The shape of an answer whose length is not told apart from others. */
    public static AnswerCounts.Shape rough(long length) {
        int i = roughly(length);
        return new AnswerCounts.Shape(0, shortest(i), shortest(i + 1) - 1);
    }

    private static int roughly(long length) {
        if (length < 4) {
            return (int) length;
        }
        int octave = 63 - Long.numberOfLeadingZeros(Math.min(length, LENGTHS));
        return 4 * (octave - 1) + (int) (length >>> octave - 2 & 3);
    }

    private static long shortest(int i) {
        return i < 4 ? i : (4L + i % 4) << i / 4 - 1;
    }

    private static long key(int status, long length) {
        return 1L << 62 | (long) status << LENGTH_BITS | Math.min(length, LENGTHS);
    }

    private static int status(long key) {
        return (int) (key >>> LENGTH_BITS & 1023);
    }

    private static long length(long key) {
        return key & LENGTHS;
    }
}
