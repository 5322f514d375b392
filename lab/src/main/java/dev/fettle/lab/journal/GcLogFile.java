package dev.fettle.lab.journal;

import dev.fettle.lab.machine.LabException;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.ShortLines;
import dev.fettle.model.trial.Timeline;
import dev.fettle.watch.gclog.GcLog;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;

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
        return TextLines.any(file, LINES_LOOKED_AT, GcLog::isPause);
    }

    /** The time of day of its first pause, with which the timeline begins; empty if it has none. */
    public static Optional<Instant> started(Path file) throws LabException {
        try (var in = new BufferedReader(lines(file))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                if (GcLog.isPause(line)) {
                    return GcLog.at(line);
                }
            }
            return Optional.empty();
        } catch (IOException e) {
            throw new LabException(file + ": " + e.getMessage(), e);
        }
    }

    /**
     * Reads it.
     *
     * @throws LabException if it can't be read
     */
    public static GcLogFile read(Path file) throws LabException {
        try (ShortLines lines = lines(file);
                var in = new BufferedReader(lines)) {
            GcLog log = GcLog.read(in);
            double seconds =
                    log.pauses().getLast().at() - log.pauses().getFirst().at();
            String about = "garbage collections of " + file + ": "
                    + log.pauses().size() + " pauses"
                    + (log.unread() == 0 ? "" : ", " + log.unread() + " could not be read")
                    + (lines.cut() == 0
                            ? ""
                            : ", " + lines.cut() + " lines of more than " + Format.bytes(ShortLines.MOST) + " were cut")
                    + (log.restarts().isEmpty()
                            ? ""
                            : "; the JVM was started " + (log.restarts().size() + 1)
                                    + " times, and the time between is not in it");
            return new GcLogFile(about, seconds, log.timeline());
        } catch (IOException e) {
            throw new LabException(file + ": " + e.getMessage(), e);
        }
    }

    /** Any byte is a character, and lines are bounded. */
    private static ShortLines lines(Path file) throws IOException {
        return new ShortLines(
                new InputStreamReader(Files.newInputStream(file), StandardCharsets.ISO_8859_1), ShortLines.MOST);
    }
}
