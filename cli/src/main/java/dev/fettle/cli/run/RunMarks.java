package dev.fettle.cli.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import dev.fettle.cli.option.UserFile;
import dev.fettle.lab.machine.Folders;
import dev.fettle.lab.machine.LabException;
import dev.fettle.model.text.Json;
import dev.fettle.model.text.NamedFile;
import dev.fettle.model.text.OneLine;
import dev.fettle.report.runs.ListedRun.Marks;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Tags and notes that a user gave to runs. They lie in {@code marks.json} next to the journal, which is not touched: what was measured and
 * what was written about it later stay apart.
 */
public final class RunMarks {
    private static final int LONGEST_NOTE = 500;
    private static final int LONGEST_TAG = 40;
    private static final int MOST_TAGS = 20;
    private static final int MOST_BYTES = 4 << 20;

    private final Path file;
    private final Map<String, Marks> marks;

    private RunMarks(Path file, Map<String, Marks> marks) {
        this.file = file;
        this.marks = marks;
    }

    /** What is written in one folder with a journal. */
    private record Kept(List<String> tags, String note) {}

    /**
     * Reads them.
     *
     * @param folder of the journal
     * @throws LabException if the file can't be read
     */
    public static RunMarks in(Path folder) throws LabException {
        Path file = folder.resolve("marks.json");
        var marks = new TreeMap<String, Marks>();
        if (Files.exists(file)) {
            try {
                Map<String, Kept> read = Json.mapper()
                        .readValue(
                                new String(NamedFile.bytes(file, MOST_BYTES), StandardCharsets.UTF_8),
                                new TypeReference<>() {});
                if (read == null) {
                    throw new LabException(file + " holds no tags and notes: it is null");
                }
                read.forEach((run, kept) -> marks.put(run, kept == null ? Marks.NONE : shown(kept)));
            } catch (JsonProcessingException e) {
                throw new LabException(file + " holds no tags and notes: " + OneLine.of(e.getOriginalMessage()), e);
            } catch (IOException e) {
                throw new LabException(file + ": " + UserFile.reason(file, e), e);
            }
        }
        return new RunMarks(file, marks);
    }

    /** Somebody else may have written the file. */
    private static Marks shown(Kept kept) {
        List<String> tags = kept.tags() == null ? List.of() : kept.tags();
        return new Marks(
                tags.stream()
                        .filter(Objects::nonNull)
                        .limit(MOST_TAGS)
                        .map(OneLine::of)
                        .filter(RunMarks::isTag)
                        .toList(),
                kept.note() == null ? "" : shortened(OneLine.of(kept.note())));
    }

    private static String shortened(String note) {
        return note.length() > LONGEST_NOTE ? note.substring(0, LONGEST_NOTE) : note;
    }

    /** Whether a text may be a tag: short, and one word. */
    public static boolean isTag(String text) {
        return text.matches("^[\\p{L}\\p{N}][\\p{L}\\p{N}._:/+@=-]{0," + (LONGEST_TAG - 1) + "}$");
    }

    /** Of a run. */
    public Marks of(String run) {
        return marks.getOrDefault(run, Marks.NONE);
    }

    /**
     * Changes what is said of a run. Of two who do that at once, one waits for the other.
     *
     * @param folder of the journal
     * @param change what was said before, to what is said now
     * @return what is said now
     * @throws IllegalArgumentException if there are too many tags, or the note is too long
     * @throws LabException if it can't be read or written
     */
    public static Marks change(Path folder, String run, UnaryOperator<Marks> change) throws LabException {
        Path lock = folder.resolve("marks.lock");
        try (var channel = FileChannel.open(
                        lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
                var _ = channel.lock()) {
            RunMarks marks = in(folder);
            Marks now = change.apply(marks.of(run));
            marks.put(run, now);
            return now;
        } catch (IOException e) {
            throw new LabException("cannot write " + lock + ": " + UserFile.reason(lock, e), e);
        }
    }

    private void put(String run, Marks now) throws LabException {
        if (now.tags().size() > MOST_TAGS) {
            throw new IllegalArgumentException("a run has no more than " + MOST_TAGS + " tags");
        }
        if (now.note().length() > LONGEST_NOTE) {
            throw new IllegalArgumentException("a note has no more than " + LONGEST_NOTE + " characters");
        }
        if (now.isEmpty()) {
            marks.remove(run);
        } else {
            marks.put(run, now);
        }
        var kept = new TreeMap<String, Kept>();
        marks.forEach((id, m) -> kept.put(id, new Kept(m.tags(), m.note())));
        try {
            Folders.replace(
                    file,
                    (Json.mapper().writerWithDefaultPrettyPrinter().writeValueAsString(kept) + "\n")
                            .getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new LabException("cannot write " + file + ": " + e.getMessage(), e);
        }
    }
}
