package dev.fettle.load.bytes;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Text as bytes: either its own, which grow as needed and within a budget, or shared ones, which are never written to. */
public final class ByteText {

    private static final byte[] NONE = {};
    /** So much is not counted. */
    private static final int FREE = 256;

    private final @Nullable Budget budget;
    private byte[] own = NONE;
    private byte[] bytes = NONE;
    private int length;

    /** A text whose size the user decides. */
    public ByteText() {
        budget = null;
    }

    /** A text whose size a server decides. */
    public ByteText(Budget budget) {
        this.budget = budget;
    }

    public byte[] bytes() {
        return bytes;
    }

    public int length() {
        return length;
    }

    public void clear() {
        bytes = own;
        length = 0;
    }

    public void share(byte[] all) {
        bytes = all;
        length = all.length;
    }

    /** Copies bytes of a buffer by their indexes. */
    public void copy(ByteBuffer from, int start, int end) {
        clear();
        reserve(end - start);
        from.get(start, own, 0, end - start);
        length = end - start;
    }

    public void copy(byte[] from, int start, int end) {
        clear();
        append(from, start, end);
    }

    public void append(byte[] from, int start, int end) {
        reserve(end - start);
        System.arraycopy(from, start, own, length, end - start);
        length += end - start;
    }

    public void append(byte[] all) {
        append(all, 0, all.length);
    }

    public void append(ByteText other) {
        append(other.bytes, 0, other.length);
    }

    public void append(int b) {
        reserve(1);
        own[length++] = (byte) b;
    }

    public void append(String ascii) {
        for (int i = 0; i < ascii.length(); i++) {
            append(ascii.charAt(i));
        }
    }

    /** A decimal number, 0 or more. */
    public void setNumber(long number) {
        clear();
        long power = 1;
        while (number / power >= 10) {
            power *= 10;
        }
        for (long p = power; p > 0; p /= 10) {
            append((int) ('0' + number / p % 10));
        }
    }

    /** Appends 16 hexadecimal digits, with dashes as in a UUID. */
    public void appendHex(long bits, int dashesBefore) {
        for (int digit = 15; digit >= 0; digit--) {
            if ((dashesBefore >>> digit & 1) != 0) {
                append('-');
            }
            append(Character.forDigit((int) (bits >>> digit * 4) & 15, 16));
        }
    }

    public boolean equalTo(byte[] other, int start, int end) {
        return Arrays.equals(bytes, 0, length, other, start, end);
    }

    /** A copy of the bytes. */
    public byte[] copy() {
        return Arrays.copyOf(bytes, length);
    }

    public String text() {
        return new String(bytes, 0, length, UTF_8);
    }

    /** Releases its own bytes if they are many; the text is then empty. */
    public void release() {
        if (own.length > Budget.KEPT && budget != null) {
            budget.give(own.length - FREE);
            own = NONE;
            clear();
        }
    }

    private void reserve(int more) {
        if (length + more > own.length) {
            grow(Math.max(32, Math.max(length + more, own.length * 2)));
        }
    }

    private void grow(int size) {
        if (budget != null && size > FREE) {
            budget.take(size - Math.max(FREE, own.length));
        }
        own = Arrays.copyOf(own, size);
        bytes = own;
    }
}
