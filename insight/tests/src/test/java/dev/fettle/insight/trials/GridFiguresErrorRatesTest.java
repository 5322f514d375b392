package dev.fettle.insight.trials;

import dev.fettle.insight.CompareConclusion;
import dev.fettle.insight.Runs;
import dev.fettle.insight.Simulated;
import dev.fettle.insight.capacity.Tamper;
import dev.fettle.insight.compare.CompareExperiment;
import dev.fettle.insight.sweep.SweepExperiment;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Dimension;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Variant;
import dev.fettle.model.trial.TrialOutcome;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How often a sweep or a comparison of things that are all the same claims that they differ. */
class GridFiguresErrorRatesTest {
    private static final int USUAL = 60;

    /** What is claimed in 5 % of all runs is in these by two standard deviations more at most. */
    private static final int MOST = (int) (USUAL * (0.05 + 2 * Math.sqrt(0.05 * 0.95 / USUAL)));

    /** Whatever the setting, the CPU alone decides. */
    private static final Simulated FLAT = Simulated.server(64, 0, 0.001, 2, 64).noise(0);

    /** What makes trials differ that measure the same. */
    enum Noise {
        WHITE,
        /** So much of it that the smallest difference worth naming protects from nothing. */
        LOUD,
        /** One JVM in ten is slower by a fifth. */
        SLOW_JVMS,
        /** Three JVMs in ten are. */
        MANY_SLOW_JVMS,
        /** The machine drifts by 10 %, slowly. */
        MACHINE;

        UnaryOperator<TrialOutcome> of(long seed) {
            var random = new Random(seed * 77 + ordinal());
            double[] machine = {0.1 * random.nextGaussian()};
            return o -> {
                machine[0] = 0.8 * machine[0] + 0.6 * 0.1 * random.nextGaussian();
                double white = 0.02 * random.nextGaussian();
                double log = switch (this) {
                    case WHITE -> 2.5 * white;
                    case LOUD -> 7.5 * white;
                    case SLOW_JVMS -> white + (random.nextDouble() < 0.1 ? Math.log(0.8) : 0);
                    case MANY_SLOW_JVMS -> white + (random.nextDouble() < 0.3 ? Math.log(0.8) : 0);
                    case MACHINE -> white + machine[0];
                };
                return Tamper.faster(o, Math.exp(log));
            };
        }
    }

    private static Plan plan(long seed, Optional<Plan.Sweep> sweep, Optional<Plan.Compare> compare) {
        return Plan.of("flat", Simulated.target(), Simulated.load(64))
                .with()
                .sweep(sweep)
                .compare(compare)
                .seed(seed)
                .build();
    }

    private static Dimension threads(int values) {
        return new Dimension(
                "threads.max",
                IntStream.range(0, values).mapToObj(i -> "" + (100 + i)).toList());
    }

    @ParameterizedTest
    @EnumSource
    void theBestOfCellsThatAreAllTheSameIsNotClaimedToBeBetter(Noise noise) {
        for (int cells : new int[] {2, 12}) {
            for (int repeats : cells == 2 ? new int[] {3, 6} : new int[] {3}) {
                var runs = new Runs(USUAL);
                var claimed = runs.atMost("a best one claimed", MOST);
                for (int seed : runs) {
                    Plan plan =
                            plan(seed, Optional.of(new Plan.Sweep(List.of(threads(cells)), repeats)), Optional.empty());
                    String headline = FLAT.drive(new SweepExperiment(plan), noise.of(seed))
                            .conclusion()
                            .headline();
                    claimed.count(headline.contains(" times the next"));
                }
                System.out.printf(
                        "sweep A/A, %s, %d cells, %d repeats: a best one claimed in %s%n",
                        noise, cells, repeats, claimed);
                runs.check();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void noneOfTheContrastsOfAWholeGridClaimsADifference(Noise noise) {
        var variants = List.of("a", "b", "c").stream()
                .map(v -> new Variant(v, Simulated.target(), Setting.DEFAULT))
                .toList();
        var runs = new Runs(USUAL);
        var claimed = runs.atMost("a difference claimed", MOST);
        for (int seed : runs) {
            Plan plan = plan(
                    seed,
                    Optional.empty(),
                    Optional.of(new Plan.Compare(
                            variants, List.of(threads(6)), 6, Optional.empty(), false, Optional.empty())));
            var found = (CompareConclusion)
                    FLAT.drive(new CompareExperiment(plan), noise.of(seed)).conclusion();
            claimed.count(found.conditions().stream()
                    .flatMap(c -> c.contrasts().stream())
                    .anyMatch(CompareConclusion.Contrast::differenceShown));
        }
        System.out.printf(
                "compare A/A, %s, 6 conditions of 3 variants, 6 blocks: a difference claimed in %s%n", noise, claimed);
        runs.check();
    }
}
