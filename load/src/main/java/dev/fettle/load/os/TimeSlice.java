package dev.fettle.load.os;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Map;
import java.util.Optional;

/**
 * Asks the kernel for short time slices for the calling thread, so that it gets its CPU back at once when a request is
 * due, even from a compiler thread in the middle of a slice of some milliseconds. Its share of the CPU stays the same:
 * this is the latency hint of Linux 6.12 and newer ({@code sched_runtime} of {@code sched_setattr(2)} for a normal
 * thread), which needs no privilege. Older kernels ignore it.
 */
public final class TimeSlice {

    /** The shortest slice that the kernel accepts. */
    private static final long NANOS = 100_000;

    /** System call numbers of {@code sched_setattr}; {@code sched_getattr} is the next one. */
    private static final Map<String, Long> SET = Map.of("amd64", 314L, "aarch64", 274L);

    private static final long CALLING_THREAD = 0;
    /** Size of the first version of {@code struct sched_attr}, followed by the offset of the slice in it. */
    private static final int SIZE = 48;

    private static final int SLICE = 24;

    private TimeSlice() {}

    /** Asks for short slices; returns whether the kernel has accepted. */
    public static boolean shorten() {
        Long number = SET.get(System.getProperty("os.arch"));
        Optional<MethodHandle> syscall = Native.find("syscall");
        if (number == null
                || syscall.isEmpty()
                || !System.getProperty("os.name").equals("Linux")) {
            return false;
        }
        long set = number;
        MethodHandle call = syscall.get();
        MemorySegment errno = Native.state();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment attributes = arena.allocate(SIZE, Long.BYTES);
            // everything else, above all its niceness, stays as it is
            long at = attributes.address();
            if ((long) call.invokeExact(errno, set + 1, CALLING_THREAD, at, (long) SIZE, 0L, 0L, 0L) != 0) {
                return false;
            }
            attributes.set(JAVA_INT, 0, SIZE);
            attributes.set(JAVA_LONG, SLICE, NANOS);
            return (long) call.invokeExact(errno, set, CALLING_THREAD, at, 0L, 0L, 0L, 0L) == 0;
        } catch (Throwable e) {
            return false; // without it all works, with a larger send lag on a busy CPU
        }
    }
}
