package dev.fettle.insight.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** How often the interval of a paired ratio holds the truth, and how often the least effect it says would be shown is. */
class PairedRatioCoverageTest {
    private static final int RUNS = 1_000;
    private static final int[] PAIRS = {3, 4, 5, 6, 8, 12, 20};
    private static final double TRUTH = 1.1;

    /** The noise of one side of a pair, on the logarithm; both have the same, so that the truth is the ratio given. */
    enum Noise {
        WHITE(0.93, r -> 0.05 * r.nextGaussian()),
        SKEWED(0.93, r -> 0.04 * r.nextGaussian() + (r.nextInt(10) == 0 ? Math.log(0.93) : 0)),
        RARE_SLOW_JVM(0.93, r -> 0.02 * r.nextGaussian() + (r.nextDouble() < 0.1 ? Math.log(0.8) : 0)),
        OFTEN_SLOW_JVM(0.93, r -> 0.02 * r.nextGaussian() + (r.nextDouble() < 0.3 ? Math.log(0.8) : 0)),
        ONE_STALLS(0.93, r -> 0.05 * Math.log(1 - r.nextDouble()));

        private final double least;
        private final ToDoubleFunction<Random> one;

        Noise(double least, ToDoubleFunction<Random> one) {
            this.least = least;
            this.one = one;
        }
    }

    @ParameterizedTest
    @EnumSource
    void theIntervalHoldsTheTruthAsOftenAsItSays(Noise noise) {
        for (int n : PAIRS) {
            var random = new Random(n);
            int covered = 0;
            for (int r = 0; r < RUNS; r++) {
                double[][] pairs = pairs(n, noise, TRUTH, random);
                covered += Statistics.pairedRatio(pairs[0], pairs[1], 0.95).contains(TRUTH) ? 1 : 0;
            }
            System.out.printf("coverage, %s, %d pairs: %.1f %%%n", noise, n, 100.0 * covered / RUNS);
            assertThat(covered / (double) RUNS).as("%d pairs", n).isGreaterThanOrEqualTo(noise.least);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aTrueEffectOfTheLeastShownIsShownInFourOfFiveRuns(Noise noise) {
        double threshold = 1.02;
        for (int n : PAIRS) {
            // the scatter is known well from many pairs; asked is what n of them show
            double least = leastOfTrueScatter(n, noise, threshold);
            var random = new Random(n + 1);
            int shown = 0;
            for (int r = 0; r < RUNS; r++) {
                double[][] pairs = pairs(n, noise, least, random);
                shown += Statistics.pairedRatio(pairs[0], pairs[1], 0.95).low() > threshold ? 1 : 0;
            }
            System.out.printf(
                    "least shown, %s, %d pairs: %.3f, shown in %.1f %%%n", noise, n, least, 100.0 * shown / RUNS);
            assertThat(shown / (double) RUNS).as("%d pairs", n).isBetween(0.7, 0.9);
        }
    }

    /** Scales each pair's two values to the deviation that very many pairs have. */
    private static double leastOfTrueScatter(int n, Noise noise, double threshold) {
        double[][] many = pairs(100_000, noise, 1, new Random(7));
        double deviation = Statistics.deviation(Statistics.logRatios(many[0], many[1]));
        double[] a = new double[n];
        double[] b = new double[n];
        for (int i = 0; i < n; i++) { // any n values with this deviation
            a[i] = Math.exp(i);
            b[i] = 1;
        }
        double scale = deviation / Statistics.deviation(Statistics.logRatios(a, b));
        for (int i = 0; i < n; i++) {
            a[i] = Math.exp(i * scale);
        }
        return Power.leastShown(a, b, 0.95, threshold).orElseThrow();
    }

    private static double[][] pairs(int n, Noise noise, double ratio, Random random) {
        double[] a = new double[n];
        double[] b = new double[n];
        for (int i = 0; i < n; i++) {
            double drift = 0.1 * random.nextGaussian();
            a[i] = ratio * Math.exp(drift + noise.one.applyAsDouble(random));
            b[i] = Math.exp(drift + noise.one.applyAsDouble(random));
        }
        return new double[][] {a, b};
    }
}
