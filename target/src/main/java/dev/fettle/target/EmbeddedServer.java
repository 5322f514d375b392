package dev.fettle.target;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A running server, seen the same way whichever it is. */
interface EmbeddedServer {

    /** A count the server does not have, or not in this mode. */
    long UNKNOWN = -1;

    /**
     * The worker pool and the connections now; {@link #UNKNOWN} where there is no such thing.
     *
     * @param busy worker threads executing a request
     * @param workers worker threads in the pool, busy or idle
     * @param queued tasks that wait for a worker
     * @param connections open connections
     */
    record Pool(long busy, long workers, long queued, long connections) {}

    String version();

    /** The port that is bound. */
    int port();

    /**
     * Common knob names and the values read from the live server; null where the knob exists and is not in force, for
     * instance an admission limit that was not asked for.
     */
    Map<String, @Nullable Object> effective();

    /** Names of the knobs that {@link #set} accepts now. */
    Set<String> live();

    Pool pool();

    /** Changes a live knob; a {@link LaunchFailure} says why not. */
    void set(Knob knob, int value) throws LaunchFailure;

    /** Takes no new connections; requests under way go on. */
    void quiesce();

    void stop() throws Exception;
}
