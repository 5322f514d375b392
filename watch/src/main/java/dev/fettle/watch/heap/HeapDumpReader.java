package dev.fettle.watch.heap;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a heap dump as {@code jcmd PID GC.heap_dump} writes it, record by record, in memory that does not depend on its size. The format is
 * described in the JDK's {@code heapDumper.cpp}.
 */
final class HeapDumpReader implements Closeable {
    static final String BEGINS = "JAVA PROFILE 1.0.";
    private static final int BUFFER = 1 << 20;

    /** An object with more fields than this is none. */
    static final int MOST_FIELD_BYTES = 1 << 19;

    private static final int MOST_NAME = 1 << 16;
    private static final int HEAD = 32;
    private static final int OBJECT = 2;

    /** Bytes of a value, by its type in the format: object, then from boolean on. */
    private static final int[] SIZES = {0, 0, 0, 0, 1, 2, 4, 8, 1, 2, 4, 8};

    private final FileChannel file;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER).limit(0);
    private final int idSize;
    private final long start;

    /** A field. */
    record Field(long name, int type) {}

    /** What a dump says of a class. */
    record Type(long id, long parent, List<Field> fields) {}

    /** Takes what is in a dump; what it does not ask for is passed over. */
    interface Visitor {
        /** Whether it wants the names. */
        default boolean names() {
            return false;
        }

        default void name(long id, String text) {}

        default void loaded(long type, long name) {}

        default void type(Type type) {}

        default void constant(long type, long field, long value) {}

        /** Whether it wants what objects refer to. */
        default boolean references() {
            return false;
        }

        default void instance(long id, long type, int bytes) {}

        /** The fields of an object, those of its own class first. */
        default void fields(long id, long type, ByteBuffer fields) {}

        default void array(long id, long type, long length) {}

        default void element(long array, long type, long value) {}

        default void primitives(long id, int type, long bytes) {}
    }

    HeapDumpReader(Path path) throws IOException {
        file = FileChannel.open(path);
        try {
            var name = new StringBuilder();
            for (int c = u1(); c != 0; c = u1()) {
                name.append((char) c);
                if (name.length() > HEAD) {
                    break;
                }
            }
            idSize = name.toString().startsWith(BEGINS) ? (int) u4() : 0;
            if (idSize != Integer.BYTES && idSize != Long.BYTES) {
                throw new IOException("it is no heap dump as jcmd PID GC.heap_dump writes it");
            }
            skip(Long.BYTES);
            start = file.position() - buffer.remaining();
        } catch (IOException e) {
            file.close();
            throw e;
        }
    }

    int idSize() {
        return idSize;
    }

    /** Bytes of a value of a type; 0 if there is no such type. */
    int size(int type) {
        return type == OBJECT ? idSize : type > 0 && type < SIZES.length ? SIZES[type] : 0;
    }

    static boolean isObject(int type) {
        return type == OBJECT;
    }

    /**
     * Goes through all of it.
     *
     * @throws IOException if it can't be read; one that ends too early is read as far as it goes
     */
    void read(Visitor to) throws IOException {
        file.position(start);
        buffer.limit(0);
        try {
            while (true) {
                int tag = u1();
                skip(Integer.BYTES);
                long length = u4();
                switch (tag) {
                    case 0x01 -> name(to, length);
                    case 0x02 -> {
                        skip(Integer.BYTES);
                        long id = id();
                        skip(Integer.BYTES);
                        to.loaded(id, id());
                    }
                    case 0x0c, 0x1c -> segment(to, position() + length);
                    default -> skip(length);
                }
            }
        } catch (EOFException e) {
            return; // the end, or as far as it was written
        }
    }

    private void name(Visitor to, long length) throws IOException {
        if (!to.names() || length < idSize || length > MOST_NAME) {
            skip(length);
            return;
        }
        long id = id();
        var text = new byte[(int) length - idSize];
        bytes(text);
        to.name(id, new String(text, StandardCharsets.UTF_8));
    }

    private void segment(Visitor to, long end) throws IOException {
        while (position() < end) {
            int tag = u1();
            switch (tag) {
                case 0x20 -> type(to);
                case 0x21 -> instance(to);
                case 0x22 -> objects(to);
                case 0x23 -> primitives(to);
                // roots: an object, and what of them says more
                case 0xff, 0x05, 0x07 -> skip(idSize);
                case 0x01 -> skip(2L * idSize);
                case 0x02, 0x03, 0x08 -> skip(idSize + 2L * Integer.BYTES);
                case 0x04, 0x06 -> skip(idSize + (long) Integer.BYTES);
                default -> throw new IOException("a heap dump has no record of the kind " + tag);
            }
        }
    }

    private void type(Visitor to) throws IOException {
        long id = id();
        skip(Integer.BYTES);
        long parent = id();
        skip(5L * idSize + Integer.BYTES);
        for (int n = u2(); n > 0; n--) {
            skip(Short.BYTES);
            value(u1());
        }
        for (int n = u2(); n > 0; n--) {
            long name = id();
            int type = u1();
            long value = value(type);
            if (isObject(type)) {
                to.constant(id, name, value);
            }
        }
        var fields = new ArrayList<Field>();
        for (int n = u2(); n > 0; n--) {
            fields.add(new Field(id(), u1()));
        }
        to.type(new Type(id, parent, fields));
    }

    private void instance(Visitor to) throws IOException {
        long id = id();
        skip(Integer.BYTES);
        long type = id();
        long bytes = u4();
        if (bytes > MOST_FIELD_BYTES) {
            throw new IOException("a heap dump has no object with " + bytes + " bytes of fields");
        }
        to.instance(id, type, (int) bytes);
        if (to.references()) {
            need((int) bytes);
            to.fields(id, type, buffer.slice(buffer.position(), (int) bytes));
        }
        skip(bytes);
    }

    private void objects(Visitor to) throws IOException {
        long id = id();
        skip(Integer.BYTES);
        long n = u4();
        long type = id();
        to.array(id, type, n);
        if (!to.references()) {
            skip(n * idSize);
            return;
        }
        for (long i = 0; i < n; i++) {
            to.element(id, type, id());
        }
    }

    private void primitives(Visitor to) throws IOException {
        long id = id();
        skip(Integer.BYTES);
        long n = u4();
        int type = u1();
        to.primitives(id, type, n * size(type));
        skip(n * size(type));
    }

    private long value(int type) throws IOException {
        int size = size(type);
        if (size == 0) {
            throw new IOException("a heap dump has no values of the type " + type);
        }
        if (isObject(type)) {
            return id();
        }
        skip(size);
        return 0;
    }

    // -- bytes -------------------------------------------------------------------------------------------------------

    private long position() throws IOException {
        return file.position() - buffer.remaining();
    }

    private void need(int bytes) throws IOException {
        if (buffer.remaining() >= bytes) {
            return;
        }
        buffer.compact();
        while (buffer.position() < bytes) {
            if (file.read(buffer) < 0) {
                throw new EOFException();
            }
        }
        buffer.flip();
    }

    private void skip(long bytes) throws IOException {
        if (bytes <= buffer.remaining()) {
            buffer.position(buffer.position() + (int) bytes);
            return;
        }
        long to = position() + bytes;
        if (to > file.size()) {
            throw new EOFException();
        }
        file.position(to);
        buffer.limit(0);
    }

    private void bytes(byte[] into) throws IOException {
        need(into.length);
        buffer.get(into);
    }

    private int u1() throws IOException {
        need(1);
        return buffer.get() & 0xff;
    }

    private int u2() throws IOException {
        need(Short.BYTES);
        return buffer.getShort() & 0xffff;
    }

    private long u4() throws IOException {
        need(Integer.BYTES);
        return Integer.toUnsignedLong(buffer.getInt());
    }

    private long id() throws IOException {
        need(idSize);
        return idSize == Long.BYTES ? buffer.getLong() : Integer.toUnsignedLong(buffer.getInt());
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
