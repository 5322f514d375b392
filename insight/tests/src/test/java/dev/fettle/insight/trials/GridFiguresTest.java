package dev.fettle.insight.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Simulated;
import dev.fettle.insight.trials.TrialSlots.Filled;
import dev.fettle.insight.trials.TrialSlots.Slot;
import dev.fettle.load.api.Arrivals;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import dev.fettle.model.trial.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class GridFiguresTest {
    private static final Objective ANY = new Objective(Objective.Metric.P99, Optional.empty(), 1);

    /** 100 arrivals a second for ten seconds. */
    private static GridFigures.Cell answered(Load load, long responses) {
        return answered(load, responses, LatencySummary.NONE);
    }

    private static GridFigures.Cell answered(Load load, long responses, LatencySummary latency) {
        var spec = new TrialSpec(
                Phase.SWEEP,
                "",
                Map.of(),
                0,
                Simulated.target(),
                Setting.DEFAULT,
                load.withArrivals(Arrivals.Open.constant(100)));
        var detail = Measurement.Detail.NONE.withOffered(Optional.of(new Measurement.Offered(1_000, 0, 0, 0)));
        var measurement = new Measurement(
                Duration.ofSeconds(10),
                responses,
                Map.of(),
                Map.of(),
                Map.of(),
                0,
                0,
                latency,
                LatencySummary.NONE,
                0,
                1,
                List.of(),
                "",
                detail);
        var outcome = new TrialOutcome(
                1,
                spec,
                Instant.EPOCH,
                Duration.ofSeconds(12),
                Duration.ZERO,
                Optional.of(measurement),
                Optional.empty(),
                Optional.empty(),
                Verdict.VALID,
                List.of());
        return new GridFigures.Cell(Map.of(), List.of(new Filled(new Slot(spec, "", Origin.SWEEP), List.of(outcome))));
    }

    /** Every bound on latency in the plan's SLO holds in a grid, too. */
    @Test
    void aCellThatBreaksALimitOnAnotherPercentileBreaksTheLimits() {
        var ms = 1_000_000L;
        var tail = new LatencySummary(
                5_000, 20 * ms, 10 * ms, 12 * ms, 20 * ms, 30 * ms, 40 * ms, 900 * ms, 950 * ms, 990 * ms);
        Objective limits = Objective.unnamed(
                Arrivals.Closed.BACK_TO_BACK, Optional.of(Slo.parse("p99<50ms,p99.9<500ms,mean<30ms,errors<5%")));
        assertThat(answered(Simulated.load(10), 1_000, tail).broken(limits))
                .containsExactly("p99.9 900 ms for a limit of 500 ms");
    }

    @Test
    void anIterationOffersAllItsRequests() {
        Load users = Simulated.load(10).withScenario(Simulated.scenario(5));
        assertThat(answered(users, 5_000).broken(ANY)).isEmpty();
        assertThat(answered(users, 1_000).broken(ANY)).containsExactly("100/s answered of 500/s offered");
        assertThat(answered(Simulated.load(10), 1_000).broken(ANY)).isEmpty();
    }
}
