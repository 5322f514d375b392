package dev.fettle.insight.trials;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.Simulated;
import dev.fettle.insight.compare.CompareExperiment;
import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.Wire;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Variant;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whether a comparison takes as long as was announced, on machines that disturb it. */
class RunLengthTest {
    private static final int RUNS = Integer.getInteger("fettle.runs", 60);
    private static final Simulated SERVER = Simulated.server(64, 0, 0.001, 2, 64);

    /** Twelve cells' worth of trials: 36, with a warm-up of at most 30 s and 4 s of measuring. */
    private static Plan plan(int seed) {
        var variants = List.of("a", "b", "c").stream()
                .map(v -> new Variant(v, Simulated.target(), Setting.DEFAULT))
                .toList();
        Load load = Simulated.load(64);
        return Plan.of(
                        "p",
                        Simulated.target(),
                        load.with()
                                .warmUpAtMost(Duration.ofSeconds(30))
                                .measure(Duration.ofSeconds(4))
                                .threads(1)
                                .arrivals(Arrivals.Closed.BACK_TO_BACK)
                                .wire(Wire.PLAIN)
                                .scenario(Optional.empty())
                                .build())
                .withCompare(Optional.of(
                        new Plan.Compare(variants, List.of(), 12, Optional.empty(), false, Optional.empty())))
                .withSeed(seed);
    }

    /**
     * Attempts as they come on a shared machine: a launch of 2 to 5 s, warm-ups of 3 to 12 s, one in five void.
     *
     * @param voids share of the attempts
     * @param atBound share of the warm-ups that reach their bound, or twice that
     */
    private static UnaryOperator<TrialOutcome> machine(int seed, double voids, double atBound) {
        var random = new Random(seed);
        return o -> {
            boolean spoilt = random.nextDouble() < voids;
            double bound = o.spec().load().warmUpAtMost().toSeconds();
            double warmUp =
                    random.nextDouble() < atBound ? bound * (1 + random.nextInt(2)) : 3 + 9 * random.nextDouble();
            double took = 2 + 3 * random.nextDouble() + warmUp + 4;
            return o.with()
                    .took(Duration.ofMillis((long) (1000 * took)))
                    .warmUp(Duration.ofMillis((long) (1000 * warmUp)))
                    .verdict(
                            spoilt
                                    ? new Verdict(List.of(new Verdict.Reason("disturbed", "others", true)))
                                    : Verdict.VALID)
                    .build();
        };
    }

    @ParameterizedTest
    @CsvSource({"0.2, 0.2", "0.2, 1", "0.8, 0.2", "1, 1", "0, 0"})
    void itTakesNoLongerThanWasAnnounced(double voids, double atBound) {
        double longest = 0;
        int beyondUsual = 0;
        int lost = 0;
        RunLength length = null;
        for (int seed = 0; seed < RUNS; seed++) {
            var experiment = new CompareExperiment(plan(seed));
            length = experiment.length();
            Simulated.Run run = SERVER.drive(experiment, machine(seed, voids, atBound));
            longest = Math.max(longest, run.seconds());
            beyondUsual += run.seconds() > 1.1 * length.usual().toSeconds() ? 1 : 0;
            lost += 36 - (int) run.seen().stream().filter(TrialOutcome::valid).count();
            assertThat(run.seconds()).isLessThanOrEqualTo(length.bound().toSeconds());
        }
        System.out.printf(
                "announced %.0f to %.0f s, at most %.0f; %.0f %% void, %.0f %% of the warm-ups at a bound: longest %.0f s, %.0f %%"
                        + " of the runs took a tenth more than the usual time, %.2f of 36 places without a result%n",
                length.usual().toMillis() / 1e3,
                length.slow().toMillis() / 1e3,
                length.bound().toMillis() / 1e3,
                100 * voids,
                100 * atBound,
                longest,
                100.0 * beyondUsual / RUNS,
                (double) lost / RUNS);
        if (voids <= 0.2 && atBound <= 0.2) {
            // two repeats a place are enough for nearly all, and there is time for them
            assertThat(lost / (double) RUNS).isLessThan(36 * 0.02);
        }
    }

    /** The first warm-up reaches its bound of 30 s: from then on it is 60 s, which is what was announced. */
    @Test
    void aBoundOnWarmUpsThatIsRaisedIsAnnouncedBefore() {
        for (int seed = 0; seed < RUNS; seed++) {
            var random = new Random(seed);
            var experiment = new CompareExperiment(plan(seed));
            Simulated.Run run = SERVER.drive(experiment, o -> {
                double bound = o.spec().load().warmUpAtMost().toSeconds();
                var reason = bound < 40
                        ? new Verdict.Reason(AttemptStatus.WARM_UP, "not steady", false)
                        : new Verdict.Reason("disturbed", "others", true);
                boolean spoilt = bound < 40 || random.nextDouble() < 0.8;
                return o.with()
                        .took(Duration.ofMillis((long) (1000 * (5 + bound + 4))))
                        .warmUp(Duration.ofMillis((long) (1000 * bound)))
                        .verdict(spoilt ? new Verdict(List.of(reason)) : Verdict.VALID)
                        .build();
            });
            assertThat(run.seconds())
                    .isLessThanOrEqualTo(experiment.length().bound().toSeconds());
            TrialSpec first = run.seen().get(0).spec();
            assertThat(run.seen().get(1).spec())
                    .as("repeated with a longer warm-up")
                    .isEqualTo(first.withLoad(first.load().withWarmUpAtMost(Duration.ofSeconds(60))));
        }
    }

    @Test
    void theVeryFirstTrialIsRepeatedToo() {
        Simulated.Run run = SERVER.drive(new CompareExperiment(plan(1)), o -> {
            TrialOutcome quick = machine(o.ordinal(), 0, 0).apply(o);
            return o.ordinal() > 1
                    ? quick
                    : quick.withVerdict(new Verdict(List.of(new Verdict.Reason("send-lag", "a cold generator", true))));
        });
        assertThat(run.seen()).hasSize(37);
        assertThat(run.seen().get(1).spec()).isEqualTo(run.seen().get(0).spec());
        assertThat(run.seen().stream().filter(TrialOutcome::valid)).hasSize(36);
    }

    @Test
    void aWarmUpBoundThatWasReachedSeveralTimesIsSaid() {
        var run = SERVER.drive(new CompareExperiment(plan(1)), machine(1, 0, 0.3));
        assertThat(run.conclusion().notes())
                .anyMatch(
                        n -> n.contains("the warm-up reached its bound (30.0 s)") && n.contains("raise load.warm-up"));
        var quick = SERVER.drive(new CompareExperiment(plan(1)), machine(1, 0, 0));
        assertThat(quick.conclusion().notes()).noneMatch(n -> n.contains("load.warm-up"));
    }
}
