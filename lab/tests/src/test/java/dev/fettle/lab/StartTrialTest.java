package dev.fettle.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.lab.journal.Journal;
import dev.fettle.lab.journal.JournalTest;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialOutcome.Kind;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A trial that only starts its target. */
class StartTrialTest {
    @TempDir
    Path folder;

    /** A program that ends at once in each second of its starts; a file counts them. */
    private Target.Command eachSecondFails() throws Exception {
        Path counter = Files.writeString(folder.resolve("starts"), "");
        return command("printf x >> " + counter + "; test $(( $(wc -c < " + counter
                + ") % 2 )) != 0 || { echo no luck; exit 3; }; ");
    }

    private static Target.Command command(String before) {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        String script = before + "exec \"$0\" -Xmx64m " + Fixtures.QUICK + " -cp \"$1\" " + FaultyServer.class.getName()
                + " none \"$2\"";
        return new Target.Command(
                List.of(List.of("sh", "-c", script, java, System.getProperty("java.class.path"), "{port}")),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                Optional.empty(),
                Map.of(),
                new Target.Jvm(Optional.empty(), List.of(Fixtures.QUICK)));
    }

    @Test
    void itIsStartedAndStoppedWithoutLoad() throws Exception {
        Target.Command target = eachSecondFails();
        var all = new ArrayList<TrialOutcome>();
        try (Journal journal = Journal.open(folder.resolve("journal.db"))) {
            String run = JournalTest.begin(journal).id();
            try (var runner = Fixtures.runner(Fixtures.unloaded(folder), folder, new LabListener() {})) {
                for (int i = 1; i <= 2; i++) {
                    var spec = new TrialSpec(
                            Phase.START,
                            "candidate",
                            Map.of(),
                            i,
                            target,
                            Setting.DEFAULT,
                            Fixtures.patient(1, "fine"));
                    all.add(runner.run(i, spec, new LabListener() {}));
                }
            }
            journal.add(run, all);
            assertThat(journal.trials(run)).isEqualTo(all);
        }
        assertThat(all).allMatch(o -> o.measurement().isEmpty());
        assertThat(all.getFirst().failure()).isEmpty();
        assertThat(all.getFirst().verdict().valid()).isTrue();
        assertThat(all.getLast().failure().orElseThrow().kind()).isEqualTo(Kind.DID_NOT_START);
        assertThat(all.getLast().failure().orElseThrow().message()).contains("no luck");
    }

    /** A port that another process has is no side's fault, so it is tried again. */
    @Test
    void aPortInUseSaysNothingOfTheSetting() throws Exception {
        try (var taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Target.Command target = command(
                    "echo java.net.BindException: Address already in use: " + taken.getLocalPort() + "; exit 1; ");
            try (var runner = Fixtures.runner(Fixtures.unloaded(folder), folder, new LabListener() {})) {
                var spec = new TrialSpec(
                        Phase.START, "candidate", Map.of(), 0, target, Setting.DEFAULT, Fixtures.patient(1, "fine"));
                TrialOutcome o = runner.run(1, spec, new LabListener() {});
                assertThat(o.failure().orElseThrow().kind().passing()).isTrue();
                assertThat(o.failure().orElseThrow().message()).contains("Address already in use");
            }
        }
    }
}
