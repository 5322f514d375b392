package dev.fettle.agent;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A running server with the connector that is asked about, seen the same way whichever it is. */
public interface ServerReader {

    /** {@code tomcat}, {@code jetty} or {@code undertow}. */
    String server();

    /** Name and version as the server itself says them. */
    String version();

    /** The port that is bound; 0 or less while none is. */
    int port();

    /**
     * Common knob names and the values in force; null where the knob exists and is not in force, for instance an admission
     * limit that was not asked for, or can't be read.
     */
    Map<String, @Nullable Object> effective();

    /** What its workers do now. */
    Pool pool();
}
