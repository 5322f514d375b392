package dev.fettle.load.transport;

import java.nio.ByteBuffer;

/**
 * What is to go out over a link that sends one buffer at a time: bytes are added at any time, go out in order, and those added
 * while others are on their way follow together. Grows as needed, and then allocates no more.
 */
public final class Outbox {

    private static final int FIRST_SIZE = 512;

    private final Transport.Link link;
    /** What the link has; not to be touched while it is sending. */
    private ByteBuffer flying = ByteBuffer.allocateDirect(0);
    /** What was added since. */
    private ByteBuffer next = ByteBuffer.allocateDirect(0);

    public Outbox(Transport.Link link) {
        this.link = link;
    }

    /** Forgets what was not sent. For a new connection. */
    public void clear() {
        next.clear();
    }

    /** Room for so many bytes, to be written at the buffer's position. */
    public ByteBuffer room(int bytes) {
        if (next.remaining() < bytes) {
            int size = Math.max(FIRST_SIZE, Integer.highestOneBit(next.position() + bytes - 1) * 2);
            next = ByteBuffer.allocateDirect(size).put(next.flip());
        }
        return next;
    }

    /** Adds the bytes from position to limit. */
    public void add(ByteBuffer bytes) {
        room(bytes.remaining()).put(bytes);
    }

    /** Hands the link what there is, if it is free. The handler hears of a failure, perhaps before this returns. */
    public void flush() {
        if (next.position() == 0 || link.sending()) {
            return;
        }
        ByteBuffer filled = next;
        next = flying.clear();
        flying = filled.flip();
        link.send(flying);
    }

    /** Whether something is still to go out. */
    public boolean isBusy() {
        return next.position() > 0 || link.sending();
    }

    /** Whether what is added now has to wait for what is on its way. */
    public boolean isFlying() {
        return link.sending();
    }

    /** Bytes that wait for the link. */
    public int waiting() {
        return next.position();
    }
}
