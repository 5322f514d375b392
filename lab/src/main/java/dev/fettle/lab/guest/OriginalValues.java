package dev.fettle.lab.guest;

import dev.fettle.lab.machine.Folders;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.Workspace;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;

/**
 * The values that a process's live knobs had before Fettle changed them. The file is on disk before the first change
 * and deleted when all are restored; after a crash it tells the next Fettle what to put back.
 */
final class OriginalValues {
    private static final String PORT = "port";
    private static final String KERNEL = "kernel";

    private final Path file;
    private final String here;

    /** @param folder of the process, see {@link #folder} */
    OriginalValues(Path folder) {
        this(folder, here());
    }

    /** @param here see {@link #here} */
    OriginalValues(Path folder, String here) {
        this.file = folder.resolve("originals.properties");
        this.here = here;
    }

    /** Within which a process's id means that process: this boot of this machine, and the namespace of its ids. */
    private static String here() {
        try {
            return Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip() + " "
                    + Files.readSymbolicLink(Path.of("/proc/self/ns/pid"));
        } catch (IOException e) {
            return "";
        }
    }

    /**
     * The folder of a process; named by pid and start time, so that a later process with the same pid gets another one.
     */
    static Path folder(Workspace workspace, long pid, long started) throws LabException {
        return workspace.part("processes").resolve(pid + "-" + started);
    }

    /**
     * The recorded values.
     *
     * @param port the server's port
     * @param values by common knob name, canonical
     */
    record Kept(int port, Map<String, String> values) {}

    /** Writes the values; they are on disk when this returns. */
    void keep(Kept kept) throws LabException {
        var text = new StringBuilder("# Before Fettle set others. The next run in this workspace puts them back.\n");
        text.append(PORT).append('=').append(kept.port()).append('\n');
        text.append(KERNEL).append('=').append(here).append('\n');
        kept.values()
                .forEach((knob, value) ->
                        text.append(knob).append('=').append(value).append('\n'));
        try {
            Folders.make(file.getParent());
            Folders.replace(file, text.toString().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new LabException(
                    "cannot write down the values to put back, so none is set: " + file + ": " + e.getMessage(), e);
        }
    }

    /** What has yet to be restored; empty if nothing. */
    Optional<Kept> read() throws LabException {
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        Map<String, String> values = all();
        String port = values.remove(PORT);
        values.remove(KERNEL);
        try {
            return Optional.of(new Kept(Integer.parseInt(port == null ? "" : port), values));
        } catch (NumberFormatException e) {
            throw new LabException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    /** Whether the process is another machine's, or another container's: one of this id here is another one, and so is none. */
    boolean isElsewhere() throws LabException {
        if (!Files.exists(file)) {
            return false;
        }
        String there = all().getOrDefault(KERNEL, ""); // an older Fettle did not say
        return !there.isEmpty() && !here.isEmpty() && !there.equals(here);
    }

    private Map<String, String> all() throws LabException {
        var properties = new Properties();
        try (Reader in = Files.newBufferedReader(file)) {
            properties.load(in);
        } catch (IOException | IllegalArgumentException e) {
            throw new LabException("cannot read " + file + ": " + e.getMessage(), e);
        }
        var values = new TreeMap<String, String>();
        properties.stringPropertyNames().forEach(n -> values.put(n, properties.getProperty(n)));
        return values;
    }

    /** Deletes the file once all values are restored. */
    void delete() throws LabException {
        try {
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new LabException("cannot delete " + file + ": " + e.getMessage(), e);
        }
    }

    @Override
    public String toString() {
        return file.toString();
    }
}
