package dev.fettle.insight.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fettle.insight.Runs;
import dev.fettle.insight.stats.Usl.Fit;
import dev.fettle.insight.stats.Usl.Seen;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

class UslTest {
    private static final double[] RAMP = {1, 2, 4, 8, 16, 32, 64};
    private static final int RUNS = 200;

    private static double law(double n, double lambda, double sigma, double kappa) {
        return lambda * n / (1 + sigma * (n - 1) + kappa * n * (n - 1));
    }

    private static List<Seen> seen(DoubleUnaryOperator truth, double noise, long seed) {
        var random = new Random(seed);
        var all = new ArrayList<Seen>();
        for (double n : RAMP) {
            all.add(new Seen(n, truth.applyAsDouble(n) * Math.exp(noise * random.nextGaussian())));
        }
        return all;
    }

    /** Of many ramps nearly all are fitted, or nearly none. */
    private static void fits(boolean nearlyAll, IntFunction<List<Seen>> ramp) {
        var runs = new Runs(RUNS);
        var fits = nearlyAll ? runs.atLeast("fits", RUNS * 95 / 100) : runs.atMost("fits", RUNS * 5 / 100);
        for (int seed : runs) {
            fits.count(Usl.fit(ramp.apply(seed)) instanceof Fit.Fits);
        }
        runs.check();
    }

    private static void accepted(DoubleUnaryOperator truth) {
        fits(true, seed -> seen(truth, 0.03, seed));
    }

    private static void refused(DoubleUnaryOperator truth) {
        fits(false, seed -> seen(truth, 0.03, seed));
    }

    private static Usl fitted(List<Seen> seen) {
        assertThat(Usl.fit(seen)).isInstanceOf(Fit.Fits.class);
        return ((Fit.Fits) Usl.fit(seen)).usl();
    }

    @Test
    void whatFollowsTheLawIsFoundWithItsPeak() {
        Usl usl = fitted(seen(n -> law(n, 1000, 0.05, 0.0005), 0, 1));
        assertThat(usl.lambda()).isCloseTo(1000, within(1.0));
        assertThat(usl.contention().estimate()).isCloseTo(0.05, within(1e-4));
        assertThat(usl.coherence().estimate()).isCloseTo(0.0005, within(1e-6));
        assertThat(usl.peak().orElseThrow().n().estimate()).isCloseTo(Math.sqrt(0.95 / 0.0005), within(0.5));
        assertThat(usl.at(16)).isCloseTo(law(16, 1000, 0.05, 0.0005), within(1.0));
    }

    @Test
    void intervalsHoldTheTruthAndRampsOfTheLawAreRarelyRefused() {
        accepted(n -> law(n, 1000, 0.05, 0.0005));
        accepted(n -> law(n, 200, 0.01, 0));
        var runs = new Runs(RUNS);
        var held = runs.atLeast("the interval holds the truth", RUNS * 85 / 100);
        for (int seed : runs) {
            Fit fit = Usl.fit(seen(n -> law(n, 1000, 0.05, 0.0005), 0.03, seed));
            held.count(fit instanceof Fit.Fits(Usl usl) && usl.contention().contains(0.05));
        }
        runs.check();
    }

    @Test
    void growthInProportionUpToACeilingIsRefused() {
        refused(n -> Math.min(n, 8) * 100);
    }

    /** A pool of 200 for up to 300 clients: only the largest number is beyond it, where the law's curve can end as well. */
    @Test
    void aCeilingThatOnlyTheLargestNumberReachesIsNotTakenForTheLaw() {
        var runs = new Runs(RUNS);
        var taken = runs.atMost("a ceiling taken for the law", RUNS / 10);
        for (int seed : runs) {
            taken.count(Usl.fit(twice(n -> Math.min(n, 43) * 20, 0.02, seed)) instanceof Fit.Fits);
        }
        runs.check();
        fits(true, seed -> twice(n -> law(n, 1000, 0.02, 0.000_2), 0.02, seed));
    }

    @Test
    void repeatsTellABentLineFromTheLaw() {
        // a ceiling that is rounded off, reached by the largest numbers only: a single ramp may pass for the law
        DoubleUnaryOperator bent = n -> 100 / Math.pow(Math.pow(n, -4) + Math.pow(40, -4), 0.25);
        fits(false, seed -> twice(bent, 0.01, seed));
        fits(true, seed -> twice(n -> law(n, 1000, 0.05, 0.0005), 0.01, seed));
    }

    private static List<Seen> twice(DoubleUnaryOperator truth, double noise, long seed) {
        var all = seen(truth, noise, seed);
        all.addAll(seen(truth, noise, seed + 10_000));
        return all;
    }

    @Test
    void aServerThatFallsOffACliffIsRefused() {
        refused(n -> n < 32 ? 100 * n : 800);
    }

    @Test
    void aPeakFarBeyondWhatWasSeenIsNotShown() {
        Usl usl = fitted(seen(n -> law(n, 1000, 0.02, 0.000_01), 0, 1));
        assertThat(Math.sqrt(0.98 / 0.000_01)).isGreaterThan(Usl.FAR * 64);
        assertThat(usl.peak()).isEmpty();
        assertThat(fitted(seen(n -> law(n, 1000, 0.02, 0), 0, 1)).peak()).isEmpty();
    }

    @Test
    void tooFewOrTooNearNumbersGetNoFit() {
        List<Seen> few = seen(n -> law(n, 1000, 0.05, 0), 0, 1).subList(0, 4);
        assertThat(Usl.fit(few))
                .isEqualTo(new Fit.Refused("it takes at least 5 different numbers at once, there are 4"));
        List<Seen> near = new ArrayList<>();
        for (int n = 10; n < 16; n++) {
            near.add(new Seen(n, 100 * n));
        }
        assertThat(Usl.fit(near)).isEqualTo(new Fit.Refused("the largest number is less than 4 times the smallest"));
    }
}
