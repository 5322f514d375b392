package dev.fettle.servers;

import java.util.List;
import java.util.Map;

/** What a server serves: a sample application, which each server shows its requests in its own way, or a WAR. */
sealed interface Content permits CountedApp, War {

    /** What the READY line says about it, such as calibrated work; may be empty. */
    Map<String, Object> facts();

    /** What of it the server leaves out, a line each. */
    List<String> notes();

    /** Requests that it executes now. */
    long inFlight();

    /** Requests that it has finished. */
    long finished();
}
