package dev.fettle.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Experiment.Step;
import dev.fettle.lab.fake.FakeLab;
import dev.fettle.lab.fake.FakeServer;
import dev.fettle.lab.fake.OtherProcess;
import dev.fettle.lab.fake.Phase;
import dev.fettle.lab.fake.Site;
import dev.fettle.model.plan.Objective.Metric;
import dev.fettle.model.target.Hooks;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.watch.host.Disturbance;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whole trials whose target, load, watch and clock are in another process: what comes of them is the same, to the last figure. */
class OverAPipeTest {
    @TempDir
    Path folder;

    private List<TrialOutcome> run(Site site, String name) throws Exception {
        Path runFolder = Files.createDirectories(folder.resolve(name));
        var silent = new LabListener() {};
        var env = Fixtures.unloaded(folder).withClock(site.clock());
        try (var runner = new TrialRunner(
                env,
                runFolder,
                Hooks.NONE,
                Optional.of(VirtualRun.SLO),
                Metric.THROUGHPUT,
                site.targets(),
                site.loads(),
                (_, _) -> Disturbance.UNKNOWN,
                silent)) {
            TrialOutcome alone = runner.run(1, VirtualRun.spec(TrialSpec.Phase.SEARCH, VirtualRun.LOAD), silent);
            var live = new Step.Run(VirtualRun.spec(TrialSpec.Phase.SEARCH, VirtualRun.LOAD), "", 0);
            TrialOutcome warm =
                    runner.runLive(2, new Step.Live(live, live.spec().setting(), VirtualRun.LOAD.measure()), silent);
            return List.of(alone, warm);
        } finally {
            assertThat(site.running()).as("what is left there").isZero();
        }
    }

    @ParameterizedTest
    @CsvSource({"STOP, 9, VALID", "MEASURE, 9, DIED", "LAUNCH, 1, DID_NOT_START"})
    void aTrialIsTheSame(Phase phase, int step, String what) throws Exception {
        var dies = new FakeServer().at(phase, step, s -> s.dies(9));
        List<TrialOutcome> here = run(new FakeLab((n, _) -> n == 1 ? dies : new FakeServer()), "here");
        Process process = Fixtures.java(List.of("-Xmx256m"), OtherProcess.class, phase, step, 9)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            assertThat(run(OtherProcess.at(process), "there")).isEqualTo(here);
        } finally {
            process.destroy();
        }
        assertThat(here.getFirst().failure().map(f -> f.kind().name()).orElse("VALID"))
                .isEqualTo(what);
        assertThat(here.getLast().verdict().valid()).isTrue();
    }
}
