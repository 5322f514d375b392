package dev.fettle.lab.journal;

import dev.fettle.lab.machine.LabException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A recording that goes on for ever: a folder of pieces, each a {@link WatchRecording} of its own, of which the oldest are deleted. Nothing else in the
 * folder is touched.
 */
public final class RecordingRing {
    /** As many pieces as this cover the time that is kept. */
    private static final int PIECES = 100;

    private static final Duration SHORTEST_PIECE = Duration.ofMinutes(1);

    /** A piece ends early when it has this part of the room. */
    private static final int PART_OF_ROOM = 10;

    private static final Pattern PIECE = Pattern.compile("^fettle-[0-9]{8}T[0-9]{6}Z\\.jsonl$");
    private static final DateTimeFormatter NAME =
            DateTimeFormatter.ofPattern("'fettle-'uuuuMMdd'T'HHmmss'Z.jsonl'").withZone(ZoneOffset.UTC);

    private final Path folder;
    private final Duration keep;
    private final long most;
    private Optional<Path> current = Optional.empty();

    private RecordingRing(Path folder, Duration keep, long most) {
        this.folder = folder;
        this.keep = keep;
        this.most = most;
    }

    /**
     * Opens one, whose folder is made if it is not there, for this user alone.
     *
     * @param keep pieces that ended longer ago are deleted
     * @param most bytes of all pieces
     * @throws LabException if the folder can't be made
     */
    public static RecordingRing open(Path folder, Duration keep, long most) throws LabException {
        try {
            if (!Files.isDirectory(folder)) {
                Files.createDirectory(
                        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
            }
        } catch (FileAlreadyExistsException e) {
            throw new LabException(folder + " is a file: --keep and --max need a folder to record into", e);
        } catch (IOException e) {
            throw new LabException("cannot make the folder " + folder + ": " + e.getMessage(), e);
        }
        return new RecordingRing(folder, keep, most);
    }

    /** How long a piece is, if it does not become too large before. */
    public Duration piece() {
        Duration part = keep.dividedBy(PIECES);
        return part.compareTo(SHORTEST_PIECE) < 0 ? SHORTEST_PIECE : part;
    }

    /**
     * Begins the next piece, and deletes what is too old or too much.
     *
     * @throws LabException if it can't be written
     */
    public WatchRecording begin(String about, Instant now) throws LabException {
        sweep(now);
        // one within the same second has the next second's name
        Instant at = now;
        while (Files.exists(folder.resolve(NAME.format(at)))) {
            at = at.plusSeconds(1);
        }
        Path file = folder.resolve(NAME.format(at));
        var recording = new WatchRecording(file, about, now);
        current = Optional.of(file);
        return recording;
    }

    /** Whether the piece that is written is so large that the next one should begin. */
    public boolean isFull() {
        return current.filter(f -> size(f) >= most / PART_OF_ROOM).isPresent();
    }

    private void sweep(Instant now) throws LabException {
        var pieces = new TreeMap<String, Path>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            for (Path e : entries) {
                String name = String.valueOf(e.getFileName());
                if (PIECE.matcher(name).matches() && Files.isRegularFile(e) && !Files.isSymbolicLink(e)) {
                    pieces.put(name, e);
                }
            }
            // room for the piece that begins
            long room = most - most / PART_OF_ROOM;
            long all = pieces.values().stream().mapToLong(RecordingRing::size).sum();
            for (Path p : pieces.values()) {
                boolean old = Files.getLastModifiedTime(p).toInstant().isBefore(now.minus(keep));
                if (old || all > room) {
                    all -= size(p);
                    Files.deleteIfExists(p);
                }
            }
        } catch (IOException e) {
            throw new LabException("cannot tidy " + folder + ": " + e.getMessage(), e);
        }
    }

    private static long size(Path file) {
        try {
            return Files.size(file);
        } catch (IOException e) {
            return 0; // deleted meanwhile
        }
    }
}
