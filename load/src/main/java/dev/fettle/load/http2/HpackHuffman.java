package dev.fettle.load.http2;

import java.nio.ByteBuffer;

/**
 * HPACK's Huffman code; RFC 7541, 5.2 and appendix B. It is canonical: codes of one length follow each other in the
 * order of their symbols, and begin where those of the length before left off, so the lengths determine the code.
 */
final class HpackHuffman {

    /** Bits of the shortest code: n bytes decode to at most 8/5 n. */
    private static final int SHORTEST = 5;

    private static final int LONGEST = 30;
    private static final int END_OF_STRING = 256;

    /** Bits of each byte's code, and of the code for the end of the string. */
    private static final int[] LENGTHS = {
        13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28,
        28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28,
        6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6,
        5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
        13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
        7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6,
        15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5,
        6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28,
        20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23,
        24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24,
        22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23,
        21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,
        26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25,
        19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27,
        20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23,
        26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26,
        30
    };

    private static final int[] SYMBOLS = new int[LENGTHS.length];
    /** For each length: the first code, where its symbols begin, and how many it has. */
    private static final int[] FIRST_CODE = new int[LONGEST + 1];

    private static final int[] FIRST_SYMBOL = new int[LONGEST + 1];
    private static final int[] COUNT = new int[LONGEST + 1];

    static {
        int code = 0;
        int at = 0;
        for (int length = 1; length <= LONGEST; length++) {
            code <<= 1;
            FIRST_CODE[length] = code;
            FIRST_SYMBOL[length] = at;
            for (int symbol = 0; symbol < LENGTHS.length; symbol++) {
                if (LENGTHS[symbol] == length) {
                    SYMBOLS[at++] = symbol;
                    code++;
                }
            }
            COUNT[length] = at - FIRST_SYMBOL[length];
        }
    }

    private HpackHuffman() {}

    /** Maximum number of bytes that this many coded bytes decode to. */
    static int mostDecoded(int coded) {
        return coded * 8 / SHORTEST + 1;
    }

    /** Decodes into the other buffer, which must have room. Returns false if the bytes are not valid code. */
    static boolean decode(ByteBuffer in, int from, int to, ByteBuffer out) {
        int code = 0;
        int length = 0;
        for (int i = from; i < to; i++) {
            int bits = in.get(i);
            for (int bit = 7; bit >= 0; bit--) {
                code = code << 1 | bits >> bit & 1;
                length++;
                int nth = code - FIRST_CODE[length];
                if (nth >= 0 && nth < COUNT[length]) {
                    int symbol = SYMBOLS[FIRST_SYMBOL[length] + nth];
                    if (symbol == END_OF_STRING) {
                        return false;
                    }
                    out.put((byte) symbol);
                    code = 0;
                    length = 0;
                } else if (length == LONGEST) {
                    return false;
                }
            }
        }
        // what is left is padding: the beginning of the end-of-string code, less than a byte of it
        return length < 8 && code == (1 << length) - 1;
    }
}
