package dev.fettle.insight.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Shortfall;
import dev.fettle.insight.Simulated;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.insight.TuneConclusion.Candidate;
import dev.fettle.insight.TuneConclusion.Result;
import dev.fettle.insight.capacity.Tamper;
import dev.fettle.load.api.Arrivals;
import dev.fettle.model.plan.Budget;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A tune holds every bound on latency in its plan's SLO, not only that on p99. */
class LimitsOnLatencyTest {
    // p99 falls with threads; the fastest by throughput break the limit
    private static final Simulated SERVER = Simulated.server(8, 0.050, 0.0005, 2, 100);
    private static final KnobRange THREADS = KnobRange.interval("threads.max", 4, 1024);
    private static final long SHORT = 200_000_000L;
    private static final long LONG = 900_000_000L;

    private static Plan plan(List<KnobRange> knobs) {
        var objective = Objective.unnamed(Arrivals.Closed.BACK_TO_BACK, Optional.of(Slo.parse("p99.9<500ms")));
        return SERVER.plan(knobs, objective, Budget.DEFAULT);
    }

    private static TrialOutcome slowTail(TrialOutcome o) {
        return Tamper.p99(o, SERVER.threadsOf(o.spec().setting()) > 40 ? LONG : SHORT);
    }

    @Test
    void aSettingThatBreaksOneNeverWins() {
        KnobRange backlog = KnobRange.interval("backlog", 50, 4000);
        for (List<KnobRange> knobs : List.of(List.of(THREADS), List.of(THREADS, backlog))) {
            TuneConclusion c = SERVER.drive(new TuneExperiment(plan(knobs)), LimitsOnLatencyTest::slowTail)
                    .tune();
            assertThat(SERVER.threadsOf(c.winner())).isLessThanOrEqualTo(40);
            assertThat(c.candidates())
                    .filteredOn(x -> SERVER.threadsOf(x.setting()) > 40)
                    .isNotEmpty()
                    .noneMatch(Candidate::meetsLimits);
        }
    }

    /** The limit that the default breaks is named, not one that the plan does not have. */
    @Test
    void theLimitThatTheDefaultBreaksIsNamed() {
        TuneConclusion c = SERVER.drive(new TuneExperiment(plan(List.of(THREADS))), o -> Tamper.p99(o, LONG))
                .tune();
        assertThat(c.notes())
                .anyMatch(n ->
                        n.startsWith("The default itself does not meet the limit on p99.9 (900 ms, at most 500 ms)"));
    }

    @Test
    void aWinnerThatMayBreakOneIsNotProven() {
        UnaryOperator<TrialOutcome> slowInTheDuel = o -> Tamper.p99(
                o, o.spec().phase() == Phase.DUEL && o.spec().variant().equals(TuneSlots.CANDIDATE) ? LONG : SHORT);
        TuneConclusion c = SERVER.drive(new TuneExperiment(plan(List.of(THREADS))), slowInTheDuel)
                .tune();
        assertThat(c.result()).isEqualTo(Result.NO_IMPROVEMENT_SHOWN);
        assertThat(c.shortfalls()).anyMatch(Shortfall.Limits.class::isInstance);
    }
}
