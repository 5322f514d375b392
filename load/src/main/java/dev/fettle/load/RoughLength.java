package dev.fettle.load;

/** Approximate lengths, four classes to an octave, for answers when there is no room to count each length. */
public final class RoughLength {

    /** Number of bits of a length that are used. */
    public static final int BITS = 48;
    /** Longer answers count as this long. */
    public static final long MOST = (1L << BITS) - 1;
    /** The number of classes. */
    public static final int COUNT = 4 * BITS;

    private RoughLength() {}

    /** The class of a length: 0 to {@link #COUNT}, exclusive. */
    public static int index(long length) {
        if (length < 4) {
            return (int) length;
        }
        int octave = 63 - Long.numberOfLeadingZeros(Math.min(length, MOST));
        return 4 * (octave - 1) + (int) (length >>> octave - 2 & 3);
    }

    /** The shape of answers in this class, of any status. */
    public static AnswerCounts.Shape shape(int index) {
        return new AnswerCounts.Shape(0, shortest(index), shortest(index + 1) - 1);
    }

    private static long shortest(int index) {
        return index < 4 ? index : (4L + index % 4) << index / 4 - 1;
    }
}
