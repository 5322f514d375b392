package dev.fettle.load;

import java.io.IOException;
import java.io.UncheckedIOException;

/** Starts loads. */
public final class LoadEngine {

    private LoadEngine() {}

    /**
     * Starts a load and returns at once. A server which does not answer is no error here: it shows in the windows.
     *
     * @throws UncheckedIOException if this host cannot give what the engine needs, for example file descriptors
     */
    public static LoadRun start(LoadSpec spec) {
        try {
            return EngineRun.start(spec);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start the load engine: " + e.getMessage(), e);
        }
    }
}
