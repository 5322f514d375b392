package dev.fettle.agent;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A running server and one of its connectors, seen the same way for every kind of server. */
public interface ServerReader {

    /** Its name in the table of knobs: {@code tomcat}. */
    String server();

    /** Name and version according to the server itself. */
    String version();

    /** The bound port; 0 or less while there is none. */
    int port();

    /**
     * Common knob names and the values in effect. Null if the server has the knob but it is not in effect (for instance
     * an admission limit that was not configured), or it can't be read.
     */
    Map<String, @Nullable Object> effective();

    /** What its workers are doing now. */
    Pool pool();

    /** Names of the knobs that {@link #set} can change while the server runs. */
    Set<String> live();

    /**
     * Changes one of them.
     *
     * @return false if the server refuses; otherwise {@link #effective} tells what came of it
     */
    boolean set(Knob knob, long value);
}
