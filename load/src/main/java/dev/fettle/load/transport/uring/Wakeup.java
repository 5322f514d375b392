package dev.fettle.load.transport.uring;

import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Ends a ring's wait from another thread: an eventfd, from which the ring reads. */
public final class Wakeup implements AutoCloseable {

    private static final int EFD_CLOEXEC = 0x80000;

    private final MemorySegment count = Arena.ofAuto().allocate(JAVA_LONG);
    private final MemorySegment one = Arena.ofAuto().allocateFrom(JAVA_LONG, 1);
    private final Libc libc = new Libc();
    private final int descriptor;
    private boolean closed;

    /** A wake-up; not armed yet. */
    Wakeup() throws IOException {
        descriptor = libc.eventfd(EFD_CLOEXEC);
        if (descriptor < 0) {
            throw new IOException("eventfd: " + Errno.text(descriptor));
        }
    }

    /** Queues a wait for the next {@link #wake}; must be repeated after each completion. */
    public void arm(Ring ring, long userData) {
        ring.read(descriptor, count, userData);
    }

    /** Completes the armed wait, or the next one. Callable from any thread; does nothing after {@link #close}. */
    public synchronized void wake() {
        if (!closed) {
            libc.write(descriptor, one);
        }
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            libc.close(descriptor);
        }
    }
}
