package dev.fettle.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Experiment.Step;
import dev.fettle.insight.GiveUp;
import dev.fettle.insight.gate.SurelyWorse;
import dev.fettle.insight.trials.Fate;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Arrivals;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Objective.Metric;
import dev.fettle.model.trial.TrialOutcome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A trial on a real server that is surely worse than its step's bound. It takes some eight seconds, as nothing is decided before five,
 * and hardly any CPU: its two clients think for most of them.
 */
@Order(1)
class EarlyEndTrialTest {
    @TempDir
    Path folder;

    @Test
    void aTrialThatIsSurelyWorseIsEndedLongBeforeItsTime() throws Exception {
        Load load = Fixtures.patient(2, "Hello World", Duration.ofMinutes(10))
                .withWarmUpAtMost(Duration.ofMinutes(10))
                .withArrivals(new Arrivals.Closed(Duration.ofMillis(50)));
        var spec = Fixtures.spec(Fixtures.hello(ServerKind.TOMCAT), Setting.DEFAULT, load);
        // so far above what two clients ask for that only a bound is met, whatever the machine does meanwhile
        var step = new Step.Run(spec, "", 0, Optional.of(new GiveUp(Metric.THROUGHPUT, 1e9, 5)));
        var silent = new LabListener() {};
        TrialOutcome o;
        try (var runner = Fixtures.runner(Fixtures.environment(folder), folder, silent)) {
            o = runner.run(1, step, silent);
        }
        assertThat(o.failure()).isEmpty();
        assertThat(o.took()).isLessThan(Duration.ofMinutes(5));
        assertThat(o.valid()).isFalse();
        assertThat(SurelyWorse.atBest(o).orElseThrow()).isBetween(0.01, 1e9);
        // beside other tests the gate may say that others took its CPU time; then it is void for that, and shows
        // nothing
        assertThat(Fate.of(o)).as("%s", o.verdict()).isIn(Fate.WORSE, Fate.OUTSIDE, Fate.VOID);
        assertThat(SurelyWorse.is(o)).isEqualTo(Fate.of(o) == Fate.WORSE);
        var m = o.measurement().orElseThrow();
        if (Fate.of(o) == Fate.WORSE) {
            assertThat(m.responses()).isPositive();
        }
        assertThat(m.windows()).anyMatch(w -> !w.measured()).anyMatch(w -> w.measured());
        assertThat(Fixtures.runningIn(folder)).isEmpty();
    }
}
