package dev.fettle.load.transport.uring;

import dev.fettle.load.os.Native;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/**
 * Functions of libc. Failures come as negative {@link Errno} numbers. An object belongs to one thread at a time: it holds the
 * place where the linker leaves {@code errno}.
 */
@SuppressWarnings("restricted") // the point of this class; without native access the engine uses NIO
final class Libc implements Syscalls {

    private static final int MAX_MESSAGE = 256;

    private static final MethodHandle STRERROR = function("strerror");
    private static final MethodHandle SYSCALL = function("syscall");
    private static final MethodHandle MMAP = function("mmap");
    private static final MethodHandle MUNMAP = function("munmap");
    private static final MethodHandle CLOSE = function("close");
    private static final MethodHandle SOCKET = function("socket");
    private static final MethodHandle SETSOCKOPT = function("setsockopt");
    private static final MethodHandle BIND = function("bind");
    private static final MethodHandle SHUTDOWN = function("shutdown");
    private static final MethodHandle EVENTFD = function("eventfd");
    private static final MethodHandle WRITE = function("write");
    private static final MethodHandle PRCTL = function("prctl");

    private final MemorySegment state = Native.state();

    private static MethodHandle function(String name) {
        return Native.find(name).orElseThrow(() -> new UnsupportedOperationException("libc has no " + name));
    }

    private long wide(MethodHandle function, long a, long b, long c, long d, long e, long f, long g) {
        try {
            long result = (long) function.invokeExact(state, a, b, c, d, e, f, g);
            return result == -1 ? -Native.errno(state) : result;
        } catch (Throwable t) {
            throw impossible(t);
        }
    }

    /** The int result of a function. */
    private int call(MethodHandle function, long a, long b, long c, long d, long e) {
        try {
            int result = (int) (long) function.invokeExact(state, a, b, c, d, e, 0L, 0L);
            return result == -1 ? -Native.errno(state) : result;
        } catch (Throwable t) {
            throw impossible(t);
        }
    }

    @Override
    public int setup(int entries, MemorySegment params) {
        return (int) wide(SYSCALL, Abi.SYS_IO_URING_SETUP, entries, params.address(), 0, 0, 0, 0);
    }

    @Override
    public int enter(int ring, int toSubmit, int minComplete, int flags, MemorySegment arg, long argSize) {
        return (int) wide(SYSCALL, Abi.SYS_IO_URING_ENTER, ring, toSubmit, minComplete, flags, arg.address(), argSize);
    }

    @Override
    public int register(int ring, int operation, MemorySegment arg, int count) {
        return (int) wide(SYSCALL, Abi.SYS_IO_URING_REGISTER, ring, operation, arg.address(), count, 0, 0);
    }

    /** Maps {@code size} bytes, of a descriptor or, with -1, of zeroes; returns the address. */
    long mmap(long size, int descriptor, long offset) {
        int readAndWrite = 1 | 2; // PROT_READ, PROT_WRITE
        // MAP_SHARED and MAP_POPULATE; MAP_PRIVATE and MAP_ANONYMOUS
        int flags = descriptor >= 0 ? 1 | 0x8000 : 2 | 0x20;
        return wide(MMAP, 0, size, readAndWrite, flags, descriptor, offset, 0);
    }

    int munmap(long address, long size) {
        return call(MUNMAP, address, size, 0, 0, 0);
    }

    int close(int descriptor) {
        return call(CLOSE, descriptor, 0, 0, 0, 0);
    }

    int socket(int family, int type) {
        return call(SOCKET, family, type, 0, 0, 0);
    }

    int setsockopt(int socket, int level, int option, MemorySegment value) {
        return call(SETSOCKOPT, socket, level, option, value.address(), value.byteSize());
    }

    int bind(int socket, MemorySegment address) {
        return call(BIND, socket, address.address(), address.byteSize(), 0, 0);
    }

    int shutdown(int socket, int how) {
        return call(SHUTDOWN, socket, how, 0, 0, 0);
    }

    int eventfd(int flags) {
        return call(EVENTFD, 0, flags, 0, 0, 0);
    }

    long write(int descriptor, MemorySegment bytes) {
        return wide(WRITE, descriptor, bytes.address(), bytes.byteSize(), 0, 0, 0, 0);
    }

    int prctl(int option, long argument) {
        return call(PRCTL, option, argument, 0, 0, 0);
    }

    static String strerror(int errno) {
        try {
            long text = (long) STRERROR.invokeExact(Native.state(), (long) errno, 0L, 0L, 0L, 0L, 0L, 0L);
            return MemorySegment.ofAddress(text).reinterpret(MAX_MESSAGE).getString(0);
        } catch (Throwable e) {
            throw impossible(e);
        }
    }

    /** A mapping as memory of the arena, unmapped when it closes. */
    static MemorySegment memory(long address, long size, Arena arena) {
        return MemorySegment.ofAddress(address).reinterpret(size, arena, mapped -> new Libc().munmap(address, size));
    }

    /** Downcalls themselves throw nothing. */
    private static AssertionError impossible(Throwable e) {
        return new AssertionError("a downcall failed", e);
    }
}
