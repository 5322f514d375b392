package dev.fettle.lab.port;

import dev.fettle.model.text.OptionalFigure;
import java.io.IOException;
import java.util.Map;
import java.util.Set;

/** The knobs that a target takes while it runs. */
public interface LiveSettings {
    /** The knobs that can be set. */
    Set<String> live();

    /** The values in force of all knobs that have one, canonical except for sizes. */
    Map<String, String> values() throws IOException;

    /**
     * Sets a value.
     *
     * @param value canonical, or as {@link #values} has it
     * @throws IOException if the target refuses it, with its reason
     */
    void set(String knob, String value) throws IOException;

    /** Worker threads in the pool, busy or idle; empty where it has none, or they are virtual. */
    OptionalFigure workers() throws IOException;
}
