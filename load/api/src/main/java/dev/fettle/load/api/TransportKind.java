package dev.fettle.load;

/** The kernel interface that moves the bytes. */
public enum TransportKind {
    /** io_uring if it is available, else NIO; {@link LoadRun#notes()} says which, and why. */
    AUTO,
    /** Readiness through epoll, by way of the JDK. */
    NIO,
    /** Completions through io_uring (Linux), by way of the foreign-function API. */
    IO_URING
}
