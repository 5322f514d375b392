package dev.fettle.insight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.TuneConclusion.Result;
import dev.fettle.insight.builds.GateExperiment;
import dev.fettle.insight.capacity.Tamper;
import dev.fettle.insight.compare.CompareExperiment;
import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.sweep.SweepExperiment;
import dev.fettle.insight.tune.TuneExperiment;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Dimension;
import dev.fettle.model.plan.GateAsked;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Variant;
import dev.fettle.model.text.Json;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Conclusions are journalled and exported as JSON. */
class ConclusionJsonTest {
    private static final Simulated SERVER = Simulated.server(25, 0.050, 0.000227, 1, 300);

    private static void roundTrip(Conclusion c) throws Exception {
        String json = Json.mapper().writeValueAsString(c);
        assertThat(Json.mapper().readValue(json, Conclusion.class)).isEqualTo(c);
    }

    @Test
    void everyKindOfShortfallSurvivesItsJsonForm() throws Exception {
        var c = (TuneConclusion)
                SERVER.drive(new TuneExperiment(SERVER.plan(4, 1024))).conclusion();
        var arm = new Proof.Arm(5, 1, 0);
        List<Shortfall> all = List.of(
                new Shortfall.NothingFeasible(2),
                new Shortfall.NothingBetter(2, 0.02, 2, 0.03, 0.07),
                new Shortfall.NoTime(20, 100, 160),
                new Shortfall.Failed("crashed", 2, 5, Optional.empty()),
                new Shortfall.Answers("other bytes"),
                new Shortfall.TooFewPairs(2, 3),
                new Shortfall.Bound(1.01),
                new Shortfall.Limits(1e9, 0.2),
                new Shortfall.LastHalf(Interval.unbounded(1)),
                new Shortfall.Moving(Double.POSITIVE_INFINITY, 0.02),
                new Shortfall.Lopsided(arm, arm, 0.01));
        assertThat(all)
                .extracting(s -> s.getClass().getSimpleName())
                .containsExactlyInAnyOrderElementsOf(List.of(Shortfall.class.getPermittedSubclasses()).stream()
                        .map(Class::getSimpleName)
                        .toList());
        roundTrip(c.with()
                .result(Result.NO_IMPROVEMENT_SHOWN)
                .headline("no")
                .shortfalls(all)
                .shares(List.of())
                .tradeOff(Optional.empty())
                .build());
    }

    @Test
    void everyConclusionSurvivesItsJsonForm() throws Exception {
        Plan tune = SERVER.plan(4, 1024);
        roundTrip(SERVER.drive(new TuneExperiment(tune)).conclusion());
        var grid = List.of(new Dimension("threads.max", List.of("8", "64")));
        var variants = List.of(
                new Variant("a", Simulated.target(), Setting.DEFAULT),
                new Variant("b", Simulated.target(), Setting.of("threads.max", "50")));
        var plan = Plan.of("p", tune.target(), tune.load())
                .with()
                .hold(tune.hold())
                .objective(tune.objective())
                .budget(tune.budget())
                .sweep(Optional.of(new Plan.Sweep(grid, 1)))
                .compare(Optional.of(
                        new Plan.Compare(variants, List.of(), 2, Optional.empty(), false, Optional.empty())))
                .seed(1)
                .build();
        roundTrip(SERVER.drive(new SweepExperiment(plan)).conclusion());
        roundTrip(SERVER.drive(new CompareExperiment(plan)).conclusion());
        var asked = new GateAsked(
                Duration.ofMinutes(5), Map.of(), false, false, GateAsked.WhenUnsure.SAYS, 0, "old", "new");
        var builds = variants.stream()
                .map(v ->
                        v.withSetting(Setting.DEFAULT).withName(v.name().equals("a") ? GateAsked.BASE : GateAsked.HEAD))
                .toList();
        Plan gate = plan.with()
                .compare(plan.compare().map(c -> c.withVariants(builds)))
                .gate(Optional.of(asked))
                .build();
        roundTrip(SERVER.drive(new GateExperiment(gate)).conclusion());
        var itself =
                new GateAsked(Duration.ofMinutes(5), Map.of(), true, false, GateAsked.WhenUnsure.SAYS, 0, "old", "new");
        roundTrip(SERVER.drive(new GateExperiment(gate.withGate(Optional.of(itself))))
                .conclusion());
        roundTrip(SERVER.drive(new CompareExperiment(plan), Tamper::blind).conclusion());
    }
}
