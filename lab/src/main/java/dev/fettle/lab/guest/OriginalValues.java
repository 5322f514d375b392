package dev.fettle.lab.guest;

import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.Workspace;
import java.io.IOException;
import java.io.Reader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
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

    private final Path file;

    /** @param folder of the process, see {@link #folder} */
    OriginalValues(Path folder) {
        this.file = folder.resolve("originals.properties");
    }

    /**
     * The folder of a process; named by pid and start time, so that a later process with the same pid gets another one.
     */
    static Path folder(Workspace workspace, long pid, long started) {
        return workspace.folder().resolve("processes").resolve(pid + "-" + started);
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
        kept.values()
                .forEach((knob, value) ->
                        text.append(knob).append('=').append(value).append('\n'));
        Path unfinished = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.createDirectories(file.getParent());
            try (var out = FileChannel.open(
                    unfinished,
                    StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING,
                    StandardOpenOption.WRITE)) {
                ByteBuffer bytes = StandardCharsets.UTF_8.encode(text.toString());
                while (bytes.hasRemaining()) {
                    out.write(bytes);
                }
                out.force(true);
            }
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
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
        var properties = new Properties();
        try (Reader in = Files.newBufferedReader(file)) {
            properties.load(in);
            var values = new TreeMap<String, String>();
            properties.stringPropertyNames().forEach(n -> values.put(n, properties.getProperty(n)));
            String port = values.remove(PORT);
            return Optional.of(new Kept(Integer.parseInt(port == null ? "" : port), values));
        } catch (IOException | IllegalArgumentException e) {
            throw new LabException("cannot read " + file + ": " + e.getMessage(), e);
        }
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
