package dev.fettle.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.fettle.insight.Experiment.Step;
import dev.fettle.insight.trials.PairSlices;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.load.Scenario;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.target.Hooks;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.Json;
import dev.fettle.model.trial.CapacitySeen;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialOutcome.Kind;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Trials that search for their capacity, on real processes, much shorter than a plan may ask for. Which rates they find is the
 * machine's business; that each part ran, alone and in a pair, is asked here.
 */
@Execution(ExecutionMode.CONCURRENT)
@Order(2)
class CapacityTrialTest {
    private static final Slo SLO = Slo.parse("p99<60ms,errors<1%");

    @TempDir
    Path folder;

    @AfterEach
    void nothingIsLeftRunning() {
        assertThat(Fixtures.runningIn(folder)).isEmpty();
    }

    private static TrialSpec spec(Target target, Phase phase) {
        Load load = Fixtures.patient(8, "fine", Duration.ofSeconds(3));
        return new TrialSpec(phase, "", Map.of(), 0, target, Setting.DEFAULT, load);
    }

    private TrialRunner runner() throws Exception {
        return new TrialRunner(
                Fixtures.unloaded(folder),
                folder,
                Hooks.NONE,
                List.of(),
                Optional.of(SLO),
                Objective.Metric.CAPACITY,
                new LabListener() {});
    }

    private static CapacitySeen searched(TrialOutcome o) {
        Measurement m = o.measurement().orElseThrow(() -> new AssertionError(o.failure()));
        assertThat(m.responses()).as("the closed load").isPositive();
        CapacitySeen found = m.detail().capacity().orElseThrow();
        assertThat(found.before()).isEqualTo(m.throughput());
        assertThat(found.probes()).isNotEmpty();
        assertThat(found.probes()).allSatisfy(p -> {
            assertThat(p.rate()).isPositive();
            assertThat(p.seen().measurement().histogram()).isEmpty();
        });
        boolean known = found.end() == CapacitySeen.End.FOUND || found.end() == CapacitySeen.End.NO_RATE;
        assertThat(known || !o.verdict().valid()).isTrue();
        return found;
    }

    @Test
    void aTrialLooksAtItsClosedLoadThenProbesAndLooksAgain() throws Exception {
        try (TrialRunner runner = runner()) {
            TrialOutcome o = runner.run(1, spec(Fixtures.faulty("waits-5"), Phase.BASELINE), new LabListener() {});
            searched(o);
            assertThat(Json.mapper().readValue(Json.mapper().writeValueAsString(o), TrialOutcome.class))
                    .isEqualTo(o);
        }
    }

