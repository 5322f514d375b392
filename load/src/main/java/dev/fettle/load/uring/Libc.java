package dev.fettle.load.uring;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Functions of libc. Failures come as negative {@link Errno} numbers. An object belongs to one thread at a time: it holds the
 * place where the linker leaves {@code errno}.
 */
@SuppressWarnings("restricted") // the point of this class; without native access the engine uses NIO
final class Libc implements Syscalls {

    private static final int MAX_MESSAGE = 256;

    private static final MethodHandle STRERROR = function("strerror", FunctionDescriptor.of(ADDRESS, JAVA_INT));
    private static final MethodHandle SETUP = function(
            "syscall",
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS),
            errno(),
            Linker.Option.firstVariadicArg(1));
    private static final MethodHandle ENTER = function(
            "syscall",
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_LONG),
            errno(),
            Linker.Option.firstVariadicArg(1));
    private static final MethodHandle REGISTER = function(
            "syscall",
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT),
            errno(),
            Linker.Option.firstVariadicArg(1));
    private static final MethodHandle MMAP = function(
            "mmap",
            FunctionDescriptor.of(JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_LONG),
            errno());
    private static final MethodHandle MUNMAP =
            function("munmap", FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG), errno());
    private static final MethodHandle CLOSE = function("close", FunctionDescriptor.of(JAVA_INT, JAVA_INT), errno());
    private static final MethodHandle SOCKET =
            function("socket", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT), errno());
    private static final MethodHandle SETSOCKOPT = function(
            "setsockopt", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT), errno());
    private static final MethodHandle BIND =
            function("bind", FunctionDescriptor.of(JAVA_INT, JAVA_INT, ADDRESS, JAVA_INT), errno());
    private static final MethodHandle SHUTDOWN =
            function("shutdown", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT), errno());
    private static final MethodHandle EVENTFD =
            function("eventfd", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT), errno());
    private static final MethodHandle WRITE =
            function("write", FunctionDescriptor.of(JAVA_LONG, JAVA_INT, ADDRESS, JAVA_LONG), errno());
    private static final MethodHandle PRCTL = function(
            "prctl", FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_LONG), errno(), Linker.Option.firstVariadicArg(1));

    /** Of an automatic arena: one that can be closed would be locked and unlocked for each call. */
    private final MemorySegment state = Arena.ofAuto().allocate(Linker.Option.captureStateLayout());

    private static Linker.Option errno() {
        return Linker.Option.captureCallState("errno");
    }

    private static MethodHandle function(String name, FunctionDescriptor type, Linker.Option... options) {
        Linker linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().findOrThrow(name), type, options);
    }

    /** Captured errno is the only field of the layout on Linux. */
    private long resultOf(long result) {
        return result == -1 ? -state.get(JAVA_INT, 0) : result;
    }

    @Override
    public int setup(int entries, MemorySegment params) {
        try {
            return (int) resultOf((long) SETUP.invokeExact(state, Abi.SYS_IO_URING_SETUP, entries, params));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    @Override
    public int enter(int ring, int toSubmit, int minComplete, int flags, MemorySegment arg, long argSize) {
        try {
            return (int) resultOf((long)
                    ENTER.invokeExact(state, Abi.SYS_IO_URING_ENTER, ring, toSubmit, minComplete, flags, arg, argSize));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    @Override
    public int register(int ring, int operation, MemorySegment arg, int count) {
        try {
            return (int) resultOf(
                    (long) REGISTER.invokeExact(state, Abi.SYS_IO_URING_REGISTER, ring, operation, arg, count));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** Maps {@code size} bytes, of a descriptor or, with -1, of zeroes; gives the address. */
    long mmap(long size, int descriptor, long offset) {
        int readAndWrite = 1 | 2; // PROT_READ, PROT_WRITE
        // MAP_SHARED and MAP_POPULATE; MAP_PRIVATE and MAP_ANONYMOUS
        int flags = descriptor >= 0 ? 1 | 0x8000 : 2 | 0x20;
        try {
            return resultOf((long) MMAP.invokeExact(state, 0L, size, readAndWrite, flags, descriptor, offset));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    int munmap(long address, long size) {
        try {
            return (int) resultOf((int) MUNMAP.invokeExact(state, address, size));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    int close(int descriptor) {
        try {
            return (int) resultOf((int) CLOSE.invokeExact(state, descriptor));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    int socket(int family, int type) {
        try {
            return (int) resultOf((int) SOCKET.invokeExact(state, family, type, 0));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    int setsockopt(int socket, int level, int option, MemorySegment value) {
        try {
            return (int)
                    resultOf((int) SETSOCKOPT.invokeExact(state, socket, level, option, value, (int) value.byteSize()));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    int bind(int socket, MemorySegment address) {
        try {
            return (int) resultOf((int) BIND.invokeExact(state, socket, address, (int) address.byteSize()));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    int shutdown(int socket, int how) {
        try {
            return (int) resultOf((int) SHUTDOWN.invokeExact(state, socket, how));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    int eventfd(int flags) {
        try {
            return (int) resultOf((int) EVENTFD.invokeExact(state, 0, flags));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    long write(int descriptor, MemorySegment bytes) {
        try {
            return resultOf((long) WRITE.invokeExact(state, descriptor, bytes, bytes.byteSize()));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    int prctl(int option, long argument) {
        try {
            return (int) resultOf((int) PRCTL.invokeExact(state, option, argument));
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    static String strerror(int errno) {
        try {
            MemorySegment text = (MemorySegment) STRERROR.invokeExact(errno);
            return text.reinterpret(MAX_MESSAGE).getString(0);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** A mapping as memory of the arena, unmapped when it closes. */
    static MemorySegment memory(long address, long size, Arena arena) {
        return MemorySegment.ofAddress(address).reinterpret(size, arena, mapped -> new Libc().munmap(address, size));
    }

    /** A downcall throws nothing by itself. */
    private static AssertionError impossible(Throwable e) {
        return new AssertionError("a downcall failed", e);
    }
}
