package dev.fettle.insight.tune;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Proof;
import dev.fettle.insight.Simulated;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.insight.TuneConclusion.Result;
import dev.fettle.insight.capacity.Tamper;
import dev.fettle.insight.trials.Origin;
import dev.fettle.insight.trials.TrialSlots;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Budget;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.trial.Answers;
import dev.fettle.model.trial.CapacitySeen;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialOutcome.Kind;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import dev.fettle.model.trial.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** What a tune makes of trials that fail, are void or break a limit. */
class TuneFailuresTest {
    private static final Simulated WIREMOCK = Simulated.server(25, 0.050, 0.000227, 1, 300);

    private static KnobRange threads() {
        return KnobRange.interval("threads.max", 4, 1024);
    }

    /** A generator that is late in the first minute does not end a tune of an hour, nor does that use up its trials. */
    @Test
    void aDefaultThatWasVoidForAPassingReasonIsTriedAgain() {
        Plan plan = WIREMOCK.plan(4, 1024);
        SettingSearch more = seen -> Optional.of(new SettingSearch.Proposal(
                Setting.of("threads.max", Integer.toString(30 * seen.size())), Origin.SPREAD, "more"));
        Simulated.Run run = WIREMOCK.drive(
                new TuneExperiment(plan, more), o -> o.ordinal() <= 5 ? Tamper.voided(o, "send-lag", true) : o);
        assertThat(run.seen().stream().limit(6)).allMatch(t -> t.spec().phase() == Phase.BASELINE);
        assertThat(run.trials(Phase.BASELINE)).isEqualTo(6);
        assertThat(run.trials(Phase.SEARCH))
                .as("12 less the default and four for the race")
                .isEqualTo(7);
        assertThat(run.tune().result()).isEqualTo(Result.IMPROVED);
        // without time for anything after it, it ends
        Plan brief = WIREMOCK.plan(List.of(threads()), Objective.DEFAULT, new Budget(12, Duration.ofSeconds(130), 5));
        assertThat(WIREMOCK.drive(new TuneExperiment(brief), o -> Tamper.voided(o, "send-lag", true))
                        .seen())
                .hasSize(3);
    }

    /** Pairs of disturbed trials count, so what they answered does, too. */
    @Test
    void otherAnswersInDisturbedPairsCount() {
        UnaryOperator<TrialOutcome> busy = o -> {
            boolean duel = o.spec().phase() == Phase.DUEL;
            boolean other = duel && o.spec().variant().equals("candidate");
            long n = o.measurement().orElseThrow().responses();
            var shape = other ? new Answers.Shape(200, 31, 31, n) : new Answers.Shape(200, 2048, 2048, n);
            TrialOutcome answered = Tamper.answers(o, new Answers("", List.of(shape), List.of(), 0, List.of()));
            return duel ? Tamper.voided(answered, "disturbed", true) : answered;
        };
        TuneConclusion c =
                WIREMOCK.drive(new TuneExperiment(WIREMOCK.plan(4, 1024)), busy).tune();
        assertThat(c.pairs()).isNotEmpty();
        assertThat(c.result()).isEqualTo(Result.NO_IMPROVEMENT_SHOWN);
        assertThat(c.headline()).contains("gives other answers than the default");
    }

    /** Pairs in place of those without figures are no second look at the same question. */
    @Test
    void pairsInPlaceOfLostOnesAreNotSaidToBeALaterLook() {
        UnaryOperator<TrialOutcome> lost = o ->
                o.spec().phase() == Phase.DUEL && o.spec().block() < 3 ? Tamper.voided(o, "littles-law", false) : o;
        TuneConclusion c =
                WIREMOCK.drive(new TuneExperiment(WIREMOCK.plan(4, 1024)), lost).tune();
        assertThat(c.pairs()).hasSize(3);
        assertThat(c.ratio().orElseThrow().level()).isEqualTo(0.95);
        assertThat(c.notes())
                .anyMatch(n -> n.contains("3 of 5 pairs of the duel count"))
                .noneMatch(n -> n.contains("interim analyses after"));
    }

