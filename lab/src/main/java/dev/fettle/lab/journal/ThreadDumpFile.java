package dev.fettle.lab.journal;

import dev.fettle.lab.machine.LabException;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.ShortLines;
import dev.fettle.model.trial.ThreadsSeen;
import dev.fettle.model.trial.Timeline;
import dev.fettle.watch.jvm.PrintedThreads;
import dev.fettle.watch.jvm.PrintedThreads.Dump;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeMap;

/**
 * Thread dumps in a file, as what was seen of a process at a few moments.
 *
 * @param about a description of it
 * @param dumps how many
 * @param timeline their threads, and nothing else
 */
public record ThreadDumpFile(String about, int dumps, Timeline timeline) {
    /** A program may print other things before its first dump. */
    private static final int LINES_LOOKED_AT = 2_000;

    /** A larger file is refused: dumps of 10,000 threads have some ten megabytes. */
    private static final long MOST_BYTES = 256L << 20;

    /** Whether a file looks like one. */
    public static boolean is(Path file) {
        return TextLines.any(file, LINES_LOOKED_AT, PrintedThreads::isDump);
    }

    /**
     * Reads it.
     *
     * @throws LabException if it can't be read
     */
    public static ThreadDumpFile read(Path file) throws LabException {
        return of(dumps(file), file.toString());
    }

    /**
     * All dumps in it.
     *
     * @throws LabException if it can't be read
     */
    public static List<Dump> dumps(Path file) throws LabException {
        try {
            if (Files.size(file) > MOST_BYTES) {
                throw new IOException("it has " + Format.bytes(Files.size(file)) + ", at most "
                        + Format.bytes(MOST_BYTES) + " are read");
            }
            try (ShortLines lines = lines(file);
                    var in = new BufferedReader(lines)) {
                return PrintedThreads.dumps(in);
            }
        } catch (IOException e) {
            throw new LabException(file + ": " + e.getMessage(), e);
        }
    }

    /**
     * Dumps that follow each other, of one file or of several.
     *
     * @param from where they are from
     */
    static ThreadDumpFile of(List<Dump> all, String from) {
        ThreadsSeen seen = PrintedThreads.seen(all);
        int dumps = all.size();
        var timeline = new Timeline(
                Timeline.VERSION,
                0,
                0,
                new TreeMap<>(),
                new TreeMap<>(),
                all.stream().flatMap(d -> d.deadlock().stream()).limit(1).toList(),
                seen);
        return new ThreadDumpFile(
                (dumps == 1 ? "a thread dump" : dumps + " thread dumps")
                        + (hasLocks(seen) ? "" : " without locks (jcmd PID Thread.print has them)") + ", " + from,
                dumps,
                timeline);
    }

    private static boolean hasLocks(ThreadsSeen all) {
        return all.moments().stream()
                .flatMap(m -> m.groups().stream())
                .anyMatch(g -> !g.waitsFor().isBlank());
    }

    /** Lines are bounded. */
    private static ShortLines lines(Path file) throws IOException {
        return new ShortLines(
                new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8), ShortLines.MOST);
    }
}
