package dev.fettle.lab.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fettle.lab.machine.LabException;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.Json;
import dev.fettle.model.text.NamedFile;
import dev.fettle.model.text.ShortLines;
import dev.fettle.model.text.WrittenTime;
import dev.fettle.model.trial.Signal;
import dev.fettle.model.trial.Timeline;
import dev.fettle.model.trial.WatchPoint;
import dev.fettle.watch.signal.TimelineRecorder;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;

/**
 * A watch in a file: a header, then one line of JSON per second, written as soon as the second has passed. So a
 * recording that was cut short, or ran out of disk, can be read up to that point.
 */
public final class WatchRecording implements AutoCloseable {
    /** First field of the header; its value is the version of the format. */
    private static final String MARK = "fettleWatch";

    private static final int VERSION = 1;
    private static final double NANOS = 1e9;
    private static final long STEP_MILLIS = 1000;

    /** Thirty years. */
    private static final double MOST_SECONDS = 1e9;

    private final ObjectMapper json = Json.mapper();
    private final Path file;
    private final BufferedWriter out;

    /**
     * The content of a recording, but for the seconds themselves: of a week they are too many to keep.
     *
     * @param about the process that was watched
     * @param seconds how many there are
     * @param timeline all of it
     * @param cut whether its last line is incomplete: it ended while being written
     */
    public record Recorded(String about, Instant started, int seconds, Timeline timeline, boolean cut) {}

    /** Receives the seconds of a recording one by one. */
    public interface Taker {
        /** What was watched, and since when; before the first second. */
        default void begins(String about, Instant started) {}

        void second(WatchPoint point);
    }

    private record Head(int fettleWatch, String about, Instant started) {
        Head {
            Objects.requireNonNull(about, "about");
            started = WrittenTime.in(started)
                    .orElseThrow(() -> new IllegalArgumentException("its time is not from 1970 to 2200"));
        }
    }

    /**
     * Begins a recording.
     *
     * @throws LabException if the file exists, or can't be written
     */
    public WatchRecording(Path file, String about, Instant started) throws LabException {
        this.file = file;
        try {
            boolean pipe = Files.exists(file) && !Files.isRegularFile(file);
            out = Files.newBufferedWriter(
                    file, StandardCharsets.UTF_8, pipe ? StandardOpenOption.WRITE : StandardOpenOption.CREATE_NEW);
            line(new Head(VERSION, about, started));
        } catch (FileAlreadyExistsException e) {
            throw new LabException(file + " exists already; --record names another file", e);
        } catch (IOException e) {
            throw cannotWrite(e);
        }
    }

    /**
     * Adds a second.
     *
     * @throws LabException if it could not be written; earlier seconds are kept
     */
    public void add(WatchPoint point) throws LabException {
        try {
            line(point);
        } catch (IOException e) {
            throw cannotWrite(e);
        }
    }

    private void line(Object value) throws IOException {
        out.write(json.writeValueAsString(value));
        out.write('\n');
        out.flush();
    }

    private LabException cannotWrite(IOException e) {
        return new LabException("cannot write the recording " + file + ": " + e.getMessage(), e);
    }

    @Override
    public void close() throws LabException {
        try {
            out.close();
        } catch (IOException e) {
            throw cannotWrite(e);
        }
    }

    /** Whether a file is a recording, of any version. */
    public static boolean is(Path file) {
        try (Reader in = new InputStreamReader(NamedFile.open(file), StandardCharsets.UTF_8)) {
            var head = new char[MARK.length() + 3];
            return in.read(head) == head.length && String.valueOf(head).equals("{\"" + MARK + "\"");
        } catch (IOException e) {
            return false; // missing, a folder, or not text
        }
    }

