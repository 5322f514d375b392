package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.cli.terminal.ExitCodes;
import dev.fettle.lab.journal.Journal;
import dev.fettle.lab.machine.Workspace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of runs that are cut off: what they measured is not asked. */
@Order(1)
class RunTest {
    @TempDir
    Path folder;

    /**
     * An app that mostly waits: its throughput hardly depends on what else this machine has to do. The target's JVM is one that
     * starts quickly.
     */
    private static final String SWEEP = """
            name: small
            target: {server: jetty, app: work, options: {wait: 5ms, cpu: 0ms}, jvm: [-XX:TieredStopAtLevel=1]}
            load: {connections: 4, warm-up: %s, measure: 500ms, request: {headers: {Authorization: "Bearer hunter2hunter2"}}}
            sweep: {grid: {threads.max: [8, 16]}, repeats: 1}
            """;

    /** Too short to be steady: each trial is void. */
    private static final String TOO_SHORT = "1s";

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

    /** Between its first death and its second one it is what {@code runs} and {@code show} say of it, and needs the plan it began with. */
    @Test
    void aRunThatWasKilledAtAnyMomentGoesOnWhereItStopped() throws Exception {
        var fettle = new Fettle(folder);
        Path plan = fettle.write("p.yaml", SWEEP.formatted(TOO_SHORT));
        var random = new Random();
        Process p = fettle.start("sweep", plan.toString());
        while (trials() == 0 && p.isAlive()) { // so that there is something to lose
            p.waitFor(100, TimeUnit.MILLISECONDS);
        }
        p.waitFor(random.nextInt(1_500), TimeUnit.MILLISECONDS); // the other setting takes longer
        p.destroyForcibly().waitFor(); // SIGKILL
        int kept = trials();
        assertThat(kept).isPositive();

        assertThat(fettle.here("runs").out()).contains("not finished: fettle resume small-1");
        try (var lock = Workspace.open(folder.resolve(".fettle")).lock()) {
            lock.by("small-1");
            assertThat(fettle.run("runs").out())
                    .contains("is being measured now")
                    .doesNotContain("resume");
            assertThat(fettle.run("show").out()).doesNotContain("Go on with");
        }
        fettle.write("p.yaml", SWEEP.formatted("2s"));
        var changed = fettle.here("resume");
        assertThat(changed.code()).isEqualTo(2);
        assertThat(changed.err()).contains("has changed").contains("fettle sweep");
        awaitNoProcess();

        fettle.write("p.yaml", SWEEP.formatted(TOO_SHORT));
        p = fettle.start("resume");
        p.waitFor(random.nextInt(4_000), TimeUnit.MILLISECONDS);
        p.destroyForcibly().waitFor();
        assertThat(trials()).isGreaterThanOrEqualTo(kept);
        kept = trials();
        var run = fettle.run("resume");
        assertThat(run.out() + run.err()).contains("small-1").doesNotContain("SLF4J");
        assertThat(trials()).isGreaterThanOrEqualTo(Math.max(kept, 2));
        awaitNoProcess();
    }

    @Test
    void ctrlCStopsCleanlyKeepsWhatIsDoneAndSaysHowToGoOn() throws Exception {
        var fettle = new Fettle(folder);
        Path plan = fettle.write("p.yaml", SWEEP.formatted(TOO_SHORT));
        Path junit = folder.resolve("stopped.xml");
        Process p = fettle.start("sweep", plan.toString(), "--junit", junit.toString());
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
        assertThat(junit).content().as("no conclusion is no pass").contains("errors=\"1\"", "unfinished");
        assertThat(Fettle.processesNaming(folder)).isEmpty();
    }

    /** A shell starts its background jobs deaf to Ctrl-C, and what they start inherits that: then only TERM can be sent. */
    private static boolean ignoresInterrupt(long pid) throws Exception {
        return Files.readAllLines(Path.of("/proc/" + pid + "/status")).stream()
                .filter(l -> l.startsWith("SigIgn:"))
                .anyMatch(l -> (Long.parseUnsignedLong(l.substring(7).trim(), 16) & 2) != 0);
    }

    /** The plan that init writes, and not the bundled login page. */
    @Test
    void aTuneWithoutAPlanTakesTheFoldersOwn() throws Exception {
        var fettle = new Fettle(folder);
        fettle.write("fettle.yaml", "name: own\nnonsense: 1\n");
        var run = fettle.run("tune");
        assertThat(run.code()).as(run.err()).isEqualTo(2);
        assertThat(run.err()).contains("fettle.yaml:2:1: unknown key 'nonsense'");
    }

    @Test
    void aSecondRunAtTheSameTimeSaysWhatIsUpAndLeavesNothingBehind() throws Exception {
        var fettle = new Fettle(folder);
        Path plan = fettle.write("p.yaml", SWEEP.formatted(TOO_SHORT));
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

    /** After a kill -9 the guards end their processes a moment later. */
    private void awaitNoProcess() {
        ProcessHandle.allProcesses()
                .filter(p -> p.info().commandLine().orElse("").contains(folder.toString()))
                .forEach(p -> p.onExit().orTimeout(30, TimeUnit.SECONDS).join());
        assertThat(Fettle.processesNaming(folder)).isEmpty();
    }
}
