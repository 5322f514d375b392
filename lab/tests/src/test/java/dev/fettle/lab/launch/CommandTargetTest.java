package dev.fettle.lab.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fettle.lab.FaultyServer;
import dev.fettle.lab.Fixtures;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.target.EffectiveValues;
import dev.fettle.lab.target.RunningTarget;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.TrialOutcome.Kind;
import dev.fettle.watch.host.ListenOwner;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is known of a target that a command starts. */
class CommandTargetTest {
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    @TempDir
    Path folder;

    private RunningTarget launched(Target.Command target, Setting setting) throws Exception {
        Path trial = Files.createDirectory(folder.resolve("trial"));
        LabEnvironment env = Fixtures.unloaded(folder);
        var artifacts = new Artifacts(folder.resolve("a"), folder.resolve("m"), note -> {});
        return new CommandLauncher(env, new ProgramLauncher(env), artifacts).launch(target, setting, trial);
    }

    private static Target.Command command(List<List<String>> arguments, Map<String, String> environment) {
        return new Target.Command(
                arguments,
                environment,
                Map.of(),
                Map.of(),
                Map.of(),
                Optional.empty(),
                Map.of(),
                new Target.Jvm(Optional.empty(), List.of()));
    }

    /** A script or a build tool starts a JVM of its own beside the server's. */
    @Test
    void theProcessThatListensIsTheServers() throws Exception {
        String server = " -Xmx64m " + Fixtures.QUICK + " -cp \"$1\" " + FaultyServer.class.getName();
        String script = "\"$0\"" + server + " deaf 1 & sleep 0.2; \"$0\"" + server + " none \"$2\"";
        var target = command(
                List.of(List.of("sh", "-c", script, JAVA, System.getProperty("java.class.path"), "{port}")), Map.of());
        try (RunningTarget running = launched(target, Setting.DEFAULT)) {
            long listens = new ListenOwner().owners(running.address().getPort()).first();
            assertThat(running.pid()).isEqualTo(listens);
        }
    }

    /** Its flags win over those of the command line, so the heap is not the one that was set. */
    @Test
    void aHeapThatAVariableOverrulesIsNotEffective() throws Exception {
        var target = command(
                List.of(
                        List.of("{java}"),
                        List.of("{jvm}"),
                        List.of(Fixtures.QUICK),
                        List.of("-cp"),
                        List.of(System.getProperty("java.class.path")),
                        List.of(FaultyServer.class.getName()),
                        List.of("none"),
                        List.of("{port}")),
                Map.of("_JAVA_OPTIONS", "-Xmx300m"));
        Setting setting = Setting.of("jvm.heap", Long.toString(96 << 20));
        try (RunningTarget running = launched(target, setting)) {
            var effective = new EffectiveValues(Fixtures.unloaded(folder).proc(), List.of(), Set.of());
            assertThatExceptionOfType(TrialFailure.class)
                    .isThrownBy(() ->
                            effective.readBack(running, Fixtures.spec(target, setting, Fixtures.patient(1, "fine"))))
                    .withMessageContaining("jvm.heap was set to")
                    .withMessageEndingWith("the variable _JAVA_OPTIONS is set, and its flags win over all others")
                    .matches(e -> e.asFailure().kind() == Kind.NOT_EFFECTIVE);
        }
    }
}
