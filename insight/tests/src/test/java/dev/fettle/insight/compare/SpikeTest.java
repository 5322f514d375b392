package dev.fettle.insight.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fettle.insight.CompareConclusion;
import dev.fettle.insight.CompareConclusion.Contrast;
import dev.fettle.insight.CompareConclusion.SpikeResult;
import dev.fettle.insight.Experiment.Step;
import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.api.Wire;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.plan.Variant;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Slice;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

class SpikeTest {
    private static final Target TARGET =
            new Target.Embedded(ServerKind.TOMCAT, "work", Map.of(), Optional.empty(), Target.Jvm.SAME);

    /** What a variant does: good answers a second in the spike, refused ones, and windows until it is itself again. */
    private record Server(long good, long refused, int windows, boolean metBefore) {}

    private static Plan plan(int blocks) {
        var load = new Load(
                100,
                true,
                Load.Request.get("/"),
                Load.Expect.OK,
                Duration.ofSeconds(1),
                Duration.ZERO,
                Duration.ofSeconds(1),
                1,
                Arrivals.Open.constant(100),
                Wire.PLAIN,
                Optional.empty());
        return Plan.of("p", TARGET, load)
                .with()
                .objective(Objective.unnamed(load.arrivals(), Optional.empty()))
                .slo(Optional.of(Slo.parse("p99<50ms,errors<1%")))
                .compare(Optional.of(new Plan.Compare(
                        List.of(
                                new Variant("queue", TARGET, Setting.DEFAULT),
                                new Variant("refuse", TARGET, Setting.of("admission.max", "9"))),
                        List.of(),
                        blocks,
                        Optional.of(new Plan.Spike(400, Duration.ofSeconds(2), Duration.ofSeconds(5))),
                        false,
                        Optional.empty())))
                .seed(1)
                .build();
    }

    private static Slice slice(double at, double seconds, long good, long failed, boolean late) {
        long ns = late ? 900_000_000 : 20_000_000;
        long n = late ? 100 : good;
        return new Slice(
                at,
                seconds,
                n,
                late ? 0 : good,
                failed,
                0,
                0,
                failed > 0 ? Map.of(ErrorKind.STATUS, failed) : Map.of(),
                new LatencySummary(n, ns, ns, ns, ns, ns, ns, ns, ns, ns));
    }

    private static TrialOutcome outcome(int ordinal, TrialSpec spec, Server s) {
        var slices = new ArrayList<Slice>();
        for (int i = 0; i < 10; i++) {
            slices.add(slice(7 + 0.5 * i, 0.5, 50, 0, i < s.windows()));
        }
        long wobble = s.good() == 0 ? 0 : ordinal % 3;
        var stages = List.of(
                slice(0, 5, 500, 0, !s.metBefore()),
                slice(5, 2, 2 * s.good() + wobble, s.refused(), false),
                slice(7, 5, 500, 0, false));
        var detail = Measurement.Detail.NONE
                .with()
                .offered(Optional.of(new Measurement.Offered(1_800, 0, 0, 0)))
                .slices(slices)
                .stages(stages)
                .build();
        var windows = new ArrayList<Measurement.Window>();
        for (int i = 0; i < 24; i++) {
            windows.add(new Measurement.Window(0.5 * i, 0.5, 50 + 10 * i, 0, 20_000_000, true));
        }
        var m = new Measurement(
                Duration.ofSeconds(12),
                1_500,
                Map.of(),
                Map.of(),
                Map.of(),
                0,
                0,
                LatencySummary.NONE,
                LatencySummary.NONE,
                0,
                1,
                windows,
                "",
                detail);
        return new TrialOutcome(
                ordinal,
                spec,
                Instant.EPOCH,
                Duration.ofSeconds(20),
                Duration.ZERO,
                Optional.of(m),
                Optional.empty(),
                Optional.empty(),
                Verdict.VALID,
                List.of());
    }

    private static CompareConclusion drive(int blocks, Server queue, Server refuse) {
        return drive(blocks, _ -> queue, refuse);
    }

    /** @param queue by the number of the block, from 0 */
    private static CompareConclusion drive(int blocks, IntFunction<Server> queue, Server refuse) {
        var experiment = new CompareExperiment(plan(blocks));
        var seen = new ArrayList<TrialOutcome>();
        while (true) {
            switch (experiment.next(List.copyOf(seen))) {
                case Step.Run(TrialSpec spec, String _, int _, var _) -> {
                    // before it, in it, after it
                    assertThat(((Arrivals.Open) spec.load().arrivals()).stages())
                            .extracting(Arrivals.Stage::from)
                            .containsExactly(100.0, 400.0, 100.0);
                    assertThat(spec.load().measure()).isEqualTo(Duration.ofSeconds(12));
                    seen.add(outcome(
                            seen.size() + 1,
                            spec,
                            spec.variant().equals("queue") ? queue.apply(spec.block()) : refuse));
                }
                case Step.Stop(CompareConclusion found) -> {
                    return found;
                }
                default -> throw new AssertionError("neither a trial nor an end");
            }
        }
    }

