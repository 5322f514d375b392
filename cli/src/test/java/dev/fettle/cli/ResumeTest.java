package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.cli.run.PlanFile;
import dev.fettle.insight.Experiment;
import dev.fettle.insight.sweep.SweepExperiment;
import dev.fettle.lab.journal.Journal;
import dev.fettle.lab.machine.Workspace;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Redaction;
import dev.fettle.model.read.PlanReader;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.Verdict;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.sql.DriverManager;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs that were begun without a plan file, and cut off. */
class ResumeTest {
    @TempDir
    Path folder;

    private Ended resume(String run) {
        return Ended.of("resume", run, "--dir", folder.toString());
    }

    private String begun(String request) throws Exception {
        return begun(request, Map.of());
    }

    private String begun(String request, Map<String, String> machine) throws Exception {
        // nothing listens on port 1
        Plan plan = new PlanReader(2, 4096)
                .read(
                        "p.yaml",
                        "name: diagnose\ntarget: {url: 'http://127.0.0.1:1/'}\nload: {connections: 2, warm-up: 1s, request: "
                                + request + "}\n");
        try (Journal journal = Journal.open(Workspace.open(folder).journalFile())) {
            return journal.begin("diagnose", Path.of(""), "", Redaction.of(plan), machine, Instant.EPOCH)
                    .id();
        }
    }

    @Test
    void aDiagnosisWithoutAPlanGoesOn() throws Exception {
        String id = begun("{path: /}");
        Ended e = resume(id);
        assertThat(e.out + e.err).contains("Resuming " + id).doesNotContain("may be secret");
    }

    @Test
    void oneOfAnotherMachineDoesNot() throws Exception {
        String id = begun("{path: /}", Map.of("cpuModel", "Z80", "serverCpus", "0-254", "generatorCpus", "255"));
        Ended e = resume(id);
        assertThat(e.code).isEqualTo(2);
        assertThat(e.err)
                .contains(
                        "this is not the machine on which " + id + " began (CPU Z80 then, ",
                        "the server's CPUs 0-254 then")
                .contains("Start a new run with: fettle diagnose");
        assertThat(e.out).doesNotContain("Resuming");
    }

    @Test
    void onlyWhatWasSecretIsMissing() throws Exception {
        Ended e = resume(begun("{path: /, headers: {Cookie: a=b}}"));
        assertThat(e.code).isEqualTo(2);
        assertThat(e.err)
                .contains("has what may be secret", "start a new run with fettle diagnose, or put it into a plan");
    }

    /** A run may have its trials in another order: that is said in one line. */
    @Test
    void aRunWithAnotherOrderIsRefusedInOneLine() throws Exception {
        Plan plan = new PlanReader(2, 4096)
                .read(
                        "p.yaml",
                        "name: s\ntarget: {url: 'http://127.0.0.1:1/'}\nload: {connections: 2, warm-up: 1s}\n"
                                + "sweep: {grid: {load.connections: [1, 2]}, repeats: 1}\n");
        TrialSpec first = switch (new SweepExperiment(plan).next(List.of())) {
            case Experiment.Step.Run run -> run.spec();
            default -> throw new AssertionError("a sweep begins with a trial");
        };
        var other = new TrialSpec(
                first.phase(),
                first.variant(),
                Map.of("load.connections", first.point().get("load.connections").equals("1") ? "2" : "1"),
                first.block(),
                first.target(),
                first.setting(),
                first.load());
        String id;
        try (Journal journal = Journal.open(Workspace.open(folder).journalFile())) {
            id = journal.begin("sweep", Path.of(""), "", Redaction.of(plan), Map.of(), Instant.EPOCH)
                    .id();
            journal.add(
                    id,
                    List.of(new TrialOutcome(
                            1,
                            other,
                            Instant.EPOCH,
                            Duration.ofSeconds(1),
                            Duration.ZERO,
                            Optional.empty(),
                            Optional.empty(),
                            Optional.of(new TrialOutcome.Failure(TrialOutcome.Kind.DIED, "gone")),
                            new Verdict(List.of(new Verdict.Reason("failed", "gone", false))),
                            List.of())));
        }
        Ended e = resume(id);
        assertThat(e.code).isEqualTo(2);
        assertThat(e.err.strip())
                .contains(
                        "trial 1 of the run is SWEEP {load.connections=",
                        "the plan or Fettle has been changed since, so start a new run")
                .doesNotContain("\n");
        assertThat(e.out).doesNotContain("Resuming");
    }

