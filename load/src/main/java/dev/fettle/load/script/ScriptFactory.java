package dev.fettle.load.script;

/** Makes the scripts of a load's clients. Engine threads call it side by side, so it keeps no state between calls. */
public interface ScriptFactory {

    /** How many steps are told apart in the results, at least 1. */
    int stepCount();

    /**
     * A new script.
     *
     * @param client whose it is: 0 to the number of clients, exclusive, over all engine threads
     */
    Script script(int client);
}
