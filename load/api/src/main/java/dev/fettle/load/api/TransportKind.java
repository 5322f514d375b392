package dev.fettle.load.api;

/** The kernel interface that moves the bytes. */
public enum TransportKind {
    /** io_uring if it is available, else NIO; the notes of a run say which, and why. */
    AUTO,
    /** Readiness through epoll, by way of the JDK. */
    NIO,
    /** Completions through io_uring (Linux), by way of the foreign-function API. */
    IO_URING
}
