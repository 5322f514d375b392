package dev.fettle.lab.launch;

import dev.fettle.lab.machine.Folders;
import dev.fettle.lab.machine.LabException;
import dev.fettle.model.target.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * A WAR unpacked into a trial's folder, for an embedded server. Unpacking is done here, where no entry can escape the folder;
 * an already unpacked WAR is used in place.
 */
final class UnpackedWar implements AutoCloseable {
    private static final long MOST_BYTES = 2L << 30;
    private static final int MOST_FILES = 100_000;

    private final Target.War target;
    private final Path trial;

    private UnpackedWar(Target.War target, Path trial) {
        this.target = target;
        this.trial = trial;
    }

    /**
     * Unpacks it.
     *
     * @param trial the trial's folder
     * @throws LabException if it is not a WAR, is built for another Servlet API, or is unsafe to unpack
     */
    static UnpackedWar of(Target.War target, Path trial) throws LabException {
        Path original = Path.of(target.war());
        String server = target.server().id();
        WebApp.of(original)
                .requireJakarta("embedded " + server.substring(0, 1).toUpperCase(Locale.ROOT) + server.substring(1));
        var war = new UnpackedWar(target, trial);
        boolean done = false;
        try {
            Folders.make(war.scratch());
            if (!Files.isDirectory(original)) {
                Folders.make(war.unpacked());
                new Unzip(MOST_BYTES, MOST_FILES).into(original, war.unpacked());
            }
            done = true;
            return war;
        } catch (IOException e) {
            throw new LabException("cannot unpack " + original + " into " + trial + ": " + e.getMessage(), e);
        } finally {
            if (!done) {
                war.close();
            }
        }
    }

    private Path unpacked() {
        return trial.resolve("webapp");
    }

    /** The server's own files, compiled JSPs among them. */
    private Path scratch() {
        return trial.resolve("server");
    }

    /** The file's name. */
    String name() {
        return Path.of(target.war()).getFileName().toString();
    }

    /** Arguments for the server process. */
    List<String> arguments() {
        Path original = Path.of(target.war());
        return List.of(
                "war=" + (Files.isDirectory(original) ? original : unpacked()),
                "context=" + target.context(),
                "scratch=" + scratch());
    }

    /** Deletes the unpacked files; one that can't be deleted stays. */
    @Override
    public void close() {
        for (Path folder : List.of(unpacked(), scratch())) {
            try {
                Folders.delete(folder);
            } catch (IOException e) {
                continue; // the trial's folder keeps a few files too many
            }
        }
    }
}
