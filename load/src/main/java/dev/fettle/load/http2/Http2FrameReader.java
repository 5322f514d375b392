package dev.fettle.load.http2;

import dev.fettle.load.bytes.Budget;
import dev.fettle.load.bytes.Scan;
import dev.fettle.load.client.ProtocolError;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reads HTTP/2 frames, in whatever pieces the bytes come, and checks them against the rules for single frames (RFC
 * 9113, 4 to 6). The data of DATA frames is passed on as it comes, everything else when it is complete.
 */
public final class Http2FrameReader {

    /** Receives the content of the frames. */
    public interface Sink {
        /** A header block, put together from its frames. */
        void headers(int stream, ByteBuffer block, boolean endOfStream) throws ProtocolError;

        /** A piece of a stream's data. */
        void data(int stream, ByteBuffer b, int from, int to) throws ProtocolError;

        /** A DATA frame is over; its payload, padding included, counts against the flow-control windows. */
        void endOfData(int stream, int payload, boolean endOfStream) throws ProtocolError;

        /** The server's settings, from position to limit; a whole number of them. */
        void settings(ByteBuffer payload) throws ProtocolError;

        /** The server pings; the eight bytes are to be sent back. */
        void ping(ByteBuffer payload) throws ProtocolError;

        /** The server ends a stream. */
        void reset(int stream, int code) throws ProtocolError;

        /** More may be sent on the stream; 0: on the connection. */
        void windowUpdate(int stream, int increment) throws ProtocolError;

        /** The server processes no streams beyond this one. */
        void goAway(int lastStream, int code, String debug) throws ProtocolError;
    }

    private static final int FIRST_BLOCK = 1024;
    private static final int MOST_BLOCK = 256 * 1024;
    /**
     * Most CONTINUATION frames in a header block: empty ones cost the server little, and no limit on bytes stops them.
     */
    private static final int MOST_CONTINUATIONS = 1000;

    /** Most bytes shown of why a server ends a connection: its whole sentence, as what it objects to often comes last. */
    private static final int MOST_DEBUG = 200;

    private static final ByteBuffer HTTP_1 = ByteBuffer.wrap(new byte[] {'H', 'T', 'T', 'P', '/', '1', '.'});

    private final Sink sink;
    private final Budget budget;
    private final ByteBuffer header = ByteBuffer.allocate(Http2Frame.HEADER);
    private final ByteBuffer payload =
            ByteBuffer.allocate(Http2Frame.MAX_PAYLOAD).order(ByteOrder.LITTLE_ENDIAN);
    private ByteBuffer block = heap(FIRST_BLOCK);

    private boolean stopped;
    private boolean begun;
    private int length;
    private int type;
    private int flags;
    private int stream;
    /** Bytes of the payload still to come. */
    private int left;
    /** Bytes of padding at the end of a DATA frame; -1 while their number is still to be read. */
    private int padding;
    /** The stream whose header block continues in the next frame; 0: none. */
    private int continued;

    private boolean endAfterBlock;
    private int continuations;

    /** @param budget for header blocks of several frames */
    public Http2FrameReader(Sink sink, Budget budget) {
        this.sink = sink;
        this.budget = budget;
    }

    /** Starts over for a new connection. */
    void reset() {
        header.clear();
        stopped = false;
        begun = false;
        continued = 0;
        release();
    }

    /** Makes a running {@link #read} leave the rest, of which none will be read. */
    void stop() {
        stopped = true;
        release();
    }

    private void release() {
        if (block.capacity() > Budget.KEPT) {
            budget.give(block.capacity() - FIRST_BLOCK);
            block = heap(FIRST_BLOCK);
        }
    }

    /** Reads the bytes from the buffer's position on. */
    public void read(ByteBuffer in) throws ProtocolError {
        while (!stopped && in.hasRemaining()) {
            if (header.hasRemaining()) {
                header.put(in.get());
                if (!header.hasRemaining()) {
                    begin();
                }
            } else if (type == Http2Frame.DATA) {
                data(in);
            } else {
                int take = Math.min(left, in.remaining());
                payload.put(payload.position(), in, in.position(), take).position(payload.position() + take);
                in.position(in.position() + take);
                left -= take;
            }
            if (!stopped && !header.hasRemaining() && left == 0) {
                header.clear();
                end();
            }
        }
    }

    private void begin() throws ProtocolError {
        length = (header.get(0) & 0xff) << 16 | (header.get(1) & 0xff) << 8 | header.get(2) & 0xff;
        type = header.get(3) & 0xff;
        flags = header.get(4) & 0xff;
        stream = Http2Frame.number(header, 5) & Integer.MAX_VALUE;
        if (!begun) {
            first();
        }
        if (length > Http2Frame.MAX_PAYLOAD) {
            throw error(Http2Code.FRAME_SIZE_ERROR, "of " + length + " bytes, more than the 16384 allowed");
        }
        boolean continues = type == Http2Frame.CONTINUATION && stream == continued;
        if (continued != 0 ? !continues : type == Http2Frame.CONTINUATION) {
            throw error(Http2Code.PROTOCOL_ERROR, "where " + (continued != 0 ? "a header block goes on" : "none does"));
        }
        checkStream();
        checkLength();
        left = length;
        padding = (flags & Http2Frame.PADDED) != 0 ? -1 : 0;
        payload.clear();
    }

    private void first() throws ProtocolError {
        begun = true;
        if (header.rewind().slice(0, HTTP_1.capacity()).equals(HTTP_1)) {
            throw new ProtocolError(
                    Http2Code.PROTOCOL_ERROR, "the server answers in HTTP/1.x: it speaks no HTTP/2 on this port");
        }
        header.position(header.limit());
        if (type != Http2Frame.SETTINGS || (flags & Http2Frame.ACK) != 0) {
            throw new ProtocolError(
                    Http2Code.PROTOCOL_ERROR,
                    "no HTTP/2: the server begins with " + Scan.excerpt(header, 0, header.limit())
                            + " and not with its settings");
        }
    }

