package dev.fettle.servers;

import dev.fettle.agent.Knob;
import dev.fettle.agent.Pool;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A running server, seen the same way whichever it is. */
interface EmbeddedServer {

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

    /** What its workers do now; without a pool of workers, the requests under way count as busy. */
    Pool pool();

    /** Changes a live knob; a {@link LaunchFailure} says why not. */
    void set(Knob knob, int value) throws LaunchFailure;

    /** Takes no new connections; requests under way go on. */
    void quiesce();

    void stop() throws Exception;
}
