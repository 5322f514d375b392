package dev.fettle.insight.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.capacity.ProbeVerdict.Result;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.trial.LatencySummary;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a probe says whose requests left late, by what the SLO bounds. */
class ProbeVerdictTest {

    @ParameterizedTest(name = "{0}: p99 {1} ms with a lag of {2} ms is {3}")
    @CsvSource({
        "p99<100ms,          90,  0.9, MET",
        "p99<100ms,          90,  4.9, MET",
        "p99<100ms,          90,  5.1, VOID",
        "p99<100ms,         110,  4.9, BROKEN",
        "p99<10ms,            9,  0.9, MET",
        "p99<10ms,            9,  1.1, VOID",
        "'p99<1s,p50<20ms',  90,  1.1, VOID",
        "errors<1%,          90,  1.1, VOID",
    })
    void lagCountsByItsShareOfTheBound(String slo, double p99, double lag, Result wanted) {
        long nanos = (long) (p99 * 1e6);
        var latency = new LatencySummary(
                3000, nanos / 10.0, nanos / 10, nanos / 8, nanos / 6, nanos / 4, nanos, nanos, nanos, nanos);
        var probe = Probes.of(Probe.Phase.BRACKET, 1000, 3, 3000, latency, lag, 0.1, Duration.ofSeconds(4));
        assertThat(ProbeVerdict.of(probe, Slo.parse(slo)).result()).isEqualTo(wanted);
    }
}
