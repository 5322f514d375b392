package dev.fettle.lab.source;

import dev.fettle.lab.machine.LabException;
import dev.fettle.model.text.OneLine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A git repository of the user's. Nothing of its working tree is touched: revisions are checked out elsewhere, without its hooks.
 *
 * @param folder of its working tree
 */
public record Repository(Path folder) {
    private static final int MINUTES = 10;

    /**
     * What git said.
     *
     * @param lines its output
     */
    private record Said(int code, List<String> lines) {
        String first() {
            return lines.isEmpty() ? "" : lines.getFirst();
        }
    }

    /**
     * The repository that a folder belongs to.
     *
     * @throws IllegalArgumentException with one line for the user, if there is none
     * @throws LabException if git can't be run
     */
    public static Repository of(Path folder) throws LabException, InterruptedException {
        Path whole = folder.toAbsolutePath().normalize();
        Said top = git(whole, "rev-parse", "--show-toplevel");
        if (top.code() != 0 || top.first().isEmpty()) {
            throw new IllegalArgumentException(whole
                    + " is in no git repository with a working tree: revisions are taken from the one that you are in"
                    + (top.first().contains("dubious") ? " (" + OneLine.of(top.first()) + ")" : ""));
        }
        return new Repository(Path.of(top.first()));
    }

    /**
     * The commit that a name stands for.
     *
     * @param ref a branch, tag or commit
     * @throws IllegalArgumentException with one line for the user, if there is none
     */
    public String commit(String ref) throws LabException, InterruptedException {
        Said found = git(folder, "rev-parse", "--verify", "--quiet", "--end-of-options", ref + "^{commit}");
        if (found.code() != 0) {
            int slash = ref.indexOf('/');
            throw new IllegalArgumentException("there is no revision '" + OneLine.of(ref) + "' in " + folder
                    + (slash > 0 && isRemote(ref.substring(0, slash))
                            ? "; fetch it first: git fetch " + ref.substring(0, slash) + " " + ref.substring(slash + 1)
                            : ""));
        }
        return found.first();
    }

    private boolean isRemote(String name) throws LabException, InterruptedException {
        return git(folder, "remote").lines().contains(name);
    }

    /**
     * Where two commits' histories parted.
     *
     * @throws IllegalArgumentException with one line for the user, if that is not known here
     */
    public String mergeBase(String one, String other) throws LabException, InterruptedException {
        Said base = git(folder, "merge-base", one, other);
        if (base.code() == 0 && !base.first().isEmpty()) {
            return base.first();
        }
        boolean shallow =
                git(folder, "rev-parse", "--is-shallow-repository").first().equals("true");
        throw new IllegalArgumentException(
                shallow
                        ? "this clone is shallow and lacks the commit where " + name(one) + " and " + name(other)
                                + " parted: fetch the rest with git fetch --unshallow (in CI: fetch-depth 0)"
                        : name(one) + " and " + name(other) + " have no commit in common");
    }

    /** The first letters of a commit. */
    public static String name(String commit) {
        return commit.substring(0, Math.min(9, commit.length()));
    }

    /** The files that differ from the commit that is checked out; those that git does not know are none of them. */
    public List<String> changed() throws LabException, InterruptedException {
        return git(folder, "status", "--porcelain", "--untracked-files=no", "--ignore-submodules")
                .lines();
    }

    /**
     * Checks a commit out into a folder of its own, which does not exist yet.
     *
     * @throws LabException if git can't
     */
    Worktree checkOut(String commit, Path into) throws LabException, InterruptedException {
        Said added = git(folder, "worktree", "add", "--detach", "--force", into.toString(), commit);
        if (added.code() != 0) {
            throw new LabException(
                    "git can't check " + name(commit) + " out: " + OneLine.of(String.join("; ", added.lines())));
        }
        return new Worktree(this, into);
    }

    /**
     * A commit, checked out; closing it removes it.
     *
     * @param folder where
     */
    record Worktree(Repository repository, Path folder) implements AutoCloseable {
        /** Whether it has parts that are other repositories, which are not checked out. */
        boolean hasSubmodules() {
            return Files.isRegularFile(folder.resolve(".gitmodules"));
        }

        @Override
        public void close() throws LabException {
            boolean interrupted = Thread.interrupted();
            try {
                git(repository.folder(), "worktree", "remove", "--force", "--force", folder.toString());
            } catch (InterruptedException e) {
                interrupted = true;
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    /** Without the repository's hooks and file watchers, and without questions. */
    private static Said git(Path in, String... arguments) throws LabException, InterruptedException {
        var command = new ArrayList<>(List.of(
                "git",
                "-c",
                "core.hooksPath=/dev/null",
                "-c",
                "core.fsmonitor=false",
                "-c",
                "advice.detachedHead=false"));
        command.addAll(List.of(arguments));
        Optional<Path> output = Optional.empty();
        try {
            output = Optional.of(Files.createTempFile("fettle-git", ""));
            var builder = new ProcessBuilder(command)
                    .directory(in.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.get().toFile());
            builder.environment().put("GIT_TERMINAL_PROMPT", "0");
            builder.environment().put("LC_ALL", "C");
            Process git = builder.start();
            try {
                if (!git.waitFor(MINUTES, TimeUnit.MINUTES)) {
                    throw new LabException("git " + arguments[0] + " did not end within " + MINUTES + " min");
                }
            } finally {
                git.destroyForcibly();
            }
            return new Said(
                    git.exitValue(),
                    Files.readString(output.get(), StandardCharsets.UTF_8)
                            .lines()
                            .filter(l -> !l.isBlank())
                            .toList());
        } catch (IOException e) {
            throw new LabException("git can't be run: " + e.getMessage(), e);
        } finally {
            output.ifPresent(o -> o.toFile().delete());
        }
    }
}