    /** The journal may be somebody else's. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{command: [sh, -c, 'touch RAN; exec sleep {port}']} | ''",
                "{url: 'http://127.0.0.1:1/'} | hooks: {before: [{run: [touch, RAN]}]}",
            })
    void whatOnlyTheJournalNamesIsNotRun(String target, String hooks) throws Exception {
        Path ran = folder.resolve("ran");
        Plan plan = new PlanReader(2, 4096)
                .read(
                        "p.yaml",
                        ("name: s\ntarget: " + target + "\nload: {connections: 2, warm-up: 1s}\n" + hooks + "\n")
                                .replace("RAN", ran.toString()));
        String id;
        try (Journal journal = Journal.open(Workspace.open(folder).journalFile())) {
            id = journal.begin("diagnose", Path.of(""), "", Redaction.of(plan), Map.of(), Instant.EPOCH)
                    .id();
        }
        Ended e = resume(id);
        assertThat(e.code).isEqualTo(2);
        assertThat(e.err).contains("is run only when asked: --run-kept-plan");
        assertThat(ran).doesNotExist();
    }

    /** Whoever wrote the journal would choose in which process something is set, or an agent loaded. */
    @ParameterizedTest
    @CsvSource({
        "'', 'live: true'",
        "'', 'agent: true'",
        "'pid: 4194302, live: true', 'live: true'",
        "'pid: 4194303', 'live: true'",
        "'pid: 4194303, live: true', 'live: true, agent: true'"
    })
    void whatOnlyTheJournalSetsInAProcessIsNotSet(String ofTheFile, String kept) throws Exception {
        String load = "\nload: {connections: 2, warm-up: 1s}\n";
        Path path = Path.of("");
        String hash = "";
        if (!ofTheFile.isEmpty()) {
            path = Files.writeString(folder.resolve("p.yaml"), "name: s\ntarget: {" + ofTheFile + "}" + load);
            hash = PlanFile.read(new PlanReader(2, 4096), path).file().hash();
        }
        Plan plan = new PlanReader(2, 4096).read("p.yaml", "name: s\ntarget: {pid: 4194303, " + kept + "}" + load);
        String id;
        try (Journal journal = Journal.open(Workspace.open(folder).journalFile())) {
            id = journal.begin("diagnose", path, hash, Redaction.of(plan), Map.of(), Instant.EPOCH)
                    .id();
        }
        Ended e = resume(id);
        assertThat(e.code).isEqualTo(2);
        assertThat(e.err).contains("process 4194303", "only when asked: --run-kept-plan");
    }

    /** In a folder that was copied from somewhere, a plan may lie next to its journal. */
    @Test
    void aPlanThatTheJournalNamesFromWhereItIsCalledIsNotRun() throws Exception {
        Path ran = folder.resolve("ran");
        Path file = Files.writeString(folder.resolve("p.yaml"), """
                name: s
                target: {command: [sh, -c, 'touch RAN; exec sleep {port}']}
                load: {connections: 2, warm-up: 1s}
                """.replace("RAN", ran.toString()));
        PlanFile.Read read = PlanFile.read(new PlanReader(2, 4096), file);
        Path here = Path.of("").toAbsolutePath().relativize(file.toAbsolutePath());
        String id;
        try (Journal journal = Journal.open(Workspace.open(folder).journalFile())) {
            id = journal.begin("diagnose", here, read.file().hash(), Redaction.of(read.plan()), Map.of(), Instant.EPOCH)
                    .id();
        }
        Ended e = resume(id);
        assertThat(e.code).isEqualTo(2);
        assertThat(e.err).contains("is run only when asked: --run-kept-plan");
        assertThat(ran).doesNotExist();
    }

