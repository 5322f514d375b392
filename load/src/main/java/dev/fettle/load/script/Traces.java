package dev.fettle.load.script;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Makes a sample of one client's requests name themselves ({@code traceparent}). Its request has room for the ids, which are written over those of
 * the one before: nothing is allocated.
 */
public final class Traces {
    /** The field's name. */
    static final String FIELD = "traceparent";

    /** The field's value with zeros for ids: version 00, and the flag that says that this one is sampled. */
    static final String VALUE = "00-" + "0".repeat(32) + "-" + "0".repeat(16) + "-01";

    private static final int TRACE_AT = 3;
    private static final int SPAN_AT = TRACE_AT + 32 + 1;
    private static final int DIGITS_OF_A_LONG = 16;
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private final ByteBuffer request;
    private final int headLength;
    private final int at;
    private final long bound;
    private long state;
    private long high;
    private long low;

    /**
     * The traces of one client.
     *
     * @param like a request with the field; it is copied
     * @param share of the requests that name themselves, above 0 to 1
     * @param seed other clients and other runs have another one
     */
    Traces(ByteBuffer like, int headLength, double share, long seed) {
        ByteBuffer from = like.duplicate().position(0);
        this.request = ByteBuffer.allocateDirect(from.remaining()).put(from).flip();
        this.headLength = headLength;
        this.at = at(like);
        this.bound = (long) (share * Long.MAX_VALUE);
        this.state = seed;
    }

    private static int at(ByteBuffer like) {
        var bytes = new byte[like.capacity()];
        like.duplicate().position(0).get(bytes);
        byte[] wanted = VALUE.getBytes(ISO_8859_1);
        for (int i = 0; i + wanted.length <= bytes.length; i++) {
            if (Arrays.equals(bytes, i, i + wanted.length, wanted, 0, wanted.length)) {
                return i;
            }
        }
        throw new IllegalStateException("the head has no " + FIELD);
    }

    /** Decides about the next request, and makes its ids. */
    boolean next() {
        if (random() >>> 1 > bound) {
            return false;
        }
        high = random() | 1; // an id of zeros is none
        low = random();
        hex(high, at + TRACE_AT);
        hex(low, at + TRACE_AT + DIGITS_OF_A_LONG);
        hex(random() | 1, at + SPAN_AT);
        return true;
    }

    /** Splitmix64 (Steele and others, 2014). */
    private long random() {
        state += GOLDEN;
        long z = state;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    private void hex(long value, int from) {
        for (int i = 0; i < DIGITS_OF_A_LONG; i++) {
            int digit = (int) (value >>> (60 - 4 * i)) & 0xF;
            request.put(from + i, (byte) (digit < 10 ? '0' + digit : 'a' + digit - 10));
        }
    }

    ByteBuffer request() {
        return request.position(0);
    }

    int headLength() {
        return headLength;
    }

    /** The upper half of the id of the request under way. */
    public long high() {
        return high;
    }

    /** The lower half. */
    public long low() {
        return low;
    }
}
