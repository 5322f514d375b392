package dev.fettle.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fettle.insight.Experiment;
import dev.fettle.lab.journal.Journal;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A trial that fails while the run is interrupted is dropped: the interruption may be why. */
class LabInterruptTest {
    @TempDir
    Path folder;

    @Test
    void aFailureOfAnInterruptedTrialIsNotJournalled() throws Exception {
        Setting impossible = Setting.of(Map.of("threads.min", "9", "threads.max", "4"));
        TrialSpec spec =
                Fixtures.spec(Fixtures.hello(ServerKind.TOMCAT), impossible, Fixtures.patient(1, "Hello World"));
        var ended = new ArrayList<TrialOutcome>();
        var listener = new LabListener() {
            @Override
            public void trialBegins(int ordinal, Experiment.Step.Run run) {
                Thread.currentThread().interrupt();
            }

            @Override
            public void trialEnded(TrialOutcome outcome) {
                ended.add(outcome);
            }
        };
        Experiment once = seen -> {
            assertThat(seen).isEmpty();
            return new Experiment.Step.Run(spec, "", 1);
        };
        try (Journal journal = Journal.open(folder.resolve("journal.db"));
                var runner = Fixtures.runner(
                        Fixtures.unloaded(folder), Files.createDirectories(folder.resolve("run")), listener)) {
            String id = journal.begin(
                            "compare",
                            Path.of(""),
                            "",
                            Plan.of("p", spec.target(), spec.load()),
                            Map.of(),
                            Instant.EPOCH)
                    .id();
            assertThatExceptionOfType(InterruptedException.class)
                    .isThrownBy(() -> new Lab(runner, journal, listener).run(id, once));
            assertThat(Thread.interrupted()).isFalse();
            assertThat(journal.trials(id)).isEqualTo(List.of());
        }
        assertThat(ended).isEmpty();
    }
}
