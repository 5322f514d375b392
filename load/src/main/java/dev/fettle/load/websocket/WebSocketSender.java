package dev.fettle.load.websocket;

import dev.fettle.load.bytes.Budget;
import dev.fettle.load.client.ProtocolError;
import dev.fettle.load.transport.Outbox;
import dev.fettle.load.transport.Transport;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;

/**
 * What is sent over one WebSocket. Each frame has its own mask (RFC 6455, 5.3), from a fast random number generator:
 * the mask protects proxies from pages in browsers, and a load generator is neither.
 */
final class WebSocketSender {

    /** Most bytes written together; then received bytes are looked at. */
    private static final int WRITE_TOGETHER = 64 * 1024;
    /** If this much waits to be sent, it is not messages but answers to pings of a server that does not read. */
    private static final int MOST_WAITING = 1024 * 1024;

    private final Outbox outbox;
    private final int opcode;
    private final Budget budget;
    private final SplittableRandom random = new SplittableRandom();
    private final ByteBuffer code = ByteBuffer.allocate(Short.BYTES);

    /** @param opcode of messages */
    WebSocketSender(Transport.Link link, int opcode, Budget budget) {
        this.outbox = new Outbox(link, budget);
        this.opcode = opcode;
        this.budget = budget;
    }

    /** Opens a new connection. */
    WebSocketHandshake begin(WebSocketOpening opening) {
        outbox.clear();
        WebSocketHandshake handshake = opening.begin(random, budget);
        byte[] request = handshake.request();
        outbox.room(request.length).put(request);
        return handshake;
    }

    /** Whether a message written now can be sent at once. */
    boolean hasRoom() {
        return !outbox.isFlying() && outbox.waiting() < WRITE_TOGETHER;
    }

    /** Writes a message; it leaves with {@link #flush}. */
    void message(ByteBuffer payload) {
        frame(opcode, payload);
    }

    void pong(ByteBuffer payload) throws ProtocolError {
        frame(WebSocketFrame.PONG, payload);
        if (outbox.waiting() > MOST_WAITING || outbox.isOverBudget()) {
            throw new ProtocolError(WebSocketCode.POLICY, "a flood of pings whose answers the server does not read");
        }
    }

    /** Sends a Close frame, if that is possible at once. */
    void close(int why) {
        if (!outbox.isFlying()) {
            code.clear();
            if (why != WebSocketCode.NONE) {
                code.putShort((short) why);
            }
            frame(WebSocketFrame.CLOSE, code.flip());
            outbox.flush();
        }
    }

    /** Sends what was written and may be sent. */
    void flush() {
        outbox.flush();
    }

    /**
     * Writes a frame. Its payload is everything up to the limit, whatever the position, and big-endian like the buffer
     * it is copied to.
     */
    private void frame(int what, ByteBuffer payload) {
        int length = payload.limit();
        ByteBuffer out = outbox.room(WebSocketFrame.MOST_HEAD + length);
        out.put((byte) (WebSocketFrame.FIN | what));
        if (length < WebSocketFrame.LENGTH_16) {
            out.put((byte) (WebSocketFrame.MASKED | length));
        } else if (length <= 0xffff) {
            out.put((byte) (WebSocketFrame.MASKED | WebSocketFrame.LENGTH_16)).putShort((short) length);
        } else {
            out.put((byte) (WebSocketFrame.MASKED | WebSocketFrame.LENGTH_64)).putLong(length);
        }
        int mask = random.nextInt();
        out.putInt(mask);
        masked(payload, length, mask, out);
    }

    private static void masked(ByteBuffer payload, int length, int mask, ByteBuffer out) {
        int at = out.position();
        long twice = (long) mask << 32 | mask & 0xffffffffL;
        int i = 0;
        for (; i <= length - Long.BYTES; i += Long.BYTES) {
            out.putLong(at + i, payload.getLong(i) ^ twice);
        }
        for (; i < length; i++) {
            out.put(at + i, (byte) (payload.get(i) ^ mask >> 24 - 8 * (i & 3)));
        }
        out.position(at + length);
    }
}
