package dev.fettle.lab.process;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.fettle.watch.host.Proc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Processes that a child has started and that have left its process group, as a daemon does. They are known by what they inherited:
 * a variable in their environment, or a file that they hold open. A program that shows its state in its command line writes over
 * its environment, and one that was started by a JVM has no more of its files.
 *
 * <p>{@code guard.sh} looks for them in the same way, and neither can do without the other: the guard ends with the child, whose
 * daemons are then left to this; and when Fettle is killed, there is only the guard. What a Fettle that was killed has left
 * running of children that had ended before, the next one in the same folder ends.
 *
 * @param id the variable's value, another one for each child
 * @param marker the file
 */
record OrphanCleanup(Proc proc, String id, Path marker) {
    /** The variable; {@code guard.sh} sets it, and opens the marker. */
    static final String VARIABLE = "FETTLE_CHILD";

    private static final String DESCRIPTOR = "9";

    /** Between TERM and KILL. */
    private static final Duration GRACE = Duration.ofSeconds(3);

    private static final Duration AT_MOST = Duration.ofSeconds(5);

    /** Those that run, of this process's own user; of any if that is root, as a daemon gives up what it does not need. */
    List<Long> find() {
        long self = ProcessHandle.current().pid();
        var user = proc.user("self");
        boolean any = user.orElse(-1) == 0;
        Optional<Path> file = file();
        return proc.all().stream()
                .filter(pid -> pid != self && (hasVariable(pid) || holds(pid, file)))
                .filter(pid -> any || proc.user(Long.toString(pid)).equals(user))
                .toList();
    }

    private Optional<Path> file() {
        try {
            return Optional.of(marker.toRealPath());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** The link is read and not followed: it may lead to a file system that does not answer. */
    private static boolean holds(long pid, Optional<Path> file) {
        try {
            return file.isPresent()
                    && Files.readSymbolicLink(Path.of("/proc", Long.toString(pid), "fd", DESCRIPTOR))
                            .equals(file.get());
        } catch (IOException e) {
            return false; // it has no such descriptor, or is another user's
        }
    }

    private boolean hasVariable(long pid) {
        String wanted = "\0" + VARIABLE + "=" + new String(id.getBytes(UTF_8), ISO_8859_1) + "\0";
        return proc.text(pid + "/environ")
                .filter(all -> ("\0" + all + "\0").contains(wanted))
                .isPresent();
    }

    /**
     * Ends them, by SIGTERM and then SIGKILL. Returns when none is left, or when they don't end.
     *
     * @return how many they were
     */
    int end() throws InterruptedException {
        List<Long> left = find();
        int all = left.size();
        each(left, false);
        long begin = System.nanoTime();
        while (!left.isEmpty() && System.nanoTime() - begin < AT_MOST.toNanos()) {
            Thread.sleep(10);
            left = find();
            if (System.nanoTime() - begin > GRACE.toNanos()) {
                each(left, true);
            }
        }
        return all;
    }

    /** Ends them by SIGKILL, and waits for nothing. */
    void kill() {
        each(find(), true);
    }

    private static void each(List<Long> pids, boolean kill) {
        for (long pid : pids) {
            ProcessHandle.of(pid).ifPresent(p -> {
                if (kill) {
                    p.destroyForcibly();
                } else {
                    p.destroy();
                }
            });
        }
    }
}
