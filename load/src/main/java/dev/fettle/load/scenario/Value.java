package dev.fettle.load.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.Arrays;

/** One user's value of one variable: bytes of its own, which grow when they must, or bytes that it shares and never writes. */
final class Value {

    private static final byte[] NONE = {};

    private byte[] own = NONE;
    private byte[] bytes = NONE;
    private int length;

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    void clear() {
        bytes = own;
        length = 0;
    }

    void share(byte[] all) {
        bytes = all;
        length = all.length;
    }

    void set(String text) {
        share(text.getBytes(UTF_8));
    }

    /** Copies bytes of a buffer by their indexes. */
    void copy(ByteBuffer from, int start, int end) {
        clear();
        reserve(end - start);
        from.get(start, own, 0, end - start);
        length = end - start;
    }

    void copy(byte[] from, int start, int end) {
        clear();
        append(from, start, end);
    }

    void append(byte[] from, int start, int end) {
        reserve(end - start);
        System.arraycopy(from, start, own, length, end - start);
        length += end - start;
    }

    void append(int b) {
        reserve(1);
        own[length++] = (byte) b;
    }

    void append(String ascii) {
        for (int i = 0; i < ascii.length(); i++) {
            append(ascii.charAt(i));
        }
    }

    /** A decimal number, 0 or more. */
    void setNumber(long number) {
        clear();
        long power = 1;
        while (number / power >= 10) {
            power *= 10;
        }
        for (long p = power; p > 0; p /= 10) {
            append((int) ('0' + number / p % 10));
        }
    }

    /** Sixteen hexadecimal digits with dashes before some, as a UUID has them. */
    void appendHex(long bits, int dashesBefore) {
        for (int digit = 15; digit >= 0; digit--) {
            if ((dashesBefore >>> digit & 1) != 0) {
                append('-');
            }
            append(Character.forDigit((int) (bits >>> digit * 4) & 15, 16));
        }
    }

    boolean equalTo(byte[] other, int start, int end) {
        return Arrays.equals(bytes, 0, length, other, start, end);
    }

    String text() {
        return new String(bytes, 0, length, UTF_8);
    }

    private void reserve(int more) {
        if (length + more > own.length) {
            own = Arrays.copyOf(own, Math.max(32, Math.max(length + more, own.length * 2)));
            bytes = own;
        }
    }
}
