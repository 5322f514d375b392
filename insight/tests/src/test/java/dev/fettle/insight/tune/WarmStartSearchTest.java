package dev.fettle.insight.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Experiment;
import dev.fettle.insight.Simulated;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.insight.capacity.Tamper;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Budget;
import dev.fettle.model.plan.Earlier;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.trial.TrialSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What earlier runs found is checked; it helps where it is right and does little harm where it is not. */
class WarmStartSearchTest {
    private static final int RUNS = Integer.getInteger("fettle.runs", 12);
    private static final int TRIALS = 6;
    private static final Earlier RIGHT = earlier(Map.of(), "420");
    private static final Earlier WRONG = earlier(Map.of(), "9", "30");

    private static Earlier earlier(Map<String, String> versions, String... threads) {
        return new Earlier(
                List.of("before-1"),
                List.of(threads).stream().map(n -> Setting.of("threads.max", n)).toList(),
                versions);
    }

    private static Simulated server(int seed) {
        return Simulated.server(25, 0.050, 0.000227, 1, 300).noise(0.03).seed(seed);
    }

    private static Plan plan(Simulated server, Earlier earlier) {
        return server.plan(
                        List.of(KnobRange.interval("threads.max", 4, 1024)),
                        Objective.DEFAULT,
                        new Budget(TRIALS, Duration.ofHours(1), 3))
                .with(earlier);
    }

    private static Simulated.Run run(int seed, Earlier earlier) {
        return server(seed).drive(new TuneExperiment(plan(server(seed), earlier)));
    }

    private static double share(Earlier earlier) {
        return IntStream.rangeClosed(1, RUNS)
                .mapToDouble(seed -> {
                    Simulated s = server(seed);
                    double best = IntStream.range(4, 1024)
                            .mapToDouble(s::throughput)
                            .max()
                            .orElseThrow();
                    return s.throughput(s.threadsOf(run(seed, earlier).tune().winner())) / best;
                })
                .average()
                .orElseThrow();
    }

    @Test
    void aWrongOneCostsNextToNothing() {
        double cold = share(Earlier.NONE);
        double right = share(RIGHT);
        double wrong = share(WRONG);
        System.out.printf(
                "share of the best, %d trials: cold %.3f, right %.3f, wrong %.3f%n", TRIALS, cold, right, wrong);
        assertThat(right).isGreaterThanOrEqualTo(cold - 0.01);
        assertThat(wrong).isGreaterThanOrEqualTo(cold - 0.02);
    }

    @Test
    void itIsTriedAfterThePredictionAndSaid() {
        Simulated.Run run = run(1, RIGHT);

        assertThat(run.seen().get(2).spec().setting()).isEqualTo(Setting.of("threads.max", "420"));
        assertThat(run.tune().candidates())
                .filteredOn(c -> c.origin().equals("earlier"))
                .singleElement()
                .satisfies(c -> assertThat(c.trials()).isPositive());
        assertThat(run.tune().notes())
                .anyMatch(n ->
                        n.contains("before-1") && n.contains("measured anew") && n.contains("none of its figures"));
        assertThat(run(1, Earlier.NONE).tune().notes()).noneMatch(n -> n.contains("measured anew"));
    }

    @Test
    void aKnobWhoseValueDidNotTakeEffectIsTriedNoMore() {
        Simulated s = server(1);
        Simulated.Run run = s.drive(new TuneExperiment(plan(s, RIGHT)), HoldingTimeSearchTest::ignored);

        assertThat(run.seen())
                .filteredOn(o -> o.spec().phase() != dev.fettle.model.trial.TrialSpec.Phase.START
                        && o.spec().setting().get("threads.max").isPresent())
                .hasSize(1);
    }

    @Test
    void withAnotherVersionItIsLeftAlone() {
        Simulated.Run run = run(1, earlier(Map.of("serverVersion", "11.0.1"), "420"));

        assertThat(run.seen()).noneMatch(t -> t.spec().setting().equals(Setting.of("threads.max", "420")));
        assertThat(run.tune().notes())
                .contains("What before-1 found was not tried first: it had 11.0.1, this run has no known version.");
        TuneConclusion cold = run(1, Earlier.NONE).tune();
        assertThat(run.tune().winner()).isEqualTo(cold.winner());
    }

    /** Nothing tells one build of a command from another. */
    @Test
    void whereNoVersionIsKnownThatIsSaid() {
        assertThat(run(1, RIGHT).tune().notes())
                .anyMatch(n -> n.endsWith(
                        " The versions of server and JDK are not known, so that may have been another build."));
    }

    /** Disturbed trials tell the version as well as valid ones. */
    @Test
    void aDisturbedDefaultHasItsVersion() {
        Simulated s = server(1);
        Plan plan = plan(s, earlier(Map.of("serverVersion", "11.0.1"), "420"));
        TuneConclusion c = s.drive(
                        new TuneExperiment(plan),
                        o -> Tamper.voided(
                                Simulated.with(o, e -> e.withFacts(Map.of("serverVersion", "11.0.24"))),
                                "disturbed",
                                true))
                .tune();
        assertThat(c.notes()).contains("What before-1 found was not tried first: it had 11.0.1, this run has 11.0.24.");
    }

    @Test
    void aResumedRunGoesOnAsItBegan() {
        Plan plan = plan(server(3), WRONG);
        Simulated.Run run = run(3, WRONG);
        for (int n = 0; n < run.seen().size(); n++) {
            TrialSpec next = run.seen().get(n).spec();
            switch (new TuneExperiment(plan).next(run.seen().subList(0, n))) {
                case Experiment.Step.Pair(var first, var second) ->
                    assertThat(List.of(first.spec(), second.spec())).contains(next);
                case Experiment.Step.Run again -> assertThat(again.spec()).isEqualTo(next);
                case Experiment.Step step -> throw new AssertionError(step.toString());
            }
        }
    }
}
