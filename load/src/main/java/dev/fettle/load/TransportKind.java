package dev.fettle.load;

/** Which of the kernel's interfaces moves the bytes. */
public enum TransportKind {
    /** The better of the two for the load, as measured; {@link LoadRun#notes()} says when the better one is not to be had. */
    AUTO,
    /** Readiness by epoll, through the JDK. */
    NIO,
    /** Completions by io_uring (Linux), through the foreign-function API. */
    IO_URING
}
