package dev.fettle.cli;

import dev.fettle.lab.CapacityAsked;
import dev.fettle.lab.CapacityJournal;
import dev.fettle.lab.Journal;
import dev.fettle.lab.LabException;
import dev.fettle.lab.RunRecord;
import dev.fettle.lab.Workspace;
import dev.fettle.model.TrialOutcome;
import dev.fettle.report.CapacityJson;
import dev.fettle.report.CapacityReport;
import dev.fettle.report.CsvReport;
import dev.fettle.report.HtmlReport;
import dev.fettle.report.JsonReport;
import dev.fettle.report.RunReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Reads runs back from a workspace and writes their reports. */
final class RunStore implements AutoCloseable {
    private final Workspace workspace;
    private final Journal journal;

    RunStore(Path dir) throws LabException {
        this.workspace = Workspace.open(dir);
        this.journal = Journal.open(workspace.journalFile());
    }

    Workspace workspace() {
        return workspace;
    }

    Journal journal() {
        return journal;
    }

    /** A run by id, number or {@code latest}; an unknown one is the user's mistake. */
    RunRecord find(String name) throws LabException {
        return journal.find(name).orElseThrow(() -> {
            try {
                String known = journal.runs().stream()
                        .limit(5)
                        .map(RunRecord::id)
                        .reduce((a, b) -> a + ", " + b)
                        .orElse("none");
                return new CliException(
                        ExitCodes.USAGE, "no run '" + name + "' in " + workspace.folder() + "; newest runs: " + known);
            } catch (LabException e) {
                return new CliException(ExitCodes.FAILED, String.valueOf(e.getMessage()), e);
            }
        });
    }

    RunReport report(RunRecord run) throws LabException {
        List<TrialOutcome> trials = journal.trials(run.id());
        Duration took = trials.stream().map(TrialOutcome::took).reduce(Duration.ZERO, Duration::plus);
        return new RunReport(
                run.id(),
                run.kind(),
                run.plan(),
                run.started(),
                took,
                HostFacts.environment(run.environment()),
                trials,
                journal.conclusion(run.id()),
                run.state() == RunRecord.State.DONE);
    }

    /** Whether a run is a capacity search, which has probes and no trials. */
    static boolean isCapacity(RunRecord run) {
        return run.kind().equals(CapacityJournal.KIND);
    }

    /** A capacity search. */
    CapacityReport capacity(RunRecord run) throws LabException {
        CapacityAsked asked = journal.capacity().asked(run.id());
        return new CapacityReport(
                run.id(),
                asked.label(),
                asked.options().slo(),
                run.plan(),
                run.started(),
                HostFacts.environment(run.environment()),
                journal.capacity().probes(run.id()),
                journal.capacity()
                        .findings(run.id())
                        .map(f -> new CapacityReport.Found(f.idleMillis(), f.result(), f.overload(), f.notes())));
    }

    /** Writes {@code report.html} and {@code report.json} into the run's folder; gives the HTML's path. */
    Path write(CapacityReport report) throws LabException {
        Path folder = workspace.runFolder(report.runId());
        Path html = folder.resolve("report.html");
        try {
            Files.writeString(html, new HtmlReport().render(report));
            Files.writeString(folder.resolve("report.json"), new CapacityJson().text(report));
        } catch (IOException e) {
            throw new LabException("cannot write the report: " + e.getMessage(), e);
        }
        return html;
    }

    /** Writes {@code report.html}, {@code report.json} and {@code trials.csv} into the run's folder; gives the HTML's path. */
    Path write(RunReport report) throws LabException {
        Path folder = workspace.runFolder(report.runId());
        Path html = folder.resolve("report.html");
        try {
            Files.writeString(html, new HtmlReport().render(report));
            Files.writeString(folder.resolve("report.json"), new JsonReport().run(report));
            Files.writeString(folder.resolve("trials.csv"), CsvReport.of(report));
        } catch (IOException e) {
            throw new LabException("cannot write the report: " + e.getMessage(), e);
        }
        return html;
    }

    @Override
    public void close() throws LabException {
        journal.close();
    }
}
