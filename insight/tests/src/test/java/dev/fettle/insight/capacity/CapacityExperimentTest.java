package dev.fettle.insight.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.CapacityConclusion;
import dev.fettle.insight.CapacityResult;
import dev.fettle.insight.Experiment.Step;
import dev.fettle.insight.Probing;
import dev.fettle.insight.Simulated;
import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.Protocol;
import dev.fettle.load.api.TransportKind;
import dev.fettle.load.api.Wire;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.CapacityAsked;
import dev.fettle.model.plan.CapacityOptions;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregates;
import dev.fettle.model.trial.Conditions;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Slice;
import dev.fettle.model.trial.Timeline;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import dev.fettle.model.trial.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

/** On a server that bears 900 a second: below, a probe meets the SLO, above it is late. */
class CapacityExperimentTest {
    private static final double LIMIT = 900;
    private static final double WARM = 800;
    /** Each process after the first is slower by this. */
    private static final double SLOWER = 0.08;

    private String process = "first";
    /** Whether the page answers one client alone within a second. */
    private boolean quick = true;

    private static Plan plan(boolean search, Optional<CapacityOptions.Spike> spike) {
        return plan(search, spike, 1);
    }

    private static Plan plan(boolean search, Optional<CapacityOptions.Spike> spike, int launches) {
        return plan(search, spike, launches, Simulated.load(1000));
    }

    private static Plan plan(boolean search, Optional<CapacityOptions.Spike> spike, int launches, Load load) {
        var options = new CapacityOptions(
                SimulatedLimit.SLO,
                OptionalFigure.empty(),
                Duration.ofSeconds(5),
                0.05,
                2,
                Duration.ofMinutes(10),
                true,
                42,
                search,
                spike,
                launches,
                Duration.ofSeconds(5));
        return Plan.of("c", Simulated.target(), load)
                .withCapacity(Optional.of(new CapacityAsked("c", options, OptionalFigure.empty(), true)));
    }

    private static CapacityOptions.Spike spike(OptionalFigure reference) {
        return new CapacityOptions.Spike(2, reference, 0.5, Duration.ofSeconds(2), Duration.ofSeconds(30));
    }

    /** What a trial on that server gives. */
    private TrialOutcome run(int ordinal, Step.Kept step) {
        TrialSpec spec = step.run().spec();
        double rate = spec.load().arrivals() instanceof Arrivals.Open o
                ? o.stages().getLast().to()
                : WARM;
        double limit = LIMIT * (1 - SLOWER * spec.block());
        boolean late = rate > limit;
        long millis = late ? 5000 : 10;
        long responses = spec.phase() == Phase.IDLE && !quick ? 0 : Math.round(5 * Math.min(rate, limit));
        long p = millis * 1_000_000;
        var latency = new LatencySummary(responses, p, p, p, p, p, p, p, p, p);
        var slice = new Slice(0, 5, responses, responses, 0, 0, 0, Map.of(), latency);
        boolean spiked = spec.phase() == Phase.SPIKE;
        var detail = Measurement.Detail.NONE
                .with()
                .offered(Optional.of(new Measurement.Offered(Math.round(5 * rate), 0, 0, 0)))
                .slices(spiked ? List.of(slice, slice) : List.of())
                .stages(spiked ? List.of(slice, slice, slice) : List.of())
                .build();
        var measurement = new Measurement(
                Duration.ofSeconds(5),
                responses,
                Map.of(),
                Map.of(),
                Map.of(),
                0,
                0,
                latency,
                LatencySummary.NONE,
                0,
                1,
                List.of(),
                "",
                detail);
        var evidence = new Evidence(
                0,
                Evidence.Cpus.UNKNOWN,
                Aggregates.NOTHING,
                OptionalFigure.of(0.1),
                OptionalFigure.of(0.1),
                OptionalInt.empty(),
                0,
                Map.of(),
                Map.of(CapacityExperiment.LAUNCHED, process),
                List.of("a note"),
                Timeline.NONE,
                List.of(),
                Conditions.ALONE);
        var outcome = new TrialOutcome(
                ordinal,
                spec,
                Instant.EPOCH,
                Duration.ofSeconds(6),
                Duration.ZERO,
                Optional.of(measurement),
                Optional.of(evidence),
                Optional.empty(),
                Verdict.VALID,
                List.of());
        return Judged.isProbe(spec.phase())
                ? outcome.withVerdict(
                        ProbeVerdict.of(Probe.of(outcome), step.probing().slo()).asVerdict())
                : outcome;
    }

