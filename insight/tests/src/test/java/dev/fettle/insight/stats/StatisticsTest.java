package dev.fettle.insight.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.fettle.insight.Simulated;
import dev.fettle.model.text.Json;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StatisticsTest {
    @Test
    void aRateIsNotNegative() {
        assertThat(Statistics.rate(new double[] {100, 300}).low()).isZero();
        assertThat(Statistics.rate(new double[] {100, 300}).high())
                .isEqualTo(Statistics.mean(new double[] {100, 300}).high());
        assertThat(Statistics.rate(new double[] {299, 300})).isEqualTo(Statistics.mean(new double[] {299, 300}));
        assertThat(Statistics.rate(new double[] {300}).bounded()).isFalse();
    }

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
        assertThat(Statistics.pairedRatio(new double[] {2}, new double[] {1}, 0.95)
                        .estimate())
                .isEqualTo(2);
        assertThat(Statistics.pairedRatio(new double[] {2}, new double[] {1}, 0.95)
                        .bounded())
                .isFalse();
    }

    @Test
    void theIntervalOfPairsIsStudentsOnTheLogsAndSaysSo() {
        double[] a = {10, 12, 11, 13, 14, 9};
        double[] b = {9, 11, 11, 12, 12, 10};
        Interval r = Statistics.pairedRatio(a, b, 0.95);
        assertThat(r.method()).isEqualTo(Interval.Method.STUDENT);
        double[] logs = Statistics.logRatios(a, b);
        double half = 2.570582 * Statistics.deviation(logs) / Math.sqrt(6);
        assertThat(r.low()).isCloseTo(Math.exp(Statistics.average(logs) - half), within(1e-6));
        assertThat(r.high()).isCloseTo(Math.exp(Statistics.average(logs) + half), within(1e-6));
        assertThat(Statistics.pairedRatio(new double[] {2}, new double[] {1}, 0.95)
                        .method())
                .isEqualTo(Interval.Method.NONE);
    }

    @Test
    void anIntervalOfAJournalIsRead() throws Exception {
        Interval now = Statistics.mean(new double[] {1, 2, 3});
        assertThat(Json.mapper().readValue(Json.mapper().writeValueAsString(now), Interval.class))
                .isEqualTo(now);
    }

    @Test
    void aPairWithoutThroughputSaysNothing() {
        assertThat(Statistics.pairedRatio(new double[] {2, 0, 2}, new double[] {1, 5, 1}, 0.95)
                        .estimate())
                .isEqualTo(2);
        assertThatThrownBy(() -> Statistics.pairedRatio(new double[2], new double[1], 0.95))
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
                histogram,
                Measurement.Detail.NONE);
    }
}
