package dev.fettle.load.bytes;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;

/** Examines bytes eight at a time. Buffers must be in little-endian order. */
public final class Scan {

    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;
    private static final long LOWER = 0x2020202020202020L;
    /** Most bytes of an excerpt that nobody asked to be longer. */
    private static final int EXCERPT = 40;

    private Scan() {}

    /** Index of the first {@code wanted} from {@code from} on and before {@code to}; -1 if there is none. */
    public static int indexOf(ByteBuffer bytes, int from, int to, byte wanted) {
        int i = from;
        long pattern = (wanted & 0xffL) * ONES;
        for (; i <= to - Long.BYTES; i += Long.BYTES) {
            long x = bytes.getLong(i) ^ pattern;
            // the lowest set bit is exact: a borrow can only spoil bytes above the first zero byte
            long zeros = (x - ONES) & ~x & HIGHS;
            if (zeros != 0) {
                return i + (Long.numberOfTrailingZeros(zeros) >>> 3);
            }
        }
        for (; i < to; i++) {
            if (bytes.get(i) == wanted) {
                return i;
            }
        }
        return -1;
    }

    /** Eight bytes with letters in lower case. Some other bytes become equal to each other, such as CR and a hyphen. */
    public static long lower8(ByteBuffer bytes, int from) {
        return bytes.getLong(from) | LOWER;
    }

    /** The eight ASCII characters of the text as {@link ByteBuffer#getLong} gives them. */
    public static long word(String eight) {
        long word = 0;
        for (int i = 7; i >= 0; i--) {
            word = word << 8 | eight.charAt(i);
        }
        return word;
    }

    /** Whether the bytes are this text, given in lower case, ignoring case. */
    public static boolean equalsIgnoreCase(ByteBuffer bytes, int from, int to, String lower) {
        if (to - from != lower.length()) {
            return false;
        }
        for (int i = 0; i < lower.length(); i++) {
            int b = bytes.get(from + i);
            int folded = b >= 'A' && b <= 'Z' ? b | 0x20 : b;
            if (folded != lower.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /** Whether this many bytes of both buffers are equal. */
    public static boolean equal(ByteBuffer a, int aFrom, ByteBuffer b, int bFrom, int length) {
        int i = 0;
        for (; i <= length - Long.BYTES; i += Long.BYTES) {
            if (a.getLong(aFrom + i) != b.getLong(bFrom + i)) {
                return false;
            }
        }
        for (; i < length; i++) {
            if (a.get(aFrom + i) != b.get(bFrom + i)) {
                return false;
            }
        }
        return true;
    }

    /** The first index from {@code from} on that is not a blank, at most {@code to}. */
    public static int skipBlanks(ByteBuffer bytes, int from, int to) {
        int i = from;
        while (i < to && isBlank(bytes.get(i))) {
            i++;
        }
        return i;
    }

    /** The last end, down to {@code from}, such that the byte before it is not a blank. */
    public static int trimBlanks(ByteBuffer bytes, int from, int to) {
        int i = to;
        while (i > from && isBlank(bytes.get(i - 1))) {
            i--;
        }
        return i;
    }

    /** Whether there is a control character other than a tab. */
    public static boolean hasControl(ByteBuffer bytes, int from, int to) {
        for (int i = from; i < to; i++) {
            int b = bytes.get(i);
            if (b >= 0 && b < ' ' && b != '\t' || b == 0x7f) {
                return true;
            }
        }
        return false;
    }

    public static boolean isBlank(int b) {
        return b == ' ' || b == '\t';
    }

    /** The first bytes for a message, with a dot for each byte that is not printable. */
    public static String excerpt(ByteBuffer bytes, int from, int to) {
        return excerpt(bytes, from, to, EXCERPT);
    }

    /** At most {@code most} of the first bytes for a message, with a dot for each that is not printable. */
    public static String excerpt(ByteBuffer bytes, int from, int to, int most) {
        byte[] some = new byte[Math.min(most, to - from)];
        for (int i = 0; i < some.length; i++) {
            byte b = bytes.get(from + i);
            some[i] = b >= ' ' && b < 127 ? b : (byte) '.';
        }
        return "'" + new String(some, ISO_8859_1) + (to - from > some.length ? "…'" : "'");
    }
}
