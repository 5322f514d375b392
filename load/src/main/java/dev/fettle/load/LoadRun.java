package dev.fettle.load;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A running load. Safe to use from several threads. It stops by itself at its limits; {@link #close()} stops it
 * earlier.
 */
public interface LoadRun extends AutoCloseable {

    /**
     * Lets a load that waits begin ({@link Part#waits}); does nothing to another. Its time counts from then.
     *
     * @param nanoTime when, by {@link System#nanoTime()}; one that has passed: at once
     */
    default void beginAt(long nanoTime) {}

    /**
     * Everything since the previous call, or since the start. Does not disturb the engine threads: each hands over its
     * records between two batches. Waits for that, usually well under a millisecond. After the end it returns what was
     * left, then empty windows.
     */
    Window takeWindow();

    /** Whether all engine threads have ended. */
    boolean isDone();

    /**
     * Waits for the end.
     *
     * @param max longest wait
     * @return whether it has ended
     */
    boolean awaitDone(Duration max) throws InterruptedException;

    /**
     * Moves the end of the load: it ends after this time from now, instead of {@link LoadSpec#maxDuration()} after the
     * start. An end that is already earlier stays. Requests in flight at the end are awaited as usual. Pauses do not
     * count: during one, the time starts when the load resumes; but a time of zero ends a paused load.
     */
    void endIn(Duration time);

    /**
     * Pauses the load: no request, step or iteration is started, and no connection is opened in advance. Returns at
     * once; the engine threads notice between two batches, usually within a millisecond, and {@link #awaitQuiet} tells
     * when nothing is in flight any more. Requests in flight continue: each is answered, or sent again on another
     * connection if its server closed in order before looking at it, or fails, possibly by time-out, and is recorded as
     * usual. Connections stay open. If the server closes one in the meantime, that is not an error; it is reopened when
     * needed. If the server gives up an idle connection at the very moment the load resumes, a request can still be
     * lost, as it can without pauses. Think times continue, but their clients send only after the pause.
     *
     * <p>The load's time stops: {@link LoadSpec#maxDuration()}, {@link #endIn} and the schedule of an open load
     * do not count the pause. So everything due after it moves back by the pause: there is no burst, and no latency
     * includes the pause. Requests that were due before and still waited for a connection continue to wait after the
     * pause; their latency counts the waiting before and after. They are not sent before the pause takes effect,
     * because that could take forever if an open load exceeds what the server can take; and they are not dropped,
     * because a load that never paused would send them, too.
     *
     * <p>The load does not end while it pauses, unless its count is used up: the caller must resume or close it. Pausing a load
     * that pauses or is over does nothing.
     */
    void pause();

    /** Continues after {@link #pause()}; does nothing if the load is not paused. Returns at once. */
    void resume();

    /**
     * Waits until nothing is in flight in a pause: no request, and no attempt to connect. By then everything has been
     * recorded, and no further request reaches the server until {@link #resume()}.
     *
     * @param max longest wait; a hanging answer takes as long as its time-out
     * @return whether nothing is in flight, or the load has ended; false also if the load is not paused, or another
     *     thread resumes it
     */
    boolean awaitQuiet(Duration max) throws InterruptedException;

    /** Connections established right now, to compare with {@link LoadSpec#connections()}. */
    int connectionsOpen();

    /** Why an engine thread has failed, and with it its part of the load; empty if none has. Never the server's fault. */
    Optional<String> failure();

    /** The processes that send it together, as they are now; empty where this one sends all of it. */
    default List<SenderState> senders() {
        return List.of();
    }

    /** What the user should know about how the run was set up, for example that pinning failed. One line each. */
    List<String> notes();

    /**
     * Stops at once, without draining; closes all sockets; ends the threads. Requests still in flight are counted as
     * {@link Window#abandoned()}. Returns within a few seconds. A second call does nothing.
     */
    @Override
    void close();
}
