package dev.fettle.servers.launch;

import dev.fettle.agent.Knob;
import dev.fettle.agent.Pool;
import dev.fettle.servers.settings.LaunchFailure;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A running server, seen the same way for every kind. */
public interface EmbeddedServer {

    String version();

    /** The bound port. */
    int port();

    /**
     * Common knob names and the values read from the live server; null if the server has the knob but it is not in
     * effect, for instance an admission limit that was not configured.
     */
    Map<String, @Nullable Object> effective();

    /** Names of the knobs that {@link #set} accepts now. */
    Set<String> live();

    /** What its workers are doing now; without a worker pool, requests in flight count as busy. */
    Pool pool();

    /** Changes a live knob; a {@link LaunchFailure} says why it can't. */
    void set(Knob knob, long value) throws LaunchFailure;

    /** Stops taking new connections; requests in flight continue. */
    void quiesce();

    void stop() throws Exception;
}
