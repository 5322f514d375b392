package dev.fettle.insight.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Experiment;
import dev.fettle.insight.Simulated;
import dev.fettle.insight.capacity.Tamper;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Budget;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialOutcome.Kind;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a search does without one of its parts, on a server that dies of a long backlog and on which two knobs help together. */
class SearchPartTest {
    private static final int TRIALS = 16;
    /** Of a tune of the pool alone, whose search would end by itself with more. */
    private static final int FEW = 6;

    private static final List<Long> SEEDS = List.of(1L, 2L, 3L);
    private static final Simulated SERVER = Simulated.server(25, 0.050, 0.000227, 1, 300);
    private static final List<KnobRange> KNOBS = List.of(
            KnobRange.interval("threads.max", 4, 1024),
            KnobRange.choices("jvm.gc", List.of("serial", "parallel", "g1")),
            KnobRange.interval("backlog", 50, 4000),
            KnobRange.choices("tcp.nodelay", List.of("true", "false")));

    private static final List<KnobRange> POOL = KNOBS.subList(0, 1);

    private static Plan plan(Simulated s) {
        return plan(s, KNOBS, TRIALS);
    }

    private static Plan plan(Simulated s, List<KnobRange> knobs, int trials) {
        return s.plan(knobs, Objective.DEFAULT, new Budget(trials, Duration.ofHours(3), 4));
    }

    private static TrialOutcome act(TrialOutcome o) {
        Setting s = o.spec().setting();
        boolean large = s.get("backlog").map(Long::parseLong).orElse(100L) > 600;
        boolean one = s.get("jvm.gc").filter("parallel"::equals).isPresent();
        boolean two = s.get("tcp.nodelay").filter("false"::equals).isPresent();
        return large ? Tamper.failed(o, Kind.DIED, "gone") : Tamper.faster(o, one && two ? 1.3 : one || two ? 0.95 : 1);
    }

    private static Simulated.Run run(long seed, Set<SearchPart> parts) {
        return run(seed, parts, KNOBS, TRIALS);
    }

    private static Simulated.Run run(long seed, Set<SearchPart> parts, List<KnobRange> knobs, int trials) {
        Simulated s = SERVER.seed(seed);
        Experiment tune = new TuneExperiment(plan(s, knobs, trials), parts);
        return s.drive(tune, SearchPartTest::act);
    }

    /** The settings of all trials before the duel. */
    private static List<Setting> tried(Simulated.Run run) {
        return run.seen().stream()
                .filter(o -> o.spec().phase() != Phase.DUEL)
                .map(o -> o.spec().setting())
                .toList();
    }

    private static List<String> purposes(Simulated.Run run, Phase phase) {
        return run.steps().stream()
                .filter(s -> s.spec().phase() == phase)
                .map(Experiment.Step.Run::purpose)
                .toList();
    }

    @Test
    void withAllItsPartsItIsTheStandardSearch() {
        for (long seed : SEEDS) {
            Simulated s = SERVER.seed(seed);
            Simulated.Run standard = s.drive(new TuneExperiment(plan(s)), SearchPartTest::act);
            assertThat(tried(run(seed, SearchPart.ALL))).as("seed %d", seed).isEqualTo(tried(standard));
        }
    }

    @ParameterizedTest
    @EnumSource
    void withoutOneItTriesOtherSettings(SearchPart part) {
        assertThat(SearchPart.without(part)).hasSize(SearchPart.ALL.size() - 1).doesNotContain(part);
        List<KnobRange> knobs = part == SearchPart.RACE ? POOL : KNOBS;
        assertThat(SEEDS)
                .anySatisfy(seed -> assertThat(tried(run(seed, SearchPart.without(part), knobs, TRIALS)))
                        .isNotEqualTo(tried(run(seed, SearchPart.ALL, knobs, TRIALS))));
    }

    @Test
    void withoutTheLawNothingIsPredicted() {
        for (long seed : SEEDS) {
            assertThat(purposes(run(seed, SearchPart.ALL), Phase.SEARCH)).anyMatch(p -> p.startsWith("predicted"));
            assertThat(purposes(run(seed, SearchPart.without(SearchPart.LAW)), Phase.SEARCH))
                    .noneMatch(p -> p.startsWith("predicted"));
        }
    }

    /** On one knob. A search over several sets no trials aside for it. */
    @Test
    void withoutTheRaceTheSearchHasItsTrials() {
        Set<SearchPart> without = SearchPart.without(SearchPart.RACE);
        for (long seed : SEEDS) {
            assertThat(purposes(run(seed, SearchPart.ALL, POOL, TRIALS), Phase.RACE))
                    .anyMatch(p -> p.contains("the best"));
            assertThat(purposes(run(seed, without, POOL, TRIALS), Phase.RACE)).noneMatch(p -> p.contains("the best"));
            Simulated.Run few = run(seed, without, POOL, FEW);
            assertThat(purposes(few, Phase.SEARCH))
                    .hasSizeGreaterThan(purposes(run(seed, SearchPart.ALL, POOL, FEW), Phase.SEARCH)
                            .size());
            assertThat(tried(few)).hasSizeLessThanOrEqualTo(FEW);
        }
    }

    @Test
    void aSearchOverSeveralKnobsHasAllTrials() {
        for (long seed : SEEDS) {
            assertThat(purposes(run(seed, SearchPart.ALL), Phase.SEARCH))
                    .isEqualTo(purposes(run(seed, SearchPart.without(SearchPart.RACE)), Phase.SEARCH));
        }
    }

    /** Two trials of twelve tell how much latencies differ, which says how near to a limit is sure. */
    @Test
    void withALimitOnLatencySomeOfThemAreRaced() {
        for (long seed : SEEDS) {
            Simulated s = SERVER.seed(seed);
            var limited = new Objective(Objective.Metric.THROUGHPUT, Optional.of(Duration.ofSeconds(2)), 0.001);
            var budget = new Budget(12, Duration.ofHours(3), 4);
            assertThat(purposes(
                            s.drive(new TuneExperiment(s.plan(KNOBS, limited, budget)), SearchPartTest::act),
                            Phase.RACE))
                    .anyMatch(p -> p.contains("the best"));
        }
    }

    @Test
    void withoutSimplerFormsNothingIsTakenAway() {
        assertThat(SEEDS)
                .anySatisfy(seed -> assertThat(purposes(run(seed, SearchPart.ALL), Phase.SEARCH))
                        .anyMatch(p -> p.startsWith("the best with")));
        for (long seed : SEEDS) {
            assertThat(purposes(run(seed, SearchPart.without(SearchPart.SIMPLER)), Phase.SEARCH))
                    .noneMatch(p -> p.startsWith("the best with"));
        }
    }
}
