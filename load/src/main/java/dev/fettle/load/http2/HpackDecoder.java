package dev.fettle.load.http2;

import dev.fettle.load.bytes.Budget;
import dev.fettle.load.client.ProtocolError;
import dev.fettle.load.script.Answer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Reads all header blocks of one connection, in order; RFC 7541. Allocates nothing in the long run. */
final class HpackDecoder {

    /** Receives the fields of a block. */
    interface Fields {
        /** A field; the value ends at {@code valueTo} and begins where the name ends. The buffer is only lent. */
        void field(ByteBuffer b, int nameFrom, int valueFrom, int valueTo);
    }

    /** The default maximum size of a peer's table; RFC 9113, 6.5.2. */
    private static final int TABLE_SIZE = 4096;
    /** A few bytes of a block can stand for thousands, see {@link HpackTable}. */
    private static final int MOST_DECODED = Answer.MAX_HEAD;

    private static final int FIRST_SIZE = 1024;

    private static final String TORN = "a header block which ends within a field";
    private static final String TOO_LONG = "a header block which says more than " + MOST_DECODED + " bytes";

    private static final int INDEXED = 0x80;
    private static final int INCREMENTAL = 0x40;
    private static final int RESIZE = 0x20;
    private static final int HUFFMAN = 0x80;

    private final HpackTable table = new HpackTable(TABLE_SIZE);
    /** Name and value of a field that is not in the table as a whole. */
    private ByteBuffer text = heap(FIRST_SIZE);

    private final Budget budget;

    private int decoded;

    /** @param budget for long fields */
    HpackDecoder(Budget budget) {
        this.budget = budget;
    }

    /** Starts over for a new connection. */
    void reset() {
        table.clear();
        release();
    }

    /** Releases what long fields needed: a block has been read, or the connection is over. */
    void release() {
        if (text.capacity() > Budget.KEPT) {
            budget.give(text.capacity() - FIRST_SIZE);
            text = heap(FIRST_SIZE);
        }
    }

    private static ByteBuffer heap(int capacity) {
        return ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Reads a whole block, from position to limit.
     *
     * @throws ProtocolError if it breaks a rule; then no further block of the connection can be read
     */
    void decode(ByteBuffer block, Fields to) throws ProtocolError {
        decoded = 0;
        boolean begun = false;
        while (block.hasRemaining()) {
            int first = block.get(block.position()) & 0xff;
            if ((first & INDEXED) != 0) {
                indexed(known(integer(block, 7)), to);
            } else if ((first & INCREMENTAL) == 0 && (first & RESIZE) != 0) {
                check(!begun, "a change of the table's size within a header block");
                check(table.resize(integer(block, 5)), "a header table larger than the 4096 bytes allowed");
                continue;
            } else {
                literal(block, (first & INCREMENTAL) != 0, to);
            }
            begun = true;
        }
        release();
    }

    private void indexed(int index, Fields to) throws ProtocolError {
        count(table.valueTo(index) - table.nameFrom(index));
        to.field(table.bytes(index), table.nameFrom(index), table.valueFrom(index), table.valueTo(index));
    }

    private void literal(ByteBuffer block, boolean keep, Fields to) throws ProtocolError {
        text.clear();
        int name = integer(block, keep ? 6 : 4);
        if (name == 0) {
            string(block);
        } else {
            int index = known(name);
            int length = table.valueFrom(index) - table.nameFrom(index);
            room(length);
            text.put(0, table.bytes(index), table.nameFrom(index), length).position(length);
        }
        int valueFrom = text.position();
        string(block);
        int valueTo = text.position();
        count(valueTo);
        if (keep) {
            table.add(text, 0, valueFrom, valueTo);
        }
        to.field(text, 0, valueFrom, valueTo);
    }

    private int known(int index) throws ProtocolError {
        if (!table.has(index)) {
            throw new ProtocolError(
                    Http2Code.COMPRESSION_ERROR, "a header block refers to entry " + index + ", which there is not");
        }
        return index;
    }

    private void count(int bytes) throws ProtocolError {
        decoded += bytes;
        check(decoded <= MOST_DECODED, TOO_LONG);
    }

    private void string(ByteBuffer block) throws ProtocolError {
        check(block.hasRemaining(), TORN);
        boolean coded = (block.get(block.position()) & HUFFMAN) != 0;
        int length = integer(block, 7);
        check(length <= block.remaining(), TORN);
        int from = block.position();
        if (coded) {
            room(HpackHuffman.mostDecoded(length));
            check(HpackHuffman.decode(block, from, from + length, text), "a text which is no Huffman code");
        } else {
            room(length);
            text.put(text.position(), block, from, length).position(text.position() + length);
        }
        block.position(from + length);
    }

    private void room(int bytes) {
        if (text.remaining() < bytes) {
            int size = Integer.highestOneBit(text.position() + bytes) * 2;
            budget.take(size - text.capacity());
            text = heap(size).put(text.flip());
        }
    }

    /** A number whose first bits share a byte with something else; RFC 7541, 5.1. */
    private static int integer(ByteBuffer block, int prefixBits) throws ProtocolError {
        int most = (1 << prefixBits) - 1;
        int number = block.get() & most;
        if (number < most) {
            return number;
        }
        for (int shift = 0; shift <= 21; shift += 7) {
            check(block.hasRemaining(), TORN);
            int next = block.get();
            number += (next & 0x7f) << shift;
            if (next >= 0) {
                return number;
            }
        }
        throw new ProtocolError(Http2Code.COMPRESSION_ERROR, "a number in a header block which is larger than can be");
    }

    private static void check(boolean right, String otherwise) throws ProtocolError {
        if (!right) {
            throw new ProtocolError(Http2Code.COMPRESSION_ERROR, otherwise);
        }
    }
}