    /** A setting that is as fast as the default did not look better, whatever limit it broke. */
    @Test
    void whatIsAsFastIsNotSaidToHaveLookedBetter() {
        SettingSearch search = seen -> seen.size() > 1
                ? Optional.empty()
                : Optional.of(new SettingSearch.Proposal(Setting.of("threads.max", "200"), Origin.SPREAD, "one"));
        Simulated same = Simulated.server(300, 0.050, 0.000227, 1, 20).noise(0);
        UnaryOperator<TrialOutcome> world = o -> same.threadsOf(o.spec().setting()) == 200
                ? Tamper.p99(Tamper.faster(o, 1.004), 900_000_000L)
                : Tamper.p99(o, 200_000_000L);
        var objective = new Objective(Objective.Metric.THROUGHPUT, Optional.of(Duration.ofMillis(500)), 0.001);
        Plan plan = same.plan(List.of(threads()), objective, new Budget(12, Duration.ofHours(1), 5));
        assertThat(same.drive(new TuneExperiment(plan, search), world).tune().headline())
                .contains("could not be compared")
                .doesNotContain("looked better, but it broke");
    }

    /** The other side of a pair ends with the one that failed: that is no void trial of its own. */
    @Test
    void theSurvivorOfACrashIsNotVoid() {
        UnaryOperator<TrialOutcome> dies = o -> {
            if (o.spec().phase() != Phase.DUEL || o.spec().block() < 3) {
                return o;
            }
            return o.spec().variant().equals("candidate")
                    ? Tamper.failed(o, Kind.OUT_OF_MEMORY, "gone")
                    : Tamper.failed(o, Kind.LAB, "its partner in the pair failed: gone");
        };
        Proof proof = WIREMOCK.drive(new TuneExperiment(WIREMOCK.plan(4, 1024)), dies)
                .tune()
                .proof()
                .orElseThrow();
        assertThat(proof.baseline()).isEqualTo(new Proof.Arm(3, 0, 0));
        assertThat(proof.winner()).isEqualTo(new Proof.Arm(5, 0, 2));
    }

    /** A pair that is repeated because others took CPU time is one pair, and what counts of it is how it ended. */
    @Test
    void aFailureInARepeatedPairIsOneOfItsPair() {
        var spec = new TrialSpec(
                Phase.DUEL,
                TuneSlots.CANDIDATE,
                Map.of(),
                0,
                Simulated.target(),
                Setting.of("threads.max", "9"),
                Simulated.load(300));
        TrialOutcome fine = WIREMOCK.run(1, spec);
        var none = new CapacitySeen(CapacitySeen.End.NO_RATE, 0, 0, 0, "it broke the SLO", 9, 9, List.of());
        Measurement m = fine.measurement().orElseThrow();
        TrialOutcome noRate = Tamper.measured(
                fine,
                m.withDetail(m.detail().withCapacity(Optional.of(none))),
                new Verdict(List.of(new Verdict.Reason("disturbed", "others", true))));
        var slot = new TrialSlots.Slot(spec, "a pair", Origin.DUEL);
        assertThat(Duel.failures(List.of(new TrialSlots.Filled(slot, List.of(noRate, noRate, noRate)))))
                .containsExactly("met the SLO at no rate");
        assertThat(Duel.failures(List.of(new TrialSlots.Filled(slot, List.of(noRate, fine)))))
                .isEmpty();
    }

