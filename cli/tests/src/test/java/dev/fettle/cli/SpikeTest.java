package dev.fettle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.gate.GateRules;
import dev.fettle.lab.LabListener;
import dev.fettle.lab.TrialRunner;
import dev.fettle.lab.launch.OwnFiles;
import dev.fettle.lab.launch.TrialFiles;
import dev.fettle.lab.machine.Clock;
import dev.fettle.lab.machine.CpuLayout;
import dev.fettle.lab.machine.Jdks;
import dev.fettle.lab.machine.LabEnvironment;
import dev.fettle.lab.machine.Workspace;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Variant;
import dev.fettle.model.read.PlanReader;
import dev.fettle.model.target.Hooks;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Slice;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import dev.fettle.model.trial.Verdict;
import dev.fettle.watch.host.Proc;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** More requests than a server can do, of the example, shortened. Whether all are sent depends on the machine, which is waited for. */
class SpikeTest {
    @TempDir
    Path folder;

    private TrialOutcome run(TrialSpec spec, Plan plan) throws Exception {
        var silent = new LabListener() {};
        var proc = new Proc();
        var env = new LabEnvironment(
                Fettle.home(),
                Workspace.open(folder.resolve("ws")),
                Jdks.system(),
                CpuLayout.of(proc.allowedCpus("self")),
                proc,
                Set.of(),
                Clock.SYSTEM,
                folder.resolve("state"));
        try (var runner = new TrialRunner(
                env,
                folder,
                Hooks.NONE,
                plan.own(),
                Set.of(),
                plan.effectiveSlo(),
                Objective.Metric.THROUGHPUT,
                new TrialFiles(),
                silent)) {
            return runner.run(1, spec, silent);
        }
    }

    /** As the validity gate says it, by the kernel's counters. */
    private static Optional<String> disturbed(TrialOutcome o) {
        return o.verdict().reasons().stream()
                .filter(r -> r.rule().equals(GateRules.DISTURBED))
                .map(Verdict.Reason::message)
                .findFirst();
    }

    /** 36 at once, 50 ms each: 720 a second are answered, of 3,000, and all others are refused at once. */
    @Test
    void aServerThatRefusesAnswersTheRestOfASpikeAndRefusesThatAtOnce() throws Exception {
        Plan plan = new PlanReader(2, 4096, OwnFiles.CONFIGURATION)
                .read(Fettle.home().resolve("examples/overload.yaml"));
        Variant refuse = plan.compare().orElseThrow().variants().stream()
                .filter(v -> v.name().equals("refuse"))
                .findFirst()
                .orElseThrow();
        var spike = new Plan.Spike(3_000, Duration.ofSeconds(2), Duration.ofSeconds(3));
        Load load = spike.in(plan.load().withWarmUpAtMost(Duration.ofSeconds(2)));
        var spec = new TrialSpec(Phase.COMPARE, "", Map.of(), 0, refuse.target(), refuse.setting(), load);
        TrialOutcome ran = Calmly.measured(() -> run(spec, plan), SpikeTest::disturbed);

        assertThat(ran.failure()).isEmpty();
        Measurement m = ran.measurement().orElseThrow();
        List<Slice> stages = m.detail().stages();
        assertThat(stages).hasSize(3);
        Slice during = stages.get(1);
        assertThat(during.responses())
                .isLessThanOrEqualTo(36 * (1 + Math.round(during.seconds() / 0.05 + 0.5)))
                .isGreaterThan(Math.round(0.5 * 720 * during.seconds()));
        assertThat(during.errors().getOrDefault(ErrorKind.STATUS, 0L))
                .as("refused")
                .isGreaterThan(during.responses());
        assertThat(m.statuses()).containsKey(503);
        assertThat(m.detail().slices()).hasSizeGreaterThan(14);
        assertThat(ran.evidence().orElseThrow().get(Aggregate.BUSY_WORKERS).optional())
                .as("looked at")
                .isPresent();
    }
}
