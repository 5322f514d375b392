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
 * A WAR in a trial's folder, for an embedded server. It is unpacked once and here, where it can't leave the folder; the folder of
 * one is used where it lies.
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
     * @throws LabException if it is no WAR, one for another Servlet API, or an archive that is not to be unpacked
     */
    static UnpackedWar of(Target.War target, Path trial) throws LabException {
        Path original = Path.of(target.war());
        String server = target.server().id();
        WebApp.of(original)
                .requireJakarta("embedded " + server.substring(0, 1).toUpperCase(Locale.ROOT) + server.substring(1));
        var war = new UnpackedWar(target, trial);
        boolean done = false;
        try {
            Files.createDirectories(war.scratch());
            if (!Files.isDirectory(original)) {
                Files.createDirectories(war.unpacked());
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

    /** What the server process is told. */
    List<String> arguments() {
        Path original = Path.of(target.war());
        return List.of(
                "war=" + (Files.isDirectory(original) ? original : unpacked()),
                "context=" + target.context(),
                "scratch=" + scratch());
    }

    /** Deletes what need not be kept; a file that can't be deleted stays. */
    @Override
    public void close() {
        for (Path folder : List.of(unpacked(), scratch())) {
            try {
                Folders.delete(folder);
            } catch (IOException e) {
                continue; // the trial's folder keeps a little more than it should
            }
        }
    }
}