    /**
     * When a recording began.
     *
     * @throws LabException if it is not a recording, or of an unknown version
     */
    public static Instant started(Path file) throws LabException {
        try (var in = new BufferedReader(
                new ShortLines(new InputStreamReader(NamedFile.open(file), StandardCharsets.UTF_8), ShortLines.MOST))) {
            return head(Json.mapper(), in.readLine(), file).started();
        } catch (IOException e) {
            throw new LabException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    /**
     * Reads a recording.
     *
     * @throws LabException if it is not a recording, or of an unknown version
     */
    public static Recorded read(Path file) throws LabException {
        return read(file, point -> {});
    }

    /**
     * Reads a recording.
     *
     * @param each receives its seconds as they are read
     * @throws LabException if it is not a recording, or of an unknown version
     */
    public static Recorded read(Path file, Taker each) throws LabException {
        return read(file, Instant.MIN, Instant.MAX, each);
    }

    /**
     * Reads a part of a recording.
     *
     * @param from the first second ends after this
     * @param to the last second ends at this at the latest
     * @param each receives its seconds as they are read
     * @throws LabException if it is not a recording, or of an unknown version
     */
    public static Recorded read(Path file, Instant from, Instant to, Taker each) throws LabException {
        // such a reader replaces what is no UTF-8: the last line may end within a character
        try (var lines = new ShortLines(
                        new InputStreamReader(NamedFile.open(file), StandardCharsets.UTF_8), ShortLines.MOST);
                var in = new BufferedReader(lines)) {
            Recorded all;
            try {
                all = read(file, in, from, to, each);
            } catch (LabException e) {
                if (lines.cut() == 0) {
                    throw e;
                }
                throw new IOException("it has a line of more than " + Format.bytes(ShortLines.MOST), e);
            }
            if (lines.cut() > 0) { // the last line, of which a recording that was interrupted may lack a part
                throw new IOException("it has a line of more than " + Format.bytes(ShortLines.MOST));
            }
            return all;
        } catch (NoSuchFileException e) {
            throw new LabException("there is no file " + file, e);
        } catch (IOException e) {
            throw new LabException("cannot read " + file + ": " + e.getMessage(), e);
        }
    }

    private static Recorded read(Path file, BufferedReader in, Instant from, Instant to, Taker each)
            throws IOException, LabException {
        ObjectMapper json = Json.mapper();
        Head head = head(json, in.readLine(), file);
        each.begins(head.about(), head.started());
        int seconds = 0;
        long skipped = from.isAfter(head.started())
                ? Duration.between(head.started(), from).toSeconds()
                : 0;
        long[] now = {0};
        var recorder = new TimelineRecorder(STEP_MILLIS, () -> now[0]);
        boolean cut = false;
        int number = 1;
        String next = in.readLine();
        while (next != null) {
            String line = next;
            number++;
            next = in.readLine();
            Optional<WatchPoint> point = point(json, line);
            if (point.isPresent()
                    && isWithin(head.started().plusMillis(Math.round(point.get().at() * 1e3)), from, to)) {
                seconds++;
                add(recorder, point.get(), skipped);
                each.second(point.get());
            } else if (point.isEmpty() && next != null) {
                throw new LabException(file + ", line " + number + ": not a second of a recording");
            } else if (point.isEmpty()) {
                cut = true;
            }
        }
        return new Recorded(head.about(), head.started(), seconds, recorder.timeline(), cut);
    }

    private static boolean isWithin(Instant at, Instant from, Instant to) {
        return at.isAfter(from) && !at.isAfter(to);
    }

    private static Optional<WatchPoint> point(ObjectMapper json, String line) {
        try {
            return Optional.ofNullable(json.readValue(line, WatchPoint.class)) // null for a line that says so
                    .filter(p -> p.at() >= 0 && p.at() <= MOST_SECONDS);
        } catch (JsonProcessingException e) {
            return Optional.empty();
        }
    }

    private static Head head(ObjectMapper json, String line, Path file) throws LabException {
        try {
            JsonNode head = json.readTree(line == null ? "" : line);
            if (head.path(MARK).asInt() > VERSION) {
                throw new LabException(file + " was recorded by a later version of Fettle (format " + head.path(MARK)
                        + "; this one reads up to " + VERSION + ")");
            }
            if (head.path(MARK).asInt() == VERSION) {
                return json.treeToValue(head, Head.class);
            }
        } catch (JsonProcessingException e) {
            throw new LabException(file + " is no recording of fettle watch", e);
        }
        throw new LabException(file + " is no recording of fettle watch");
    }

    /** Counters are recorded as increments already, so all values are kept as they are. */
    private static void add(TimelineRecorder recorder, WatchPoint p, long skipped) {
        long end = Math.round(p.at() - skipped) * (long) NANOS; // a second always ends slightly late
        p.values().forEach((id, v) -> {
            if (Signal.of(id).thin() == Signal.Thin.SUM) {
                recorder.counted(id, end - 1, v);
            } else {
                recorder.span(id, Math.max(0, end - STEP_MILLIS * 1_000_000), end, v);
            }
        });
        p.sightings().forEach(recorder::sighting);
        p.notObserved().forEach(recorder::notObserved);
    }
}
