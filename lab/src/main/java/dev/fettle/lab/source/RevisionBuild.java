package dev.fettle.lab.source;

import dev.fettle.lab.machine.Folders;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.process.Child;
import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * How a revision becomes a program.
 *
 * @param command an argument list, run in the folder of the revision; empty: the artifact is in the repository as it is
 * @param artifact what it makes, relative to that folder; may have {@code *} in it, of which then one file is meant
 * @param within how long it may take
 */
public record RevisionBuild(List<String> command, String artifact, Duration within) {
    private static final int LAST_LINES = 12;

    /** What Maven and Gradle leave next to the program, and nobody means. */
    private static final Pattern BESIDE = Pattern.compile(
            "^.*(?:-sources|-javadoc|-tests|-test-sources|-plain)\\.(?:jar|war)|^original-.*|^.*\\.original");

    public RevisionBuild {
        command = List.copyOf(command);
    }

    /**
     * Builds a commit.
     *
     * @param name {@code base} or {@code head}, for messages
     * @param folder an empty one, where the program is kept; the revision's own folder is there only as long as this takes
     * @return the program
     * @throws IllegalArgumentException with some lines for the user, if the build fails or makes nothing
     * @throws LabException if git can't, or the disk is full
     */
    public Path of(Repository repository, String commit, String name, Path folder)
            throws LabException, InterruptedException {
        String what = name + " (" + Repository.name(commit) + ")";
        try (var tree = repository.checkOut(commit, folder.resolve("source"))) {
            if (!command.isEmpty()) {
                run(what, tree, folder);
            }
            Path made = made(what, tree.folder());
            Path kept = folder.resolve(String.valueOf(made.getFileName()));
            Folders.copy(made, kept);
            return kept;
        } catch (IOException e) {
            throw new LabException("what was built of " + what + " can't be kept: " + e.getMessage(), e);
        }
    }

    private void run(String what, Repository.Worktree tree, Path folder) throws LabException, InterruptedException {
        Path log = folder.resolve("build.log");
        try (var child = Child.start("build of " + what, command, Map.of(), tree.folder(), log, Set.of())) {
            if (!child.awaitEnd(within)) {
                throw new IllegalArgumentException("the build of " + what + " did not end within " + within.toMinutes()
                        + " min (--build-time)" + last(child));
            }
            int code = child.exitCode().orElse(-1);
            if (code != 0) {
                throw new IllegalArgumentException("the build of " + what + " failed with exit code " + code
                        + (tree.hasSubmodules() ? "; its submodules are not checked out" : "") + last(child));
            }
        }
    }

    private static String last(Child child) {
        List<String> lines = child.lastLines(LAST_LINES);
        return lines.isEmpty()
                ? "; it said nothing"
                : ". Its last lines:\n" + String.join("\n", lines).indent(2).stripTrailing();
    }

    private Path made(String what, Path tree) throws IOException {
        String nothing = "the build of " + what + " made no " + artifact;
        if (!artifact.contains("*")) {
            Path made = tree.resolve(artifact).normalize();
            if (!made.startsWith(tree) || !Files.exists(made)) {
                throw new IllegalArgumentException(nothing);
            }
            return made;
        }
        PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + artifact);
        List<Path> found;
        try (Stream<Path> all = Files.walk(tree)) {
            found = all.filter(p -> matcher.matches(tree.relativize(p)))
                    .filter(p ->
                            !BESIDE.matcher(String.valueOf(p.getFileName())).matches())
                    .sorted()
                    .toList();
        }
        if (found.size() != 1) {
            throw new IllegalArgumentException(
                    found.isEmpty()
                            ? nothing
                            : artifact + " of " + what + " is " + found.size() + " files: "
                                    + String.join(
                                            ", ",
                                            found.stream()
                                                    .limit(3)
                                                    .map(p -> tree.relativize(p).toString())
                                                    .toList()));
        }
        return found.getFirst();
    }
}
