package dev.fettle.insight.diagnose;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Conclusion;
import dev.fettle.insight.DiagnoseConclusion;
import dev.fettle.insight.Experiment.Step;
import dev.fettle.insight.Simulated;
import dev.fettle.insight.capacity.Tamper;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.plan.Budget;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.text.Json;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The law of scalability in a diagnosis: a ramp of clients, and what is said of it. */
class RampTest {
    private static final int CLIENTS = 300;

    private static double law(double n) {
        return 1000 * n / (1 + 0.05 * (n - 1) + 0.0005 * n * (n - 1));
    }

    private static Plan plan(int trials) {
        return Simulated.server(25, 0.05, 0.0002, 1, CLIENTS)
                .plan(List.of(), Objective.DEFAULT, new Budget(trials, Duration.ofMinutes(10), 3));
    }

    private static TrialOutcome as(TrialSpec spec, int ordinal, TrialOutcome o) {
        return o.with().ordinal(ordinal).spec(spec).build();
    }

    private static TrialOutcome measured(TrialSpec spec, int ordinal, double x) {
        int n = spec.load().clients();
        return as(spec, ordinal, new Seen().clients(n, x, n / x).trial(spec.phase(), ordinal));
    }

    private static DiagnoseConclusion drive(
            Plan plan, DoubleUnaryOperator truth, double noise, List<TrialOutcome> seen) {
        var random = new Random(5);
        var experiment = new DiagnoseExperiment(plan);
        while (true) {
            switch (experiment.next(List.copyOf(seen))) {
                case Step.Stop(Conclusion c) -> {
                    return (DiagnoseConclusion) c;
                }
                case Step.Run run -> seen.add(measured(run.spec(), seen.size() + 1, truth.applyAsDouble(CLIENTS)));
                case Step.Kept kept -> {
                    TrialSpec spec = kept.run().spec();
                    double x = truth.applyAsDouble(spec.load().clients()) * Math.exp(noise * random.nextGaussian());
                    seen.add(measured(spec, seen.size() + 1, x));
                }
                case Step.Live _, Step.Pair _ -> throw new AssertionError("no pairs");
            }
        }
    }

    private static String fourth(DiagnoseConclusion c) {
        assertThat(c.laws()).hasSize(4);
        return c.laws().getLast();
    }

    @ParameterizedTest
    @CsvSource({"1, '1 1'", "4, '1 2 3 4 4 3 2 1'", "300, '1 3 7 17 45 116 300 300 116 45 17 7 3 1'"})
    void theNumbersGoUpAndDownAgain(int connections, String numbers) {
        assertThat(String.join(
                        " ",
                        Ramp.numbers(connections).stream().map(String::valueOf).toList()))
                .isEqualTo(numbers);
    }

    @Test
    void whatFollowsTheLawIsToldWithContentionCoherenceAndPeak() {
        var seen = new ArrayList<TrialOutcome>();
        DiagnoseConclusion c = drive(plan(DiagnoseExperiment.WITH_RAMP), RampTest::law, 0.01, seen);
        assertThat(seen.stream().filter(o -> o.spec().phase() == Phase.RAMP)).hasSize(14);
        assertThat(seen).allMatch(o -> o.spec().load().clients() <= CLIENTS);
        assertThat(fourth(c))
                .startsWith("Universal scalability law: throughput over 1 to 300 clients follows the law")
                .contains("(contention)", "(coherence)", "it is highest at about 4");
        var fit = c.ramp().orElseThrow().fit().orElseThrow();
        assertThat(fit.contention().contains(0.05)).isTrue();
        assertThat(fit.peak().orElseThrow().n().contains(Math.sqrt(0.95 / 0.0005)))
                .isTrue();
        // and it goes on where it was cut off
        assertThat(drive(plan(DiagnoseExperiment.WITH_RAMP), RampTest::law, 0.01, new ArrayList<>(seen)))
                .isEqualTo(c);
    }

    @Test
    void itIsReadBackAndOlderJournalsHaveNone() throws Exception {
        Conclusion c = drive(plan(DiagnoseExperiment.WITH_RAMP), RampTest::law, 0.01, new ArrayList<>());
        String json = Json.mapper().writeValueAsString(c);
        assertThat(Json.mapper().readValue(json, Conclusion.class)).isEqualTo(c);
        var tree =
                (com.fasterxml.jackson.databind.node.ObjectNode) Json.mapper().readTree(json);
        tree.remove("ramp");
        assertThat(((DiagnoseConclusion) Json.mapper().treeToValue(tree, Conclusion.class)).ramp())
                .isEmpty();
    }

