package dev.fettle.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.fettle.lab.launch.TrialFiles;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.load.Scenario;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.target.Hooks;
import dev.fettle.model.text.Json;
import dev.fettle.model.trial.CapacitySeen;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * A trial that searches for its capacity, on a real process, much shorter than a plan may ask for. Which rate it finds is the machine's
 * business; {@link DriversTest} asks for it.
 */
@Execution(ExecutionMode.CONCURRENT)
@Order(2)
class CapacityTrialTest {
    @TempDir
    Path folder;

    @AfterEach
    void nothingIsLeftRunning() {
        assertThat(Fixtures.runningIn(folder)).isEmpty();
    }

    private static Scenario.Step page(String name) {
        return new Scenario.Step(
                name,
                "GET",
                "/",
                Map.of(),
                Optional.empty(),
                Map.of(),
                Set.of(),
                List.of(new Scenario.Check(Scenario.CheckKind.BODY_CONTAINS, "", "fine")),
                List.of(),
                Duration.ZERO,
                Duration.ZERO,
                false);
    }

    /** Which rates are probed follows from what the clients got: half as many iterations of two steps. */
    @Tag("long")
    @Test
    void aScenariosRatesAreOfIterationsAndAllOfItIsKeptInTheJournal() throws Exception {
        var scenario = new Scenario(
                List.of(new Scenario.Flow("main", 1, List.of(page("first"), page("second")))),
                List.of(),
                Map.of(),
                false,
                1);
        Load load = Fixtures.patient(8, "fine", Duration.ofSeconds(3)).withScenario(scenario);
        var spec = new TrialSpec(Phase.SEARCH, "", Map.of(), 0, Fixtures.faulty("waits-5"), Setting.DEFAULT, load);
        var silent = new LabListener() {};
        try (TrialRunner runner = new TrialRunner(
                Fixtures.unloaded(folder),
                folder,
                Hooks.NONE,
                List.of(),
                Set.of(),
                Optional.of(Slo.parse("p99<60ms,errors<1%")),
                Objective.Metric.CAPACITY,
                new TrialFiles(),
                silent)) {
            TrialOutcome o = runner.run(1, spec, silent);
            Measurement m = o.measurement().orElseThrow(() -> new AssertionError(o.failure()));
            CapacitySeen found = m.detail().capacity().orElseThrow();
            assertThat(found.before()).isPositive().isEqualTo(m.throughput());
            // a probe of 0.2 s needs 50 iterations for the hundred requests of p99
            assertThat(found.probes().getFirst().rate())
                    .isCloseTo(Math.max(250, 0.9 * found.before() / 2), withinPercentage(0.1));
            assertThat(found.probes()).allSatisfy(p -> {
                assertThat(p.rate()).isPositive();
                assertThat(p.seen().measurement().histogram()).isEmpty();
                assertThat(p.seen().measurement().detail().steps())
                        .extracting(Measurement.Step::name)
                        .containsExactly("first", "second");
            });
            assertThat(Json.mapper().readValue(Json.mapper().writeValueAsString(o), TrialOutcome.class))
                    .isEqualTo(o);
        }
    }
}