    @Test
    void goodAnswersInTheSpikeAndTheTimeToRecoverAreComparedInBlocks() {
        CompareConclusion found = drive(3, new Server(40, 0, 6, true), new Server(200, 400, 0, true));
        Contrast k = found.conditions().getFirst().contrasts().getFirst();
        assertThat(k.ratio().estimate()).isBetween(0.19, 0.21);
        assertThat(k.differenceShown()).isTrue();
        assertThat(k.recovery().orElseThrow().estimate()).isEqualTo(3.0);
        assertThat(found.headline())
                .startsWith("refuse gives ")
                .contains("times the good answers in the spike of queue")
                .contains("is back to normal 3.00 s sooner");
        SpikeResult queue =
                found.conditions().getFirst().variants().getFirst().spike().orElseThrow();
        SpikeResult refuse =
                found.conditions().getFirst().variants().get(1).spike().orElseThrow();
        assertThat(queue.recovery().estimate()).isEqualTo(3.0);
        assertThat(queue.recovered()).isEqualTo(3);
        assertThat(refuse.recovery().estimate()).isZero();
        assertThat(refuse.errors()).containsExactly(Map.entry(ErrorKind.STATUS, 1200L));
        assertThat(refuse.errorShare()).isBetween(0.49, 0.51);
    }

    @Test
    void goodAnswersAndRecoveryAreTwoStatementsThatHoldTogether() {
        CompareConclusion found = drive(3, new Server(40, 0, 6, true), new Server(200, 400, 0, true));
        Contrast k = found.conditions().getFirst().contrasts().getFirst();
        assertThat(k.ratio().level()).isCloseTo(0.975, within(1e-9));
        assertThat(k.recovery().orElseThrow().level()).isCloseTo(0.975, within(1e-9));
        assertThat(found.notes())
                .contains(
                        "All 2 statements (good answers and recovery of each contrast) are judged together: each interval"
                                + " has a level of 97.5 %, so that all hold at once at 95 %.");
    }

    @Test
    void whereOneGaveNothingThereIsNoRatio() {
        CompareConclusion found = drive(3, new Server(500, 0, 6, true), new Server(0, 400, 0, true));
        Contrast k = found.conditions().getFirst().contrasts().getFirst();
        assertThat(k.pairs()).isZero();
        assertThat(k.each()).isEmpty();
        assertThat(k.differenceShown()).isFalse();
        assertThat(found.compared()).isFalse();
        assertThat(found.headline())
                .startsWith(
                        "Nothing could be compared: no block has good answers in the spike of two variants (block 1:"
                                + " queue 50")
                .contains("/s, refuse none).")
                .doesNotContain("1.000");
        assertThat(found.notes()).anyMatch(n -> n.startsWith("Not one good answer came in some spike of refuse:"));
    }

    /** Of three variants one gives nothing: the other two are compared all the same, and blocks are not what is missing. */
    @Test
    void aVariantThatGaveNothingIsNamedBesideTheOthers() {
        Contrast none = drive(3, new Server(500, 0, 6, true), new Server(0, 400, 0, true))
                .conditions()
                .getFirst()
                .contrasts()
                .getFirst();
        for (int better : new int[] {40, 200}) {
            CompareConclusion.Condition two = drive(3, new Server(better, 0, 6, true), new Server(200, 400, 0, true))
                    .conditions()
                    .getFirst();
            var three = new CompareConclusion.Condition(
                    two.point(), two.variants(), List.of(two.contrasts().getFirst(), none), List.of());
            assertThat(CompareHeadline.text(Objective.Metric.THROUGHPUT, true, List.of(three), "nothing"))
                    .startsWith(better == 40 ? "refuse gives " : "No difference shown: ")
                    .endsWith(" No block has a factor between queue and refuse.")
                    .doesNotContain("fewer than two blocks");
        }
    }

    /** Throughput rises from the rate before it to its own: that is the spike, not a server that drifts. */
    @Test
    void aSpikeIsNoDriftAndIsNotJudgedByP99() {
        CompareConclusion found = drive(3, new Server(40, 0, 6, true), new Server(200, 400, 0, true));
        assertThat(found.notes())
                .noneMatch(n -> n.contains("rose"))
                .noneMatch(n -> n.contains("Judged by p99"))
                .anyMatch(n -> n.startsWith("A good answer is"));
    }

    @Test
    void whatDidNotRecoverHasNoTimeAndIsInNoDifference() {
        CompareConclusion found = drive(2, new Server(40, 0, 10, true), new Server(200, 400, 0, true));
        SpikeResult queue =
                found.conditions().getFirst().variants().getFirst().spike().orElseThrow();
        assertThat(queue.recovered()).isZero();
        assertThat(queue.trials()).isEqualTo(2);
        assertThat(found.conditions().getFirst().contrasts().getFirst().recovery())
                .isEmpty();
        assertThat(found.headline()).doesNotContain("back to normal");
    }

    /** Where it recovered it did so at once; of the block in which it never did, a mean over the others says nothing. */
    @Test
    void aBlockInWhichOneAloneRecoveredForbidsADifference() {
        var slow = new Server(40, 400, 6, true);
        CompareConclusion found = drive(5, b -> new Server(200, 0, b == 3 ? 10 : 0, true), slow);
        Contrast k = found.conditions().getFirst().contrasts().getFirst();
        assertThat(k.recovery()).isEmpty();
        assertThat(found.headline()).startsWith("queue gives ").doesNotContain("back to normal");
        assertThat(drive(5, _ -> new Server(200, 0, 0, true), slow).headline())
                .as("if it always recovers")
                .contains("back to normal 3.00 s sooner");
    }

    @Test
    void whatIsAlikeIsNotShownToDiffer() {
        CompareConclusion found = drive(3, new Server(200, 400, 0, true), new Server(200, 400, 0, false));
        assertThat(found.headline())
                .startsWith("No difference shown: the good answers in the spike of queue over refuse are ");
        assertThat(found.conditions()
                        .getFirst()
                        .variants()
                        .get(1)
                        .spike()
                        .orElseThrow()
                        .notMetBefore())
                .isEqualTo(3);
    }
}
