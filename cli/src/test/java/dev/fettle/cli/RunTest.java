package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fettle.lab.Journal;
import dev.fettle.lab.Workspace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole runs from the command line, and what becomes of them when they are cut off. */
class RunTest {
    @TempDir
    Path folder;

    private final ObjectMapper json = new ObjectMapper();

    /** An app that mostly waits: its throughput hardly depends on what else this machine has to do. */
    private static final String SWEEP = """
            name: small
            target: {server: jetty, app: work, options: {wait: 5ms, cpu: 0ms}}
            load: {connections: 4, warm-up: %s, measure: 1s}
            sweep: {grid: {threads.max: [8, 16, 32]}, repeats: 1}
            """;

    private int trials() throws Exception {
        Path file = folder.resolve(".fettle/journal.db");
        if (!Files.exists(file)) {
            return 0;
        }
        try (Journal journal = Journal.open(file)) {
            return journal.runs().isEmpty()
                    ? 0
                    : journal.trials(journal.runs().getFirst().id()).size();
        }
    }

    @Test
    void aSweepRunsAndIsShownListedAndReported() throws Exception {
        var fettle = new Fettle(folder);
        Path plan = fettle.write("p.yaml", SWEEP.formatted("20s"));
        var run = fettle.run("sweep", plan.toString());
        // on a machine that is busy with other things, no attempt may be valid: that has a code of its own
        boolean disturbed = run.code() == ExitCodes.NO_VALID_RESULT
                && (run.out().contains("not-steady:") || run.out().contains("disturbed:"));
        assertThat(disturbed ? ExitCodes.OK : run.code())
                .as(run.out() + run.err())
                .isZero();
        assertThat(run.out()).contains("Run small-1").contains("Report: ");
        assertThat(Fettle.processesNaming(folder)).isEmpty();

        assertThat(fettle.run("runs").out()).contains("small-1").contains("sweep");
        JsonNode shown = json.readTree(fettle.run("show", "latest", "--json").out());
        assertThat(shown.findValue("cells")).hasSize(3);
        var report = fettle.run("report", "1", "--out", folder.resolve("r.html").toString());
        assertThat(report.code()).isZero();
        assertThat(folder.resolve("r.html")).content().contains("<html").contains("threads.max");
        assertThat(folder.resolve(".fettle/runs/small-1/trials.csv")).exists();
    }

    @Test
    void aRunThatWasKilledAtAnyMomentGoesOnWhereItStopped() throws Exception {
        var fettle = new Fettle(folder);
        Path plan =
                fettle.write("p.yaml", SWEEP.formatted("2s")); // too short to be steady: attempts are void and repeated
        var random = new Random();
        int kept = 0;
        for (int round = 0; round < 3; round++) {
            Process p = round == 0 ? fettle.start("sweep", plan.toString()) : fettle.start("resume");
            p.waitFor(2_000 + random.nextInt(6_000), TimeUnit.MILLISECONDS);
            p.destroyForcibly().waitFor(); // SIGKILL
            int now = trials();
            assertThat(now).isGreaterThanOrEqualTo(kept);
            kept = now;
        }
        if (Files.exists(folder.resolve(".fettle/journal.db")) && trials() == 0) {
            return; // every round was cut off before its first trial ended
        }
        var run = fettle.run("resume");
        assertThat(run.out() + run.err()).contains("small-1");
        assertThat(trials()).isGreaterThanOrEqualTo(Math.max(kept, 3));
        awaitNoProcess();
    }

