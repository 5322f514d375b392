package dev.fettle.insight.trials;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fettle.insight.Simulated;
import dev.fettle.insight.gate.GateAdvice;
import dev.fettle.insight.gate.GateRules;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Objective.Metric;
import dev.fettle.model.trial.Conditions;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import dev.fettle.model.trial.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a warm JVM's own drift is taken to be at the time of a trial. */
class WarmDriftTest {
    private static final ObjectiveFigure THROUGHPUT = new ObjectiveFigure(Metric.THROUGHPUT);
    private static final Simulated SERVER = Simulated.server(25, 0.050, 0.000227, 1, 300);

    private static TrialOutcome trial(int ordinal, String jvm, double throughput) {
        var spec = new TrialSpec(
                Phase.BASELINE, "", Map.of(), 0, Simulated.target(), Setting.DEFAULT, Simulated.load(300));
        TrialOutcome o = SERVER.outcome(ordinal, spec, 25, throughput, 0.0002, false, new Random(1));
        Evidence e = o.evidence().orElseThrow();
        return o.with()
                .ordinal(ordinal)
                .spec(spec)
                .evidence(Optional.of(e.withConditions(Conditions.ALONE.withWarm(
                        Optional.of(jvm).filter(j -> !j.isEmpty()).map(j -> new Conditions.Warm(j, 2, Set.of()))))))
                .build();
    }

    private static double factor(WarmDrift drift, TrialOutcome t) {
        return Math.exp(drift.of(t, THROUGHPUT));
    }

    @Test
    void itIsReadOffTheLineBetweenTheTwoNearestTrialsOfTheDefault() {
        var drift = new WarmDrift(List.of(trial(1, "a", 1000), trial(5, "a", 1200), trial(9, "a", 1200)));
        assertThat(factor(drift, trial(1, "a", 1000))).isEqualTo(1);
        assertThat(factor(drift, trial(3, "a", 7))).isCloseTo(Math.sqrt(1.2), within(1e-3));
        assertThat(factor(drift, trial(7, "a", 7))).isCloseTo(1.2, within(1e-3));
        assertThat(factor(drift, trial(12, "a", 7))).as("after the last").isCloseTo(1.2, within(1e-3));
    }

    @Test
    void anotherJvmIsHeldAgainstTheFirst() {
        var drift = new WarmDrift(List.of(trial(1, "a", 1000), trial(5, "b", 900)));
        assertThat(factor(drift, trial(4, "b", 7))).as("before its first").isCloseTo(0.9, within(1e-3));
        assertThat(factor(drift, trial(3, "a", 7))).isEqualTo(1);
        assertThat(factor(drift, trial(8, "c", 7))).as("nothing is known of it").isEqualTo(1);
        assertThat(factor(drift, trial(8, "", 7))).as("a JVM of its own").isEqualTo(1);
        assertThat(factor(WarmDrift.NONE, trial(8, "a", 7))).isEqualTo(1);
    }

    /** A trial of the default that is void shows what voided it, and not how far its JVM has moved. */
    @ParameterizedTest
    @ValueSource(strings = {GateRules.DISTURBED, GateAdvice.NOT_STEADY, GateRules.GENERATOR_LIMIT})
    void aVoidReferenceShiftsNothing(String rule) {
        TrialOutcome disturbed = voided(trial(5, "a", 110), rule);
        var between = new WarmDrift(List.of(trial(1, "a", 1000), disturbed, trial(9, "a", 1200)));
        assertThat(factor(between, trial(5, "a", 7)))
                .as("the line goes past it")
                .isCloseTo(Math.sqrt(1.2), within(1e-3));
        assertThat(factor(new WarmDrift(List.of(trial(1, "a", 1000), disturbed)), trial(8, "a", 7)))
                .isEqualTo(1);
        var first = new WarmDrift(List.of(voided(trial(1, "a", 110), rule), trial(5, "a", 1000), trial(9, "a", 1200)));
        assertThat(factor(first, trial(3, "a", 7))).as("nor is it the first").isEqualTo(1);
        assertThat(factor(first, trial(9, "a", 7))).isCloseTo(1.2, within(1e-3));
        var other = new WarmDrift(List.of(trial(1, "a", 1000), voided(trial(5, "b", 110), rule)));
        assertThat(factor(other, trial(4, "b", 7))).as("another JVM").isEqualTo(1);
    }

    private static TrialOutcome voided(TrialOutcome t, String rule) {
        return t.withVerdict(new Verdict(List.of(new Verdict.Reason(rule, "void", true))));
    }

    /** Where less is better, a score is higher when the figure is lower. */
    @Test
    void ofLatencyItHasTheOtherSign() {
        var p99 = new ObjectiveFigure(Metric.P99);
        var drift = new WarmDrift(List.of(trial(1, "a", 1000), trial(5, "a", 500)));
        assertThat(p99.ratio(drift.of(trial(5, "a", 500), p99))).isCloseTo(2, within(1e-2));
    }
}
