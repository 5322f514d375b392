package dev.fettle.load.http2;

import dev.fettle.load.bytes.Budget;
import dev.fettle.load.client.Client;
import dev.fettle.load.client.ProtocolError;
import dev.fettle.load.transport.Outbox;
import dev.fettle.load.transport.Transport;
import java.nio.ByteBuffer;

/**
 * What is sent over one HTTP/2 connection, within the server's flow-control windows for the connection and for each
 * stream (RFC 9113, 5.2). These limit the bodies of requests; everything else is limited only by the link.
 */
final class Http2Sender {

    /** The window that the server gets: so large that the server is measured, and not its waiting for us. */
    static final int RECEIVE_WINDOW = 1 << 30;

    private static final int DEFAULT_WINDOW = 65_535;
    private static final long MAX_WINDOW = Integer.MAX_VALUE;
    /** Most bytes written together; then received bytes are looked at. */
    private static final int WRITE_TOGETHER = 64 * 1024;
    /**
     * If this much waits to be sent, it is not requests but answers to pings and settings of a server that does not
     * read.
     */
    private static final int MOST_WAITING = 1024 * 1024;

    private final Outbox outbox;
    private final Http2Streams streams;

    private long window;
    private long initialWindow;
    /** Streams whose request body is not fully sent. */
    private int unsentBodies;

    private int nextBody;

    Http2Sender(Transport.Link link, Http2Streams streams, Budget budget) {
        this.outbox = new Outbox(link, budget);
        this.streams = streams;
    }

    /** Sends the preface of a new connection. */
    void begin() {
        outbox.clear();
        window = DEFAULT_WINDOW;
        initialWindow = DEFAULT_WINDOW;
        unsentBodies = 0;
        ByteBuffer room = outbox.room(Http2Frame.PREFACE.length + Http2Frame.HEADER + 12);
        room.put(Http2Frame.PREFACE);
        Http2Frame.header(room, 12, Http2Frame.SETTINGS, 0, 0);
        Http2Frame.setting(room, Http2Frame.ENABLE_PUSH, 0);
        Http2Frame.setting(room, Http2Frame.INITIAL_WINDOW_SIZE, RECEIVE_WINDOW);
        windowUpdate(0, RECEIVE_WINDOW - DEFAULT_WINDOW);
        outbox.flush();
    }

    /** Whether a request written now can be sent at once. */
    boolean hasRoom() {
        return !outbox.isFlying() && outbox.waiting() < WRITE_TOGETHER;
    }

    /** Writes the client's request on a new stream; it leaves with {@link #flush}. */
    void request(Http2Stream stream, int id, Client client) {
        ByteBuffer request = client.script().request();
        stream.begin(id, client, initialWindow);
        head(id, request, request.position() + client.script().headLength());
        if (request.hasRemaining()) {
            stream.body(request);
            unsentBodies++;
            body(stream, request);
        }
    }

    /** Writes the header block, up to {@code end}; the body follows. */
    private void head(int id, ByteBuffer request, int end) {
        int type = Http2Frame.HEADERS;
        int flags = end == request.limit() ? Http2Frame.END_STREAM : 0;
        while (request.position() < end) {
            int length = Math.min(end - request.position(), Http2Frame.MAX_PAYLOAD);
            boolean last = request.position() + length == end;
            frame(length, type, last ? flags | Http2Frame.END_HEADERS : flags, id, request);
            type = Http2Frame.CONTINUATION;
            flags = 0;
        }
    }

    /** Writes a frame with the next {@code length} bytes. */
    private void frame(int length, int type, int flags, int id, ByteBuffer from) {
        ByteBuffer room = outbox.room(Http2Frame.HEADER + length);
        Http2Frame.header(room, length, type, flags, id);
        room.put(room.position(), from, from.position(), length).position(room.position() + length);
        from.position(from.position() + length);
    }

