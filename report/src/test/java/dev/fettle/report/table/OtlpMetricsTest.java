package dev.fettle.report.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.trial.Signals;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.stream.StreamSupport;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** What a receiver of OpenTelemetry gets. */
class OtlpMetricsTest {
    private static final long SINCE = 1_000_000;

    private final LiveMetrics metrics = new LiveMetrics("http://127.0.0.1:8080", SINCE);
    private final OtlpMetrics otlp = new OtlpMetrics(metrics, Map.of("fettle.run.id", "login-3"), "1");

    private JsonNode sent(long now) throws Exception {
        return new ObjectMapper().readTree(otlp.request(now).json()).at("/resourceMetrics/0");
    }

    private JsonNode metric(String name) throws Exception {
        return StreamSupport.stream(
                        sent(SINCE + 5_000).at("/scopeMetrics/0/metrics").spliterator(), false)
                .filter(m -> m.path("name").asText().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static Histogram times(long... nanos) {
        var h = new Histogram(64, 600_000_000_000L, 3);
        for (long n : nanos) {
            h.recordValue(n);
        }
        return h;
    }

    private void answered(Histogram times) {
        metrics.answered(new LiveMetrics.Answers(Map.of("trial", "2"), Map.of(ErrorKind.READ_TIMEOUT, 3L), times));
    }

    @Test
    void aRunsIdIsOfTheResourceAndItsAnswerOfTheScope() throws Exception {
        JsonNode before = sent(SINCE);
        assertThat(before.at("/resource/attributes/0/key").asText()).isEqualTo("fettle.run.id");
        assertThat(before.at("/resource/attributes/0/value/stringValue").asText())
                .isEqualTo("login-3");
        assertThat(before.at("/scopeMetrics/0/scope").has("attributes")).isFalse();
        metrics.concluded("no \u0007improvement \"shown\"");
        JsonNode said = sent(SINCE).at("/scopeMetrics/0/scope/attributes/0");
        assertThat(said.path("key").asText()).isEqualTo("fettle.verdict");
        assertThat(said.at("/value/stringValue").asText())
                .contains("improvement \"shown\"")
                .doesNotContain("\u0007");
    }

    @Test
    void whatIsCountedIsCumulativeFromItsOwnBeginning() throws Exception {
        metrics.add(1, Map.of(Signals.GC_COUNT, 2.0, Signals.CPU_TOTAL, 1.5));
        metrics.add(2, Map.of(Signals.GC_COUNT, 3.0));
        answered(times(1_000_000));
        answered(times(2_000_000, 0));
        JsonNode collections = metric("fettle.watch.gc.count").path("sum");
        assertThat(collections.path("aggregationTemporality").asInt()).isEqualTo(2);
        assertThat(collections.path("isMonotonic").asBoolean()).isTrue();
        assertThat(collections.at("/dataPoints/0/asDouble").asDouble()).isEqualTo(5);
        assertThat(collections.at("/dataPoints/0/startTimeUnixNano").asText()).isEqualTo("1000000000000");
        assertThat(metric("fettle.watch.cpu.total.cpus")
                        .at("/gauge/dataPoints/0/asDouble")
                        .asDouble())
                .isEqualTo(1.5);
        assertThat(metric("fettle.load.failed").at("/sum/dataPoints/0/asDouble").asDouble())
                .isEqualTo(6);
        JsonNode latency = metric("fettle.load.latency").at("/exponentialHistogram/dataPoints/0");
        assertThat(latency.path("count").asText()).isEqualTo("3");
        assertThat(latency.path("zeroCount").asText()).isEqualTo("1");
        assertThat(latency.path("startTimeUnixNano").asText()).isEqualTo("1002000000000");
        assertThat(latency.path("sum").asDouble()).isCloseTo(0.003, within(1e-5));
    }

    /** Of any range of times, each is in the bucket whose bounds it lies between, as far as its own histogram knows it. */
    @Test
    void bucketsHoldWhatTheirBoundsSay() {
        var random = new Random(7);
        for (double[] range : new double[][] {{3, 3.01}, {4, 6}, {5, 9}, {2, 11}, {7.2, 7.3}}) {
            var all = new double[500];
            var h = times();
            for (int i = 0; i < all.length; i++) {
                long nanos = Math.round(Math.pow(10, range[0] + (range[1] - range[0]) * random.nextDouble()));
                all[i] = nanos / 1e9;
                h.recordValue(nanos);
            }
            ExponentialBuckets b = ExponentialBuckets.of(h);
            assertThat(b.counts()).hasSizeLessThanOrEqualTo(ExponentialBuckets.MOST);
            assertThat(b.zero() + b.counts().stream().mapToLong(c -> c).sum()).isEqualTo(500);
            double factor = Math.pow(2, Math.pow(2, -b.scale()));
            long below = 0;
            for (int i = 0; i < b.counts().size(); i++) {
                below += b.counts().get(i);
                double bound = Math.pow(factor, b.offset() + i + 1.0);
                long least =
                        Arrays.stream(all).filter(s -> s < bound * 0.998 - 1e-7).count();
                long most = Arrays.stream(all)
                        .filter(s -> s <= bound * 1.002 + 1e-7)
                        .count();
                assertThat(below + b.zero()).isBetween(least, most);
            }
        }
        assertThat(ExponentialBuckets.of(times()).count()).isZero();
        assertThat(ExponentialBuckets.of(times(0, 0)).counts()).isEmpty();
    }
}