    private void checkStream() throws ProtocolError {
        boolean right = switch (type) {
            case Http2Frame.DATA, Http2Frame.HEADERS, Http2Frame.PRIORITY, Http2Frame.RST_STREAM -> stream != 0;
            case Http2Frame.SETTINGS, Http2Frame.PING, Http2Frame.GOAWAY -> stream == 0;
            default -> true;
        };
        if (!right) {
            throw error(Http2Code.PROTOCOL_ERROR, "which cannot be");
        }
        if (type == Http2Frame.PUSH_PROMISE) {
            throw error(Http2Code.PROTOCOL_ERROR, "though pushing is switched off");
        }
    }

    private void checkLength() throws ProtocolError {
        boolean right = switch (type) {
            case Http2Frame.PRIORITY -> length == 5;
            case Http2Frame.RST_STREAM, Http2Frame.WINDOW_UPDATE -> length == 4;
            case Http2Frame.PING -> length == 8;
            case Http2Frame.GOAWAY -> length >= 8;
            case Http2Frame.SETTINGS -> (flags & Http2Frame.ACK) != 0 ? length == 0 : length % 6 == 0;
            default -> true;
        };
        if (!right) {
            throw error(Http2Code.FRAME_SIZE_ERROR, "of " + length + " bytes");
        }
    }

    private void data(ByteBuffer in) throws ProtocolError {
        if (padding < 0) {
            padding = in.get() & 0xff;
            left--;
            if (padding > left) {
                throw error(Http2Code.PROTOCOL_ERROR, "with more padding than payload");
            }
        }
        int from = in.position();
        int take = Math.min(left, in.remaining());
        int content = Math.min(left - padding, in.remaining());
        left -= take;
        in.position(from + take);
        if (content > 0) {
            sink.data(stream, in, from, from + content);
        }
    }

    private void end() throws ProtocolError {
        payload.flip();
        switch (type) {
            case Http2Frame.DATA -> {
                if (padding < 0) {
                    throw error(Http2Code.PROTOCOL_ERROR, "without the length of its padding");
                }
                sink.endOfData(stream, length, (flags & Http2Frame.END_STREAM) != 0);
            }
            case Http2Frame.HEADERS -> headers();
            case Http2Frame.CONTINUATION -> continuation();
            case Http2Frame.RST_STREAM -> sink.reset(stream, Http2Frame.number(payload, 0));
            case Http2Frame.SETTINGS -> {
                if ((flags & Http2Frame.ACK) == 0) {
                    sink.settings(payload);
                }
            }
            case Http2Frame.PING -> {
                if ((flags & Http2Frame.ACK) == 0) {
                    sink.ping(payload);
                }
            }
            case Http2Frame.GOAWAY ->
                sink.goAway(
                        Http2Frame.number(payload, 0) & Integer.MAX_VALUE,
                        Http2Frame.number(payload, 4),
                        length == 8 ? "" : " " + Scan.excerpt(payload, 8, length, MOST_DEBUG));
            case Http2Frame.WINDOW_UPDATE -> windowUpdate();
            default -> {} // priorities and unknown frames are ignored
        }
    }

    private void headers() throws ProtocolError {
        int pad = 0;
        if ((flags & Http2Frame.PADDED) != 0) {
            pad = payload.hasRemaining() ? payload.get() & 0xff : Integer.MAX_VALUE;
        }
        int priority = (flags & Http2Frame.PRIORITISED) != 0 ? 5 : 0;
        if (pad > payload.remaining() - priority) {
            throw error(Http2Code.PROTOCOL_ERROR, "with more padding than payload");
        }
        payload.position(payload.position() + priority).limit(payload.limit() - pad);
        endAfterBlock = (flags & Http2Frame.END_STREAM) != 0;
        if ((flags & Http2Frame.END_HEADERS) != 0) {
            sink.headers(stream, payload, endAfterBlock);
            return;
        }
        continued = stream;
        continuations = 0;
        block.clear();
        keep();
    }

    private void continuation() throws ProtocolError {
        continuations++;
        keep();
        if ((flags & Http2Frame.END_HEADERS) != 0) {
            continued = 0;
            sink.headers(stream, block.flip(), endAfterBlock);
            release();
        }
    }

    private void keep() throws ProtocolError {
        int size = block.position() + payload.remaining();
        if (size > MOST_BLOCK || continuations > MOST_CONTINUATIONS) {
            throw new ProtocolError(
                    Http2Code.ENHANCE_YOUR_CALM,
                    "a header block of " + size + " bytes in " + (continuations + 1) + " frames, and no end of it");
        }
        if (block.remaining() < payload.remaining()) {
            int capacity = Integer.highestOneBit(size) * 2;
            budget.take(capacity - block.capacity());
            block = heap(capacity).put(block.flip());
        }
        block.put(payload);
    }

    private static ByteBuffer heap(int capacity) {
        return ByteBuffer.allocate(capacity).order(ByteOrder.LITTLE_ENDIAN);
    }

    private void windowUpdate() throws ProtocolError {
        int increment = Http2Frame.number(payload, 0) & Integer.MAX_VALUE;
        if (increment == 0) {
            throw error(Http2Code.PROTOCOL_ERROR, "by nothing");
        }
        sink.windowUpdate(stream, increment);
    }

    private ProtocolError error(int code, String what) {
        String name = Http2Frame.name(type);
        return new ProtocolError(code, "a " + name + " frame on stream " + stream + " " + what);
    }
}
