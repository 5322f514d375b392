package dev.fettle.load.os;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/** Pins the calling thread to one CPU: {@code sched_setaffinity(2)} through the foreign-function API. Linux only. */
public final class CpuPin {

    /** Highest CPU number: that of glibc's {@code cpu_set_t}. */
    public static final int MAX_CPU = 1023;

    private static final long CALLING_THREAD = 0;

    private CpuPin() {}

    /** Pins; returns why that did not work, or empty if it did. */
    public static Optional<String> pinTo(int cpu) {
        try (Arena arena = Arena.ofConfined()) {
            Optional<MethodHandle> function = Native.find("sched_setaffinity");
            if (function.isEmpty()) {
                return Optional.of("this system has no sched_setaffinity");
            }
            MethodHandle call = function.get();
            MemorySegment state = Native.state();
            long size = (MAX_CPU + 1) / Byte.SIZE;
            MemorySegment mask = arena.allocate(size, Long.BYTES);
            mask.set(JAVA_BYTE, cpu / Byte.SIZE, (byte) (1 << cpu % Byte.SIZE));
            long result = (long) call.invokeExact(state, CALLING_THREAD, size, mask.address(), 0L, 0L, 0L, 0L);
            return (int) result == 0 ? Optional.empty() : Optional.of("errno " + Native.errno(state));
        } catch (Throwable e) {
            // an unpinned run is worth more than none, whatever the reason
            return Optional.of(e.toString());
        }
    }
}
