package dev.fettle.lab;

import dev.fettle.model.ServerKind;
import dev.fettle.model.Setting;
import java.nio.file.Path;
import java.util.List;

/** The agent inside the JVM of a server that is not ours: it says which knob values are in force and what the workers do. */
final class ServerAgent {
    private final LabEnvironment env;

    ServerAgent(LabEnvironment env) {
        this.env = env;
    }

    /**
     * JVM flags that load it.
     *
     * @param folder the trial's, in which it leaves its control port
     */
    List<String> flags(Path folder) throws LabException {
        return List.of();
    }

    /** Completes what is known of a target that listens: effective values, versions, and a probe for its workers. */
    void describe(RunningTarget running, ServerKind server, Setting setting, Path folder) {
        running.notes.add("knob values of " + server.id() + " not read back from the running server");
    }
}
