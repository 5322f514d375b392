package dev.fettle.load;

import java.time.Duration;
import java.util.List;

/** A load under way. Safe to use from several threads. It stops by itself at its bounds; {@link #close()} stops it sooner. */
public interface LoadRun extends AutoCloseable {

    /**
     * Everything since the previous call, or since the start. Does not disturb the engine threads: each one hands over its
     * records between two batches. Waits for that, usually well under a millisecond. After the end: what was left, then
     * empty windows.
     */
    Window takeWindow();

    /** Whether all engine threads have ended. */
    boolean isDone();

    /**
     * Waits for the end.
     *
     * @param max how long at most
     * @return whether it has ended
     */
    boolean awaitDone(Duration max) throws InterruptedException;

    /**
     * Moves the end of the load: it is so long from now, instead of {@link LoadSpec#maxDuration()} after the start. An end that
     * is sooner already stays. What was begun by then is waited for as ever. Pauses do not count: in one, the time begins when
     * the load goes on; but a time of zero ends a load that pauses.
     */
    void endIn(Duration time);

    /**
     * Pauses the load: no request is begun, no step or iteration of a scenario, and no connection is opened ahead. Returns at
     * once; the engine threads take notice between two batches, usually within a millisecond, and {@link #awaitQuiet} says when
     * nothing is under way any more. What is under way goes on: it is answered, sent again on another connection where its server
     * closed in order before it looked at it, or fails, by its time-out too, and is recorded as ever. Connections stay open. One
     * that the server closes meanwhile is no error and is opened again when it is needed; a server that gives up idle connections
     * in just the moment in which the load goes on can still lose a request, as it can without pauses. Who thinks thinks on, but
     * sends only after the pause.
     *
     * <p>The load's time stands still: {@link LoadSpec#maxDuration()}, {@link #endIn} and the schedule of an open load count only
     * the time in which it does not pause. So what is due after the pause is put off by it: there is no burst, and no latency has
     * the pause in it. What was due before and still waited for a connection goes on waiting after the pause; its latency counts
     * the time that it waited before and after. It is not sent first, because that could take for ever where an open load is more
     * than the server can take, and it is not dropped, because a load that never paused would send it, too.
     *
     * <p>The load does not end while it pauses, unless its count is used up: the caller must resume or close it. Pausing a load
     * that pauses or is over does nothing.
     */
    void pause();

    /** Goes on after {@link #pause()}; a load that does not pause is left alone. Returns at once. */
    void resume();

    /**
     * Waits until nothing is under way in a pause: no request, and no attempt to connect. All that was has then been recorded, and
     * no further request reaches the server until {@link #resume()}.
     *
     * @param max how long at most; an answer that hangs takes as long as its time-out
     * @return whether it is so, or the load has ended; false also if the load does not pause, or another thread resumes it
     */
    boolean awaitQuiet(Duration max) throws InterruptedException;

    /** Connections established right now, to be held against {@link LoadSpec#connections()}. */
    int connectionsOpen();

    /** What the user should know about how the run was set up, for example that pinning failed. One line each. */
    List<String> notes();

    /**
     * Stops at once, without draining; closes all sockets; ends the threads. Answers still under way are counted as
     * {@link Window#abandoned()}. Returns within a few seconds. A further call does nothing.
     */
    @Override
    void close();
}
