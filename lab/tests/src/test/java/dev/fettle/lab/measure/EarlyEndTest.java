package dev.fettle.lab.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.GiveUp;
import dev.fettle.insight.gate.EarlyStopping;
import dev.fettle.lab.Fixtures;
import dev.fettle.load.Window;
import dev.fettle.load.api.Arrivals;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Objective.Metric;
import dev.fettle.model.trial.Measurement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** When a trial is ended before its time. */
class EarlyEndTest {
    private static final long MILLI = 1_000_000;
    private static final Load LOAD =
            Fixtures.load(4, "", Duration.ofSeconds(10)).withWarmUpAtMost(Duration.ofSeconds(20));
    private static final Optional<GiveUp> SLOW = Optional.of(new GiveUp(Metric.THROUGHPUT, 1000, 5));

    private static Measurement.Window window(int i, long responses) {
        return new Measurement.Window(i * 0.5, 0.5, responses, 0, MILLI, false);
    }

    /** Half a second with some answers in time, and some late ones. */
    private static Window raw(int inTime, int late) {
        var latency = new Histogram(3);
        latency.recordValueWithCount(MILLI, inTime);
        latency.recordValueWithCount(200 * MILLI, late);
        Histogram none = new Histogram(3);
        return new Window(
                0,
                500 * MILLI,
                inTime + late,
                0,
                0,
                Map.of(),
                Map.of(200, (long) inTime + late),
                0,
                0,
                latency,
                none,
                none,
                latency,
                latency,
                none,
                none,
                inTime + late,
                0,
                0,
                List.of(),
                0,
                0,
                List.of(),
                Duration.ZERO,
                0,
                List.of(),
                List.of());
    }

    @Test
    void aSlowOneEndsInTheWarmUpAndIsMeasuredForASecond() {
        var early = new EarlyEnd(SLOW, LOAD);
        int windows = 0;
        while (!early.ended()) {
            early.warmedUp(window(windows++, 100 + windows % 2)); // 200 a second
            assertThat(windows).isLessThan(40);
        }
        assertThat(windows).isGreaterThanOrEqualTo(10);
        assertThat(early.measure()).isEqualTo(Duration.ofSeconds(1));
        assertThat(early.atBest().orElseThrow()).isBetween(200.0, 1000.0);
        assertThat(early.reason().orElseThrow().rule()).isEqualTo(EarlyStopping.RULE);
        assertThat(early.reason().orElseThrow().message()).startsWith("ended early, after " + windows / 2);
        assertThat(early.reason().orElseThrow().passing()).isFalse();
    }

    @Test
    void whileItIsMeasuredItEndsAfterASecondAtTheEarliest() {
        var early = new EarlyEnd(SLOW, LOAD);
        for (int i = 0; i < 9; i++) {
            early.warmedUp(window(i, 100 + i % 2));
        }
        assertThat(early.ended()).isFalse();
        assertThat(early.measure()).isEqualTo(LOAD.measure());
        assertThat(early.measured(window(9, 101), raw(50, 0))).isFalse();
        assertThat(early.measured(window(10, 100), raw(50, 0))).isTrue();
    }

    @Test
    void aFastOneRunsToItsEndAndSoDoesOneWithoutABound() {
        for (var bound : List.of(SLOW, Optional.<GiveUp>empty())) {
            var early = new EarlyEnd(bound, LOAD);
            long responses = bound.isPresent() ? 800 : 1;
            for (int i = 0; i < 20; i++) {
                early.warmedUp(window(i, responses));
                assertThat(early.ended()).isFalse();
            }
            for (int i = 20; i < 40; i++) {
                assertThat(early.measured(window(i, responses), raw(50, 0))).isFalse();
            }
            assertThat(early.atBest().optional()).isEmpty();
            assertThat(early.reason()).isEmpty();
        }
    }

    /** 100 requests a second for 10 s: about ten of them may be late. */
    @Test
    void aTailIsLostOnceMoreAreLateThanMayBe() {
        Load open = LOAD.withArrivals(Arrivals.Open.constant(100));
        var bound = Optional.of(new GiveUp(Metric.P99, 100.0 * MILLI, 5));
        var late = new EarlyEnd(bound, open);
        late.warmedUp(window(0, 50));
        assertThat(late.ended()).as("a warm-up says nothing about the tail").isFalse();
        for (int i = 1; i < 3; i++) {
            assertThat(late.measured(window(i, 50), raw(45, 5))).isFalse();
        }
        assertThat(late.measured(window(3, 50), raw(45, 5))).isTrue();
        assertThat(late.atBest().optional()).hasValue(100.0 * MILLI);
        assertThat(late.reason().orElseThrow().message()).contains("p99 is above 100 ms");

        var good = new EarlyEnd(bound, open);
        for (int i = 0; i < 19; i++) {
            assertThat(good.measured(window(i, 50), raw(50, i < 10 ? 1 : 0))).isFalse();
        }
    }
}
