package dev.fettle.load.script;

import dev.fettle.load.bytes.Budget;

/** Makes the scripts of a load's clients. Engine threads call it concurrently, so it keeps no state between calls. */
public interface ScriptFactory {

    /** Number of steps recorded separately, at least 1. */
    int stepCount();

    /**
     * A new script.
     *
     * @param client its client's number: 0 to the number of clients, exclusive, over all engine threads
     * @param budget of its thread, for what the server makes it hold
     */
    Script script(int client, Budget budget);
}
