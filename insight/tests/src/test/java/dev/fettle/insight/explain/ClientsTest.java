package dev.fettle.insight.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fettle.insight.Simulated;
import dev.fettle.insight.SweepConclusion;
import dev.fettle.insight.capacity.Tamper;
import dev.fettle.insight.gate.GateInput;
import dev.fettle.insight.sweep.SweepExperiment;
import dev.fettle.insight.tune.TuneExperiment;
import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.Protocol;
import dev.fettle.load.api.TransportKind;
import dev.fettle.load.api.Wire;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Budget;
import dev.fettle.model.plan.Dimension;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.TrialSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whoever counts clients counts the same ones. */
class ClientsTest {
    private static final Simulated SERVER = Simulated.server(25, 0.050, 0.000227, 1, 1000);

    private static Plan with(Plan p, Load load, Optional<Plan.Sweep> sweep) {
        return p.withLoad(load).withSweep(sweep);
    }

    @Test
    void aSweepAccountsForTheTimeOfEveryStream() {
        Load streams = Simulated.load(10)
                .withWire(new Wire(Protocol.HTTP_2, 100, Optional.empty(), TransportKind.AUTO, List.of()));
        var grid = new Plan.Sweep(List.of(new Dimension("threads.max", List.of("25", "50"))), 1);
        Plan plan = with(SERVER.plan(4, 1024), streams, Optional.of(grid));
        var sweep = (SweepConclusion) SERVER.drive(new SweepExperiment(plan)).conclusion();
        assertThat(sweep.cells())
                .allSatisfy(c -> assertThat(c.littles().orElseThrow()).isCloseTo(1, within(0.01)));
    }

    /** Of 300 ms a client thinks 150: half of its time the simulated server does not see. */
    @Test
    void aSweepAccountsForThinkTime() {
        var shape = Simulated.server(25, 0.050, 0.0001, 1, 10);
        Load thinks = Simulated.load(20).withArrivals(new Arrivals.Closed(Duration.ofMillis(50)));
        var spec = new TrialSpec(TrialSpec.Phase.SWEEP, "", Map.of(), 0, Simulated.target(), Setting.DEFAULT, thinks);
        var trial = shape.outcome(1, spec, 25, 200, 0.0001, false, new Random(1));
        // 10 of 20 clients are in the server; 200/s × 50 ms are the other 10
        assertThat(GateInput.of(spec, trial.measurement().orElseThrow(), Optional.empty())
                        .get(GateInput.Figure.OCCUPIED_SHARE)
                        .orElseThrow())
                .isCloseTo(1, within(0.01));
    }

    @Test
    void thePredictionComesFirstHoweverFewTrialsThereAre() {
        var knobs = List.of(
                KnobRange.interval("threads.max", 4, 1024),
                KnobRange.choices("jvm.gc", List.of("serial", "parallel", "g1")),
                KnobRange.interval("backlog", 50, 4000));
        Plan plan = SERVER.plan(knobs, Objective.DEFAULT, new Budget(4, Duration.ofHours(1), 3));
        Simulated.Run run = SERVER.drive(new TuneExperiment(plan));
        assertThat(run.steps().get(1).purpose()).startsWith("predicted from holding time and CPU");
    }

    /** Ten clients of a pool that may grow to 200 keep ten workers busy: that says nothing against the 200. */
    @Test
    void aPoolThatNobodyWaitedForIsNotSmallerThanDeclared() {
        var target = new Target.Command(
                List.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                Optional.of("w"),
                Map.of("threads.max", "200"),
                Target.Jvm.SAME);
        for (int clients : new int[] {10, 50}) {
            var spec = new TrialSpec(
                    TrialSpec.Phase.BASELINE, "", Map.of(), 0, target, Setting.DEFAULT, Simulated.load(clients));
            var shape = Simulated.server(10, 0.050, 0.0001, 1, clients);
            var trial = shape.outcome(1, spec, 10, 200, 0.0001, false, new Random(1));
            var unread =
                    Tamper.evidence(trial, Tamper.effective(trial.evidence().orElseThrow(), Map.of()));
            assertThat(PoolNotes.mistaken(unread).isPresent()).isEqualTo(clients > 10);
            assertThat(OperatingPoint.of(unread).orElseThrow().usable().optional())
                    .hasValue(clients > 10 ? 10 : 200);
        }
    }
}