    /**
     * A machine that was busy with other things must not end a search before it began. Here no rate meets the SLO, which one probe
     * shows.
     */
    @Test
    void aLookWithoutAnswersGoesOnUntilOneComes() throws Exception {
        LabListener naps = new LabListener() {
            @Override
            public void trialGoesOn(Progress p) {
                if (p.stage() == Stage.WARM_UP) { // which is over, and so is the first look, before the nap is
                    try {
                        Files.writeString(folder.resolve("trial-1").resolve(FaultyServer.NAP), "");
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }
            }
        };
        try (TrialRunner runner = runner()) {
            TrialOutcome o = runner.run(1, spec(Fixtures.faulty("naps"), Phase.SEARCH), naps);
            searched(o);
            // a look is one window or two; the nap took several, which would have halved the throughput
            assertThat(o.measurement().orElseThrow().windows().stream().filter(Measurement.Window::measured))
                    .hasSizeLessThanOrEqualTo(3);
        }
    }

    /** Which rates are probed follows from what the clients got: half as many iterations of two steps. */
    @Test
    void ofAScenarioTheRatesAreOfIterations() throws Exception {
        var scenario = new Scenario(
                List.of(new Scenario.Flow("main", 1, List.of(page("first"), page("second")))),
                List.of(),
                Map.of(),
                false,
                1);
        TrialSpec plain = spec(Fixtures.faulty("waits-5"), Phase.SEARCH);
        var spec = plain.withLoad(plain.load().withScenario(scenario));
        try (TrialRunner runner = runner()) {
            CapacitySeen found = searched(runner.run(1, spec, new LabListener() {}));
            // a probe of 0.2 s needs 50 iterations for the hundred requests of p99
            assertThat(found.probes().getFirst().rate())
                    .isCloseTo(Math.max(250, 0.9 * found.before() / 2), withinPercentage(0.1));
            assertThat(found.probes())
                    .allSatisfy(p -> assertThat(p.seen().measurement().detail().steps())
                            .extracting(Measurement.Step::name)
                            .containsExactly("first", "second"));
        }
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

    @Test
    void theTwoOfAPairTakeTurns() throws Exception {
        var slow = new Step.Run(spec(Fixtures.faulty("waits-100"), Phase.DUEL), "", 2);
        var quick = new Step.Run(spec(Fixtures.faulty("waits-5"), Phase.DUEL), "", 2);
        try (TrialRunner runner = runner()) {
            List<TrialOutcome> both = runner.runPair(1, new Step.Pair(quick, slow), new LabListener() {});
            assertThat(both)
                    .allSatisfy(o -> assertThat(o.evidence().orElseThrow().facts())
                            .containsEntry(PairSlices.SIDE_BY_SIDE, "true"));
            searched(both.getFirst());
            CapacitySeen none = searched(both.getLast());
            // its answers take 100 ms, so no rate meets 60 ms; nothing can be said of the rates that were disturbed
            assertThat(none.known().orElse(0)).isZero();
        }
    }

    @Test
    void aServerThatDiesWhileItIsProbedHasFailed() throws Exception {
        try (TrialRunner runner = runner()) {
            TrialOutcome o = runner.run(1, spec(Fixtures.faulty("dies-30"), Phase.SEARCH), new LabListener() {});
            assertThat(o.failure().orElseThrow().kind()).isEqualTo(Kind.DIED);
            assertThat(o.measurement()).isEmpty();
            assertThat(o.evidence().orElseThrow().timeline().find(Signals.LOAD_RATE))
                    .isPresent();
        }
    }

    /**
     * Killed while a probe is measured. How many looks a slow machine takes before that is its own business: one more look each
     * time, as settling and measuring take turns.
     */
    @Test
    void whatWasWatchedUnderTheLastProbeIsKept() throws Exception {
        Optional<Evidence> underProbe = Optional.empty();
        // the stage begins, the look at the closed load, the probe settles, the probe is measured
        for (int looks = 4; looks <= 30 && underProbe.isEmpty(); looks++) {
            // no other load than an open one knows how late it sends
            underProbe = killedAfter(looks).filter(e -> e.sendLagP99Millis().isPresent());
        }
        assertThat(underProbe.orElseThrow().timeline().find(Signals.LOAD_RATE)).isPresent();
    }

    /** The evidence of a search whose target is killed at that look of the measuring; empty if the search was over before. */
    private Optional<Evidence> killedAfter(int looks) throws Exception {
        var told = new AtomicInteger();
        LabListener kills = new LabListener() {
            @Override
            public void trialGoesOn(Progress p) {
                if (p.stage() == Stage.MEASURE && told.incrementAndGet() == looks) {
                    Fixtures.kill(folder);
                }
            }
        };
        try (TrialRunner runner = runner()) {
            TrialOutcome o = runner.run(1, spec(Fixtures.faulty("waits-5"), Phase.SEARCH), kills);
            if (o.failure().isEmpty()) {
                return Optional.empty();
            }
            assertThat(o.failure().get().kind()).isEqualTo(Kind.DIED);
            assertThat(o.measurement()).isEmpty();
            return Optional.of(o.evidence().orElseThrow());
        }
    }
}
