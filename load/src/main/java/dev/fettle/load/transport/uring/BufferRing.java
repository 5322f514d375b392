package dev.fettle.load.transport.uring;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Buffers from which the kernel takes one when bytes have arrived, so that idle connections hold none. They are used in
 * turn; a returned buffer is visible to the kernel after the next {@link #publish}.
 */
public final class BufferRing {

    private static final VarHandle SHORT = JAVA_SHORT.varHandle();

    private final MemorySegment ring;
    private final long pool;
    private final ByteBuffer bytes;
    private final int size;
    private final int mask;
    private short tail;

    /**
     * Gives buffers to a ring.
     *
     * @param arena holds the memory; to be closed after the ring
     * @param group number by which operations refer to them
     * @param count a power of two, up to 32,768
     * @param size of each in bytes; all together up to 2 GiB
     */
    BufferRing(Ring owner, Arena arena, int group, int count, int size) throws IOException {
        if (Integer.bitCount(count) != 1 || count > 1 << 15 || (long) count * size > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(count + " buffers of " + size + " bytes");
        }
        this.size = size;
        this.mask = count - 1;
        ring = map(arena, count * Abi.Buf.SIZE);
        MemorySegment memory = map(arena, (long) count * size);
        pool = memory.address();
        bytes = memory.asByteBuffer().order(ByteOrder.LITTLE_ENDIAN);
        try (Arena brief = Arena.ofConfined()) {
            MemorySegment registration = brief.allocate(Abi.BufReg.SIZE, Long.BYTES);
            registration.set(JAVA_LONG, Abi.BufReg.ADDR, ring.address());
            registration.set(JAVA_INT, Abi.BufReg.ENTRIES, count);
            registration.set(JAVA_SHORT, Abi.BufReg.GROUP, (short) group);
            int result = owner.register(Abi.REGISTER_PBUF_RING, registration, 1);
            if (result < 0) {
                throw new IOException("io_uring takes no buffer ring: " + Errno.text(result));
            }
        }
        for (int i = 0; i < count; i++) {
            giveBack(i);
        }
        publish();
    }

    private static MemorySegment map(Arena arena, long size) throws IOException {
        long address = new Libc().mmap(size, -1, 0);
        if (address < 0) {
            throw new IOException("no memory for receive buffers: " + Errno.text((int) address));
        }
        return Libc.memory(address, size, arena);
    }

    /** The first bytes of a buffer. Always the same object, lent until the next call. */
    public ByteBuffer bytes(int buffer, int length) {
        int start = buffer * size;
        return bytes.limit(start + length).position(start);
    }

    /** Gives a buffer back. */
    public void giveBack(int buffer) {
        long at = (tail & mask) * Abi.Buf.SIZE;
        ring.set(JAVA_LONG, at + Abi.Buf.ADDR, pool + (long) buffer * size);
        ring.set(JAVA_INT, at + Abi.Buf.LEN, size);
        ring.set(JAVA_SHORT, at + Abi.Buf.ID, (short) buffer);
        tail++;
    }

    /** Makes returned buffers visible to the kernel. */
    public void publish() {
        SHORT.setRelease(ring, Abi.Buf.TAIL, tail);
    }
}
