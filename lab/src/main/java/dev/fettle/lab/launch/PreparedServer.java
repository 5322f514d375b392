package dev.fettle.lab.launch;

import dev.fettle.lab.machine.Folders;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A private copy of a server's configuration, and the command that starts it.
 *
 * @param command an argument list
 * @param environment variables that the user's own start script exports
 * @param facts for the evidence
 * @param notes what was left out or does nothing, a line each
 * @param log where the server says what it deployed
 * @param scratch folders that go when the trial ends
 */
record PreparedServer(
        List<String> command,
        Map<String, String> environment,
        Map<String, String> facts,
        List<String> notes,
        DeployLog log,
        List<Path> scratch) {
    PreparedServer {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
        facts = Map.copyOf(facts);
        notes = List.copyOf(notes);
        scratch = List.copyOf(scratch);
    }

    /** Deletes what need not be kept. */
    void clear() throws IOException {
        for (Path folder : scratch) {
            Folders.delete(folder);
        }
    }
}
