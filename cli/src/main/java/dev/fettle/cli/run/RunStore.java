package dev.fettle.cli.run;

import dev.fettle.cli.option.Parse;
import dev.fettle.cli.terminal.CliException;
import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.lab.journal.Journal;
import dev.fettle.lab.journal.KeptRun;
import dev.fettle.lab.journal.RunRecord;
import dev.fettle.lab.machine.Folders;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.Workspace;
import dev.fettle.lab.process.Child;
import dev.fettle.model.text.OneLine;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.report.RunReport;
import dev.fettle.report.html.HtmlReport;
import dev.fettle.report.json.JsonReport;
import dev.fettle.report.table.CsvReport;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** Reads runs back from a workspace and writes their reports. */
public final class RunStore implements AutoCloseable {
    private final Workspace workspace;
    private final Journal journal;

    /** Opens a workspace to run something; creates it if missing. */
    public RunStore(Path dir) throws LabException {
        this.workspace = Workspace.open(dir);
        this.journal = Journal.open(workspace.journalFile());
    }

    private RunStore(Workspace workspace, Journal journal) {
        this.workspace = workspace;
        this.journal = journal;
    }

    /** Opens a workspace to read its runs; creates nothing. */
    public static RunStore existing(Path dir) throws LabException {
        var workspace = Workspace.existing(dir);
        check(dir);
        return new RunStore(workspace, Journal.read(workspace.journalFile()));
    }

    /** Opens a folder whose runs are only shown: it may be anybody's, its database no journal at all, and nothing is written. */
    public static RunStore shown(Path dir) throws LabException {
        var workspace = Workspace.shown(dir);
        return new RunStore(workspace, Journal.readOnly(workspace.journalFile()));
    }

    /** Whether runs have been kept in a folder. */
    public static boolean isIn(Path dir) {
        return Files.isRegularFile(dir.resolve("journal.db"));
    }

    /** Reports a folder in which no run has been kept as the user's mistake. */
    public static void check(Path dir) {
        if (!isIn(dir)) {
            throw Parse.usage(
                    "no run has been kept in " + dir.toAbsolutePath().normalize() + "; --dir names the folder");
        }
    }

    public Workspace workspace() {
        return workspace;
    }

    /**
     * Locks the workspace, and ends what a run that was killed has left running: the new one may need its port.
     *
     * @param say called if there was anything
     */
    public Workspace.Lock lock(Consumer<String> say) throws LabException, InterruptedException {
        Workspace.Lock lock = workspace.lock();
        try {
            if (lock.killed().isPresent()) {
                String run = OneLine.of(lock.killed().get());
                int ended = Child.endLeftBehind(workspace.whereIs(run));
                if (ended > 0) {
                    say.accept("Ended " + (ended == 1 ? "a process" : ended + " processes") + " that " + run
                            + ", which was killed, had left running.");
                }
            }
            lock.by(""); // only now may it forget the one that was killed
            return lock;
        } catch (LabException | InterruptedException e) {
            lock.leave();
            throw e;
        }
    }

    public Journal journal() {
        return journal;
    }

    /** A run by id, number or {@code latest}; an unknown one is reported as the user's mistake. */
    public RunRecord find(String name) throws LabException {
        return find(name, "no run '" + name + "'");
    }

    /**
     * The same, where a name may be more than a run's.
     *
     * @param unknown what to say of an unknown one
     */
    public RunRecord find(String name, String unknown) throws LabException {
        return journal.find(name).orElseThrow(() -> {
            try {
                String known = journal.runs().stream()
                        .limit(5)
                        .map(KeptRun::id)
                        .reduce((a, b) -> a + ", " + b)
                        .orElse("none");
                return Parse.usage(unknown + " in " + workspace.folder() + "; newest runs: " + known);
            } catch (LabException e) {
                return new CliException(ExitCodes.FAILED, String.valueOf(e.getMessage()), e);
            }
        });
    }

    /** What the user wrote about the runs. */
    public RunMarks marks() throws LabException {
        return RunMarks.in(workspace.folder());
    }

    /** Whether another Fettle is measuring for a run now. */
    public boolean goesOn(RunRecord run) {
        return workspace.running().filter(run.id()::equals).isPresent();
    }

    public RunReport report(RunRecord run) throws LabException {
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

    /**
     * Writes {@code report.html}, {@code report.json} and {@code trials.csv} into the run's folder; returns the HTML's
     * path.
     */
    public Path write(RunReport report) throws LabException {
        Path folder = workspace.runFolder(report.runId());
        Path html = folder.resolve("report.html");
        try {
            replace(html, new HtmlReport().render(report));
            replace(folder.resolve("report.json"), new JsonReport().run(report));
            replace(folder.resolve("trials.csv"), CsvReport.of(report));
        } catch (IOException e) {
            throw new LabException("cannot write the report: " + e.getMessage(), e);
        }
        return html;
    }

    private static void replace(Path file, String text) throws IOException {
        Folders.replace(file, text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() throws LabException {
        journal.close();
    }
}
