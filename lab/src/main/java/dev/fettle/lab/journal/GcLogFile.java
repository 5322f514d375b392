package dev.fettle.lab.journal;

import dev.fettle.lab.machine.LabException;
import dev.fettle.model.trial.Timeline;
import dev.fettle.watch.gclog.GcLog;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A garbage collection log of any JVM, as a timeline.
 *
 * @param about a description of it
 * @param seconds from its first pause to its last
 * @param timeline of the pauses, the heap and the allocation
 */
public record GcLogFile(String about, double seconds, Timeline timeline) {
    /** The description of the JVM, or the first pause, comes within this many lines. */
    private static final int LINES_LOOKED_AT = 300;

    /** Whether a file looks like such a log. */
    public static boolean is(Path file) {
        if (!Files.isRegularFile(file)) {
            return false;
        }
        try (BufferedReader in = reader(file)) {
            for (int i = 0; i < LINES_LOOKED_AT; i++) {
                String line = in.readLine();
                if (line == null) {
                    return false;
                }
                if (GcLog.isPause(line)) {
                    return true;
                }
            }
        } catch (IOException e) {
            return false;
        }
        return false;
    }

    /**
     * Reads it.
     *
     * @throws LabException if it can't be read
     */
    public static GcLogFile read(Path file) throws LabException {
        try (BufferedReader in = reader(file)) {
            GcLog log = GcLog.read(in);
            double seconds =
                    log.pauses().getLast().at() - log.pauses().getFirst().at();
            String about =
                    "garbage collections of " + file + ": " + log.pauses().size() + " pauses"
                            + (log.unread() == 0 ? "" : ", " + log.unread() + " could not be read")
                            + (log.restarts().isEmpty()
                                    ? ""
                                    : "; the JVM was started " + (log.restarts().size() + 1)
                                            + " times, and the time between is not in it");
            return new GcLogFile(about, seconds, log.timeline());
        } catch (IOException e) {
            throw new LabException(file + ": " + e.getMessage(), e);
        }
    }

    /** Invalid bytes are replaced. */
    private static BufferedReader reader(Path file) throws IOException {
        return Files.newBufferedReader(file, StandardCharsets.ISO_8859_1);
    }
}
