package dev.fettle.cli.kept;

import dev.fettle.cli.option.UserFile;
import dev.fettle.cli.run.ExperimentKind;
import dev.fettle.cli.run.HostFacts;
import dev.fettle.insight.history.PastRun;
import dev.fettle.lab.journal.Journal;
import dev.fettle.lab.journal.KeptRun;
import dev.fettle.lab.journal.RunRecord;
import dev.fettle.lab.machine.LabException;
import dev.fettle.model.text.OneLine;
import dev.fettle.report.RunReport;
import dev.fettle.report.json.JsonReport;
import dev.fettle.report.json.KeptResult;
import dev.fettle.report.json.KeptResult.Found;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Finds gates and benches that were kept in folders: journals, and the JSON that a command printed. What can't be read is a warning, and
 * the rest is read. Nothing is written, and nothing of what is found is run.
 */
public final class HistoryFiles {
    private static final int TRIALS_LOOKED_AT = 4;

    private final KeptResult results = new KeptResult();
    private final List<PastRun> runs = new ArrayList<>();
    private final Set<String> known = new HashSet<>();
    private final Map<String, Integer> others = new TreeMap<>();
    private final List<String> unread = new ArrayList<>();
    private int twice;

    /**
     * What was found.
     *
     * @param others runs whose figures are no part of a history, by what they are: {@code a tune}, {@code not finished}
     * @param twice runs that were found again elsewhere, and count once
     * @param unread what could not be read, and why
     */
    public record Kept(List<PastRun> runs, Map<String, Integer> others, int twice, List<String> unread) {
        public Kept {
            runs = List.copyOf(runs);
            others = new TreeMap<>(others);
            unread = List.copyOf(unread);
        }
    }

    private HistoryFiles() {}

    /** Looks into folders and files; one that is not there is the user's mistake. */
    public static Kept read(List<Path> places) {
        var files = new HistoryFiles();
        ResultFinder.Found found = ResultFinder.find(places);
        files.unread.addAll(found.unread());
        found.files().forEach(f -> files.file(f.path(), f.name()));
        return new Kept(files.runs, files.others, files.twice, files.unread);
    }

    private void passOver(Path file, IOException e) {
        unread.add(OneLine.of(file + ": " + UserFile.reason(file, e)));
    }

    private void file(Path file, String name) {
        if (ResultFinder.isJournal(file)) {
            journal(file, name);
            return;
        }
        try {
            add(results.read(ResultFinder.text(file), name, file.toString()));
        } catch (IOException e) {
            passOver(file, e);
        } catch (IllegalArgumentException e) {
            unread.add(OneLine.of(file + ": " + e.getMessage()));
        }
    }

    private void journal(Path file, String name) {
        try (Journal journal = Journal.readOnly(file)) {
            for (KeptRun kept : journal.runs().reversed()) {
                if (kept.run().isEmpty()) {
                    unread.add(OneLine.of(file + ", " + kept.id() + ": " + kept.why()));
                } else {
                    run(journal, kept.run().get(), file, name);
                }
            }
        } catch (LabException e) {
            unread.add(OneLine.of(String.valueOf(e.getMessage())));
        }
    }

    /** A run by way of its JSON, so that it is the same wherever it was kept. */
    private void run(Journal journal, RunRecord run, Path file, String name) {
        try {
            if (!run.kind().equals(ExperimentKind.GATE.id())) {
                other("a " + run.kind());
                return;
            }
            var report = new RunReport(
                    run.id(),
                    run.kind(),
                    run.plan(),
                    run.started(),
                    Duration.ZERO,
                    HostFacts.environment(run.environment()),
                    journal.firstTrials(run.id(), TRIALS_LOOKED_AT),
                    journal.conclusion(run.id()),
                    run.state() == RunRecord.State.DONE);
            add(results.read(new JsonReport().run(report), name, file.toString()));
        } catch (LabException | IllegalArgumentException e) {
            unread.add(OneLine.of(file + ", " + run.id() + ": " + e.getMessage()));
        }
    }

    private void add(Found found) {
        switch (found) {
            case Found.Kept(PastRun run) -> {
                String what =
                        run.verdict().isPresent() ? run.id() : run.conditions().toString();
                if (known.add(run.started() + " " + what)) {
                    runs.add(run);
                } else {
                    twice++;
                }
            }
            case Found.Other(String why) -> other(why);
            case Found.Foreign() -> {}
        }
    }

    private void other(String why) {
        others.merge(why, 1, Integer::sum);
    }
}
