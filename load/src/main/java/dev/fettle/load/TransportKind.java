package dev.fettle.load;

/** Which of the kernel's interfaces moves the bytes. */
public enum TransportKind {
    /** io_uring where it is to be had, else NIO; {@link LoadRun#notes()} says which, and why. */
    AUTO,
    /** Readiness by epoll, through the JDK. */
    NIO,
    /** Completions by io_uring (Linux), through the foreign-function API. */
    IO_URING
}
