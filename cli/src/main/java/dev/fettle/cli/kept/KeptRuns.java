package dev.fettle.cli.kept;

import dev.fettle.cli.option.UserFile;
import dev.fettle.cli.run.ExperimentKind;
import dev.fettle.cli.run.RunMarks;
import dev.fettle.cli.run.RunStore;
import dev.fettle.insight.Conclusion;
import dev.fettle.insight.history.MeasuredRun;
import dev.fettle.insight.history.PastRun;
import dev.fettle.lab.journal.KeptRun;
import dev.fettle.lab.journal.RunRecord;
import dev.fettle.lab.machine.LabException;
import dev.fettle.model.text.OneLine;
import dev.fettle.model.text.Sha256;
import dev.fettle.report.RunReport;
import dev.fettle.report.json.JsonReport;
import dev.fettle.report.json.KeptResult;
import dev.fettle.report.runs.ListedRun;
import dev.fettle.report.runs.ListedRun.State;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The runs in some folders: those of journals, and what a command printed as JSON. A result that is in a journal and in a file is two.
 * What can't be read is said, and the rest is read. Nothing is written.
 */
public final class KeptRuns {
    private static final int KEY_BYTES = 5;

    private final List<Path> places;
    private final KeptResult results = new KeptResult();
    /** Of finished runs and of files, which do not change: by their key, and for a file its size and time. */
    private final Map<String, ListedRun> known = new HashMap<>();

    /** Files that hold something else. */
    private final Set<String> foreign = new HashSet<>();

    /**
     * A run, and where to find it again.
     *
     * @param key of it in addresses: hex digits, the same as long as it lies there
     * @param file the journal, or the file itself
     */
    public record Entry(String key, ListedRun run, Path file) {
        /** Whether it has a report. */
        public boolean isJournalled() {
            return ResultFinder.isJournal(file);
        }
    }

    /**
     * All that is there, newest first.
     *
     * @param unread what could not be read, and why
     */
    public record All(List<Entry> entries, List<String> unread) {
        /** Copies the lists. */
        public All {
            entries = List.copyOf(entries);
            unread = List.copyOf(unread);
        }

        /** The one with this key. */
        public Optional<Entry> with(String key) {
            return entries.stream().filter(e -> e.key().equals(key)).findFirst();
        }

        /** Runs of the same plan and kind, newest first; of one that can't be read, none. */
        public List<Entry> like(Entry one) {
            return one.run().kind().isEmpty()
                    ? List.of()
                    : entries.stream()
                            .filter(e -> e.run().plan().equals(one.run().plan())
                                    && e.run().kind().equals(one.run().kind()))
                            .toList();
        }
    }

    /** In these folders and files, which must be there. */
    public KeptRuns(List<Path> places) {
        this.places = List.copyOf(places);
        ResultFinder.check(places);
    }

    /** What is there now. */
    public synchronized All all() {
        ResultFinder.Found found = ResultFinder.find(places);
        var entries = new ArrayList<Entry>();
        var unread = new ArrayList<>(found.unread());
        for (ResultFinder.File file : found.files()) {
            try {
                if (ResultFinder.isJournal(file.path())) {
                    journal(file.path(), entries, unread);
                } else {
                    file(file, entries);
                }
            } catch (IOException e) {
                unread.add(OneLine.of(file.path() + ": " + UserFile.reason(file.path(), e)));
            } catch (LabException | IllegalArgumentException e) {
                unread.add(OneLine.of(file.path() + ": " + e.getMessage()));
            }
        }
        entries.sort(
                Comparator.comparing((Entry e) -> e.run().started().orElse(Instant.EPOCH), Comparator.reverseOrder()));
        return new All(entries, unread);
    }

    private void journal(Path file, List<Entry> to, List<String> unread) throws LabException {
        Path folder = Optional.ofNullable(file.getParent()).orElse(Path.of("."));
        try (var store = RunStore.shown(folder)) {
            Optional<RunMarks> marks = marks(store, unread);
            for (KeptRun kept : store.journal().runs()) {
                String key = key(file, kept.id());
                // another journal may have been put in its place
                String version = key + " " + kept.run().map(RunRecord::started).orElse(Instant.EPOCH);
                ListedRun listed = known.get(version);
                if (listed == null) {
                    listed = listed(store, kept, folder.toString());
                    if (listed.state() == State.DONE) {
                        known.put(version, listed);
                    }
                }
                ListedRun.Marks written = marks.map(m -> m.of(kept.id())).orElse(ListedRun.Marks.NONE);
                to.add(new Entry(key, listed.withMarks(written), file));
            }
        }
    }

