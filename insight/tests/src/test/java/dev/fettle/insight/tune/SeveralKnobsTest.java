package dev.fettle.insight.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Experiment;
import dev.fettle.insight.KnobShare;
import dev.fettle.insight.Simulated;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.insight.TuneConclusion.Result;
import dev.fettle.insight.capacity.Tamper;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Budget;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialOutcome.Kind;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** A search by a model of all knobs. */
class SeveralKnobsTest {
    private static final Simulated SERVER = Simulated.server(25, 0.050, 0.000227, 1, 300);
    private static final List<KnobRange> KNOBS = List.of(
            KnobRange.interval("threads.max", 4, 1024),
            KnobRange.choices("jvm.gc", List.of("serial", "parallel", "g1")),
            KnobRange.interval("backlog", 50, 4000));

    private static Plan plan(Simulated s, int trials) {
        return s.plan(KNOBS, Objective.DEFAULT, new Budget(trials, Duration.ofHours(3), 4));
    }

    private static boolean is(TrialOutcome o, String knob, String value) {
        return o.spec().setting().get(knob).filter(value::equals).isPresent();
    }

    private static long backlog(TrialOutcome o) {
        return o.spec().setting().get("backlog").map(Long::parseLong).orElse(100L);
    }

    @Test
    void aKnobWhoseValueDidNotTakeEffectIsTriedNoMore() {
        for (long seed = 1; seed <= 5; seed++) {
            Simulated s = SERVER.seed(seed);
            Simulated.Run run = s.drive(
                    new TuneExperiment(plan(s, 16)),
                    o -> o.spec().setting().get("backlog").isPresent()
                            ? Tamper.ignores(o, "backlog", "backlog was set to 9, but the running target has 100")
                            : o);
            assertThat(run.seen().stream()
                            .filter(o -> o.spec().phase() != Phase.START
                                    && o.spec().setting().get("backlog").isPresent())
                            .count())
                    .as("seed %d", seed)
                    .isEqualTo(1);
            assertThat(run.tune().winner().get("backlog")).isEmpty();
            assertThat(run.tune().result()).isEqualTo(Result.IMPROVED);
            assertThat(run.tune().notes()).contains("backlog did not take effect and was tried no more.");
        }
    }

    /** A trial takes 15 s: beside a duel of four pairs there is time for twelve, not for the twenty that the budget has. */
    @Test
    void shortTimeIsNotSpentOnTheSpreadAlone() {
        var budget = new Budget(20, Duration.ofMinutes(5), 4);
        for (long seed = 1; seed <= 3; seed++) {
            Simulated s = SERVER.seed(seed);
            Simulated.Run run = s.drive(new TuneExperiment(s.plan(KNOBS, Objective.DEFAULT, budget)));
            assertThat(run.steps())
                    .filteredOn(step -> step.purpose().startsWith("all knobs at once"))
                    .as("seed %d", seed)
                    .hasSizeBetween(4, 6);
        }
    }

    @Test
    void aKnobThatGivesNothingIsNotInTheWinner() {
        int extra = 0;
        for (long seed = 1; seed <= 10; seed++) {
            Simulated s = SERVER.seed(seed);
            TuneConclusion c = s.drive(new TuneExperiment(plan(s, 16))).tune();
            assertThat(c.result()).isEqualTo(Result.IMPROVED);
            extra += c.winner().values().size() - 1;
        }
        assertThat(extra).as("knobs besides the threads, in ten winners").isLessThanOrEqualTo(4);
    }

