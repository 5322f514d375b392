package dev.fettle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fettle.cli.terminal.CliException;
import dev.fettle.lab.journal.RunRecord;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Redaction;
import dev.fettle.model.read.PlanReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run goes on only with what it began with. */
class RunFactsTest {
    private static final Map<String, String> MACHINE = Map.of("cpuModel", "Z80");

    @TempDir
    Path folder;

    private Path plan;

    @BeforeEach
    void files() throws Exception {
        Files.writeString(folder.resolve("app.jar"), "one");
        Files.writeString(folder.resolve("users.csv"), "account,password\nann,secret-1\n");
        plan = Files.writeString(folder.resolve("p.yaml"), """
                name: p
                target: {command: ['{java}', '{jvm}', -jar, %s, '{port}']}
                load:
                  connections: 2
                  scenario:
                    data: [{file: users.csv, order: user}]
                    steps:
                      - {name: hello, path: '/hello?who=${account}'}
                knobs: {jvm.heap: [256m, 512m]}
                """.formatted(folder.resolve("app.jar")));
    }

    private Plan read() {
        return new PlanReader(2, 4096).read(plan);
    }

    private RunRecord begun() {
        Plan begun = read();
        return new RunRecord(
                "p-1",
                "tune",
                plan,
                "",
                Redaction.of(begun),
                RunFacts.of(begun, MACHINE),
                Instant.EPOCH,
                RunRecord.State.OPEN);
    }

    private void check(RunRecord run) {
        RunFacts.check(ExperimentKind.TUNE, run, read(), MACHINE);
    }

    @Test
    void whatIsAsItWasGoesOn() {
        RunRecord run = begun();
        assertThat(run.environment()).containsKey("file." + folder.resolve("app.jar"));
        assertThatCode(() -> check(run)).doesNotThrowAnyException();
    }

    @Test
    void anotherProgramIsRefused() throws Exception {
        RunRecord run = begun();
        Files.writeString(folder.resolve("app.jar"), "two");
        assertThatExceptionOfType(CliException.class)
                .isThrownBy(() -> check(run))
                .withMessage(
                        folder.resolve("app.jar") + " changed since p-1 began: trials of two versions can't be mixed."
                                + " Start a new run with: fettle tune " + plan);
    }

    @Test
    void otherDataAreRefused() throws Exception {
        RunRecord run = begun();
        Files.writeString(folder.resolve("users.csv"), "account,password\nbob,secret-1\n");
        assertThatExceptionOfType(CliException.class)
                .isThrownBy(() -> check(run))
                .withMessageContaining("users.csv changed since p-1 began");
    }

    @Test
    void anotherScenarioIsRefused() throws Exception {
        Path scenario = Files.writeString(folder.resolve("s.yaml"), "steps:\n  - {name: hello, path: /hello}\n");
        Files.writeString(
                plan, "name: p\ntarget: {server: tomcat, app: hello}\nload: {connections: 2, scenario: s.yaml}\n");
        RunRecord run = begun();
        assertThatCode(() -> check(run)).doesNotThrowAnyException();
        Files.writeString(scenario, "steps:\n  - {name: hello, path: /other}\n");
        assertThatExceptionOfType(CliException.class)
                .isThrownBy(() -> check(run))
                .withMessageContaining("a file that " + plan + " reads, such as a scenario, changed since p-1 began");
    }

    /** Older versions noted no files. */
    @Test
    void whatWasNotNotedDoesNotCount() throws Exception {
        RunRecord run = begun();
        var old =
                new RunRecord(run.id(), run.kind(), plan, "", run.plan(), MACHINE, Instant.EPOCH, RunRecord.State.OPEN);
        Files.writeString(folder.resolve("app.jar"), "two");
        assertThatCode(() -> check(old)).doesNotThrowAnyException();
    }

    @Test
    void filesAndFettleAreNotTheMachine() {
        assertThat(RunFacts.ofMachine(Map.of("cpuModel", "Z80", "fettleVersion", "1", "file./a.jar", "00")))
                .isEqualTo(MACHINE);
    }
}
