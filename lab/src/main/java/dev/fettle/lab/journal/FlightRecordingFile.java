package dev.fettle.lab.journal;

import dev.fettle.lab.machine.LabException;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.Profile;
import dev.fettle.model.trial.Timeline;
import dev.fettle.watch.jfr.OthersRecording;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * A flight recording of any JVM, or of async-profiler, as what was seen of a process.
 *
 * @param about a description of it
 * @param meta when it was recorded, how long ago, and what it lacks
 * @param from its beginning, or that of the part that was asked for
 */
public record FlightRecordingFile(
        String about, List<String> meta, Instant from, Timeline timeline, List<Profile> profiles) {
    public FlightRecordingFile {
        meta = List.copyOf(meta);
        profiles = List.copyOf(profiles);
    }

    /** Whether a file is one, of any version. */
    public static boolean is(Path file) {
        return OthersRecording.is(file);
    }

    /**
     * When it was begun.
     *
     * @throws LabException if it can't be read
     */
    public static Instant started(Path file) throws LabException {
        try {
            return OthersRecording.started(file);
        } catch (IOException e) {
            throw failed(file, e);
        }
    }

    /**
     * Reads it, or a part.
     *
     * @param from what ended before is left out
     * @param to what began later is left out
     * @param now for its age
     * @throws LabException if it can't be read
     */
    public static FlightRecordingFile read(Path file, Instant from, Instant to, Instant now) throws LabException {
        try {
            OthersRecording.Recorded read = OthersRecording.read(file, from, to);
            Duration took = Duration.between(read.from(), read.to());
            String about = "the flight recording " + file + (read.by().isEmpty() ? "" : " of " + read.by());
            var meta = new ArrayList<String>();
            meta.add("from " + read.from().truncatedTo(ChronoUnit.SECONDS) + ", " + Format.time(rounded(took)) + ", "
                    + age(Duration.between(read.to(), now)));
            meta.addAll(read.notes());
            return new FlightRecordingFile(about, meta, read.from(), read.timeline(), read.profiles());
        } catch (IOException e) {
            throw failed(file, e);
        }
    }

    private static LabException failed(Path file, IOException e) {
        return new LabException(file + " can't be read: " + e.getMessage(), e);
    }

    private static Duration rounded(Duration d) {
        return Duration.ofSeconds(Math.max(1, Math.round(d.toMillis() / 1e3)));
    }

    /** {@code 3 days ago}. */
    static String age(Duration since) {
        long minutes = Math.max(0, since.toMinutes());
        long hours = minutes / 60;
        return hours >= 48
                ? hours / 24 + " days ago"
                : hours >= 2 ? hours + " hours ago" : minutes >= 2 ? minutes + " minutes ago" : "just now";
    }
}
