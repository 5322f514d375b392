package dev.fettle.load;

/** Lengths told apart roughly, four to an octave: what is done with those for which there is no room one by one. */
public final class RoughLength {

    /** So many bits of a length count. */
    public static final int BITS = 48;
    /** Longer ones count as this long. */
    public static final long MOST = (1L << BITS) - 1;
    /** So many are told apart. */
    public static final int COUNT = 4 * BITS;

    private RoughLength() {}

    /** Which one it is: 0 to {@link #COUNT}, exclusive. */
    public static int index(long length) {
        if (length < 4) {
            return (int) length;
        }
        int octave = 63 - Long.numberOfLeadingZeros(Math.min(length, MOST));
        return 4 * (octave - 1) + (int) (length >>> octave - 2 & 3);
    }

    /** The shape of answers of such a length, of any status. */
    public static AnswerCounts.Shape shape(int index) {
        return new AnswerCounts.Shape(0, shortest(index), shortest(index + 1) - 1);
    }

    private static long shortest(int index) {
        return index < 4 ? index : (4L + index % 4) << index / 4 - 1;
    }
}
