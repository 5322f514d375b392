package dev.fettle.load.transport.uring;

import java.lang.foreign.MemorySegment;

/** The three system calls of io_uring. Each returns the kernel's result: a negative number is an {@link Errno}. */
interface Syscalls {

    int setup(int entries, MemorySegment params);

    int enter(int ring, int toSubmit, int minComplete, int flags, MemorySegment arg, long argSize);

    int register(int ring, int operation, MemorySegment arg, int count);
}
