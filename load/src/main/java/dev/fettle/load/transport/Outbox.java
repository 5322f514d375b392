package dev.fettle.load.transport;

import dev.fettle.load.bytes.Budget;
import java.nio.ByteBuffer;

/**
 * Bytes to send over a link that sends one buffer at a time. They can be added at any time and are sent in order; those
 * added while others are being sent follow together. Grows as needed, and then allocates no more, unless memory is short: what it
 * takes counts against a budget. It is not refused, as requests must be sent; anyone who adds answers to what a server sends asks
 * {@link #isOverBudget}.
 */
public final class Outbox {

    private static final int FIRST_SIZE = 512;

    private final Transport.Link link;
    private final Budget budget;
    /** Bytes that the link is sending; must not be touched while it does. */
    private ByteBuffer flying = ByteBuffer.allocateDirect(0);
    /** Bytes added since. */
    private ByteBuffer next = ByteBuffer.allocateDirect(0);

    public Outbox(Transport.Link link, Budget budget) {
        this.link = link;
        this.budget = budget;
    }

    /** Discards what was not sent; for a new connection. */
    public void clear() {
        next.clear();
        if (next.capacity() > Budget.KEPT && budget.isTight()) {
            budget.give(next.capacity() - FIRST_SIZE);
            next = ByteBuffer.allocateDirect(0);
        }
    }

    /** Room for this many bytes, to be written at the buffer's position. */
    public ByteBuffer room(int bytes) {
        if (next.remaining() < bytes) {
            int size = Math.max(FIRST_SIZE, Integer.highestOneBit(next.position() + bytes - 1) * 2);
            budget.force(size - Math.max(FIRST_SIZE, next.capacity()));
            next = ByteBuffer.allocateDirect(size).put(next.flip());
        }
        return next;
    }

    /** Adds the bytes from position to limit. */
    public void add(ByteBuffer bytes) {
        room(bytes.remaining()).put(bytes);
    }

    /** Hands the bytes to the link, if it is free. The handler is told of a failure, perhaps before this returns. */
    public void flush() {
        if (next.position() == 0 || link.sending()) {
            return;
        }
        ByteBuffer filled = next;
        next = flying.clear();
        flying = filled.flip();
        link.send(flying);
    }

    /** Whether anything is still to be sent. */
    public boolean isBusy() {
        return next.position() > 0 || link.sending();
    }

    /** Whether bytes added now have to wait for those being sent. */
    public boolean isFlying() {
        return link.sending();
    }

    /** Whether bytes wait, and all connections together hold more than they may. */
    public boolean isOverBudget() {
        return budget.isOver() && next.position() > FIRST_SIZE;
    }

    /** Bytes that wait for the link. */
    public int waiting() {
        return next.position();
    }
}