    private void body(Http2Stream stream, ByteBuffer body) {
        while (body.hasRemaining() && outbox.waiting() < WRITE_TOGETHER) {
            long allowed = Math.min(window, stream.window());
            int length = (int) Math.min(Math.min(allowed, body.remaining()), Http2Frame.MAX_PAYLOAD);
            if (length <= 0) {
                return;
            }
            boolean last = length == body.remaining();
            frame(length, Http2Frame.DATA, last ? Http2Frame.END_STREAM : 0, stream.id(), body);
            window -= length;
            stream.widen(-length);
        }
        if (!body.hasRemaining()) {
            stream.body(null);
            unsentBodies--;
        }
    }

    /** Sends what was written and may be sent. */
    void flush() {
        while (unsentBodies > 0 && !outbox.isFlying() && bodies()) {
            outbox.flush();
        }
        outbox.flush();
    }

    /**
     * Writes as much of the bodies as possible; returns whether that was anything. Each stream in turn goes first, so
     * that none starves.
     */
    private boolean bodies() {
        int before = outbox.waiting();
        nextBody = nextBody + 1 < streams.capacity() ? nextBody + 1 : 0;
        for (int i = 0; i < streams.capacity() && unsentBodies > 0; i++) {
            Http2Stream stream = streams.at((nextBody + i) % streams.capacity());
            ByteBuffer body = stream.body();
            if (body != null) {
                body(stream, body);
            }
        }
        return outbox.waiting() > before;
    }

    /** The stream is over, whether its body was sent or not. Returns its client. */
    Client free(Http2Stream stream) {
        if (stream.body() != null) {
            unsentBodies--;
        }
        return streams.free(stream);
    }

    /** The server enlarges the window of this stream; 0: of the connection. */
    void widen(int id, int increment) throws ProtocolError {
        if (id == 0) {
            window += increment;
            check(window);
            return;
        }
        Http2Stream stream = streams.find(id);
        if (stream != null) {
            stream.widen(increment);
            check(stream.window());
        }
    }

    /** The server changes the initial window of each stream. */
    void initialWindow(int size) throws ProtocolError {
        check(size < 0 ? Long.MAX_VALUE : size);
        for (int i = 0; i < streams.capacity(); i++) {
            Http2Stream stream = streams.at(i);
            if (stream.isUsed()) {
                stream.widen(size - initialWindow);
                check(stream.window());
            }
        }
        initialWindow = size;
    }

    private static void check(long size) throws ProtocolError {
        if (size > MAX_WINDOW) {
            throw new ProtocolError(Http2Code.FLOW_CONTROL_ERROR, "a window over 2^31-1");
        }
    }

    void acknowledgeSettings() throws ProtocolError {
        Http2Frame.header(outbox.room(Http2Frame.HEADER), 0, Http2Frame.SETTINGS, Http2Frame.ACK, 0);
        checkWaiting();
    }

    void acknowledgePing(ByteBuffer payload) throws ProtocolError {
        ByteBuffer room = outbox.room(Http2Frame.HEADER + 8);
        Http2Frame.header(room, 8, Http2Frame.PING, Http2Frame.ACK, 0);
        room.put(payload);
        checkWaiting();
    }

    private void checkWaiting() throws ProtocolError {
        if (outbox.waiting() > MOST_WAITING || outbox.isOverBudget()) {
            throw new ProtocolError(
                    Http2Code.ENHANCE_YOUR_CALM, "a flood of pings or settings whose answers the server does not read");
        }
    }

    void reset(int id, int code) {
        ByteBuffer room = outbox.room(Http2Frame.HEADER + 4);
        Http2Frame.header(room, 4, Http2Frame.RST_STREAM, 0, id);
        Http2Frame.putNumber(room, code);
    }

    void windowUpdate(int id, int increment) {
        ByteBuffer room = outbox.room(Http2Frame.HEADER + 4);
        Http2Frame.header(room, 4, Http2Frame.WINDOW_UPDATE, 0, id);
        Http2Frame.putNumber(room, increment);
    }

    /** Sends GOAWAY if that is possible at once. */
    void goAway(int code) {
        if (outbox.isFlying()) {
            return;
        }
        ByteBuffer room = outbox.room(Http2Frame.HEADER + 8);
        Http2Frame.header(room, 8, Http2Frame.GOAWAY, 0, 0);
        Http2Frame.putNumber(room, 0); // the server has opened no stream
        Http2Frame.putNumber(room, code);
        outbox.flush();
    }
}
