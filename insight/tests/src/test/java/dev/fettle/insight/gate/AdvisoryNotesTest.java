package dev.fettle.insight.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Simulated;
import dev.fettle.insight.Swings;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.insight.TuneConclusion.Result;
import dev.fettle.insight.capacity.Tamper;
import dev.fettle.insight.tune.TuneExperiment;
import dev.fettle.model.plan.Budget;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What the gate advises of each trial, in the words of a whole run. */
class AdvisoryNotesTest {
    /** The default is the best there is: nothing looks better. */
    private static final Simulated SERVER = Simulated.server(60, 0.020, 0.002, 4, 500);

    private static TuneConclusion tune(Objective objective, UnaryOperator<TrialOutcome> tamper) {
        Plan plan = SERVER.plan(
                List.of(KnobRange.interval("threads.max", 4, 1000)), objective, new Budget(12, Duration.ofHours(1), 5));
        return SERVER.drive(new TuneExperiment(plan), tamper).tune();
    }

    @Test
    void aTuneWhoseClientsThinkDoesNotClaimThatNothingIsBetter() {
        TuneConclusion c = tune(Objective.DEFAULT, o -> Tamper.advised(o, "think-time"));
        assertThat(c.result()).isEqualTo(Result.NO_IMPROVEMENT_SHOWN);
        assertThat(c.headline()).contains("the clients' think time sets it").contains("Judge by latency");
        assertThat(c.notes()).anyMatch(n -> n.matches("In all of the \\d+ valid trials, .*because\\."));
        var latency = new Objective(Objective.Metric.P99, Optional.empty(), 0.001);
        assertThat(tune(latency, o -> Tamper.advised(o, "think-time")).headline())
                .as("latency can be judged")
                .doesNotContain("think time");
        assertThat(tune(Objective.DEFAULT, o -> o).headline()).doesNotContain("think time");
    }

    private static TrialOutcome falling(TrialOutcome o) {
        Measurement m = o.measurement().orElseThrow();
        var windows = Swings.WHITE_1.run(new Random(o.ordinal()), 10, 20, t -> 1 - 0.02 * t);
        return Tamper.windows(o, m, windows);
    }

    @Test
    void aTargetThatFallsInTrialAfterTrialIsToldAsThat() {
        TuneConclusion c = tune(Objective.DEFAULT, AdvisoryNotesTest::falling);
        assertThat(c.notes())
                .anyMatch(n -> n.matches("Throughput fell while it was measured in \\d+ of \\d+ trials, by 2\\d %.*"));
        TuneConclusion none = tune(Objective.DEFAULT, o -> Tamper.voided(falling(o), "littles-law", false));
        assertThat(none.result()).isEqualTo(Result.NO_BASELINE);
        assertThat(none.headline())
                .as("drift voids nothing")
                .isEqualTo(
                        "The default gave no valid trial, so nothing can be compared with it (littles-law: because).");
        assertThat(none.notes())
                .anyMatch(n -> n.startsWith("Throughput fell by 2") && n.contains("it slows down as it runs"));
        assertThat(tune(Objective.DEFAULT, o -> Tamper.voided(o, "died", false)).headline())
                .startsWith("The default gave no valid trial");
    }

    @Test
    void anAdvisoryOfSomeTrialsIsCounted() {
        assertThat(AdvisoryNotes.notes(List.of(
                        AdvisoryNotesTest.advised("short"),
                        AdvisoryNotesTest.advised("held"),
                        AdvisoryNotesTest.advised("short"))))
                .containsExactly(
                        "In 2 of the 3 valid trials, and here the first: because.",
                        "In 1 of the 3 valid trials, and here the first: because.");
        assertThat(AdvisoryNotes.notes(List.of(AdvisoryNotesTest.advised("short"))))
                .containsExactly("Because.");
        assertThat(AdvisoryNotes.notes(List.of())).isEmpty();
    }

    @Test
    void ofProbesItTellsOnlyOfTheirCpus() {
        assertThat(AdvisoryNotes.ofCpus(List.of(
                        AdvisoryNotesTest.advised("short"), AdvisoryNotesTest.advised("stolen"), advised("held"))))
                .containsExactly("In 1 of the 3 valid probes, and here the first: because.");
    }

    private static TrialOutcome advised(String rule) {
        TrialOutcome o = SERVER.run(1, DriftTest.trial(List.of()).spec());
        return Tamper.advised(o, rule);
    }

    @Test
    void anAdvisoryOfAVoidTrialIsNotTheConclusions() {
        TrialOutcome advised = advised("think-time");
        assertThat(AdvisoryNotes.notes(List.of(Tamper.voided(advised, "disturbed", true))))
                .isEmpty();
        assertThat(AdvisoryNotes.thinkTimeDecides(List.of(advised))).isTrue();
        assertThat(AdvisoryNotes.thinkTimeDecides(List.of(advised, Tamper.blind(advised))))
                .isTrue();
        assertThat(AdvisoryNotes.thinkTimeDecides(List.of())).isFalse();
        assertThat(new Verdict(List.of()).advises("think-time")).isFalse();
    }

    @Test
    void whatOthersTookIsSaidWhereItVoidsNothing() {
        TuneConclusion c = tune(
                Objective.DEFAULT,
                o -> Tamper.evidence(o, Tamper.foreign(o.evidence().orElseThrow(), 0.08)));
        assertThat(c.notes()).anyMatch(n -> n.startsWith("Other processes used 8 % of the CPUs on average"));
        assertThat(tune(Objective.DEFAULT, o -> o).notes()).noneMatch(n -> n.startsWith("Other processes"));
    }
}