    /** A knob with one value is tried with it and without it; where that is the default's, there is nothing to try, and it is said. */
    @Test
    void aKnobWithOneValueIsNotInEveryTrial() {
        List<KnobRange> knobs = List.of(
                KnobRange.interval("threads.max", 4, 1024),
                KnobRange.choices("jvm.gc", List.of("parallel")),
                KnobRange.choices("backlog", List.of("4000")),
                KnobRange.choices("keepalive.requests", List.of("100")));
        for (long seed = 1; seed <= 5; seed++) {
            Simulated s = SERVER.seed(seed);
            Simulated.Run run = s.drive(
                    new TuneExperiment(s.plan(knobs, Objective.DEFAULT, new Budget(16, Duration.ofHours(3), 4))),
                    o -> Simulated.with(
                            o,
                            e -> Tamper.effective(
                                    e,
                                    Map.of(
                                            "keepalive.requests",
                                            "100",
                                            "threads.max",
                                            Integer.toString(
                                                    s.threadsOf(o.spec().setting()))))));
            List<Setting> spread = run.steps().stream()
                    .filter(step -> step.purpose().startsWith("all knobs at once"))
                    .map(step -> step.spec().setting())
                    .toList();
            for (String knob : List.of("jvm.gc", "backlog")) {
                assertThat(spread)
                        .as("%s, seed %d", knob, seed)
                        .anyMatch(x -> x.get(knob).isPresent())
                        .anyMatch(x -> x.get(knob).isEmpty());
            }
            assertThat(run.seen())
                    .noneMatch(o -> o.spec().setting().get("keepalive.requests").isPresent());
            assertThat(run.tune().notes())
                    .contains(
                            "keepalive.requests=100 is what the default has, and the plan lists nothing else to try.");
        }
    }

    /** Nothing but the default's own values to try: no trial is spent, and the headline says so. */
    @Test
    void thePlansOnlyValuesAreTheDefaults() {
        List<KnobRange> knobs =
                List.of(KnobRange.choices("jvm.gc", List.of("serial")), KnobRange.choices("backlog", List.of("100")));
        Simulated.Run run = SERVER.drive(
                new TuneExperiment(SERVER.plan(knobs, Objective.DEFAULT, new Budget(12, Duration.ofHours(3), 4))),
                o -> Simulated.with(o, e -> Tamper.effective(e, Map.of("jvm.gc", "serial", "backlog", "100"))));
        assertThat(run.seen())
                .allMatch(o -> o.spec().setting().equals(Setting.DEFAULT))
                .hasSizeLessThan(4);
        assertThat(run.tune().headline())
                .endsWith(
                        "jvm.gc=serial and backlog=100 are what the default has, and the plan lists nothing else to try.")
                .doesNotContain("never tried");
    }

    /** The server is one of the knobs: the best one is found together with its threads, and told apart from them. */
    @Test
    void theServerIsFoundWithItsThreads() {
        for (long seed = 1; seed <= 5; seed++) {
            Simulated s = SERVER.seed(seed);
            Plan plan = s.plan(
                            List.of(
                                    KnobRange.choices("server", List.of("tomcat", "jetty", "undertow")),
                                    KnobRange.interval("threads.max", 4, 1024)),
                            Objective.DEFAULT,
                            new Budget(16, Duration.ofHours(3), 4))
                    .on(new Target.Embedded(ServerKind.TOMCAT, "hello", Map.of(), Optional.empty(), Target.Jvm.SAME));
            Simulated.Run run = s.drive(
                    new TuneExperiment(plan),
                    o -> o.spec().target().knownServer().equals(Optional.of(ServerKind.UNDERTOW))
                            ? Tamper.faster(o, 1.3)
                            : o);
            TuneConclusion c = run.tune();
            assertThat(c.result()).as("seed %d", seed).isEqualTo(Result.IMPROVED);
            assertThat(c.winner().get("server")).as("seed %d", seed).contains("undertow");
            assertThat(c.shares()).extracting(KnobShare::knob).contains("server", "threads.max");
            assertThat(run.seen())
                    .allSatisfy(o -> assertThat(o.spec().target().knownServer())
                            .contains(ServerKind.chosen(o.spec().setting()).orElse(ServerKind.TOMCAT)));
        }
    }

