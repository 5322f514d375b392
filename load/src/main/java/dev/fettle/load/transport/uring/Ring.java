package dev.fettle.load.transport.uring;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;

/**
 * One io_uring: a queue of submissions and a queue of completions, shared with the kernel.
 *
 * <p>Any thread may open it; from {@link #enable} on it belongs to the thread that called that. Operations are only
 * queued; they reach the kernel with {@link #submitAndWait}, all in one system call and in order, or when the queue is
 * full. Failures that only a bug can cause are {@link UncheckedIOException}s. Completions stay in the queue, numbered
 * from 0 to {@link #completions}, until {@link #consumed}. Allocates nothing after it was opened.
 */
public final class Ring implements AutoCloseable {

    private static final VarHandle INT = JAVA_INT.varHandle();
    private static final long NANOS_PER_SECOND = 1_000_000_000L;
    /** For {@link Abi.Sqe#WHAT}: no completion if the operation succeeds. */
    private static final long QUIET = (long) Abi.SQE_CQE_SKIP_SUCCESS << 8;

    private static final int SEND_FLAGS = 0x100 | 0x4000; // MSG_WAITALL, MSG_NOSIGNAL: linux/socket.h

    private final Syscalls kernel;
    private final int descriptor;
    private final Libc libc;
    private final MemorySegment rings;
    private final MemorySegment sqes;
    private final MemorySegment timeout;
    private final long sqHeadAt;
    private final long sqTailAt;
    private final int sqMask;
    private final long cqHeadAt;
    private final long cqTailAt;
    private final long cqesAt;
    private final int cqMask;
    private final int waitFlags;
    private int sqTail;
    private int submitted;
    private int cqHead;
    private boolean closed;

    /**
     * Opens a ring.
     *
     * @param arena holds the ring's memory; to be closed after the ring
     * @param submissions how many can be queued between two system calls, a power of two
     * @param completions how many fit, a power of two; the kernel keeps more, at a cost
     * @throws IOException if the kernel refuses; the message is a reason for the user
     */
    static Ring open(Arena arena, int submissions, int completions) throws IOException {
        Libc libc = new Libc();
        return RingSetup.open(libc, libc, arena, submissions, completions);
    }

    Ring(RingSetup setup, Syscalls kernel, Libc libc) {
        this.kernel = kernel;
        this.libc = libc;
        descriptor = setup.descriptor();
        rings = setup.rings();
        sqes = setup.sqes();
        timeout = setup.timeout();
        MemorySegment params = setup.params();
        sqHeadAt = params.get(JAVA_INT, Abi.Params.SQ_HEAD);
        sqTailAt = params.get(JAVA_INT, Abi.Params.SQ_TAIL);
        sqMask = params.get(JAVA_INT, Abi.Params.SQ_ENTRIES) - 1;
        cqHeadAt = params.get(JAVA_INT, Abi.Params.CQ_HEAD);
        cqTailAt = params.get(JAVA_INT, Abi.Params.CQ_TAIL);
        cqesAt = params.get(JAVA_INT, Abi.Params.CQ_CQES);
        cqMask = params.get(JAVA_INT, Abi.Params.CQ_ENTRIES) - 1;
        boolean quietWait = (params.get(JAVA_INT, Abi.Params.FEATURES) & Abi.FEAT_NO_IOWAIT) != 0;
        // waiting for a server is idle time; the kernel would count it as waiting for a disk
        waitFlags = Abi.ENTER_GETEVENTS | Abi.ENTER_EXT_ARG | (quietWait ? Abi.ENTER_NO_IOWAIT : 0);
    }

    /** Starts using the ring, on the thread that alone will use it from now on. */
    public void enable() {
        int result = kernel.register(descriptor, Abi.REGISTER_ENABLE_RINGS, MemorySegment.NULL, 0);
        if (result < 0) {
            throw broken("io_uring cannot be enabled", result);
        }
    }

    /** Sets how much later than asked the kernel may wake the calling thread; its default is 50,000 ns. */
    public void timerSlack(long nanos) {
        // a refusal does no harm: waits are then slightly longer
        libc.prctl(29, nanos); // PR_SET_TIMERSLACK: linux/prctl.h
    }

    int register(int operation, MemorySegment arg, int count) {
        return kernel.register(descriptor, operation, arg, count);
    }

    /** Queues receiving into provided buffers, repeatedly until a completion comes without {@link #more}. */
    public void receive(int socket, int bufferGroup, long userData) {
        long what = Abi.OP_RECV
                | (long) Abi.SQE_BUFFER_SELECT << 8
                | (long) (Abi.RECV_MULTISHOT | Abi.RECVSEND_POLL_FIRST) << 16;
        put(what, socket, 0, 0, 0, userData, bufferGroup);
    }

    /** Queues sending all of the bytes, which must stay unchanged until the completion. */
    public void send(int socket, long address, int length, long userData) {
        put(Abi.OP_SEND, socket, 0, address, length | (long) SEND_FLAGS << 32, userData, 0);
    }

