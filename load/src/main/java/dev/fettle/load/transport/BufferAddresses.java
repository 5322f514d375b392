package dev.fettle.load.transport;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Memory addresses of direct buffers. Asking the JDK creates an object each time, so the last few are cached. */
final class BufferAddresses {

    private static final int MOST = 8;

    private ByteBuffer[] buffers = new ByteBuffer[0];
    private long[] addresses = new long[0];
    private int oldest;

    /** The address of the buffer's byte at position 0. */
    long of(ByteBuffer buffer) {
        for (int i = 0; i < buffers.length; i++) {
            if (buffers[i] == buffer) {
                return addresses[i];
            }
        }
        if (!buffer.isDirect()) {
            throw new IllegalArgumentException("only direct buffers can be sent");
        }
        int place = buffers.length;
        if (place < MOST) {
            buffers = Arrays.copyOf(buffers, place + 1);
            addresses = Arrays.copyOf(addresses, place + 1);
        } else {
            place = oldest;
            oldest = (oldest + 1) % MOST;
        }
        buffers[place] = buffer;
        addresses[place] = MemorySegment.ofBuffer(buffer).address() - buffer.position();
        return addresses[place];
    }
}
