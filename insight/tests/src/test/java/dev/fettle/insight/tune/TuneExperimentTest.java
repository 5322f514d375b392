package dev.fettle.insight.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import dev.fettle.insight.Experiment;
import dev.fettle.insight.Explanation;
import dev.fettle.insight.Proof;
import dev.fettle.insight.Shortfall;
import dev.fettle.insight.Simulated;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.insight.TuneConclusion.Candidate;
import dev.fettle.insight.TuneConclusion.Result;
import dev.fettle.insight.capacity.Tamper;
import dev.fettle.insight.trials.AttemptStatus;
import dev.fettle.insight.trials.Origin;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Budget;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialOutcome.Kind;
import dev.fettle.model.trial.TrialSpec.Phase;
import dev.fettle.model.trial.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class TuneExperimentTest {
    private static final Simulated WIREMOCK = Simulated.server(25, 0.050, 0.000227, 1, 300);
    private static final Objective THROUGHPUT = Objective.DEFAULT;

    private static KnobRange threads() {
        return KnobRange.interval("threads.max", 4, 1024);
    }

    @Test
    void findsPredictsProvesAndExplains() {
        Simulated.Run run = WIREMOCK.drive(new TuneExperiment(WIREMOCK.plan(4, 1024)));
        TuneConclusion c = run.tune();
        assertThat(c.result()).isEqualTo(Result.IMPROVED);
        assertThat(run.steps().get(0).purpose()).isEqualTo("the default");
        assertThat(run.steps().get(1).purpose()).startsWith("predicted from holding time and CPU: threads.max=2");
        assertThat(c.pairs()).hasSize(5);
        assertThat(c.ratio().orElseThrow().low()).isGreaterThan(8);
        assertThat(c.threshold()).isGreaterThanOrEqualTo(1.01);
        assertThat(c.headline())
                .contains("threads.max=")
                .contains("times the default's throughput")
                .contains("5 pairs");
        assertThat(c.baselineWhy().orElseThrow().limit()).isEqualTo(Explanation.Limit.THREADS);
        assertThat(c.winnerWhy().orElseThrow().limit()).isEqualTo(Explanation.Limit.CPU);
        assertThat(c.candidates().getFirst().throughput().estimate()).isGreaterThan(4000);
        assertThat(c.candidates()).filteredOn(x -> x.origin().equals("default")).hasSize(1);
    }

    @Test
    void duelIsInterleavedOnNewData() {
        Simulated.Run run = WIREMOCK.drive(new TuneExperiment(WIREMOCK.plan(4, 1024)));
        List<TrialOutcome> duel =
                run.seen().stream().filter(t -> t.spec().phase() == Phase.DUEL).toList();
        assertThat(duel).hasSize(10);
        for (int i = 0; i < 10; i += 2) {
            assertThat(duel.get(i).spec().block())
                    .isEqualTo(duel.get(i + 1).spec().block())
                    .isEqualTo(i / 2);
            assertThat(List.of(
                            duel.get(i).spec().variant(), duel.get(i + 1).spec().variant()))
                    .containsExactlyInAnyOrder("baseline", "candidate");
        }
        // ABBA or BAAB
        assertThat(duel.get(0).spec().variant()).isNotEqualTo(duel.get(2).spec().variant());
        assertThat(duel.get(4).spec().variant()).isNotEqualTo(duel.get(6).spec().variant());
    }

    @Test
    void withTheDefaultAtTheBestThereIsNoDuel() {
        Simulated login = Simulated.server(60, 0.020, 0.002, 4, 500);
        Simulated.Run run = login.drive(new TuneExperiment(login.plan(4, 1000)));
        assertThat(run.tune().result()).isEqualTo(Result.NO_IMPROVEMENT_SHOWN);
        assertThat(run.tune().winner()).isEqualTo(Setting.DEFAULT);
        assertThat(run.trials(Phase.DUEL)).isZero();
        assertThat(run.tune().notes()).anyMatch(n -> n.startsWith("There was no duel"));
    }

    @Test
    void theTargetsOwnDefaultIsNotTriedAgain() {
        Simulated.Run run = WIREMOCK.drive(new TuneExperiment(WIREMOCK.plan(4, 1024)));
        assertThat(run.seen())
                .filteredOn(t -> t.spec().phase() == Phase.SEARCH)
                .extracting(t -> t.spec().setting().toString())
                .doesNotContain("threads.max=25")
                .doesNotHaveDuplicates();
    }

    /** A gain that a knob gives, applied to what the server would have done. */
    private static UnaryOperator<TrialOutcome> gain(String knob, String value, double factor) {
        return o -> o.spec().setting().get(knob).filter(value::equals).isPresent() ? Tamper.faster(o, factor) : o;
    }

    @Test
    void otherKnobsAreTriedFromTheBestSoFar() {
        var knobs = List.of(
                threads(),
                KnobRange.choices("jvm.gc", List.of("serial", "parallel", "g1")),
                KnobRange.choices("threads.virtual", List.of("true", "false")));
        Plan plan = WIREMOCK.plan(knobs, THROUGHPUT, new Budget(16, Duration.ofHours(1), 5));
        Simulated.Run run = WIREMOCK.drive(new TuneExperiment(plan), gain("jvm.gc", "parallel", 1.15));
        assertThat(run.tune().winner().get("jvm.gc")).contains("parallel");
        assertThat(Integer.parseInt(run.tune().winner().get("threads.max").orElseThrow()))
                .isGreaterThan(180);
        assertThat(run.tune().result()).isEqualTo(Result.IMPROVED);
    }

    @Test
    void withoutEvidenceTheRangeIsSpreadOver() {
        Simulated.Run run = WIREMOCK.drive(new TuneExperiment(WIREMOCK.plan(4, 1024)), Tamper::blind);
        assertThat(run.seen()).filteredOn(t -> t.spec().phase() == Phase.SEARCH).hasSizeGreaterThanOrEqualTo(5);
        assertThat(run.tune().result()).isEqualTo(Result.IMPROVED);
        assertThat(WIREMOCK.throughput(WIREMOCK.threadsOf(run.tune().winner())))
                .isGreaterThan(0.95 * WIREMOCK.throughput(1000));
        assertThat(run.tune().candidates()).extracting(Candidate::origin).contains("log-spaced");
    }

    @Test
    void aSettingThatBreaksThePoolIsRecordedAndNeverRepeatedOrWins() {
        UnaryOperator<TrialOutcome> outOfMemory =
                o -> WIREMOCK.threadsOf(o.spec().setting()) > 200
                        ? Tamper.failed(o, Kind.OUT_OF_MEMORY, "unable to create native thread")
                        : o;
        Simulated.Run run = WIREMOCK.drive(new TuneExperiment(WIREMOCK.plan(4, 1024)), outOfMemory);
        assertThat(run.seen())
                .filteredOn(t -> t.failure().isPresent())
                .extracting(t -> t.spec().setting())
                .doesNotHaveDuplicates();
        assertThat(run.tune().candidates())
                .anyMatch(c ->
                        c.problem().filter(p -> p.contains("native thread")).isPresent() && !c.meetsLimits());
        assertThat(WIREMOCK.threadsOf(run.tune().winner())).isBetween(60, 200);
        assertThat(run.tune().result()).isEqualTo(Result.IMPROVED);
    }

    @Test
    void withoutABaselineThereIsNothingToCompareWith() {
        Simulated.Run dead = WIREMOCK.drive(
                new TuneExperiment(WIREMOCK.plan(4, 1024)), o -> Tamper.failed(o, Kind.DID_NOT_START, "port taken"));
        assertThat(dead.tune().result()).isEqualTo(Result.NO_BASELINE);
        assertThat(dead.seen())
                .as("a trial, and some starts without load")
                .hasSizeBetween(2, 5)
                .filteredOn(t -> t.spec().phase() == Phase.BASELINE)
                .hasSize(1);
        int starts = dead.seen().size();
        assertThat(dead.tune().headline()).contains("port taken", starts + " of " + starts + " starts");

        Simulated.Run late =
                WIREMOCK.drive(new TuneExperiment(WIREMOCK.plan(4, 1024)), o -> Tamper.voided(o, "send-lag", true));
        assertThat(late.tune().result()).isEqualTo(Result.NO_BASELINE);
        assertThat(late.seen())
                .as("as many places as the budget has trials, and half as many repeats")
                .hasSize(12 + 6)
                .allMatch(t -> t.spec().phase() == Phase.BASELINE);

        Simulated.Run wrong = WIREMOCK.drive(
                new TuneExperiment(WIREMOCK.plan(4, 1024)), o -> Tamper.voided(o, "wrong-answers", false));
        assertThat(wrong.seen()).hasSize(1);
    }

    @Test
    void aPairCountsOnlyWithFiguresOnBothSides() {
        UnaryOperator<TrialOutcome> oneSide = o -> o.spec().phase() == Phase.DUEL
                        && o.spec().block() == 1
                        && o.spec().variant().equals("baseline")
                ? Tamper.voided(o, "send-lag", true)
                : o;
        Simulated.Run run = WIREMOCK.drive(new TuneExperiment(WIREMOCK.plan(4, 1024)), oneSide);
        assertThat(run.tune().pairs()).extracting(TuneConclusion.Pair::block).containsExactly(0, 2, 3, 4);
        assertThat(run.tune().notes()).anyMatch(n -> n.contains("4 of 5 pairs"));
        assertThat(run.tune().notes())
                .contains("Void in the duel were 3 of 7 of the default, 0 of 7 of the candidate.");
        assertThat(run.seen())
                .as("both sides are repeated, or none")
                .filteredOn(t -> t.spec().phase() == Phase.DUEL && t.spec().block() == 1)
                .hasSize(6);
    }

    @Test
    void whatATargetDoesItselfIsNoReasonToRepeatIt() {
        UnaryOperator<TrialOutcome> drifts =
                o -> o.spec().phase() == Phase.DUEL && o.spec().variant().equals("candidate")
                        ? Tamper.voided(o, "not-steady", true)
                        : o;
        Simulated.Run run = WIREMOCK.drive(new TuneExperiment(WIREMOCK.plan(4, 1024)), drifts);
        assertThat(run.trials(Phase.DUEL)).isEqualTo(10);
        assertThat(run.tune().pairs()).hasSize(5);
        assertThat(run.tune().proof().orElseThrow().winner()).isEqualTo(new Proof.Arm(5, 0, 0));
    }

    @Test
    void aWinnerThatDiesInTheDuelHasLost() {
        for (int first : new int[] {0, 3}) {
            UnaryOperator<TrialOutcome> dies = o -> o.spec().phase() == Phase.DUEL
                            && o.spec().variant().equals("candidate")
                            && o.spec().block() >= first
                    ? Tamper.failed(o, Kind.OUT_OF_MEMORY, "gone")
                    : o;
            Simulated.Run run = WIREMOCK.drive(new TuneExperiment(WIREMOCK.plan(4, 1024)), dies);
            assertThat(run.tune().result()).isEqualTo(Result.NO_IMPROVEMENT_SHOWN);
            assertThat(run.tune().headline())
                    .contains("ran out of memory in 2 of " + (first + 2) + " pairs")
                    .doesNotContain("interval would have");
            // one pair more for each candidate that was left for the next lower one at its first failure
            List<Setting> candidates = run.seen().stream()
                    .filter(o ->
                            o.spec().phase() == Phase.DUEL && o.spec().variant().equals("candidate"))
                    .map(o -> o.spec().setting())
                    .distinct()
                    .toList();
            assertThat(candidates.getLast()).isEqualTo(run.tune().winner());
            assertThat(run.trials(Phase.DUEL)).isEqualTo(2L * candidates.size() * (first + 1) + 2);
        }
    }

    @Test
    void theLuckiestSearchRunDoesNotCarryIntoTheRatio() {
        // the search flatters one setting; the duel does not
        UnaryOperator<TrialOutcome> flatter = o -> o.spec().phase() != Phase.DUEL
                        && o.spec()
                                .setting()
                                .get("jvm.gc")
                                .filter("parallel"::equals)
                                .isPresent()
                ? Tamper.faster(o, 1.5)
                : o;
        Simulated flat = Simulated.server(64, 0, 0.001, 2, 64);
        Plan plan = flat.plan(
                List.of(KnobRange.choices("jvm.gc", List.of("serial", "parallel"))), THROUGHPUT, Budget.DEFAULT);
        Simulated.Run run = flat.drive(new TuneExperiment(plan), flatter);
        assertThat(run.tune().winner().get("jvm.gc")).contains("parallel");
        assertThat(run.tune().result()).isEqualTo(Result.NO_IMPROVEMENT_SHOWN);
        assertThat(run.tune().ratio().orElseThrow().contains(1)).isTrue();
    }

    @Test
    void infeasibleSettingsNeverWin() {
        // p99 falls with threads; the fastest by throughput break the limit
        Simulated s = Simulated.server(8, 0.050, 0.0005, 2, 100);
        UnaryOperator<TrialOutcome> slowTail =
                o -> s.threadsOf(o.spec().setting()) > 40 ? Tamper.p99(o, 900_000_000L) : Tamper.p99(o, 200_000_000L);
        var objective = new Objective(Objective.Metric.THROUGHPUT, Optional.of(Duration.ofMillis(500)), 0.001);
        Simulated.Run run =
                s.drive(new TuneExperiment(s.plan(List.of(threads()), objective, Budget.DEFAULT)), slowTail);
        assertThat(s.threadsOf(run.tune().winner())).isBetween(9, 40);
        assertThat(run.tune().candidates())
                .filteredOn(c -> s.threadsOf(c.setting()) > 40)
                .isNotEmpty()
                .noneMatch(Candidate::meetsLimits);
        assertThat(run.tune().result()).isEqualTo(Result.IMPROVED);
    }

    @Test
    void aFeasibleWinnerBeatsADefaultThatTimesOut() {
        Simulated s = Simulated.server(10, 0.050, 0.0002, 2, 300).timeout(0.5);
        Simulated.Run run = s.drive(new TuneExperiment(s.plan(4, 1024)));
        assertThat(run.tune().result()).isEqualTo(Result.IMPROVED);
        assertThat(run.tune().notes()).anyMatch(n -> n.contains("does not meet the limit on"));
        assertThat(run.tune().candidates())
                .filteredOn(c -> c.origin().equals("default"))
                .noneMatch(Candidate::meetsLimits);
    }

    @Test
    void minimisesP99() {
        var objective = new Objective(Objective.Metric.P99, Optional.empty(), 0.001);
        Simulated.Run run =
                WIREMOCK.drive(new TuneExperiment(WIREMOCK.plan(List.of(threads()), objective, Budget.DEFAULT)));
        assertThat(run.tune().result()).isEqualTo(Result.IMPROVED);
        assertThat(run.tune().ratio().orElseThrow().high()).isLessThan(0.2);
        assertThat(run.tune().threshold()).isLessThan(1);
        assertThat(run.tune().headline()).contains("p99");
    }

    @Test
    void anotherPlansHistoryIsRefused() {
        Simulated.Run run = WIREMOCK.drive(new TuneExperiment(WIREMOCK.plan(4, 1024)));
        assertThatThrownBy(() -> new TuneExperiment(WIREMOCK.plan(4, 64)).next(run.seen()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the plan or Fettle has been changed");
    }

    @Test
    void shortTimeShrinksTheSearchThenThePairsAndNeverTheProof() {
        // a trial takes 15 s
        for (int seconds : new int[] {60, 120, 150, 180, 240, 300, 400}) {
            Plan plan = WIREMOCK.plan(List.of(threads()), THROUGHPUT, new Budget(12, Duration.ofSeconds(seconds), 5));
            Simulated.Run run = WIREMOCK.drive(new TuneExperiment(plan));
            assertThat(run.seconds()).as("of %d s", seconds).isLessThanOrEqualTo(seconds);
            long duel = run.trials(Phase.DUEL);
            if (seconds < 120) {
                assertThat(duel).isZero();
                assertThat(run.tune().headline())
                        .isEqualTo(
                                "Not tried: the default took 15.0 s of the budget's 1 min, and one other setting with a"
                                        + " duel of 3 pairs would take 2 min in all. Give it more time.");
                assertThat(run.tune().result()).isEqualTo(Result.NOT_TRIED);
            } else {
                assertThat(duel).as("of %d s", seconds).isGreaterThanOrEqualTo(6);
                assertThat(run.tune().result()).isEqualTo(Result.IMPROVED);
            }
        }
    }

    /** A third of all attempts are disturbed: with the proof's time spent on them, too little was left for three pairs. */
    @Test
    void timeThatADisturbanceTookIsNotTakenFromTheProof() {
        // a trial takes 15 s
        int seconds = 200;
        for (long seed = 0; seed < 40; seed++) {
            Simulated s = WIREMOCK.seed(seed).voids(0.35);
            Plan plan = s.plan(List.of(threads()), THROUGHPUT, new Budget(8, Duration.ofSeconds(seconds), 4));
            Simulated.Run run = s.drive(new TuneExperiment(plan));
            double repeated = run.seen().stream()
                    .filter(t -> !t.valid())
                    .mapToDouble(t -> t.took().toMillis() / 1e3)
                    .sum();
            assertThat(run.seconds())
                    .as("seed %d", seed)
                    .isLessThanOrEqualTo(seconds + Math.min(repeated, seconds / 2.0));
            if (repeated <= seconds / 2.0 && run.tune().result() != Result.NO_BASELINE) {
                assertThat(run.trials(Phase.DUEL)).as("seed %d", seed).isGreaterThanOrEqualTo(6);
            }
        }
    }

    /** A neighbour takes what it wants all the time: the search ranks by what there is, and the pairs decide. */
    @Test
    void aMachineThatIsNeverCalmIsNoReasonToGiveUp() {
        Simulated.Run run =
                WIREMOCK.drive(new TuneExperiment(WIREMOCK.plan(4, 1024)), o -> Tamper.voided(o, "disturbed", true));
        TuneConclusion c = run.tune();
        assertThat(c.result()).isEqualTo(Result.IMPROVED);
        assertThat(c.headline()).contains("shown under disturbance", "99 % interval");
        assertThat(c.notes()).anyMatch(n -> n.contains("CPU time a response"));
        assertThat(run.seen())
                .as("after three in a row it no longer waits for calm")
                .hasSizeLessThanOrEqualTo(12 + 10 + 2);

        Simulated flat = Simulated.server(64, 0, 0.001, 2, 64).noise(0.05);
        Simulated.Run same = flat.drive(new TuneExperiment(flat.plan(4, 64)), o -> Tamper.voided(o, "disturbed", true));
        assertThat(same.tune().result()).isEqualTo(Result.NO_IMPROVEMENT_SHOWN);
    }

    /** Three disturbed trials of the default do not use up a budget of four: another setting is tried. */
    @Test
    void disturbedTrialsOfTheDefaultDoNotUseUpTheTrials() {
        Plan plan = WIREMOCK.plan(
                List.of(KnobRange.interval("threads.max", 4, 1024)),
                THROUGHPUT,
                new Budget(4, Duration.ofMinutes(10), 3));
        Simulated.Run run = WIREMOCK.drive(new TuneExperiment(plan), o -> Tamper.voided(o, "disturbed", true));
        assertThat(run.tune().candidates().size()).isGreaterThan(1);
        assertThat(run.tune().result()).isEqualTo(Result.IMPROVED);
    }

    /** The prediction's one trial was disturbed and the default's was not: the prediction is right all the same. */
    @Test
    void oneDisturbedTrialDoesNotOutvoteAPrediction() {
        Simulated s = Simulated.server(8, 0.050, 0.0005, 2, 14);
        UnaryOperator<TrialOutcome> unlucky =
                o -> o.ordinal() > 1 && o.ordinal() <= 4 ? Tamper.voided(Tamper.faster(o, 0.3), "disturbed", true) : o;
        Plan plan = s.plan(List.of(KnobRange.interval("threads.max", 8, 16)), THROUGHPUT, Budget.DEFAULT);
        SettingSearch one = seen -> seen.size() == 1
                ? Optional.of(
                        new SettingSearch.Proposal(Setting.of("threads.max", "14"), Origin.PREDICTION, "predicted"))
                : Optional.empty();
        Simulated.Run run = s.drive(new TuneExperiment(plan, one), unlucky);
        assertThat(run.steps())
                .extracting(Experiment.Step.Run::purpose)
                .contains("once more, side by side: the default and threads.max=14");
        assertThat(run.tune().result()).isEqualTo(Result.IMPROVED);
        assertThat(run.seen().size() - run.trials(Phase.DUEL)).isLessThanOrEqualTo(12);
    }

    /** A default that failed once has broken no limit by its figures. */
    @Test
    void aDefaultThatFailedInTheRaceIsNotSaidToBreakTheLimits() {
        Simulated s = Simulated.server(8, 0.050, 0.0005, 2, 14);
        UnaryOperator<TrialOutcome> fails = o -> {
            if (o.spec().phase() == Phase.RACE && o.spec().variant().equals("baseline")) {
                return Tamper.failed(o, Kind.OUT_OF_MEMORY, "gone");
            }
            return o.ordinal() > 1 && o.ordinal() <= 4 ? Tamper.voided(Tamper.faster(o, 0.3), "disturbed", true) : o;
        };
        Plan plan = s.plan(List.of(KnobRange.interval("threads.max", 8, 16)), THROUGHPUT, Budget.DEFAULT);
        SettingSearch one = seen -> seen.size() == 1
                ? Optional.of(
                        new SettingSearch.Proposal(Setting.of("threads.max", "14"), Origin.PREDICTION, "predicted"))
                : Optional.empty();
        TuneConclusion c = s.drive(new TuneExperiment(plan, one), fails).tune();
        assertThat(c.notes())
                .contains("The default itself ran out of memory in a trial of the search.")
                .noneMatch(n -> n.contains("does not meet the limit on"));
    }

    /** The search's second trial takes all the time that there was for a duel. */
    @Test
    void noDuelHasNoData() {
        Plan plan = WIREMOCK.plan(List.of(threads()), THROUGHPUT, new Budget(8, Duration.ofSeconds(200), 4));
        TuneConclusion c = WIREMOCK.drive(
                        new TuneExperiment(plan), o -> o.ordinal() == 2 ? Tamper.took(o, Duration.ofSeconds(900)) : o)
                .tune();
        assertThat(c.result()).isEqualTo(Result.NOT_TRIED);
        assertThat(c.headline()).startsWith("Not proved: ").contains("there was no time for a duel");
        assertThat(c.notes())
                .anyMatch(n -> n.contains("leaves room for no duel"))
                .noneMatch(n -> n.contains("used for nothing before"));
    }

    @Test
    void aBoundOnWarmUpsThatIsTooShortIsMovedOnce() {
        UnaryOperator<TrialOutcome> slow = o ->
                o.spec().load().warmUpAtMost().toSeconds() <= 20 ? Tamper.voided(o, AttemptStatus.WARM_UP, false) : o;
        Simulated.Run run = WIREMOCK.drive(new TuneExperiment(WIREMOCK.plan(4, 1024)), slow);
        assertThat(run.seen()).filteredOn(t -> !t.valid()).hasSize(1);
        assertThat(run.seen().get(1).spec().phase()).as("repeated").isEqualTo(Phase.BASELINE);
        assertThat(run.seen().stream().skip(1))
                .allMatch(t -> t.spec().load().warmUpAtMost().toSeconds() == 40);
        assertThat(run.tune().result()).isEqualTo(Result.IMPROVED);
        assertThat(run.tune().notes()).anyMatch(n -> n.contains("20.0 s") && n.contains("40.0 s"));

        Simulated.Run never = WIREMOCK.drive(
                new TuneExperiment(WIREMOCK.plan(4, 1024)), o -> Tamper.voided(o, AttemptStatus.WARM_UP, false));
        assertThat(never.seen())
                .extracting(t -> t.spec().load().warmUpAtMost().toSeconds())
                .containsOnly(20L, 40L);
        assertThat(never.trials(Phase.DUEL))
                .as("what a target does itself is its outcome")
                .isEqualTo(10);
    }

    @Test
    void knobsThatWereNeverTriedAreNamed() {
        var knobs = List.of(
                threads(),
                KnobRange.choices("jvm.gc", List.of("serial", "g1")),
                KnobRange.interval("backlog", 50, 400));
        Plan plan = WIREMOCK.plan(knobs, THROUGHPUT, new Budget(12, Duration.ofHours(1), 5));
        SettingSearch one =
                seen -> Optional.of(new SettingSearch.Proposal(Setting.of("threads.max", "50"), Origin.SPREAD, "one"))
                        .filter(p -> seen.size() == 1);
        TuneConclusion better = WIREMOCK.drive(new TuneExperiment(plan, one)).tune();
        assertThat(better.result()).isEqualTo(Result.IMPROVED);
        assertThat(better.notes()).contains("Of the plan's knobs, jvm.gc and backlog were never tried.");
        SettingSearch none = seen -> Optional.empty();
        assertThat(WIREMOCK.drive(new TuneExperiment(plan, none)).tune().headline())
                .endsWith("threads.max, jvm.gc and backlog were never tried.");
        UnaryOperator<TrialOutcome> crash =
                o -> o.spec().setting().equals(Setting.DEFAULT) ? o : Tamper.failed(o, Kind.DIED, "gone");
        assertThat(WIREMOCK.drive(new TuneExperiment(plan, one), crash).tune().headline())
                .as("what crashed was tried")
                .endsWith(
                        "the target crashed. jvm.gc and backlog were never tried, and threads.max gave no figures in any"
                                + " trial.");
    }

    /** What the candidate did in its pairs decides, whatever the others say. */
    @Test
    void voidsOnOneSideAloneAreNoImprovement() {
        UnaryOperator<TrialOutcome> late =
                o -> o.spec().phase() == Phase.DUEL && o.spec().variant().equals("candidate") && o.ordinal() % 4 < 2
                        ? Tamper.voided(o, "send-lag", true)
                        : o;
        Simulated.Run run = WIREMOCK.drive(new TuneExperiment(WIREMOCK.plan(4, 1024)), late);
        Proof proof = run.tune().proof().orElseThrow();
        assertThat(proof.baseline().voids()).isZero();
        assertThat(proof.winner().voids()).isGreaterThan(3);
        assertThat(run.tune().shortfalls()).hasAtLeastOneElementOfType(Shortfall.Lopsided.class);
        assertThat(run.tune().headline()).contains("void on one side more often than chance explains");
    }

    @Test
    void theHeadlinesFiguresAreThoseOfTheWholeReport() {
        TuneConclusion c =
                WIREMOCK.drive(new TuneExperiment(WIREMOCK.plan(4, 1024))).tune();
        TuneConclusion.Sides sides = c.sides().orElseThrow();
        assertThat(sides.winner() / sides.baseline())
                .isCloseTo(c.ratio().orElseThrow().estimate(), offset(1e-9));
        assertThat(c.headline())
                .contains(Format.number(sides.winner()) + "/s against " + Format.number(sides.baseline()));
    }

    @Test
    void aPlanSaysWhatItNeeds() {
        Plan plan = WIREMOCK.plan(List.of(threads()), THROUGHPUT, new Budget(12, Duration.ofSeconds(100), 5));
        // 3 s to launch, 6 s of warm-up, 10 s of measuring; eight of those
        assertThat(TimeNeeded.of(plan).least()).isEqualTo(Duration.ofSeconds(152));
        assertThat(TimeNeeded.of(plan).fits(plan)).isFalse();
    }

    @Test
    void voidsHaveTheirReasonKept() {
        UnaryOperator<TrialOutcome> generator =
                o -> WIREMOCK.threadsOf(o.spec().setting()) > 250 ? Tamper.voided(o, "generator-limit", false) : o;
        Simulated.Run run = WIREMOCK.drive(new TuneExperiment(WIREMOCK.plan(4, 1024)), generator);
        assertThat(run.tune().candidates())
                .anyMatch(c ->
                        c.problem().filter(p -> p.startsWith("generator-limit")).isPresent());
        assertThat(run.tune().notes()).anyMatch(n -> n.contains("could not be judged"));
        assertThat(Verdict.VALID.valid()).isTrue();
    }

    /** Trials of 15 s as a rule, but twice as long here, because others are busy and each warm-up goes to its bound. */
    @Test
    void aBudgetThatIsUsuallyEnoughEndsInAnAnswerWhereEveryTrialTakesLonger() {
        Simulated server = Simulated.server(25, 0.050, 0.000227, 1, 300);
        Plan plan = server.plan(
                List.of(KnobRange.interval("threads.max", 4, 1024)),
                Objective.DEFAULT,
                new Budget(8, Duration.ofSeconds(200), 4));
        assertThat(TimeNeeded.of(plan).fits(plan)).isTrue();
        Simulated.Run slow = server.drive(new TuneExperiment(plan), o -> Tamper.took(o, Duration.ofSeconds(30)));
        assertThat(slow.tune().result()).isEqualTo(Result.IMPROVED);
        assertThat(slow.trials(Phase.SEARCH)).isEqualTo(1);
        assertThat(slow.tune().pairs()).hasSize(3);
        assertThat(slow.seconds()).isBetween(200.0, 300.0);
        // nor more than half as much again
        Simulated.Run slower = server.drive(new TuneExperiment(plan), o -> Tamper.took(o, Duration.ofSeconds(60)));
        assertThat(slower.tune().result()).isEqualTo(Result.NOT_TRIED);
    }
}
