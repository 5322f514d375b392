package dev.fettle.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fettle.insight.Experiment;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialOutcome.Kind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Pairs of real processes: what only those show. All else that may happen to a pair is in {@link DriverFaultsTest}. */
@Execution(ExecutionMode.CONCURRENT)
@Order(2)
class PairTest {
    @TempDir
    Path folder;

    private final LabListener silent = new LabListener() {};

    @AfterEach
    void nothingIsLeftRunning() {
        assertThat(Fixtures.runningIn(folder)).isEmpty();
    }

    private List<TrialOutcome> run(Target first, Target second, Load load, LabListener listener) throws Exception {
        try (var runner = Fixtures.runner(Fixtures.unloaded(folder), folder, listener)) {
            return runner.runPair(1, new Experiment.Step.Pair(step(first, load), step(second, load)), listener);
        }
    }

    private static Experiment.Step.Run step(Target target, Load load) {
        return new Experiment.Step.Run(Fixtures.spec(target, Setting.DEFAULT, load), "pair 1", 2);
    }

    /** On a machine that is busy with other things, an answer may take seconds. */
    private static Load patient(Duration measure) {
        return Fixtures.patient(8, "fine", measure);
    }

    private static Measurement measured(TrialOutcome o) {
        return o.measurement().orElseThrow(() -> new AssertionError(o.failure()));
    }

    private static Evidence evidence(TrialOutcome o) {
        return o.evidence().orElseThrow(() -> new AssertionError(o.failure()));
    }

    /** Both are up at the same time, and the kernel's counters are read for each one's own slices. */
    @Test
    void twoProcessesTakeTurnsAndEachHasItsOwnAnswersAndCpuTime() throws Exception {
        // What is burnt after the end of a slice is nobody's, and its answer counts in the next one: of eight that wait
        // for one CPU that was
        // most, on a machine that is busy with other things.
        Load few = Fixtures.patient(2, "fine", Duration.ofSeconds(2));
        List<TrialOutcome> both = run(Fixtures.faulty("burns-20"), Fixtures.faulty("waits-100"), few, silent);
        assertThat(both).allSatisfy(o -> {
            assertThat(o.failure()).isEmpty();
            var pair = evidence(o).conditions().pair().orElseThrow();
            assertThat(pair.sideBySide()).isTrue();
            var slices = pair.slices().orElseThrow();
            assertThat(slices.counted()).isEqualTo(slices.planned());
        });
        Measurement waiting = measured(both.get(1));
        assertThat(waiting.latency().p50()).isGreaterThanOrEqualTo(99_000_000L);
        assertThat(waiting.throughput()).as("2 clients, 100 ms").isLessThan(2 / 0.1 * 1.1);
        double burns = cpu(both.get(0));
        // 0.02 s, but for requests that begin in a slice or end in it
        assertThat(burns).isGreaterThan(0.01);
        assertThat(cpu(both.get(1))).isLessThan(burns / 2);
    }

    private static double cpu(TrialOutcome o) {
        return evidence(o).get(Aggregate.SERVER_CPU_SECONDS).orElseThrow()
                / measured(o).responses();
    }

    /** A JVM without memory, and what it printed last. */
    @Tag("long")
    @Test
    void oneThatRunsOutOfMemoryIsNamedAndItsPartnerIsNotBlamed() throws Exception {
        Target leaks = Fixtures.faulty("memory", "-Xmx48m", "-XX:+ExitOnOutOfMemoryError");
        // longer than the faulty one lasts
        List<TrialOutcome> both = run(leaks, Fixtures.faulty("waits-20"), patient(Duration.ofSeconds(60)), silent);
        assertThat(both.get(0).failure().orElseThrow().kind()).isEqualTo(Kind.OUT_OF_MEMORY);
        assertThat(both.get(1).failure().orElseThrow().message()).startsWith("its partner in the pair failed: ");
    }

    @Tag("long")
    @Test
    void anInterruptInASliceEndsBothProcesses() {
        Thread me = Thread.currentThread();
        LabListener interrupting = new LabListener() {
            @Override
            public void trialGoesOn(Progress p) {
                if (p.slice() == 2) {
                    assertThat(Fixtures.runningIn(folder)).isNotEmpty();
                    me.interrupt();
                }
            }
        };
        Target waits = Fixtures.faulty("waits-20");
        assertThatExceptionOfType(InterruptedException.class)
                .isThrownBy(() -> run(waits, waits, patient(Duration.ofSeconds(4)), interrupting));
        Thread.interrupted();
    }
}
