package dev.fettle.lab.launch;

import dev.fettle.lab.machine.Folders;
import dev.fettle.lab.process.GivenSecrets;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A private copy of a server's configuration, and the command that starts it.
 *
 * @param command as an argument list
 * @param properties what it reads from a file that the command names, {@code name=value}; passwords may be among it
 * @param environment variables exported by the user's own start script
 * @param facts for the evidence
 * @param notes what was left out or has no effect, one line each
 * @param log where the server logs what it deployed
 * @param scratch folders to delete when the trial ends
 */
record PreparedServer(
        List<String> command,
        List<String> properties,
        Map<String, String> environment,
        Map<String, String> facts,
        List<String> notes,
        DeployLog log,
        List<Path> scratch) {
    PreparedServer {
        command = List.copyOf(command);
        properties = List.copyOf(properties);
        environment = Map.copyOf(environment);
        facts = Map.copyOf(facts);
        notes = List.copyOf(notes);
        scratch = List.copyOf(scratch);
    }

    /** What masks the secrets that it is given. */
    GivenSecrets secrets() {
        var told = new ArrayList<>(command);
        told.addAll(properties);
        return GivenSecrets.of(told, environment);
    }

    /** Deletes the scratch folders. */
    void clear() throws IOException {
        for (Path folder : scratch) {
            Folders.delete(folder);
        }
    }
}
