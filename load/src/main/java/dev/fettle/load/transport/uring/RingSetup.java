package dev.fettle.load.transport.uring;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteOrder;

/**
 * A ring's descriptor and memory.
 *
 * @param params as the kernel filled it in
 * @param rings both queues; one mapping since Linux 5.4
 * @param timeout a {@code struct io_uring_getevents_arg}, and after it the {@code __kernel_timespec} to which it points
 */
record RingSetup(int descriptor, MemorySegment params, MemorySegment rings, MemorySegment sqes, MemorySegment timeout) {

    private static final int COMMON =
            Abi.SETUP_CQSIZE | Abi.SETUP_CLAMP | Abi.SETUP_R_DISABLED | Abi.SETUP_SUBMIT_ALL | Abi.SETUP_SINGLE_ISSUER;

    /** Flags that make a ring fast, best first; a kernel refuses flags that it does not know: Linux 6.6, 6.1, 6.0. */
    private static final int[] FLAGS = {
        COMMON | Abi.SETUP_DEFER_TASKRUN | Abi.SETUP_NO_SQARRAY,
        COMMON | Abi.SETUP_DEFER_TASKRUN,
        COMMON | Abi.SETUP_COOP_TASKRUN
    };

    static Ring open(Syscalls kernel, Libc libc, Arena arena, int submissions, int completions) throws IOException {
        if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
            throw new IOException("only little-endian machines are supported");
        }
        MemorySegment params = Arena.ofAuto().allocate(Abi.Params.SIZE, Long.BYTES);
        int descriptor = -Errno.EINVAL;
        for (int i = 0; i < FLAGS.length && descriptor == -Errno.EINVAL; i++) {
            params.fill((byte) 0);
            params.set(JAVA_INT, Abi.Params.FLAGS, FLAGS[i]);
            params.set(JAVA_INT, Abi.Params.CQ_ENTRIES, completions);
            descriptor = kernel.setup(submissions, params);
        }
        if (descriptor < 0) {
            throw new IOException(refusal(-descriptor));
        }
        try {
            return new Ring(map(libc, arena, descriptor, params), kernel, libc);
        } catch (IOException e) {
            libc.close(descriptor);
            throw e;
        }
    }

    private static String refusal(int errno) {
        String why = "io_uring_setup: " + Errno.text(errno);
        return switch (errno) {
            case Errno.EPERM ->
                why + " (forbidden here: by the container's seccomp profile, or by sysctl kernel.io_uring_disabled)";
            case Errno.ENOSYS, Errno.EINVAL -> why + " (needs Linux 6.0 or newer)";
            default -> why;
        };
    }

    private static RingSetup map(Libc libc, Arena arena, int descriptor, MemorySegment params) throws IOException {
        int sqEntries = params.get(JAVA_INT, Abi.Params.SQ_ENTRIES);
        int cqEntries = params.get(JAVA_INT, Abi.Params.CQ_ENTRIES);
        boolean indirect = (params.get(JAVA_INT, Abi.Params.FLAGS) & Abi.SETUP_NO_SQARRAY) == 0;
        long array = params.get(JAVA_INT, Abi.Params.SQ_ARRAY);
        long cqEnd = params.get(JAVA_INT, Abi.Params.CQ_CQES) + cqEntries * Abi.Cqe.SIZE;
        long size = indirect ? Math.max(cqEnd, array + (long) sqEntries * Integer.BYTES) : cqEnd;
        MemorySegment rings = map(libc, arena, descriptor, size, Abi.OFF_RINGS);
        MemorySegment sqes = map(libc, arena, descriptor, sqEntries * Abi.Sqe.SIZE, Abi.OFF_SQES);
        for (int i = 0; indirect && i < sqEntries; i++) {
            rings.set(JAVA_INT, array + (long) i * Integer.BYTES, i);
        }
        MemorySegment timeout = Arena.ofAuto().allocate(Abi.GetEvents.SIZE + 2 * Long.BYTES, Long.BYTES);
        timeout.set(JAVA_LONG, Abi.GetEvents.TIMESPEC, timeout.address() + Abi.GetEvents.SIZE);
        return new RingSetup(descriptor, params, rings, sqes, timeout);
    }

    private static MemorySegment map(Libc libc, Arena arena, int descriptor, long size, long offset)
            throws IOException {
        long address = libc.mmap(size, descriptor, offset);
        if (address < 0) {
            throw new IOException("mmap of io_uring: " + Errno.text((int) address));
        }
        return Libc.memory(address, size, arena);
    }
}