    private CapacityConclusion drive(Plan plan, List<TrialOutcome> seen) {
        var experiment = new CapacityExperiment(plan);
        while (seen.size() < 200) {
            switch (experiment.next(List.copyOf(seen))) {
                case Step.Stop(var conclusion) -> {
                    return (CapacityConclusion) conclusion;
                }
                case Step.Kept kept -> seen.add(run(seen.size() + 1, kept));
                case Step.Run _, Step.Live _, Step.Pair _ -> throw new AssertionError("all trials share a target");
            }
        }
        throw new AssertionError("no end");
    }

    @Test
    void aFewClientsAndOneAloneComeBeforeTheProbesAndTheSpikeAfterThem() {
        var seen = new ArrayList<TrialOutcome>();
        CapacityConclusion found = drive(plan(true, Optional.of(spike(OptionalFigure.empty()))), seen);
        List<Phase> phases = seen.stream().map(o -> o.spec().phase()).toList();
        assertThat(phases)
                .startsWith(Phase.WARM_UP, Phase.IDLE, Phase.WARM_UP, Phase.BRACKET)
                .endsWith(Phase.SPIKE);
        CapacityResult result = found.result().orElseThrow();
        assertThat(result.outcome()).isEqualTo(CapacityResult.Outcome.FOUND);
        assertThat(result.rate()).isBetween(0.8 * LIMIT, LIMIT);
        assertThat(found.idleMillis().optional()).hasValue(10);
        assertThat(found.overload().orElseThrow().base()).isEqualTo(0.5 * result.rate());
        assertThat(found.notes()).containsExactly("a note");
        assertThat(found.headline()).isEqualTo(result.headline());
    }

    @Test
    void aPageThatDoesNotAnswerInTheSecondAloneHasNoFigureForIt() {
        quick = false;
        CapacityConclusion found = drive(plan(true, Optional.empty()), new ArrayList<>());
        assertThat(found.idleMillis().optional()).isEmpty();
        assertThat(found.result().orElseThrow().outcome()).isEqualTo(CapacityResult.Outcome.FOUND);
    }

    @Test
    void theFirstRateIsALittleLessThanMostClientsGot() {
        var seen = new ArrayList<TrialOutcome>();
        drive(plan(true, Optional.empty()), seen);
        // four times the clients got no more: then it is full
        assertThat(seen.get(2).spec().load().connections()).isEqualTo(64);
        assertThat(Judged.of(seen).getFirst().probe().rate()).isEqualTo(0.9 * WARM);
    }

    /** Twenty streams on a connection are twenty clients. */
    @Test
    void clientsAreNotCountedAsConnections() {
        var streams = new Wire(Protocol.HTTP_2, 20, Optional.empty(), TransportKind.AUTO, List.of());
        var seen = new ArrayList<TrialOutcome>();
        drive(plan(true, Optional.empty(), 1, Simulated.load(10).withWire(streams)), seen);
        assertThat(seen.subList(0, 3))
                .extracting(o -> o.spec().load().clients())
                .containsExactly(16, 1, 60);
        assertThat(seen.subList(0, 3))
                .extracting(o -> o.spec().load().connections())
                .containsExactly(1, 1, 3);
        assertThat(Judged.of(seen).getFirst().probe().rate()).isEqualTo(0.9 * WARM);
    }

    @Test
    void theSameHistoryIsAskedTheSame() {
        var plan = plan(true, Optional.empty());
        var seen = new ArrayList<TrialOutcome>();
        drive(plan, seen);
        for (int n = 0; n < seen.size(); n++) {
            var next = (Step.Kept) new CapacityExperiment(plan).next(List.copyOf(seen.subList(0, n)));
            assertThat(next.run().spec()).isEqualTo(seen.get(n).spec());
        }
    }