    /** What was written about the runs; the runs are there without that, too. */
    private static Optional<RunMarks> marks(RunStore store, List<String> unread) {
        try {
            return Optional.of(store.marks());
        } catch (LabException e) {
            unread.add(OneLine.of(String.valueOf(e.getMessage())));
            return Optional.empty();
        }
    }

    /** A run of a journal, without what was written about it. */
    public static ListedRun listed(RunStore store, KeptRun kept, String place) {
        return kept.run()
                .map(run -> listed(store, run, place))
                .orElseGet(() -> unreadable(kept.id(), place, kept.why()));
    }

    /** The same of one that can be read. */
    public static ListedRun listed(RunStore store, RunRecord run, String place) {
        try {
            ExperimentKind kind = ExperimentKind.of(run.kind());
            int trials = kind.counted(store.journal().trials(run.id())).size();
            Optional<String> found = run.state() == RunRecord.State.OPEN
                    ? Optional.empty()
                    : store.journal().conclusion(run.id()).map(Conclusion::headline);
            boolean goesOn = found.isEmpty() && store.goesOn(run);
            return new ListedRun(
                    run.id(),
                    place,
                    run.kind(),
                    run.plan().name(),
                    Optional.of(run.started()),
                    found.isPresent() ? State.DONE : goesOn ? State.RUNNING : State.OPEN,
                    trials,
                    found.orElse(goesOn ? "is being measured now" : "not finished: fettle resume " + run.id()),
                    "",
                    ListedRun.Marks.NONE);
        } catch (LabException | IllegalArgumentException e) {
            return unreadable(run.id(), place, String.valueOf(e.getMessage()));
        }
    }

    private static ListedRun unreadable(String id, String place, String why) {
        return new ListedRun(
                id,
                place,
                "",
                "",
                Optional.empty(),
                State.UNREADABLE,
                0,
                "can't be read: " + why,
                "",
                ListedRun.Marks.NONE);
    }

    private void file(ResultFinder.File file, List<Entry> to) throws IOException {
        String key = key(file.path(), "");
        var attributes = Files.readAttributes(file.path(), BasicFileAttributes.class);
        String version = key + " " + attributes.size() + " " + attributes.lastModifiedTime();
        if (foreign.contains(version)) {
            return;
        }
        ListedRun listed = known.get(version);
        if (listed == null) {
            Optional<ListedRun> read = results.listed(
                    ResultFinder.text(file.path()), file.name(), file.path().toString());
            if (read.isEmpty()) {
                foreign.add(version);
                return;
            }
            listed = read.get();
            known.put(version, listed);
        }
        to.add(new Entry(key, listed, file.path()));
    }

    private static String key(Path file, String id) {
        byte[] hash = Sha256.of((file.toAbsolutePath().normalize() + "\n" + id).getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(hash, 0, KEY_BYTES);
    }

    /**
     * A run with all of its trials.
     *
     * @throws LabException if it is not journalled, or can't be read
     */
    public RunReport report(Entry entry) throws LabException {
        Path folder = Optional.ofNullable(entry.file().getParent()).orElse(Path.of("."));
        try (var store = RunStore.shown(folder)) {
            return store.report(store.find(entry.run().id()));
        }
    }

    /** The JSON of a run, the same wherever it was kept. */
    public String json(Entry entry) throws LabException {
        if (entry.isJournalled()) {
            return new JsonReport().run(report(entry));
        }
        try {
            return ResultFinder.text(entry.file());
        } catch (IOException e) {
            throw new LabException(UserFile.reason(entry.file(), e), e);
        }
    }

    /** A run as one point of many over time. */
    public PastRun past(Entry entry) throws LabException {
        try {
            return results.past(json(entry), entry.run().id(), entry.run().commit())
                    .orElseThrow(() -> new LabException(entry.file() + " is no result of Fettle's"));
        } catch (IllegalArgumentException e) {
            throw new LabException(entry.file() + ": " + e.getMessage(), e);
        }
    }

    /** What a run measured. */
    public MeasuredRun measured(Entry entry) throws LabException {
        try {
            return results.measured(json(entry), entry.run().id())
                    .orElseThrow(() -> new LabException(entry.file() + " is no result of Fettle's"));
        } catch (IllegalArgumentException e) {
            throw new LabException(entry.file() + ": " + e.getMessage(), e);
        }
    }
}
