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
     * is sooner already stays. What was begun by then is waited for as ever.
     */
    void endIn(Duration time);

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