    /** Anyone who knows where a folder will lie can put a plan and a journal that fits it there. */
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            delimiter = ';',
            value = {
                "DROP TABLE seal; false",
                "UPDATE seal SET seal = '00'; false",
                "UPDATE run SET plan = replace(plan, '8080', '8081'); false",
                "UPDATE run SET plan_file = plan_file || '/../p.yaml'; false",
                "UPDATE run SET kind = 'sweep'; false",
                "SELECT 1; true",
            })
    void aRunThatAnotherUsersFettleBeganIsNotRun(String sql, boolean runs) throws Exception {
        Path ran = folder.resolve("ran");
        Path file = Files.writeString(folder.resolve("p.yaml"), """
                name: s
                target: {command: [sh, -c, 'touch RAN; exit 1', '{port}', '8080']}
                load: {connections: 2, warm-up: 1s}
                """.replace("RAN", ran.toString()));
        PlanFile.Read read = PlanFile.read(new PlanReader(2, 4096), file);
        String id;
        try (Journal journal = Journal.open(Workspace.open(folder).journalFile())) {
            id = journal.begin("diagnose", file, read.file().hash(), Redaction.of(read.plan()), Map.of(), Instant.EPOCH)
                    .id();
            assertThat(journal.isOwn(id)).isTrue();
        }
        write(sql);
        Ended e = resume(id);
        assertThat(Files.exists(ran)).as(e.out + e.err).isEqualTo(runs);
        if (!runs) {
            assertThat(e.code).isEqualTo(2);
            assertThat(e.err.strip()).doesNotContain("\n");
        }
    }

    /** What goes on is the plan file, whatever the journal calls the run. */
    @Test
    void aJournalThatIsHarmlessDoesNotRunWhatItsPlanFileNames() throws Exception {
        Path ran = folder.resolve("ran");
        String load = "\nload: {connections: 2, warm-up: 1s}\n";
        Path file = Files.writeString(
                folder.resolve("p.yaml"),
                "name: s\ntarget: {command: [sh, -c, 'touch " + ran + "; exit 1', '{port}']}" + load);
        PlanReader reader = new PlanReader(2, 4096);
        Plan harmless = reader.read("p.yaml", "name: s\ntarget: {url: 'http://127.0.0.1:1/'}" + load);
        String id;
        try (Journal journal = Journal.open(Workspace.open(folder).journalFile())) {
            id = journal.begin(
                            "diagnose",
                            file,
                            PlanFile.read(reader, file).file().hash(),
                            Redaction.of(harmless),
                            Map.of(),
                            Instant.EPOCH)
                    .id();
        }
        write("DROP TABLE seal");
        Ended e = resume(id);
        assertThat(e.code).isEqualTo(2);
        assertThat(e.err).contains("not begun by your own Fettle", "is run only when asked: --run-kept-plan");
        assertThat(ran).doesNotExist();
    }

    private void write(String sql) throws Exception {
        try (var db = DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("journal.db"));
                var s = db.createStatement()) {
            s.execute(sql);
        }
    }

    /** A tune's winner is chosen among its trials, and its values go into commands. */
    @Test
    void aValueThatThePlanDoesNotHaveIsNotRun() throws Exception {
        Path file = Files.writeString(folder.resolve("p.yaml"), """
                name: s
                target: {command: [sleep, '{port}', '{threads.max}']}
                load: {connections: 2, warm-up: 1s}
                knobs: {threads.max: {from: 1, to: 9}}
                """);
        Plan plan = new PlanReader(2, 4096).read(file);
        String hash =
                HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
        String id;
        try (Journal journal = Journal.open(Workspace.open(folder).journalFile())) {
            id = journal.begin("tune", file, hash, Redaction.of(plan), Map.of(), Instant.EPOCH)
                    .id();
            var spec = new TrialSpec(
                    TrialSpec.Phase.SEARCH,
                    "",
                    Map.of(),
                    0,
                    plan.target(),
                    Setting.of("threads.max", "9; touch x"),
                    plan.load());
            journal.add(
                    id,
                    List.of(new TrialOutcome(
                            1,
                            spec,
                            Instant.EPOCH,
                            Duration.ofSeconds(1),
                            Duration.ZERO,
                            Optional.empty(),
                            Optional.empty(),
                            Optional.of(new TrialOutcome.Failure(TrialOutcome.Kind.DIED, "gone")),
                            new Verdict(List.of(new Verdict.Reason("failed", "gone", false))),
                            List.of())));
        }
        Ended e = resume(id);
        assertThat(e.code).as(e.out + e.err).isEqualTo(2);
        assertThat(e.err).contains("threads.max=9; touch x is no value of the plan's");
    }
}
