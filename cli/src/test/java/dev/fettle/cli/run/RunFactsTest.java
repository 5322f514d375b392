package dev.fettle.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fettle.cli.terminal.CliException;
import dev.fettle.lab.journal.RunRecord;
import dev.fettle.lab.launch.TrialFiles;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
                RunFacts.of(begun, MACHINE, folder, new TrialFiles()),
                Instant.EPOCH,
                RunRecord.State.OPEN);
    }

    private void check(RunRecord run) {
        RunFacts.check(ExperimentKind.TUNE, run, read(), MACHINE, folder, new TrialFiles());
    }

    @Test
    void whatIsAsItWasGoesOn() {
        RunRecord run = begun();
        assertThat(run.environment()).containsKey("part." + folder.resolve("app.jar"));
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

    /** Bodies are not in the journal, nor is a scenario's file in the plan's hash. */
    @Test
    void whatIsMaskedInAScenarioIsNoticedByItsFile() throws Exception {
        Path scenario = Files.writeString(
                folder.resolve("s.yaml"), "steps: [{name: cart, path: /, method: POST, body: '{\"n\": 10}'}]\n");
        Files.writeString(
                plan, "name: p\ntarget: {server: tomcat, app: hello}\nload: {connections: 2, scenario: s.yaml}\n");
        RunRecord run = begun();
        assertThatCode(() -> check(run)).doesNotThrowAnyException();
        Files.writeString(scenario, "steps: [{name: cart, path: /, method: POST, body: '{\"n\": 5000}'}]\n");
        assertThatExceptionOfType(CliException.class)
                .isThrownBy(() -> check(run))
                .withMessageContaining(scenario + " changed since p-1 began");
    }

    @Test
    void aTemplateInAFileOfItsOwnIsNoticedToo() throws Exception {
        Path template = Files.writeString(folder.resolve("app.in"), "port={port}\n");
        Files.writeString(plan, """
                name: p
                target:
                  command: ['{java}', -jar, /opt/none.jar, '{dir}/app.properties']
                  templates: {app.properties: {from: app.in}}
                load: {connections: 2}
                """);
        RunRecord run = begun();
        assertThatCode(() -> check(run)).doesNotThrowAnyException();
        Files.writeString(template, "port={port}\nthreads=1\n");
        assertThatExceptionOfType(CliException.class)
                .isThrownBy(() -> check(run))
                .withMessageContaining(template + " changed since p-1 began");
    }

    @Test
    void whatWasNotThereAndNowIsIsRefused() throws Exception {
        Path jar = folder.resolve("app.jar");
        Files.delete(jar);
        RunRecord run = begun();
        assertThatCode(() -> check(run)).doesNotThrowAnyException();
        Files.writeString(jar, "one");
        assertThatExceptionOfType(CliException.class)
                .isThrownBy(() -> check(run))
                .withMessageContaining(jar + " changed since p-1 began");
    }

    /** Wherever Fettle is now. */
    @ParameterizedTest
    @CsvSource({
        "'server: tomcat, app: hello', '', servers/build/fettle-servers.jar",
        "'server: tomcat, app: hello', '', servers/build/lib/x.jar",
        "'server: tomcat, app: static', '', servers/war/tomcat/build/lib/x.jar",
        "'server: tomcat, app: static', 'knobs: {server: [tomcat, jetty]}', servers/war/jetty/build/lib/x.jar",
    })
    void otherServersOfFettlesOwnAreRefused(String target, String more, String part) throws Exception {
        Files.writeString(plan, "name: p\ntarget: {%s}\nload: {connections: 2}\n%s\n".formatted(target, more));
        Path file = folder.resolve(part);
        Files.createDirectories(file.getParent());
        Files.writeString(file, "one");
        RunRecord run = begun();
        assertThatCode(() -> check(run)).doesNotThrowAnyException();
        Path elsewhere = folder.resolve("elsewhere").resolve(part);
        Files.createDirectories(elsewhere.getParent());
        Files.writeString(elsewhere, "one");
        assertThatCode(() -> RunFacts.check(
                        ExperimentKind.TUNE, run, read(), MACHINE, folder.resolve("elsewhere"), new TrialFiles()))
                .doesNotThrowAnyException();
        Files.writeString(elsewhere, "two");
        assertThatExceptionOfType(CliException.class)
                .isThrownBy(() -> RunFacts.check(
                        ExperimentKind.TUNE, run, read(), MACHINE, folder.resolve("elsewhere"), new TrialFiles()))
                .withMessageStartingWith("Fettle's " + part.replace("/x.jar", "") + " changed since p-1 began");
    }

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
        assertThat(RunFacts.ofMachine(Map.of("cpuModel", "Z80", "fettleVersion", "1", "part./a.jar", "00")))
                .isEqualTo(MACHINE);
    }
}
