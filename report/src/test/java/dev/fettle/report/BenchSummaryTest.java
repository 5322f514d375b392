package dev.fettle.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.LatencySummary;
import dev.fettle.model.Measurement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BenchSummaryTest {
    @Test
    void theFiguresThatPeopleKnow() {
        String text = BenchSummary.text(
                "http://127.0.0.1:8080/login", Fixtures.LOAD, Fixtures.measurement(3000, 50, 0.2, 3), false);
        assertThat(text)
                .contains(
                        "Target              http://127.0.0.1:8080/login",
                        "Connections         300, keep-alive",
                        "Complete requests   30,000",
                        "Failed requests     0",
                        "Throughput          3,000/s",
                        "Transfer rate       5.68 MB/s",
                        "50 %",
                        "99.99 %",
                        "max",
                        "Time to connect",
                        "standard deviation",
                        "####",
                        "up to");
        assertThat(text).doesNotContain("retransmitted", "\u001b");
    }

    @Test
    void failuresByKindWithTheFirstExample() {
        var m = new Measurement(
                Duration.ofSeconds(2),
                0,
                Map.of("READ_TIMEOUT", 12L, "REFUSED", 3L),
                Map.of("READ_TIMEOUT", "no answer \u001b[31m within 5 s"),
                Map.of(404, 7L),
                0,
                0,
                LatencySummary.NONE,
                new LatencySummary(3, 1e9, 1, 1, 1, 1, 1, 1, 1, 1_002_000_000),
                0,
                0,
                List.of(),
                "not base64!");
        String text = BenchSummary.text("x", Fixtures.LOAD, m, false);
        assertThat(text)
                .contains(
                        "Failed requests     15 (100 %)",
                        "read timeout      12, first: no answer",
                        "refused           3",
                        "404 × 7",
                        "No valid response",
                        "retransmitted SYN")
                .doesNotContain("\u001b");
    }

    @Test
    void colourOnlyAddsEscapes() {
        var m = Fixtures.measurement(3000, 50, 0.2, 3);
        assertThat(BenchSummary.text("x", Fixtures.LOAD, m, true).replaceAll("\u001b\\[[0-9;]*m", ""))
                .isEqualTo(BenchSummary.text("x", Fixtures.LOAD, m, false));
    }
}
