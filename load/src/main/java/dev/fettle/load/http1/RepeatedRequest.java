package dev.fettle.load.http1;

import java.nio.ByteBuffer;

/**
 * The load's only request repeated many times, so that pipelining sends several at once.
 *
 * @param many the copies one after the other, from 0 to the capacity; its position and limit mean nothing
 * @param length of one copy, in bytes
 */
public record RepeatedRequest(ByteBuffer many, int length) {

    /** Maximum number of bytes written together. */
    private static final int WRITE_TOGETHER = 64 * 1024;

    /** @param inFlight maximum number sent at once */
    public static RepeatedRequest of(ByteBuffer request, int inFlight) {
        int length = request.remaining();
        int times = Math.clamp(WRITE_TOGETHER / length, 1, inFlight);
        ByteBuffer many = ByteBuffer.allocateDirect(times * length);
        for (int i = 0; i < times; i++) {
            many.put(request.duplicate());
        }
        return new RepeatedRequest(many, length);
    }
}
