package dev.fettle.load.transport.uring;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A ring, its receive buffers and its wake-up, with the memory of all three.
 *
 * @param arena of the memory shared with the kernel
 */
public record RingKit(Arena arena, Ring ring, BufferRing buffers, Wakeup wakeup) implements AutoCloseable {

    /** The number by which receives refer to the buffers. */
    public static final int BUFFER_GROUP = 0;

    private static final long TRY_NANOS = 1_000_000_000;

    /**
     * The sizes of the parts.
     *
     * @param submissions queued between two system calls, a power of two
     * @param completions that fit in the queue, a power of two
     * @param buffers to receive into, a power of two
     * @param bufferBytes of each
     */
    public record Sizes(int submissions, int completions, int buffers, int bufferBytes) {}

    /**
     * Opens all parts.
     *
     * @throws IOException if the kernel refuses; the message is a reason for the user
     */
    public static RingKit open(Sizes sizes) throws IOException {
        Libc libc = new Libc();
        return open(libc, libc, sizes);
    }

    static RingKit open(Syscalls kernel, Libc libc, Sizes sizes) throws IOException {
        Arena arena = Arena.ofShared();
        @Nullable Ring ring = null;
        try {
            ring = RingSetup.open(kernel, libc, arena, sizes.submissions(), sizes.completions());
            BufferRing buffers = new BufferRing(ring, arena, BUFFER_GROUP, sizes.buffers(), sizes.bufferBytes());
            return new RingKit(arena, ring, buffers, new Wakeup());
        } catch (IOException e) {
            if (ring != null) {
                ring.close();
            }
            arena.close();
            throw e;
        }
    }

    /** Opens a kit, runs an operation, and closes it; returns why that did not work, or empty if it did. */
    public static Optional<String> tryOut(Sizes sizes) {
        try {
            Libc libc = new Libc();
            return tryOut(libc, libc, sizes);
        } catch (LinkageError | RuntimeException e) {
            // this system lacks the functions, or native access is denied
            return Optional.of("libc cannot be called: " + e);
        }
    }

    static Optional<String> tryOut(Syscalls kernel, Libc libc, Sizes sizes) {
        try (RingKit kit = open(kernel, libc, sizes)) {
            kit.ring.enable();
            kit.wakeup.wake();
            kit.wakeup.arm(kit.ring, 1);
            kit.ring.submitAndWait(TRY_NANOS);
            return kit.ring.completions() == 1 && kit.ring.result(0) == Long.BYTES
                    ? Optional.empty()
                    : Optional.of("an operation did not complete");
        } catch (IOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        } catch (UncheckedIOException e) {
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    /** Releases everything. No outstanding operation may still read from or write to the memory. */
    @Override
    public void close() {
        wakeup.close();
        ring.close();
        arena.close();
    }
}
