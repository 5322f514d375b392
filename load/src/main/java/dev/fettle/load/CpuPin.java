package dev.fettle.load;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/** Pins the calling thread to one CPU: {@code sched_setaffinity(2)} through the foreign-function API. Linux only. */
final class CpuPin {

    /** Highest CPU number: that of glibc's {@code cpu_set_t}. */
    static final int MAX_CPU = 1023;

    private static final int CALLING_THREAD = 0;

    private CpuPin() {}

    /** Pins, and says why it did not work, or nothing when it did. */
    @SuppressWarnings("restricted") // the one native call there is; without it the run is unpinned, and says so
    static Optional<String> pinTo(int cpu) {
        Linker linker = Linker.nativeLinker();
        Optional<MemorySegment> function = linker.defaultLookup().find("sched_setaffinity");
        if (function.isEmpty()) {
            return Optional.of("this system has no sched_setaffinity");
        }
        Linker.Option errno = Linker.Option.captureCallState("errno");
        try (Arena arena = Arena.ofConfined()) {
            MethodHandle call = linker.downcallHandle(
                    function.get(), FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG, ADDRESS), errno);
            long size = (MAX_CPU + 1) / Byte.SIZE;
            MemorySegment mask = arena.allocate(size, Long.BYTES);
            mask.set(JAVA_BYTE, cpu / Byte.SIZE, (byte) (1 << cpu % Byte.SIZE));
            MemorySegment state = arena.allocate(Linker.Option.captureStateLayout());
            int result = (int) call.invokeExact(state, CALLING_THREAD, size, mask);
            return result == 0 ? Optional.empty() : Optional.of("errno " + state.get(JAVA_INT, 0));
        } catch (Throwable e) {
            // an unpinned run is worth more than none, whatever the reason
            return Optional.of(e.toString());
        }
    }
}