    @Test
    void ctrlCStopsCleanlyKeepsWhatIsDoneAndSaysHowToGoOn() throws Exception {
        var fettle = new Fettle(folder);
        Path plan = fettle.write("p.yaml", SWEEP.formatted("2s"));
        Process p = fettle.start("sweep", plan.toString());
        while (trials() == 0 && p.isAlive()) {
            p.waitFor(200, TimeUnit.MILLISECONDS);
        }
        boolean deaf = ignoresInterrupt(p.pid());
        new ProcessBuilder("kill", deaf ? "-TERM" : "-INT", Long.toString(p.pid()))
                .start()
                .waitFor();
        assertThat(p.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(p.exitValue()).isEqualTo(deaf ? 143 : 130);
        assertThat(fettle.out()).contains("fettle resume small-1").contains("Nothing is left running");
        assertThat(fettle.err()).doesNotContain("Exception");
        assertThat(Fettle.processesNaming(folder)).isEmpty();
    }

    /** A shell starts its background jobs deaf to Ctrl-C, and what they start inherits that: then only TERM can be sent. */
    private static boolean ignoresInterrupt(long pid) throws Exception {
        return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
                .filter(l -> l.startsWith("SigIgn:"))
                .anyMatch(l -> (Long.parseUnsignedLong(l.substring(7).trim(), 16) & 2) != 0);
    }

    @Test
    void aPlanThatChangedIsNotResumed() throws Exception {
        var fettle = new Fettle(folder);
        Path plan = fettle.write("p.yaml", SWEEP.formatted("2s"));
        Process p = fettle.start("sweep", plan.toString());
        while (trials() == 0 && p.isAlive()) {
            p.waitFor(200, TimeUnit.MILLISECONDS);
        }
        p.destroyForcibly().waitFor();
        fettle.write("p.yaml", SWEEP.formatted("3s"));
        var resumed = fettle.run("resume");
        assertThat(resumed.code()).isEqualTo(2);
        assertThat(resumed.err()).contains("has changed").contains("fettle sweep");
        awaitNoProcess();
    }

    @Test
    void aSecondRunAtTheSameTimeSaysWhatIsUpAndLeavesNothingBehind() throws Exception {
        var fettle = new Fettle(folder);
        Path plan = fettle.write("p.yaml", SWEEP.formatted("2s"));
        try (var _ = Workspace.open(folder.resolve(".fettle")).lock()) {
            var second = fettle.run("sweep", plan.toString());
            assertThat(second.code()).isEqualTo(ExitCodes.FAILED);
            assertThat(second.err())
                    .contains("fettle: another fettle is measuring in ")
                    .contains("two at once would measure each other; wait for it to end");
        }
        try (Journal journal = Journal.open(folder.resolve(".fettle/journal.db"))) {
            assertThat(journal.runs()).isEmpty();
        }
    }

    @Test
    void tuningAKnobWithoutEffectShowsNoImprovement() throws Exception {
        var fettle = new Fettle(folder);
        Path plan = fettle.write("p.yaml", """
                name: a-a
                target: {server: jetty, app: work, options: {wait: 5ms, cpu: 0.1ms}}
                load: {connections: 16, warm-up: 20s, measure: 2s}
                knobs: {jvm.flags: ["-Dmeaning=none", "-Dmeaning=nothing"]}
                budget: {trials: 3, pairs: 3, time: 6m}
                """);
        var run = fettle.run("tune", plan.toString(), "--json");
        JsonNode result = json.readTree(run.out());
        assertThat(result.findValue("result").asText()).isNotEqualToIgnoringCase("improved");
        assertThat(Fettle.processesNaming(folder)).isEmpty();
    }

    @Test
    void secretsReachNeitherJournalNorReport() throws Exception {
        var fettle = new Fettle(folder);
        Path plan = fettle.write("p.yaml", """
                name: secret
                target: {server: tomcat, app: hello}
                load:
                  connections: 4
                  warm-up: 1s
                  measure: 500ms
                  request: {headers: {Authorization: "Bearer hunter2hunter2", Cookie: "sid=hunter2hunter2"}}
                sweep: {grid: {threads.max: [8]}, repeats: 1}
                """);
        fettle.run("sweep", plan.toString());
        Files.delete(plan);
        try (var files = Files.walk(folder)) {
            for (Path f : files.filter(Files::isRegularFile).toList()) {
                assertThat(new String(Files.readAllBytes(f), java.nio.charset.StandardCharsets.ISO_8859_1))
                        .as(f.toString())
                        .doesNotContain("hunter2");
            }
        }
    }

    /** After a kill -9 the guards end their processes a moment later. */
    private void awaitNoProcess() {
        ProcessHandle.allProcesses()
                .filter(p -> p.info().commandLine().orElse("").contains(folder.toString()))
                .forEach(p -> p.onExit().orTimeout(30, TimeUnit.SECONDS).join());
        assertThat(Fettle.processesNaming(folder)).isEmpty();
    }
}