    /** A region that crashes is left: most trials are elsewhere, and the winner always is. */
    @Test
    void whatCrashesIsLearnedAndAvoided() {
        int crashed = 0;
        int trials = 0;
        for (long seed = 1; seed <= 6; seed++) {
            Simulated s = SERVER.seed(seed);
            UnaryOperator<TrialOutcome> large = o -> backlog(o) > 600
                    ? Tamper.failed(o, Kind.DIED, "gone")
                    : is(o, "jvm.gc", "parallel") ? Tamper.faster(o, 1.15) : o;
            Simulated.Run run = s.drive(new TuneExperiment(plan(s, 18)), large);
            List<TrialOutcome> search = run.seen().stream()
                    .filter(o -> o.spec().phase() == Phase.SEARCH)
                    .toList();
            // the spread comes before anything is known
            List<TrialOutcome> later = search.subList(Math.min(search.size(), 8), search.size());
            crashed += (int) later.stream().filter(o -> backlog(o) > 600).count();
            trials += later.size();
            assertThat(run.tune().winner().get("backlog").map(Long::parseLong).orElse(100L))
                    .isLessThanOrEqualTo(600);
            assertThat(run.tune().winner().get("jvm.gc")).as("seed %d", seed).contains("parallel");
        }
        assertThat(crashed).isLessThan(trials / 4);
    }

    @Test
    void saysWhichKnobMatteredAndByHowMuch() {
        int held = 0;
        int measured = 0;
        for (long seed = 1; seed <= 6; seed++) {
            Simulated s = SERVER.seed(seed);
            TuneConclusion c = s.drive(
                            new TuneExperiment(plan(s, 16)),
                            o -> is(o, "jvm.gc", "parallel") ? Tamper.faster(o, 1.2) : o)
                    .tune();
            assertThat(c.shares()).extracting(KnobShare::knob).startsWith("threads.max", "jvm.gc");
            KnobShare gc = c.shares().get(1);
            assertThat(gc.value()).isEqualTo("parallel");
            assertThat(gc.ratio().estimate()).isGreaterThan(1.1);
            assertThat(c.shares().getFirst().ratio().estimate()).isGreaterThan(5);
            assertThat(c.notes()).anyMatch(n -> n.startsWith("What each knob of it gives"));
            assertThat(gc.ratio().bounded()).isEqualTo(gc.measured() > 0);
            held += gc.measured() > 0 && gc.ratio().contains(1.2) ? 1 : 0;
            measured += gc.measured() > 0 ? 1 : 0;
        }
        assertThat(measured).as("winners tried without the collector").isGreaterThanOrEqualTo(3);
        assertThat(held).as("intervals that hold the truth").isGreaterThanOrEqualTo(measured - 1);
    }

    /** What crashes in the duel gives nothing, knob by knob either. */
    @Test
    void aCandidateThatFailsInTheDuelHasNoShares() {
        TuneConclusion c = SERVER.drive(
                        new TuneExperiment(plan(SERVER, 16)),
                        o -> o.spec().phase() == Phase.DUEL
                                        && o.spec().variant().equals(TuneSlots.CANDIDATE)
                                ? Tamper.failed(o, Kind.DIED, "gone")
                                : is(o, "jvm.gc", "parallel") ? Tamper.faster(o, 1.2) : o)
                .tune();
        assertThat(c.headline()).contains("crashed in 2 of 2 pairs");
        assertThat(c.winner().values()).isNotEmpty();
        assertThat(c.shares()).isEmpty();
        assertThat(c.notes()).noneMatch(n -> n.startsWith("What each knob of it gives"));
    }

    @Test
    void theSameTrialsGetTheSameProposal() {
        Plan plan = plan(SERVER, 16);
        Simulated.Run run = SERVER.drive(new TuneExperiment(plan));
        for (int n = 0; n < run.seen().size(); n++) {
            if (run.seen().get(n).spec().phase() == Phase.SEARCH) {
                Setting again = switch (new TuneExperiment(plan).next(run.seen().subList(0, n))) {
                    case Experiment.Step.Run r -> r.spec().setting();
                    default -> Setting.DEFAULT;
                };
                assertThat(again).isEqualTo(run.seen().get(n).spec().setting());
            }
        }
    }
}