    @Test
    void aPoolThatIsProportionalUpToItsCeilingIsRefused() {
        DiagnoseConclusion c =
                drive(plan(DiagnoseExperiment.WITH_RAMP), n -> 20 * Math.min(n, 200), 0.01, new ArrayList<>());
        assertThat(c.ramp().orElseThrow().fit()).isEmpty();
        assertThat(fourth(c))
                .startsWith("The universal scalability law is not used: for throughput over 1 to 300 clients, the law"
                        + " does not fit");
    }

    @Test
    void withoutARampItIsSaidHowToGetOne() {
        for (int trials : new int[] {1, 2, 12}) {
            DiagnoseConclusion c = drive(plan(trials), RampTest::law, 0.01, new ArrayList<>());
            assertThat(c.ramp()).isEmpty();
            assertThat(fourth(c)).contains("is not used", "--ramp");
        }
    }

    @Test
    void aTargetThatDoesNotAnswerGetsNoRamp() {
        var experiment = new DiagnoseExperiment(plan(DiagnoseExperiment.WITH_RAMP));
        var first = (Step.Run) experiment.next(List.of());
        TrialOutcome dead = as(
                first.spec(),
                1,
                new Seen().failed(TrialOutcome.Kind.OUT_OF_MEMORY).trial());
        assertThat(experiment.next(List.of(dead))).isNotInstanceOf(Step.Kept.class);
    }

    @Test
    void whatOthersDisturbedOrFailedIsLeftOutAndSaid() {
        var seen = new ArrayList<TrialOutcome>();
        drive(plan(DiagnoseExperiment.WITH_RAMP), RampTest::law, 0.01, seen);
        List<TrialOutcome> ramp =
                seen.stream().filter(o -> o.spec().phase() == Phase.RAMP).toList();
        var some = new ArrayList<>(ramp);
        some.set(3, disturbed(some.get(3)));
        some.set(
                8,
                as(
                        some.get(8).spec(),
                        10,
                        new Seen()
                                .clients(116, 50, 0.01)
                                .errors(ErrorKind.READ_TIMEOUT, 100)
                                .trial()));
        DiagnoseConclusion.Ramp told = Ramp.of(some).orElseThrow();
        assertThat(told.fit()).isPresent();
        assertThat(told.words())
                .endsWith(" 2 of 14 measurements are left out (first: other processes used 40 % of the CPUs).");
        assertThat(told.steps().get(8).left().orElseThrow()).contains("of the requests failed");
        DiagnoseConclusion.Ramp none =
                Ramp.of(ramp.stream().map(RampTest::disturbed).toList()).orElseThrow();
        assertThat(none.fit()).isEmpty();
        assertThat(none.words()).contains("it takes 5 numbers of clients, and none of 7 can be used");
    }

    private static TrialOutcome disturbed(TrialOutcome o) {
        return Tamper.evidence(o, Tamper.foreign(o.evidence().orElseThrow(), 0.4));
    }

    @Test
    void aRunsTrialsWithOtherClientsAreARampToo() {
        var sweep = new ArrayList<TrialOutcome>();
        int ordinal = 1;
        for (int n : new int[] {1, 4, 16, 32, 64, 128}) {
            sweep.add(new Seen().clients(n, law(n), n / law(n)).trial(Phase.SWEEP, ordinal++));
        }
        DiagnoseConclusion c = DiagnoseExperiment.conclude(sweep.get(4), sweep);
        assertThat(fourth(c)).startsWith("Universal scalability law: throughput over 1 to 128 clients follows");
        // other connections are another load
        var other = new ArrayList<>(sweep);
        for (int n : new int[] {1, 8, 64, 128}) {
            other.add(
                    new Seen().notKept().clients(n, law(n) / 4, 4 * n / law(n)).trial(Phase.SWEEP, ordinal++));
        }
        assertThat(DiagnoseExperiment.conclude(other.get(4), other).ramp()).isEqualTo(c.ramp());
        // another setting is another server
        sweep.set(0, new Seen().workers(4, 4).clients(1, law(1), 1 / law(1)).trial(Phase.SWEEP, 1));
        sweep.set(1, new Seen().workers(4, 4).clients(4, law(4), 4 / law(4)).trial(Phase.SWEEP, 2));
        assertThat(fourth(DiagnoseExperiment.conclude(sweep.get(4), sweep)))
                .contains("is not used: it takes 5 numbers of clients, and only 4 were tried");
    }
}
