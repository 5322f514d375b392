package dev.fettle.load.http1;

import dev.fettle.load.bytes.Budget;
import dev.fettle.load.bytes.Scan;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Cuts lines out of bytes that come in any pieces. A line that is complete in one piece is read in place; only a torn
 * one is copied.
 */
public final class LineReader {

    /** Longest line, in bytes. */
    public static final int MAX_LINE = 64 * 1024;

    private static final int FIRST_CAPACITY = 256;

    /** Shared, because an empty buffer can't change: most connections never see a torn line. */
    private static final ByteBuffer NONE = little(0);

    private final Budget budget;
    /** Direct, as the transport's buffers are, so that the parser's code sees one kind of buffer. */
    private ByteBuffer torn = NONE;

    private ByteBuffer line = torn;
    private int from;
    private int to;
    private boolean tooLong;

    /** @param budget of which a torn line takes what it needs beyond a few bytes */
    LineReader(Budget budget) {
        this.budget = budget;
    }

    void reset() {
        torn.clear();
        tooLong = false;
    }

    /** Releases the memory of a long line; the current line is not valid any more. */
    void release() {
        if (torn.capacity() > Budget.KEPT) {
            budget.give(torn.capacity() - FIRST_CAPACITY);
            torn = NONE;
        }
    }

    /**
     * Takes the next line, without its CRLF or LF. Consumes it; if it is not complete, consumes all there is.
     *
     * @return whether there was a whole line
     */
    boolean next(ByteBuffer in) {
        int start = in.position();
        int lf = Scan.indexOf(in, start, in.limit(), (byte) '\n');
        if (lf < 0) {
            keep(in, in.limit());
            return false;
        }
        if (torn.position() == 0) {
            if (lf + 1 - start > MAX_LINE) {
                return refuse(in);
            }
            line = in;
            from = start;
            to = lf;
            in.position(lf + 1);
        } else {
            if (!keep(in, lf + 1)) {
                return false;
            }
            line = torn;
            from = 0;
            to = torn.position() - 1;
            torn.clear();
        }
        if (to > from && line.get(to - 1) == '\r') {
            to--;
        }
        return true;
    }

    /** The buffer in which the line lies, from {@link #from} to {@link #to}; good until the next call. */
    ByteBuffer line() {
        return line;
    }

    int from() {
        return from;
    }

    int to() {
        return to;
    }

    /** Whether the current line has exceeded {@link #MAX_LINE}. */
    boolean tooLong() {
        return tooLong;
    }

    /** The part of the torn line read so far, from 0 to its position. */
    ByteBuffer torn() {
        return torn;
    }

    private boolean keep(ByteBuffer in, int end) {
        int more = end - in.position();
        if (torn.position() + more > MAX_LINE) {
            return refuse(in);
        }
        if (more > torn.capacity() - torn.position()) {
            int wanted = Math.max(FIRST_CAPACITY, Integer.highestOneBit(torn.position() + more) << 1);
            budget.take(wanted - Math.max(FIRST_CAPACITY, torn.capacity()));
            torn = little(wanted).put(torn.flip());
        }
        int at = torn.position();
        torn.put(at, in, in.position(), more).position(at + more);
        in.position(end);
        return true;
    }

    private boolean refuse(ByteBuffer in) {
        tooLong = true;
        in.position(in.limit());
        return false;
    }

    private static ByteBuffer little(int capacity) {
        return ByteBuffer.allocateDirect(capacity).order(ByteOrder.LITTLE_ENDIAN);
    }
}
