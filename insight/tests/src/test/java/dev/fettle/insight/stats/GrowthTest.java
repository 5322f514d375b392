package dev.fettle.insight.stats;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GrowthTest {
    private static Growth of(double... values) {
        return Growth.of(IntStream.range(0, values.length).asDoubleStream().toArray(), values);
    }

    private static Growth of(int n, DoubleUnaryOperator value) {
        return of(IntStream.range(0, n).asDoubleStream().map(value).toArray());
    }

    @Test
    void aLineGrowsAndItsRateIsKnown() {
        Growth g = of(10, t -> 40 + 5 * t);
        assertThat(g.shown()).isTrue();
        assertThat(g.perSecond().estimate()).isEqualTo(5);
        assertThat(g.grew()).isEqualTo(45);
        assertThat(g.reaches(185, true).optional()).hasValue(20);
    }

    @Test
    void fivePointsShowNothing() {
        assertThat(of(5, t -> t).shown()).isFalse();
        assertThat(of(6, t -> t).shown()).isTrue();
    }

    @Test
    void whatFillsUpRisesButDoesNotGoOn() {
        for (double tau : new double[] {2, 5, 10, 13}) {
            Growth g = of(20, t -> 1 - Math.exp(-t / tau));
            assertThat(g.rises()).isTrue();
            assertThat(g.shown()).as("τ = %s of 19", tau).isFalse();
        }
        assertThat(of(20, t -> Math.min(t, 14)).shown()).isFalse();
    }

    @Test
    void oneStepIsNoGrowth() {
        assertThat(of(8, t -> t + (t >= 4 ? 20 : 0)).shown()).isFalse();
    }

    @Test
    void whatBeginsLateIsFoundUnlessItOnlyComesBack() {
        double[] t = IntStream.range(0, 30).asDoubleStream().toArray();
        double[] v = IntStream.range(0, 30)
                .mapToDouble(i -> 40 + Math.max(0, i - 12) * 3)
                .toArray();
        assertThat(Growth.beginningLate(t, v, Double.NEGATIVE_INFINITY).shown()).isTrue();
        assertThat(Growth.beginningLate(t, v, 100).shown()).isFalse();
    }

    /** Each of the three tests of {@link Growth#beginningLate} may err by {@link Growth#ALPHA}. */
    @Test
    void noiseGrowsNoMoreOftenThanPromised() {
        var random = new Random(7);
        int runs = 20_000;
        int wrong = 0;
        for (int r = 0; r < runs; r++) {
            int n = 6 + random.nextInt(40);
            double[] t = IntStream.range(0, n).asDoubleStream().toArray();
            double[] v = IntStream.range(0, n)
                    .mapToDouble(i -> random.nextGaussian())
                    .toArray();
            wrong += Growth.beginningLate(t, v, Double.NEGATIVE_INFINITY).shown() ? 1 : 0;
        }
        assertThat((double) wrong / runs).isLessThan(3 * Growth.ALPHA);
    }

    /** The interval's level, on lines with noise. */
    @Test
    void theRateLiesInItsIntervalAsOftenAsPromised() {
        var random = new Random(11);
        int runs = 4_000;
        int within = 0;
        for (int r = 0; r < runs; r++) {
            int n = 6 + random.nextInt(11);
            within += of(n, t -> 2 * t + random.nextGaussian()).perSecond().contains(2) ? 1 : 0;
        }
        assertThat((double) within / runs).isBetween(0.93, 0.995);
    }
}