    /** Two settings: one that crashes, and a faster one that is over the limit. */
    @Test
    void whatCouldNotWinIsToldFromWhatWasNoBetter() {
        SettingSearch search = seen -> seen.size() > 2
                ? Optional.empty()
                : Optional.of(new SettingSearch.Proposal(
                        Setting.of("threads.max", seen.size() == 1 ? "100" : "200"), Origin.SPREAD, "one"));
        UnaryOperator<TrialOutcome> world =
                o -> switch (WIREMOCK.threadsOf(o.spec().setting())) {
                    case 100 -> Tamper.failed(o, Kind.DIED, "gone");
                    case 200 -> Tamper.p99(o, 900_000_000L);
                    default -> Tamper.p99(o, 200_000_000L);
                };
        var objective = new Objective(Objective.Metric.THROUGHPUT, Optional.of(Duration.ofMillis(500)), 0.001);
        Plan plan = WIREMOCK.plan(List.of(threads()), objective, new Budget(12, Duration.ofHours(1), 5));
        String found =
                WIREMOCK.drive(new TuneExperiment(plan, search), world).tune().headline();
        assertThat(found)
                .isEqualTo(
                        "No improvement shown: none of 2 other settings could be compared with the default. One setting"
                                + " could not be judged: with threads.max=100 the target crashed. With threads.max=200 throughput"
                                + " looked better, but it broke the limit on p99 (900 ms, at most 500 ms).");

        UnaryOperator<TrialOutcome> thinks = o -> o.failure().isPresent() ? o : Tamper.advised(o, "think-time");
        assertThat(WIREMOCK.drive(new TuneExperiment(plan, search), o -> thinks.apply(world.apply(o)))
                        .tune()
                        .headline())
                .contains("the clients' think time sets it", "with threads.max=100 the target crashed");
    }

    /** Think time does not make a candidate crash. */
    @Test
    void aCrashInTheDuelIsToldWhateverTheThinkTime() {
        UnaryOperator<TrialOutcome> dies =
                o -> o.spec().phase() == Phase.DUEL && o.spec().variant().equals("candidate")
                        ? Tamper.failed(o, Kind.DIED, "gone")
                        : Tamper.advised(o, "think-time");
        assertThat(WIREMOCK.drive(new TuneExperiment(WIREMOCK.plan(4, 1024)), dies)
                        .tune()
                        .headline())
                .contains("crashed in 2 of 2 pairs")
                .doesNotContain("think time");
    }

    private static TuneConclusion voidInTheDuel(String rule, boolean defaultToo) {
        return WIREMOCK.drive(
                        new TuneExperiment(WIREMOCK.plan(4, 1024)),
                        o -> o.spec().phase() == Phase.DUEL
                                        && o.spec().block() < 2
                                        && (defaultToo || o.spec().variant().equals(TuneSlots.CANDIDATE))
                                ? Tamper.voided(o, rule, false)
                                : o)
                .tune();
    }

    /** It would be judged by the pairs that it came well out of. */
    @Test
    void aCandidateWithoutUsableFiguresInSomePairsDoesNotWin() {
        TuneConclusion c = voidInTheDuel("connect-queue", false);
        assertThat(c.result()).isEqualTo(Result.NO_IMPROVEMENT_SHOWN);
        assertThat(c.headline()).endsWith(" gave no usable figures in 2 of 2 pairs.");
        assertThat(voidInTheDuel("connect-queue", true).result())
                .as("the default gave none either")
                .isEqualTo(Result.IMPROVED);
        assertThat(voidInTheDuel("no-capacity", false).result()).isEqualTo(Result.IMPROVED);
    }

    /** A crash, or a knob that is not taken, is no sign of others at work; being late is, and so is what others took. */
    @Test
    void onlyWhatOthersDidIsUnquiet() {
        TrialOutcome fine = WIREMOCK.run(
                1,
                new TrialSpec(
                        Phase.SEARCH,
                        TuneSlots.CANDIDATE,
                        Map.of(),
                        0,
                        Simulated.target(),
                        Setting.of("threads.max", "9"),
                        Simulated.load(300)));
        assertThat(TuneSlots.unquiet(fine)).isFalse();
        assertThat(TuneSlots.unquiet(Tamper.failed(fine, Kind.DIED, "gone"))).isFalse();
        assertThat(TuneSlots.unquiet(Tamper.failed(fine, Kind.NOT_EFFECTIVE, "threads.max is 8")))
                .isFalse();
        assertThat(TuneSlots.unquiet(Tamper.failed(fine, Kind.LAB, "its partner in the pair failed: gone")))
                .isFalse();
        assertThat(TuneSlots.unquiet(Tamper.voided(fine, "warm-up", false))).isFalse();
        assertThat(TuneSlots.unquiet(Tamper.voided(fine, "littles-law", false))).isFalse();
        assertThat(TuneSlots.unquiet(Tamper.voided(fine, "disturbed", true))).isTrue();
        assertThat(TuneSlots.unquiet(Tamper.voided(fine, "send-lag", true))).isTrue();
    }
}
