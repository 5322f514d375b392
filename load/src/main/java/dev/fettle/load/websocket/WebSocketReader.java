package dev.fettle.load.websocket;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fettle.load.bytes.Scan;
import dev.fettle.load.bytes.Utf8Check;
import dev.fettle.load.client.ProtocolError;
import dev.fettle.load.script.Answer;
import java.nio.ByteBuffer;

/**
 * Reads a server's WebSocket frames, in whatever pieces the bytes come, and checks them against RFC 6455, 5 and 8.1.
 * The payload of messages is passed on as it comes and not kept; as an {@link Answer} it is the latest message.
 */
public final class WebSocketReader implements Answer {

    /** Receives the content of the frames. */
    public interface Sink {
        /** A message begins: its first byte has arrived. */
        void begins() throws ProtocolError;

        /** A piece of the message. */
        void data(ByteBuffer b, int from, int to);

        /** The message is complete. */
        void complete();

        /** The server pings; the bytes from position to limit are to be sent back. */
        void ping(ByteBuffer payload) throws ProtocolError;

        /** The server closes; nothing comes after this. */
        void closes(int code, String reason) throws ProtocolError;
    }

    /** A longer answer is taken for a broken length. */
    static final long MOST_PAYLOAD = 1 << 30;

    private enum Part {
        FIRST_BYTE,
        SECOND_BYTE,
        LENGTH,
        PAYLOAD
    }

    private final Sink sink;
    private final Utf8Check utf8 = new Utf8Check();
    private final ByteBuffer control = ByteBuffer.allocate(WebSocketFrame.MOST_CONTROL);

    private Part part = Part.FIRST_BYTE;
    private boolean stopped;
    private boolean fin;
    private int opcode;
    /** Bytes of an extended length still to come. */
    private int lengthBytes;

    /** The smallest length that needs this many length bytes. */
    private int least;

    private long length;
    /** Bytes of the frame's payload still to come. */
    private long left;

    private boolean inMessage;
    private boolean text;
    private long messageBytes;

    public WebSocketReader(Sink sink) {
        this.sink = sink;
    }

    /** Starts over for a new connection. */
    void reset() {
        part = Part.FIRST_BYTE;
        stopped = false;
        inMessage = false;
    }

    /** Makes a running {@link #read} leave the rest. */
    void stop() {
        stopped = true;
    }

    /** Reads the bytes from the buffer's position on. */
    public void read(ByteBuffer in) throws ProtocolError {
        while (!stopped && in.hasRemaining()) {
            switch (part) {
                case FIRST_BYTE -> first(in.get() & 0xff);
                case SECOND_BYTE -> second(in.get() & 0xff);
                case LENGTH -> {
                    length = length << 8 | in.get() & 0xff;
                    if (--lengthBytes == 0) {
                        checkExtended();
                        begin();
                    }
                }
                case PAYLOAD -> payload(in);
            }
        }
    }

    private void first(int b) throws ProtocolError {
        fin = (b & WebSocketFrame.FIN) != 0;
        opcode = b & 0x0f;
        if ((b & WebSocketFrame.RESERVED) != 0) {
            throw broken("reserved bits set (0x" + Integer.toHexString(b) + "), though no extension was agreed on");
        }
        if (!WebSocketFrame.isKnown(opcode)) {
            throw broken("the unknown opcode " + opcode);
        }
        if (WebSocketFrame.isControl(opcode)) {
            if (!fin) {
                throw broken("a fragment of opcode " + opcode + ", which can't be fragmented");
            }
        } else if (opcode == WebSocketFrame.CONTINUATION) {
            if (!inMessage) {
                throw broken("a continuation of no message");
            }
        } else if (inMessage) {
            throw broken("a new message within a fragmented one");
        } else {
            beginMessage();
        }
        part = Part.SECOND_BYTE;
    }

    private void beginMessage() throws ProtocolError {
        inMessage = true;
        text = opcode == WebSocketFrame.TEXT;
        messageBytes = 0;
        utf8.begin();
        sink.begins();
    }

