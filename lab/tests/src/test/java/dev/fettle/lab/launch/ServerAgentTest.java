package dev.fettle.lab.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.lab.Fixtures;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.Ports;
import dev.fettle.lab.target.EffectiveValues;
import dev.fettle.lab.target.RunningTarget;
import dev.fettle.lab.target.ServerAgent;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.TrialOutcome.Kind;
import dev.fettle.watch.host.Proc;
import dev.fettle.watch.jvm.WorkerProbe;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The agent in a server's JVM, from Fettle's side; what it finds in each server is the agent's own tests' matter. */
class ServerAgentTest {
    private static final Setting SETTING =
            Setting.of(Map.of("threads.max", "24", "threads.min", "6", "backlog", "321", "http2", "true"));

    @TempDir
    Path folder;

    private RunningTarget launch(ServerKind server, ServerAgent agent) throws Exception {
        var env = Fixtures.unloaded(folder);
        var target = new Target.Embedded(
                server,
                "hello",
                Map.of(),
                Optional.empty(),
                new Target.Jvm(
                        Optional.empty(),
                        Stream.concat(Stream.of(Fixtures.QUICK), agent.flags(folder).stream())
                                .toList()));
        var launcher = new TargetLauncher(
                env,
                new Artifacts(folder.resolve("a"), folder.resolve("m"), note -> {}),
                new Calibration(folder),
                List.of(),
                new TrialFiles(),
                note -> {});
        return launcher.launch(Fixtures.spec(target, SETTING, Fixtures.load(1, "Hello World")), folder, new Ports());
    }

    /** Of an embedded server, both the target itself and the agent can tell. */
    @ParameterizedTest
    @EnumSource(ServerKind.class)
    void theAgentSaysWhatTheServerSays(ServerKind server) throws Exception {
        var agent = new ServerAgent(Fixtures.unloaded(folder));
        try (RunningTarget running = launch(server, agent)) {
            var seen = new RunningTarget(running.address(), Optional.empty(), 0);
            agent.describe(seen, server, SETTING, folder);
            assertThat(seen.notes()).isEmpty();
            assertThat(seen.facts()).containsEntry("server", server.id()).isEqualTo(running.facts());
            assertThat(running.effective()).containsAllEntriesOf(seen.effective());
            assertThat(seen.effective()).containsEntry("threads.max", "24").containsEntry("threads.min", "6");
            WorkerProbe.Sample sample = Fixtures.sample(seen.probe());
            assertThat(sample.busy().optional()).hasValue(0);
            assertThat(sample.gcMillis().optional()).isPresent();
            seen.close();
            assertThat(running.alive()).as("the probe leaves, the server stays").isTrue();
        }
    }

    @Test
    void anotherServerThanExpectedIsANote() throws Exception {
        var agent = new ServerAgent(Fixtures.unloaded(folder));
        try (RunningTarget running = launch(ServerKind.TOMCAT, agent)) {
            var seen = new RunningTarget(running.address(), Optional.empty(), 0);
            agent.describe(seen, ServerKind.JETTY, SETTING, folder);
            assertThat(seen.effective()).isEmpty();
            assertThat(seen.probe()).isSameAs(WorkerProbe.NONE);
            assertThat(seen.notes()).singleElement().asString().contains("it is tomcat that listens on port ");
            assertThat(failure(seen, Kind.NOT_EFFECTIVE)).contains("it is tomcat that listens on port ");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'', holds no port and token",
        "8080, holds no port and token",
        "99999 00000000000000000000000000000000, holds no port and token",
        "8080 0000000000000000, holds no port and token",
        "1 00000000000000000000000000000000, refused"
    })
    void aControlFileThatLeadsNowhereIsANote(String content, String words) throws Exception {
        Files.writeString(folder.resolve("agent.control"), content + "\n");
        var nobody = new RunningTarget(new InetSocketAddress(InetAddress.getLoopbackAddress(), 1), Optional.empty(), 0);
        new ServerAgent(Fixtures.unloaded(folder)).describe(nobody, ServerKind.JETTY, SETTING, folder);
        assertThat(nobody.effective()).isEmpty();
        assertThat(nobody.notes())
                .singleElement()
                .asString()
                .startsWith("knob values and busy threads of jetty not read: ")
                .contains(words);
        assertThat(failure(nobody, Kind.LAB))
                .startsWith("threads.max was set to 24 and could not be read back: ")
                .contains(words);
    }

    /** What a trial that set a knob of the server fails with. */
    private static String failure(RunningTarget running, Kind kind) {
        var failed = new EffectiveValues(new Proc(), List.of(), Set.of())
                .difference(running, "threads.max", "24", OptionalInt.empty())
                .orElseThrow()
                .asFailure();
        assertThat(failed.kind()).isEqualTo(kind);
        return failed.message();
    }

    @Test
    void aMissingJarIsSaidBeforeAnythingStarts() throws Exception {
        var env = Fixtures.unloaded(folder);
        var elsewhere = new LabEnvironment(
                folder, env.workspace(), env.jdks(), env.cpus(), env.proc(), env.ownHosts(), env.clock(), env.state());
        assertThatThrownBy(() -> new ServerAgent(elsewhere).flags(folder))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("fettle-agent.jar is missing: build Fettle first");
    }
}