    @Test
    void aBrokenProbeIsFollowedByARestAndEachHasASeedOfItsOwn() {
        var plan = plan(true, Optional.empty());
        var seen = new ArrayList<TrialOutcome>();
        drive(plan, seen);
        for (int n = 4; n < seen.size(); n++) {
            var step = (Step.Kept) new CapacityExperiment(plan).next(List.copyOf(seen.subList(0, n)));
            Judged before = Judged.of(seen.subList(0, n)).getLast();
            assertThat(step.probing().rest().isPresent())
                    .isEqualTo(before.verdict().result() != ProbeVerdict.Result.MET);
            assertThat(step.probing().ends()).isEqualTo(Probing.Ends.WHEN_LOST);
        }
        assertThat(seen.stream()
                        .filter(o -> Judged.isProbe(o.spec().phase()))
                        .map(o -> ((Arrivals.Open) o.spec().load().arrivals()).seed()))
                .doesNotHaveDuplicates()
                .startsWith(42 + 7919L, 42 + 2 * 7919L);
    }

    @Test
    void aRunThatWasCutOffGoesOnAndSaysIt() {
        var plan = plan(true, Optional.empty());
        var whole = new ArrayList<TrialOutcome>();
        CapacityConclusion uncut = drive(plan, whole);
        var seen = new ArrayList<>(whole.subList(0, 5));
        process = "second";
        CapacityConclusion found = drive(plan, seen);
        assertThat(found.result()).isEqualTo(uncut.result());
        assertThat(found.notes()).anyMatch(n -> n.contains("resumed after 2 probes"));
    }

    @Test
    void severalProcessesAreSearchedOneAfterTheOtherAndTheSlowestIsTheAnswer() {
        var seen = new ArrayList<TrialOutcome>();
        CapacityConclusion found = drive(plan(true, Optional.empty(), 3), seen);
        assertThat(seen.stream().map(o -> o.spec().block()).distinct()).containsExactly(0, 1, 2);
        assertThat(seen.stream().map(o -> o.spec().block())).isSorted();
        assertThat(seen.stream().filter(o -> o.spec().phase() == Phase.IDLE)).hasSize(3);
        assertThat(found.launches()).hasSize(3);
        CapacityResult result = found.result().orElseThrow();
        double slowest = LIMIT * (1 - 2 * SLOWER);
        assertThat(result.rate()).isBetween(0.9 * slowest, slowest);
        assertThat(found.launches().getFirst().rate()).isGreaterThan(slowest);
        assertThat(result.headline()).contains("Each of 3 processes confirmed at least ");
        assertThat(result.notes()).anyMatch(n -> n.startsWith("The limits of the 3 processes differ by "));
        // cut off in the second process, it goes on there
        var again = new ArrayList<>(seen.subList(0, seen.size() / 2));
        assertThat(drive(plan(true, Optional.empty(), 3), again)).isEqualTo(found);
    }

    @Test
    void aRunOfAnOlderVersionHasItsProbesAndGoesOn() {
        var plan = plan(true, Optional.empty());
        var whole = new ArrayList<TrialOutcome>();
        drive(plan, whole);
        var seen = new ArrayList<>(whole.subList(3, 6)); // neither a warm-up nor one client alone
        CapacityResult found = drive(plan, seen).result().orElseThrow();
        assertThat(seen.get(3).spec().phase()).isEqualTo(Phase.IDLE);
        assertThat(seen.subList(4, seen.size())).noneMatch(o -> o.spec().phase() == Phase.WARM_UP);
        assertThat(found.outcome()).isEqualTo(CapacityResult.Outcome.FOUND);
        assertThat(found.rate()).isBetween(0.9 * LIMIT, LIMIT);
    }

    @Test
    void withoutASearchOrACapacityTheSpikeNeedsARate() {
        var given = new ArrayList<TrialOutcome>();
        CapacityConclusion found = drive(plan(false, Optional.of(spike(OptionalFigure.of(100)))), given);
        assertThat(given).extracting(o -> o.spec().phase()).containsExactly(Phase.WARM_UP, Phase.IDLE, Phase.SPIKE);
        assertThat(found.result()).isEmpty();
        assertThat(found.overload().orElseThrow().spike()).isEqualTo(200);
        CapacityConclusion none = drive(plan(false, Optional.of(spike(OptionalFigure.empty()))), new ArrayList<>());
        assertThat(none.notes()).anyMatch(n -> n.startsWith("No spike was tried"));
    }
}
