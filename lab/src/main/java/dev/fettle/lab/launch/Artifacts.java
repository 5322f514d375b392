package dev.fettle.lab.launch;

import dev.fettle.lab.machine.Folders;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Fetches Maven artifacts with the user's own Maven, so that their settings and mirrors apply. They are code that will run, so they are
 * kept in a folder of this user's own, and not in a workspace, which may have come from elsewhere together with a project.
 */
public final class Artifacts {
    private static final String COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy";

    private final Path folder;
    private final Path localRepository;
    private final Consumer<String> notes;

    Artifacts(Path folder, Path localRepository, Consumer<String> notes) {
        this.folder = folder;
        this.localRepository = localRepository;
        this.notes = notes;
    }

    /** The artifacts of this user. */
    public static Artifacts of(LabEnvironment env, Consumer<String> notes) {
        return new Artifacts(
                env.state().resolve("artifacts"), Path.of(System.getProperty("user.home"), ".m2", "repository"), notes);
    }

    /**
     * The folder they are kept in, which may not be there yet.
     *
     * @throws LabException if another user may have put something into it
     */
    Path folder() throws LabException {
        Optional<String> doubt = Folders.doubt(folder, Folders.amRoot());
        if (doubt.isEmpty() && Files.exists(folder, LinkOption.NOFOLLOW_LINKS) && !Folders.isMine(folder)) {
            doubt = Optional.of("others may write to " + folder);
        }
        if (doubt.isPresent()) {
            throw new LabException("nothing is run that is kept in " + folder + ": " + doubt.get()
                    + "; XDG_STATE_HOME names another place");
        }
        return folder;
    }

    /**
     * The file of an artifact.
     *
     * @param coordinates {@code group:artifact:version}, or {@code group:artifact:version:packaging} if that is not jar
     */
    Path file(String coordinates) throws LabException, InterruptedException {
        String[] c = coordinates.split(":");
        if (c.length != 3 && c.length != 4) {
            throw new LabException("artifact '" + coordinates + "': group:artifact:version is wanted");
        }
        Path local = local(c);
        if (Files.isReadable(local)) {
            return local;
        }
        Path kept = kept(c);
        if (!Files.isReadable(kept)) {
            fetch(coordinates, kept);
        }
        return kept;
    }

    /** Whether an artifact is already there. */
    boolean isThere(String coordinates) throws LabException {
        String[] c = coordinates.split(":");
        return Files.isReadable(local(c)) || Files.isReadable(kept(c));
    }

    private static String name(String[] c) {
        return c[1] + "-" + c[2] + "." + (c.length == 4 ? c[3] : "jar");
    }

    /** Two groups may have an artifact of the same name. */
    private Path kept(String[] c) throws LabException {
        return folder().resolve(c[0]).resolve(name(c));
    }

    private Path local(String[] c) {
        return localRepository
                .resolve(c[0].replace('.', '/'))
                .resolve(c[1])
                .resolve(c[2])
                .resolve(name(c));
    }

    private void fetch(String coordinates, Path file) throws LabException, InterruptedException {
        notes.accept("fetching " + coordinates + " with Maven");
        Path log = folder.resolve("fetch.log");
        try {
            Folders.makeFor(file);
            Process maven = new ProcessBuilder(List.of(
                            "mvn",
                            "-B",
                            "-q",
                            COPY,
                            "-Dartifact=" + coordinates,
                            "-DoutputDirectory=" + file.getParent(),
                            "-Dmdep.overWriteReleases=false"))
                    .directory(folder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            maven.getOutputStream().close();
            try {
                if (!maven.waitFor(5, TimeUnit.MINUTES) || maven.exitValue() != 0 || !Files.isReadable(file)) {
                    throw new LabException("cannot fetch " + coordinates + " with Maven; its output is in " + log);
                }
            } finally {
                maven.descendants().forEach(ProcessHandle::destroyForcibly);
                maven.destroyForcibly();
            }
        } catch (IOException e) {
            throw new LabException(
                    ("cannot fetch %s with Maven: %s; without Maven, put the file there yourself: %s (a server's distribution can be"
                                    + " named by 'home' instead)")
                            .formatted(coordinates, e.getMessage(), file),
                    e);
        }
    }
}
