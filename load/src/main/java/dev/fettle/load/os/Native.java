package dev.fettle.load.os;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Optional;

/**
 * Functions of libc, all called with one signature: seven longs in, a long out, {@code errno} captured. The JVM
 * generates code for each signature that it meets, which takes ten milliseconds or more at the start of a program; a
 * dozen of them took a third of the time to the first request. In the C ABIs of Linux (System V on x86-64, AAPCS64)
 * surplus arguments are ignored, a narrower integer or an address is passed in a register like a long, and the upper
 * half of a narrower result must be cut off.
 */
public final class Native {
    private static final FunctionDescriptor SHAPE = FunctionDescriptor.of(
            JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);

    private Native() {}

    /**
     * A function to call with {@code (long) f.invokeExact(state, a, b, c, d, e, f, g)}.
     *
     * @return empty if libc has no such function
     */
    @SuppressWarnings("restricted") // the point of this class; without native access Fettle goes without
    public static Optional<MethodHandle> find(String name) {
        Linker linker = Linker.nativeLinker();
        return linker.defaultLookup()
                .find(name)
                .map(f -> linker.downcallHandle(f, SHAPE, Linker.Option.captureCallState("errno")));
    }

    /**
     * Memory for {@code errno}. From an automatic arena: one that can be closed would be locked and unlocked for each
     * call.
     */
    public static MemorySegment state() {
        return Arena.ofAuto().allocate(Linker.Option.captureStateLayout());
    }

    /** The {@code errno} of the last call with this state; on Linux it is the layout's only field. */
    public static int errno(MemorySegment state) {
        return state.get(JAVA_INT, 0);
    }
}
