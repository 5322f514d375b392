package dev.fettle.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Conclusion;
import dev.fettle.insight.Experiment;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.insight.tune.TuneExperiment;
import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.Wire;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Budget;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real server that answers 200 with "busy" as soon as more than 64 of its threads are: quicker by far, and no page. */
class OtherAnswersTest {
    @TempDir
    Path folder;

    private final LabListener silent = new LabListener() {};
    private final List<TrialOutcome> seen = new ArrayList<>();

    private static Target busy() {
        return new Target.Command(
                List.of(
                        List.of("{java}"),
                        List.of("-cp"),
                        List.of(System.getProperty("java.class.path")),
                        List.of(FaultyServer.class.getName()),
                        List.of("busy"),
                        List.of("{port}"),
                        List.of("{threads.max}")),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                Optional.empty(),
                Map.of("threads.max", "16"),
                new Target.Jvm(Optional.empty(), List.of(Fixtures.QUICK)));
    }

    private static Load load() {
        return new Load(
                100,
                true,
                Load.Request.get("/"),
                new Load.Expect(200, OptionalInt.empty(), Optional.empty()),
                Duration.ofSeconds(30),
                Fixtures.SHORT,
                Duration.ofMillis(1500),
                1,
                Arrivals.Closed.BACK_TO_BACK,
                Wire.PLAIN,
                Optional.empty());
    }

    private static Plan plan(Optional<Plan.Compare> compare) {
        return Plan.of("busy", busy(), load())
                .with()
                .knobs(List.of(KnobRange.choices("threads.max", List.of("16", "96"))))
                .budget(new Budget(3, Duration.ofHours(1), 3))
                .compare(compare)
                .seed(1)
                .build();
    }

    /** Runs it with real trials. Whether the machine was quiet is not what is asked here: what was measured counts as valid. */
    private Conclusion run(Experiment experiment) throws Exception {
        var runner = Fixtures.runner(Fixtures.environment(folder), folder, silent);
        while (true) {
            switch (experiment.next(List.copyOf(seen))) {
                case Experiment.Step.Stop(Conclusion conclusion) -> {
                    return conclusion;
                }
                case Experiment.Step.Run step -> seen.add(valid(runner.run(seen.size() + 1, step.spec(), silent)));
                case Experiment.Step.Kept _, Experiment.Step.Live _ -> throw new AssertionError("no target is kept");
                case Experiment.Step.Pair pair ->
                    runner.runPair(seen.size() + 1, pair, silent).forEach(o -> seen.add(valid(o)));
            }
        }
    }

    private static TrialOutcome valid(TrialOutcome o) {
        assertThat(o.failure()).isEmpty();
        return o.withVerdict(Verdict.VALID);
    }

    @Test
    void aTuneIsNotWonByIt() throws Exception {
        var found = (TuneConclusion) run(new TuneExperiment(plan(Optional.empty())));
        assertThat(found.result()).isEqualTo(TuneConclusion.Result.NO_IMPROVEMENT_SHOWN);
        assertThat(found.headline())
                .contains("gave other answers than the default and can't win: with threads.max=96 ")
                .endsWith("% of its answers to GET / were 5 B instead of 2,100 B.");
        assertThat(found.candidates())
                .filteredOn(c -> threads(c.setting()) == 96)
                .isNotEmpty()
                .noneMatch(TuneConclusion.Candidate::meetsLimits)
                .allMatch(c -> c.otherAnswers().isPresent());
    }

    private static int threads(Setting setting) {
        return setting.get("threads.max").map(Integer::parseInt).orElse(16);
    }
}
