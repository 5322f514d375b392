package dev.fettle.insight.builds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.insight.Experiment.Step;
import dev.fettle.insight.GateConclusion;
import dev.fettle.insight.GateConclusion.Answer;
import dev.fettle.insight.GateConclusion.Result;
import dev.fettle.insight.builds.TwoBuilds.Head;
import dev.fettle.insight.builds.TwoBuilds.Machine;
import dev.fettle.model.plan.GateAsked;
import dev.fettle.model.plan.GateMetric;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialOutcome.Kind;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GateExperimentTest {
    private static final Duration TEN = Duration.ofMinutes(10);

    private record Driven(GateConclusion conclusion, List<TrialOutcome> seen) {
        List<String> variants(int pair) {
            return seen.subList(2 * pair, 2 * pair + 2).stream()
                    .map(t -> t.spec().variant())
                    .toList();
        }
    }

    private static Driven drive(TwoBuilds world, Plan plan, UnaryOperator<TrialOutcome> tamper) {
        var experiment = new GateExperiment(plan);
        var shown = new GateExperiment(plan);
        var seen = new ArrayList<TrialOutcome>();
        while (true) {
            var soFar = shown.soFar(List.copyOf(seen));
            switch (experiment.next(List.copyOf(seen))) {
                case Step.Stop(GateConclusion c) -> {
                    assertThat(soFar).contains(c);
                    return new Driven(c, seen);
                }
                case Step.Pair p ->
                    world.pair(seen.size() + 1, p.first().spec(), p.second().spec())
                            .forEach(t -> seen.add(tamper.apply(t)));
                default -> throw new AssertionError("not a gate's step");
            }
        }
    }

    private static Driven drive(Head head, Machine machine, Plan plan) {
        return drive(new TwoBuilds(head, machine, false, 1), plan, o -> o);
    }

    private static Plan plan(Duration time) {
        return TwoBuilds.plan(time, false, false);
    }

    private static Plan asked(Plan plan, UnaryOperator<GateAsked> change) {
        return plan.withGate(plan.gate().map(change));
    }

    @Test
    void onePairInFiveIsOfBaseAndBaseTheSecondFirst() {
        Driven d = drive(Head.slower(0.02), Machine.NEIGHBOUR, plan(TEN));
        assertThat(d.conclusion().result()).isEqualTo(Result.CANT_TELL);
        assertThat(d.conclusion().pairs() + d.conclusion().aaPairs()).isEqualTo(15);
        assertThat(IntStream.range(0, 15)
                        .filter(i -> d.variants(i).contains(GateAsked.AGAIN))
                        .boxed())
                .containsExactly(1, 6, 11);
        assertThat(d.conclusion().aaPairs()).isEqualTo(3);
        // each order of base and head comes about as often as the other
        assertThat(IntStream.range(0, 15)
                        .filter(i -> d.variants(i).getFirst().equals(GateAsked.BASE))
                        .count())
                .isBetween(5L, 10L);
    }

    @Test
    void itStopsOnceItCanTell() {
        GateConclusion c = drive(Head.slower(0.2), Machine.QUIET, plan(TEN)).conclusion();
        assertThat(c.result()).isEqualTo(Result.WORSE);
        assertThat(c.seconds()).isLessThan(300);
        var cpu = TwoBuilds.of(c, GateMetric.CPU);
        assertThat(cpu.change().low()).isGreaterThan(1.1);
        assertThat(cpu.change().high()).isLessThan(1.3);
        assertThat(TwoBuilds.of(c, GateMetric.THROUGHPUT).change().high()).isLessThan(1);
    }

    @Test
    void itEndsInTheTimeThatIsGiven() {
        for (int seconds : new int[] {125, 200, 330, 599}) {
            GateConclusion c = drive(Head.slower(0.025), Machine.HOSTED, plan(Duration.ofSeconds(seconds)))
                    .conclusion();
            assertThat(c.seconds()).isLessThanOrEqualTo(seconds);
        }
    }

    @Test
    void tooLittleTimeForThreePairsTellsNothing() {
        GateConclusion c =
                drive(Head.SAME, Machine.QUIET, plan(Duration.ofSeconds(90))).conclusion();
        assertThat(c.result()).isEqualTo(Result.CANT_TELL);
        assertThat(c.pairs()).isEqualTo(1);
        assertThat(TwoBuilds.of(c, GateMetric.CPU).change().bounded()).isFalse();
    }

    /** The allowance is what a loss is held against: 2 % is no worse for 3 %, and worse for 1 %. */
    @Test
    void whatIsAllowedDecides() {
        Plan narrow = asked(
                plan(Duration.ofMinutes(30)),
                g -> new GateAsked(
                        g.time(),
                        Map.of(GateMetric.CPU, 0.01, GateMetric.THROUGHPUT, 0.01),
                        false,
                        false,
                        g.unsure(),
                        0,
                        g.base(),
                        g.head()));
        assertThat(drive(Head.slower(0.02), Machine.QUIET, narrow).conclusion().result())
                .isEqualTo(Result.WORSE);
        Plan wide = asked(
                plan(Duration.ofMinutes(30)),
                g -> new GateAsked(
                        g.time(),
                        Map.of(GateMetric.CPU, 0.05, GateMetric.THROUGHPUT, 0.05),
                        false,
                        false,
                        g.unsure(),
                        0,
                        g.base(),
                        g.head()));
        assertThat(drive(Head.slower(0.02), Machine.QUIET, wide).conclusion().result())
                .isEqualTo(Result.NO_WORSE);
    }

    /** A metric that is named decides; a machine on which it can't be observed can't pass. */
    @Test
    void whoNamesAMetricWantsAnAnswerByIt() {
        Plan named = asked(
                plan(TEN),
                g -> new GateAsked(
                        g.time(), Map.of(GateMetric.MEMORY, 0.1), false, false, g.unsure(), 0, g.base(), g.head()));
        GateConclusion c = drive(Head.SAME, Machine.QUIET, named).conclusion();
        assertThat(c.result()).isEqualTo(Result.CANT_TELL);
        var memory = TwoBuilds.of(c, GateMetric.MEMORY);
        assertThat(memory.decides()).isTrue();
        assertThat(memory.pairs()).isZero();
        assertThat(c.headline()).contains("memory after GC was not observed");
        assertThat(TwoBuilds.of(c, GateMetric.CPU).answer()).isEqualTo(Answer.NO_WORSE);
    }

    @Test
    void aLockIsFoundByThroughputAlone() {
        GateConclusion c =
                drive(new Head(0, 0.15, 0, 0, 2_000), Machine.QUIET, plan(TEN)).conclusion();
        assertThat(c.result()).isEqualTo(Result.WORSE);
        assertThat(TwoBuilds.of(c, GateMetric.THROUGHPUT).answer()).isEqualTo(Answer.WORSE);
        assertThat(TwoBuilds.of(c, GateMetric.CPU).answer()).isNotEqualTo(Answer.WORSE);
    }

    @Test
    void aHeadThatNeverComesUpIsWorseAfterThreeOfItsStarts() {
        Driven d = drive(new TwoBuilds(new Head(0, 0, 1, 0, 2_000), Machine.QUIET, false, 1), plan(TEN), o -> o);
        assertThat(d.conclusion().result()).isEqualTo(Result.WORSE);
        assertThat(d.conclusion().head()).isEqualTo(new GateConclusion.Side(3, 3));
        assertThat(d.conclusion().base().failed()).isZero();
        assertThat(d.conclusion().failure()).contains("crashed in 3 of 3 starts");
    }

    @Test
    void aHeadThatFailedOnceDoesNotPass() {
        var world = new TwoBuilds(Head.SAME, Machine.QUIET, false, 1);
        Driven d = drive(
                world,
                plan(TEN),
                o -> o.spec().variant().equals(GateAsked.HEAD) && o.spec().block() == 0
                        ? TwoBuilds.failed(o, Kind.DIED, "gone", false)
                        : o);
        assertThat(d.conclusion().result()).isEqualTo(Result.CANT_TELL);
        assertThat(d.conclusion().head().failed()).isEqualTo(1);
        assertThat(TwoBuilds.of(d.conclusion(), GateMetric.CPU).answer()).isEqualTo(Answer.NO_WORSE);
    }

    @Test
    void whereTheBaseFailsAsOftenNobodyIsBlamed() {
        var world = new TwoBuilds(Head.SAME, Machine.QUIET, false, 1);
        Driven d =
                drive(world, plan(TEN), o -> o.ordinal() % 4 == 1 ? TwoBuilds.failed(o, Kind.DIED, "gone", false) : o);
        assertThat(d.conclusion().result()).isNotEqualTo(Result.WORSE);
    }

    @Test
    void aRunWithoutAFigureIsNoAnswer() {
        var world = new TwoBuilds(Head.SAME, Machine.QUIET, false, 1);
        for (Kind kind : List.of(Kind.DID_NOT_START, Kind.LAB)) {
            Driven d = drive(world, plan(TEN), o -> TwoBuilds.failed(o, kind, "no", kind.passing()));
            assertThat(d.conclusion().result()).isEqualTo(Result.NOT_VALID);
            assertThat(d.seen()).hasSize(8);
        }
    }

    @Test
    void otherAnswersEndItUnlessTheyAreMeant() {
        var page = new Head(0, 0, 0, 0, 200);
        Driven d = drive(page, Machine.QUIET, plan(TEN));
        assertThat(d.conclusion().result()).isEqualTo(Result.CANT_TELL);
        assertThat(d.conclusion().answers())
                .hasValueSatisfying(a -> assertThat(a).contains("200 B", "2,000 B"));
        assertThat(d.conclusion().pairs()).isEqualTo(2);
        Plan meant = asked(
                plan(TEN), g -> new GateAsked(g.time(), Map.of(), false, true, g.unsure(), 0, g.base(), g.head()));
        assertThat(drive(page, Machine.QUIET, meant).conclusion().result()).isEqualTo(Result.NO_WORSE);
        assertThat(drive(page, Machine.QUIET, meant).conclusion().answers()).isPresent();
    }

    @Test
    void aBaseThatDiffersFromItselfClaimsNothing() {
        var world = new TwoBuilds(Head.slower(0.1), Machine.QUIET, false, 1);
        Driven d = drive(
                world,
                plan(TEN),
                o -> o.spec().variant().equals(GateAsked.AGAIN)
                        ? o.withMeasurement(o.measurement().map(m -> m.withResponses(m.responses() * 6 / 5)))
                        : o);
        var throughput = TwoBuilds.of(d.conclusion(), GateMetric.THROUGHPUT);
        assertThat(throughput.sameEach()).hasSizeGreaterThanOrEqualTo(1);
        // once there are three pairs of base and base it is seen
        if (throughput.sameEach().size() >= 3) {
            assertThat(throughput.answer()).isEqualTo(Answer.CANT_TELL);
        }
    }

    @Test
    void baseAgainstBaseSaysWhatThisMachineShows() {
        GateConclusion quiet = new TwoBuilds(Head.SAME, Machine.QUIET, false, 1)
                .run(new GateExperiment(TwoBuilds.plan(TEN, false, true)));
        GateConclusion hosted = new TwoBuilds(Head.SAME, Machine.HOSTED, false, 1)
                .run(new GateExperiment(TwoBuilds.plan(TEN, false, true)));
        assertThat(quiet.result()).isEqualTo(Result.MACHINE_ONLY);
        assertThat(quiet.pairs()).isZero();
        assertThat(quiet.aaPairs()).isEqualTo(15);
        assertThat(quiet.reach().stream().map(GateConclusion.Reach::minutes).distinct())
                .containsExactly(5.0, 10.0, 20.0);
        assertThat(reach(quiet, 10)).isLessThan(reach(hosted, 10));
        assertThat(reach(hosted, 20)).isLessThan(reach(hosted, 5));
    }

    private static double reach(GateConclusion c, double minutes) {
        return c.reach().stream()
                .filter(r -> r.minutes() == minutes && r.metric() == GateMetric.THROUGHPUT)
                .findFirst()
                .orElseThrow()
                .loss();
    }

    @Test
    void theSameHistoryHasTheSameAnswer() {
        Driven d = drive(Head.slower(0.02), Machine.SWINGS, plan(TEN));
        var again = new GateExperiment(plan(TEN));
        for (int n = 0; n < d.seen().size(); n += 2) {
            assertThat(again.next(d.seen().subList(0, n))).isInstanceOf(Step.Pair.class);
        }
        assertThat(new GateExperiment(plan(TEN)).next(d.seen())).isEqualTo(new Step.Stop(d.conclusion()));
    }

    @Test
    void whatIsNotSettledSaysWhatItWouldTake() {
        GateConclusion c = drive(Head.SAME, Machine.HOSTED, plan(TEN)).conclusion();
        assertThat(c.result()).isEqualTo(Result.CANT_TELL);
        var throughput = TwoBuilds.of(c, GateMetric.THROUGHPUT);
        assertThat(throughput.couldShow().getAsDouble()).isGreaterThan(0.03);
        assertThat(throughput.minutes().getAsDouble()).isGreaterThan(10);
    }

    @Test
    void aPlanWithoutTwoProgramsIsRefused() {
        assertThatThrownBy(() -> new GateExperiment(plan(TEN).withCompare(Optional.empty())))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** What is recorded comes after the answer, in both orders, and changes nothing of it. */
    @Test
    void whyIsRecordedAfterTheAnswer() {
        for (Head head : List.of(Head.slower(0.2), Head.SAME)) {
            Driven without = drive(head, Machine.QUIET, plan(TEN));
            Driven with = drive(head, Machine.QUIET, asked(plan(TEN), g -> why(g, 2)));
            int decided = without.seen().size();
            assertThat(with.seen().stream().map(t -> t.spec().phase()).skip(decided))
                    .containsExactly(Phase.EXPLAIN, Phase.EXPLAIN, Phase.EXPLAIN, Phase.EXPLAIN);
            assertThat(with.seen().stream().map(t -> t.spec().variant()).skip(decided))
                    .containsExactly(GateAsked.BASE, GateAsked.HEAD, GateAsked.HEAD, GateAsked.BASE);
            assertThat(with.conclusion().why()).isPresent();
            assertThat(with.conclusion().withWhy(Optional.empty())).isEqualTo(without.conclusion());
        }
    }

    /** A head that fails, base against base, and a gate whose pairs take too long for it: nothing is recorded. */
    @Test
    void whyIsNotRecordedInVain() {
        var dies = new Head(0, 0, 1, 0, 2_000);
        GateConclusion dead =
                drive(dies, Machine.QUIET, asked(plan(TEN), g -> why(g, 2))).conclusion();
        assertThat(dead.why()).isEmpty();
        assertThat(dead.notes().getFirst()).endsWith(": gone");
        assertThat(drive(Head.SAME, Machine.QUIET, asked(TwoBuilds.plan(TEN, false, true), g -> why(g, 2)))
                        .conclusion()
                        .why())
                .isEmpty();
        Driven brief = drive(Head.SAME, Machine.QUIET, asked(plan(Duration.ofSeconds(125)), g -> why(g, 5)));
        assertThat(brief.seen().stream().filter(t -> t.spec().phase() == Phase.EXPLAIN))
                .hasSize(2);
    }

    private static GateAsked why(GateAsked g, int pairs) {
        return new GateAsked(g.time(), g.allow(), g.aa(), g.answersMayDiffer(), g.unsure(), pairs, g.base(), g.head());
    }
}
