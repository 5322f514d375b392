package dev.fettle.lab.process;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The processes of one group, as {@code /proc} shows them. */
final class ProcessGroup {
    private static final Path PROC = Path.of("/proc");
    private static final int PAUSE_MILLIS = 5;

    private ProcessGroup() {}

    /**
     * Waits until none of a group runs any more: a process that was sent SIGKILL is gone only when the kernel next runs it, which on a busy
     * machine takes a while. One that has ended and was not fetched by its parent counts as gone.
     *
     * @return whether it came to that in time
     */
    static boolean awaitGone(long group, Duration max) throws InterruptedException {
        long begin = System.nanoTime();
        while (runs(group)) {
            if (System.nanoTime() - begin > max.toNanos()) {
                return false;
            }
            Thread.sleep(PAUSE_MILLIS);
        }
        return true;
    }

    private static boolean runs(long group) {
        try (var all = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : all) {
                if (isOf(group, process)) {
                    return true;
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return false; // no /proc: nothing to wait by
        }
        return false;
    }

    /** The name, in parentheses, may hold anything; state, parent and group come after it. */
    private static boolean isOf(long group, Path process) {
        try {
            String stat = Files.readString(process.resolve("stat"), StandardCharsets.ISO_8859_1);
            String[] after = stat.substring(stat.lastIndexOf(')') + 1).split(" ", 5); // begins with a space
            return after.length > 3
                    && after[3].equals(Long.toString(group))
                    && !after[1].equals("Z")
                    && !after[1].equals("X");
        } catch (IOException e) {
            return false; // it is gone
        }
    }
}
