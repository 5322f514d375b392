package dev.fettle.insight.waits;

import java.util.Locale;

/** What a thread does, by its stack. */
public enum Wait {
    /** Waits for its next task, for events or connections: it holds nothing. */
    IDLE,
    /** The same, but kept by a server's pool for a purpose of its own. */
    RESERVED,
    /** An acceptor that takes no connection, because the server has as many as it may have. */
    LIMIT,
    /** Runs, or is ready to run. */
    RUN,
    /** Waits for a lock that another thread holds. */
    LOCK,
    /** Waits for a connection of a pool. */
    POOL,
    /** Waits for a connection of a client's own pool. */
    ROUTE,
    /** Waits for a permit. */
    PERMIT,
    /** Waits for another thread's result. */
    FUTURE,
    /** Waits for something to be put into a queue. */
    QUEUE,
    /** Waits for room in a queue. */
    FULL_QUEUE,
    /** Waits for a signal of another thread. */
    SIGNAL,
    /** Waits for the log. */
    LOG,
    /** Sleeps for a time that the code chose. */
    SLEEP,
    /** Waits for another machine or process. */
    REMOTE,
    /** Reads from or writes to its own client. */
    CLIENT,
    /** Looks up a name. */
    LOOKUP,
    /** Reads or writes a file. */
    FILE,
    /** Waits for another process to end. */
    PROCESS,
    /** Waits for another thread that computes the same entry of a cache. */
    LOAD,
    /** Waits for the JVM to end. */
    EXIT,
    /** Waits for direct memory. */
    MEMORY,
    /** Runs a statement of a database. */
    QUERY,
    /** Checks whether a connection of a pool still works. */
    VALIDATES,
    /** Waits for something of no known kind. */
    OTHER;

    /** Whether it works on something. */
    boolean busy() {
        return this != IDLE && this != RESERVED && this != LIMIT;
    }

    /** Whether another thread has to do something to end it. */
    boolean onAnother() {
        return switch (this) {
            case LOCK, POOL, ROUTE, PERMIT, FUTURE, QUEUE, FULL_QUEUE, SIGNAL, LOG, LOAD -> true;
            default -> false;
        };
    }

    /** Its name in tables of words: {@code full-queue}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