    private void second(int b) throws ProtocolError {
        if ((b & WebSocketFrame.MASKED) != 0) {
            throw broken("a masked payload, which only a client sends");
        }
        if (b < WebSocketFrame.LENGTH_16) {
            length = b;
            begin();
            return;
        }
        if (WebSocketFrame.isControl(opcode)) {
            throw broken("more than 125 bytes in opcode " + opcode);
        }
        length = 0;
        lengthBytes = b == WebSocketFrame.LENGTH_16 ? Short.BYTES : Long.BYTES;
        least = b == WebSocketFrame.LENGTH_16 ? WebSocketFrame.LENGTH_16 : 1 << 16;
        part = Part.LENGTH;
    }

    private void checkExtended() throws ProtocolError {
        if (length < 0) {
            throw broken("a length beyond 63 bits");
        }
        // RFC 6455, 5.2: the least number of bytes must be used
        if (length < least) {
            throw broken("a length of " + length + " in more bytes than it needs");
        }
    }

    private void begin() throws ProtocolError {
        left = length;
        if (WebSocketFrame.isControl(opcode)) {
            control.clear();
        } else if (length > MOST_PAYLOAD - messageBytes) {
            throw new ProtocolError(
                    WebSocketCode.TOO_BIG,
                    "a message of " + messageBytes + " and " + length + " more bytes, over 1 GiB");
        }
        part = Part.PAYLOAD;
        if (left == 0) {
            end();
        }
    }

    private void payload(ByteBuffer in) throws ProtocolError {
        int from = in.position();
        int take = (int) Math.min(left, in.remaining());
        in.position(from + take);
        left -= take;
        if (WebSocketFrame.isControl(opcode)) {
            control.put(control.position(), in, from, take).position(control.position() + take);
        } else {
            if (text && !utf8.accepts(in, from, from + take)) {
                throw notUtf8("a text message", in, from, from + take);
            }
            messageBytes += take;
            sink.data(in, from, from + take);
        }
        if (left == 0) {
            end();
        }
    }

    private void end() throws ProtocolError {
        part = Part.FIRST_BYTE;
        switch (opcode) {
            case WebSocketFrame.PING -> sink.ping(control.flip());
            case WebSocketFrame.PONG -> {} // we send no pings, but an unasked pong is allowed
            case WebSocketFrame.CLOSE -> close(control.flip());
            default -> endOfData();
        }
    }

    private void endOfData() throws ProtocolError {
        if (!fin) {
            return;
        }
        if (text && !utf8.isWhole()) {
            throw new ProtocolError(WebSocketCode.INVALID_PAYLOAD, "a text message that ends within a character");
        }
        inMessage = false;
        sink.complete();
    }

    private void close(ByteBuffer payload) throws ProtocolError {
        if (!payload.hasRemaining()) {
            sink.closes(WebSocketCode.NONE, "");
            return;
        }
        if (payload.remaining() < Short.BYTES) {
            throw broken("half a code to close with");
        }
        int code = (payload.get(0) & 0xff) << 8 | payload.get(1) & 0xff;
        if (!WebSocketCode.isValid(code)) {
            throw broken("the code " + code + " to close with, which may not be sent");
        }
        utf8.begin();
        if (!utf8.accepts(payload, Short.BYTES, payload.limit()) || !utf8.isWhole()) {
            throw notUtf8("the reason to close", payload, Short.BYTES, payload.limit());
        }
        sink.closes(code, UTF_8.decode(payload.position(Short.BYTES)).toString());
    }

    private static ProtocolError broken(String what) {
        return new ProtocolError(WebSocketCode.PROTOCOL_ERROR, "a frame with " + what);
    }

    private static ProtocolError notUtf8(String what, ByteBuffer b, int from, int to) {
        return new ProtocolError(
                WebSocketCode.INVALID_PAYLOAD, what + " that is not UTF-8: " + Scan.excerpt(b, from, to));
    }

    /** How far an answer has come, for a message. */
    public String progress() {
        if (!inMessage) {
            return "before the first byte of an answer";
        }
        return "after " + messageBytes + " bytes of an answer";
    }

    @Override
    public int status() {
        return NO_STATUS;
    }

    @Override
    public long bodyLength() {
        return messageBytes;
    }
}
