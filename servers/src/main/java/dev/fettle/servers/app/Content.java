package dev.fettle.servers.app;

import java.util.List;
import java.util.Map;

/** What a server serves: a sample application, to which each server presents requests in its own way, or a WAR. */
public sealed interface Content permits CountedApp, War {

    /** What the READY line reports about it, such as calibrated work; may be empty. */
    Map<String, Object> facts();

    /** The parts of it that the server ignores, one line each. */
    List<String> notes();

    /** Requests it is executing now. */
    long inFlight();

    /** Requests it has finished. */
    long finished();
}