    /** Queues connecting. The socket must be blocking, or the connect would not be waited for. */
    public void connect(int socket, MemorySegment to, long userData) {
        put(Abi.OP_CONNECT, socket, to.byteSize(), to.address(), 0, userData, 0);
    }

    /** Queues reading, for example from an eventfd. */
    void read(int from, MemorySegment into, long userData) {
        put(Abi.OP_READ, from, 0, into.address(), into.byteSize(), userData, 0);
    }

    /** Queues cancelling what was queued with {@code target}; it still completes, with {@code -ECANCELED} or otherwise. */
    public void cancel(long target, long userData) {
        put(Abi.OP_ASYNC_CANCEL | QUIET, -1, 0, target, 0, userData, 0);
    }

    /** Queues closing. */
    public void closeDescriptor(int which, long userData) {
        put(Abi.OP_CLOSE | QUIET, which, 0, 0, 0, userData, 0);
    }

    private void put(long what, int fd, long off, long addr, long len, long userData, long bufferGroup) {
        if (sqTail - submitted > sqMask) {
            submit();
        }
        long at = (sqTail & sqMask) * Abi.Sqe.SIZE;
        sqes.set(JAVA_LONG, at + Abi.Sqe.WHAT, what | (long) fd << 32);
        sqes.set(JAVA_LONG, at + Abi.Sqe.OFF, off);
        sqes.set(JAVA_LONG, at + Abi.Sqe.ADDR, addr);
        sqes.set(JAVA_LONG, at + Abi.Sqe.LEN, len);
        sqes.set(JAVA_LONG, at + Abi.Sqe.USER_DATA, userData);
        sqes.set(JAVA_LONG, at + Abi.Sqe.BUF_GROUP, bufferGroup);
        sqTail++;
    }

    /**
     * Submits what is queued, and waits until there is a completion.
     *
     * @param maxNanos longest wait, 0 for none
     */
    public void submitAndWait(long maxNanos) {
        if (maxNanos <= 0) {
            submit();
            return;
        }
        timeout.set(JAVA_LONG, Abi.GetEvents.SIZE, maxNanos / NANOS_PER_SECOND);
        timeout.set(JAVA_LONG, Abi.GetEvents.SIZE + Long.BYTES, maxNanos % NANOS_PER_SECOND);
        enter(1, waitFlags, timeout, Abi.GetEvents.SIZE);
    }

    /** Submits what is queued. */
    public void submit() {
        // also gets events, which makes the kernel do what it has deferred
        enter(0, Abi.ENTER_GETEVENTS, MemorySegment.NULL, 0);
    }

    private void enter(int minComplete, int flags, MemorySegment arg, long argSize) {
        INT.setRelease(rings, sqTailAt, sqTail);
        int result = kernel.enter(descriptor, sqTail - submitted, minComplete, flags, arg, argSize);
        submitted = (int) INT.getAcquire(rings, sqHeadAt);
        if (result < 0
                && result != -Errno.ETIME
                && result != -Errno.EINTR
                && result != -Errno.EAGAIN
                && result != -Errno.EBUSY) {
            throw broken("io_uring_enter", result);
        }
        if (sqTail - submitted > sqMask) {
            throw broken("io_uring_enter", result);
        }
    }

    private static UncheckedIOException broken(String what, int result) {
        return new UncheckedIOException(new IOException(what + ": " + Errno.text(result)));
    }

    /** Number of completions available now. */
    public int completions() {
        return (int) INT.getAcquire(rings, cqTailAt) - cqHead;
    }

    /** The number given with the completed operation. */
    public long userData(int completion) {
        return rings.get(JAVA_LONG, cqe(completion) + Abi.Cqe.USER_DATA);
    }

    /** Gives a completion another number, so that it can be handled out of turn. */
    public void userData(int completion, long value) {
        rings.set(JAVA_LONG, cqe(completion) + Abi.Cqe.USER_DATA, value);
    }

    /** The result of the operation: a negative number is an {@link Errno}. */
    public int result(int completion) {
        return rings.get(JAVA_INT, cqe(completion) + Abi.Cqe.RES);
    }

    /** Flags of a completion, for {@link #more}, {@link #hasBuffer} and {@link #buffer}. */
    public int flags(int completion) {
        return rings.get(JAVA_INT, cqe(completion) + Abi.Cqe.FLAGS);
    }

    /** Whether the operation continues. */
    public static boolean more(int flags) {
        return (flags & Abi.CQE_MORE) != 0;
    }

    /** Whether a provided buffer was used. */
    public static boolean hasBuffer(int flags) {
        return (flags & Abi.CQE_BUFFER) != 0;
    }

    /** Which provided buffer was used. */
    public static int buffer(int flags) {
        return flags >>> Abi.CQE_BUFFER_SHIFT;
    }

    private long cqe(int completion) {
        return cqesAt + (cqHead + completion & cqMask) * Abi.Cqe.SIZE;
    }

    /** Returns the first completions to the kernel. */
    public void consumed(int count) {
        cqHead += count;
        INT.setRelease(rings, cqHeadAt, cqHead);
    }

    /** Closes the ring; outstanding operations are cancelled some time later. A second call does nothing. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            libc.close(descriptor);
        }
    }
}
