package dev.fettle.insight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.fettle.model.LatencySummary;
import dev.fettle.model.Measurement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StatisticsTest {
    @Test
    void meanHasStudentsInterval() {
        // scipy.stats.t.interval(0.95, 4, 3, sqrt(2.5)/sqrt(5))
        Interval i = Statistics.mean(new double[] {1, 2, 3, 4, 5});
        assertThat(i.estimate()).isEqualTo(3);
        assertThat(i.low()).isCloseTo(1.036757, within(1e-5));
        assertThat(i.high()).isCloseTo(4.963243, within(1e-5));
    }

    @Test
    void oneValueHasNoBound() {
        assertThat(Statistics.mean(new double[] {7}).bounded()).isFalse();
        assertThat(Statistics.mean(new double[0]).estimate()).isZero();
        assertThat(Statistics.pairedRatio(new double[] {2}, new double[] {1}, 0.95, 1)
                        .estimate())
                .isEqualTo(2);
        assertThat(Statistics.pairedRatio(new double[] {2}, new double[] {1}, 0.95, 1)
                        .bounded())
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5, 8})
    void pairedRatioCoversTheTruth(int n) {
        coverage(n, false);
        coverage(n, true);
    }

    private static void coverage(int n, boolean skewed) {
        var random = new Random(n);
        int covered = 0;
        int runs = 1500;
        for (int r = 0; r < runs; r++) {
            double[] a = new double[n];
            double[] b = new double[n];
            for (int i = 0; i < n; i++) {
                double drift = Math.exp(0.2 * random.nextGaussian());
                double slow = skewed && random.nextInt(10) == 0 ? 0.93 : 1;
                double slow2 = skewed && random.nextInt(10) == 0 ? 0.93 : 1;
                a[i] = 1.1 * drift * slow * Math.exp(0.04 * random.nextGaussian());
                b[i] = drift * slow2 * Math.exp(0.04 * random.nextGaussian());
            }
            covered += Statistics.pairedRatio(a, b, 0.95, r).contains(1.1) ? 1 : 0;
        }
        System.out.printf("coverage with %d pairs%s: %.1f %%%n", n, skewed ? ", skewed" : "", 100.0 * covered / runs);
        assertThat(covered / (double) runs).isGreaterThanOrEqualTo(0.93);
    }

    @Test
    void theSameDataGiveTheSameBounds() {
        double[] a = {10, 12, 11, 13, 14, 9};
        double[] b = {9, 11, 11, 12, 12, 10};
        assertThat(Statistics.pairedRatio(a, b, 0.95, 42)).isEqualTo(Statistics.pairedRatio(a, b, 0.95, 42));
        Interval r = Statistics.pairedRatio(a, b, 0.95, 42);
        assertThat(r.low()).isLessThan(r.estimate());
        assertThat(r.high()).isGreaterThan(r.estimate());
    }

    @Test
    void aPairWithoutThroughputSaysNothing() {
        assertThat(Statistics.pairedRatio(new double[] {2, 0, 2}, new double[] {1, 5, 1}, 0.95, 1)
                        .estimate())
                .isEqualTo(2);
        assertThatThrownBy(() -> Statistics.pairedRatio(new double[2], new double[1], 0.95, 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void medianIsTheMiddle() {
        assertThat(Statistics.median(new double[] {5, 1, 3})).isEqualTo(3);
        assertThat(Statistics.median(new double[] {4, 1, 3, 2})).isEqualTo(2.5);
        assertThat(Statistics.median(new double[0])).isZero();
    }

    @Test
    void histogramsAreMergedAndPercentilesNeverAveraged() {
        var slow = Simulated.server(1, 0, 1, 1, 1);
        var fast = trialWith(Simulated.histogram(99_000, 0.001));
        var slower = trialWith(Simulated.histogram(1_000, 1.0));
        assertThat(slow).isNotNull();
        var merged = Latencies.merged(List.of(fast, slower));
        assertThat(merged.count()).isEqualTo(100_000);
        assertThat(merged.p50()).isCloseTo(1_000_000, within(2_000L));
        // the mean of both p99 would be 750 ms
        assertThat(merged.p99()).isCloseTo(1_500_000, within(3_000L));
        assertThatThrownBy(() -> Latencies.merged(List.of(fast, trialWith("AAAA"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("HdrHistogram");
    }

    private static Measurement trialWith(String histogram) {
        return new Measurement(
                Duration.ofSeconds(1),
                1,
                Map.of(),
                Map.of(),
                Map.of(),
                0,
                0,
                LatencySummary.NONE,
                LatencySummary.NONE,
                0,
                1,
                List.of(),
                histogram);
    }
}
