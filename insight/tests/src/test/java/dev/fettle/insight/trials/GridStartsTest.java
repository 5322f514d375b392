package dev.fettle.insight.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.CompareConclusion;
import dev.fettle.insight.Runs;
import dev.fettle.insight.Simulated;
import dev.fettle.insight.SweepConclusion;
import dev.fettle.insight.capacity.Tamper;
import dev.fettle.insight.compare.CompareExperiment;
import dev.fettle.insight.sweep.SweepExperiment;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Dimension;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Variant;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialOutcome.Kind;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import dev.fettle.model.trial.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Variants and cells that fail to start now and then: is it their doing? A build tries few runs; figures to quote are of {@code
 * -Dfettle.runs=200} or more.
 */
@Tag("long")
class GridStartsTest {
    private static final int USUAL = 40;
    private static final Simulated SERVER = Simulated.server(25, 0.050, 0.000227, 1, 300);

    /** Fails to start in a share of its starts: with 64 threads, and with any other number. */
    private record World(double fast, double others, long seed) implements Simulated.Server {
        @Override
        public TrialOutcome run(int ordinal, TrialSpec spec) {
            TrialOutcome o = SERVER.seed(seed).run(ordinal, spec);
            var random = new Random(seed * 31 + ordinal * 104_729L);
            random.nextInt();
            boolean isFast =
                    spec.setting().get("threads.max").filter("64"::equals).isPresent();
            if (random.nextDouble() < (isFast ? fast : others)) {
                return Tamper.took(Tamper.failed(o, Kind.DID_NOT_START, "gone"), Duration.ofSeconds(2));
            }
            return spec.phase() == Phase.START
                    ? Tamper.took(o, Duration.ofSeconds(2))
                            .withMeasurement(Optional.empty())
                            .withVerdict(Verdict.VALID)
                    : o;
        }
    }

    private static Plan plan(int seed, Optional<Plan.Sweep> sweep, Optional<Plan.Compare> compare) {
        return Plan.of("p", Simulated.target(), Simulated.load(300))
                .with()
                .sweep(sweep)
                .compare(compare)
                .seed(seed)
                .build();
    }

    private static Variant variant(String name, int threads) {
        return new Variant(name, Simulated.target(), Setting.of("threads.max", Integer.toString(threads)));
    }

    /** Of two variants the one of 64 threads gives more: shown as often as this, whatever both fail to start. */
    @ParameterizedTest
    @CsvSource({
        "0, 0, 1, 1",
        "0.05, 0.05, 0.9, 1",
        "0.2, 0.2, 0.9, 1",
        "0.5, 0.5, 0.6, 1",
        "0.5, 0, 0, 0.3",
        "1, 0, 0, 0"
    })
    void ofTwoVariantsAFailureToStartIsNotBlamedOnTheOneItMet(double fast, double others, double least, double most) {
        var runs = new Runs(USUAL);
        var shown = runs.atLeast("shown", (int) Math.floor(least * USUAL));
        var tooOften = runs.atMost("shown", (int) (most * USUAL));
        var blamed = runs.atMost("blamed", fast == others ? USUAL / 10 : USUAL);
        double starts = 0;
        for (int seed : runs) {
            var compare = new Plan.Compare(
                    List.of(variant("slow", 8), variant("fast", 64)),
                    List.of(),
                    5,
                    Optional.empty(),
                    false,
                    Optional.empty());
            Simulated.Run run = Simulated.drive(
                    new World(fast, others, seed),
                    new CompareExperiment(plan(seed, Optional.empty(), Optional.of(compare))));
            var c = (CompareConclusion) run.conclusion();
            boolean found = c.conditions().getFirst().contrasts().getFirst().differenceShown();
            shown.count(found);
            tooOften.count(found);
            blamed.count(c.notes().stream().anyMatch(n -> n.contains("its own doing") && !n.contains("too few")));
            starts += run.trials(Phase.START);
            if (fast == 1) {
                // it is found out quickly that it never starts
                assertThat(run.seen().stream()
                                .filter(t -> t.spec().variant().equals("fast"))
                                .count())
                        .isLessThanOrEqualTo(12);
                assertThat(c.notes())
                        .anyMatch(n ->
                                n.matches("fast failed to start in (\\d+) of \\1 starts, the other in 0 of \\d+:.*"));
            }
        }
        System.out.printf(
                "two variants, fast fails in %.2f, slow in %.2f of their starts: shown %s, blamed %s, %.1f starts without load%n",
                fast, others, shown, blamed, starts / runs.done());
        runs.check();
    }

    /** Of four cells that of 64 threads is the best; it is not left out for a start that fails as often as others'. */
    @ParameterizedTest
    @CsvSource({"0.2, 0.2, 0.9, 1", "0.5, 0, 0, 0.3", "1, 0, 0, 0", "0, 0.5, 1, 1"})
    void ofACellNeither(double fast, double others, double least, double most) {
        var runs = new Runs(USUAL);
        var best = runs.atLeast("best", (int) (least * USUAL));
        var tooOften = runs.atMost("best", (int) (most * USUAL));
        for (int seed : runs) {
            var sweep = new Plan.Sweep(List.of(new Dimension("threads.max", List.of("4", "8", "16", "64"))), 3);
            Simulated.Run run = Simulated.drive(
                    new World(fast, others, seed),
                    new SweepExperiment(plan(seed, Optional.of(sweep), Optional.empty())));
            var c = (SweepConclusion) run.conclusion();
            SweepConclusion.Cell cell = c.cells().stream()
                    .filter(x -> x.point().equals(Map.of("threads.max", "64")))
                    .findFirst()
                    .orElseThrow();
            boolean allowed = cell.failed().isEmpty() && cell.trials() > 0;
            best.count(allowed);
            tooOften.count(allowed);
        }
        System.out.printf("four cells, the best fails in %.2f, others in %.2f: allowed %s%n", fast, others, best);
        runs.check();
    }
}
