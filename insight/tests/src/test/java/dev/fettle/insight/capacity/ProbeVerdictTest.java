package dev.fettle.insight.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.capacity.ProbeVerdict.Result;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Observation;
import java.time.Duration;
import java.util.Map;
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

    /** Local ports that run out on the generator's host are no errors of the server. */
    @ParameterizedTest(name = "{1} of 3000 by {0}: {2}")
    @CsvSource({
        "OTHER,      2, MET,    ''",
        "OTHER,     60, VOID,   '60 of 3,000 attempts (at most 0.1 %) failed on the generator''s own host'",
        "REFUSED,   60, BROKEN, errors were 2 %",
    })
    void theGeneratorsOwnFailuresAreNotTheServers(ErrorKind kind, long failed, Result wanted, String why) {
        long ms = 1_000_000;
        var latency = new LatencySummary(3000 - failed, ms, ms, ms, ms, ms, ms, ms, ms, ms);
        Probe p = Probes.of(Probe.Phase.BRACKET, 1000, 3, 3000, latency, 0.1, 0.1, Duration.ofSeconds(4));
        Measurement m = p.seen().measurement();
        var measured = Tamper.errors(m, m.responses(), Map.of(kind, failed));
        var probe = new Probe(
                p.phase(), p.rate(), new Observation(measured, p.seen().evidence()), p.took(), Iteration.ONE_REQUEST);
        ProbeVerdict verdict = ProbeVerdict.of(probe, Slo.parse("errors<1%"));
        assertThat(verdict.result()).isEqualTo(wanted);
        assertThat(String.join("; ", verdict.broken())).startsWith(why);
    }

    /** 100 arrivals a second for 2 s, with a mean latency of 50 ms; the SLO's latency is met in all of them. */
    @ParameterizedTest(name = "{2} requests from 200 arrivals of {0} with {1} s of pauses: {3}")
    @CsvSource({
        "1, 0, 200, ''",
        "1, 0, 140, 'it finished only 70.0 of 100 requests a second'",
        // those that arrived last had no time for their later requests
        "3, 0, 585, ''",
        "3, 0, 540, ''",
        "3, 0, 380, 'it finished only 66.7 of 100 iterations a second'",
        // more than one a second, but not three
        "3, 0, 250, 'it finished only 43.9 of 100 iterations a second'",
        "3, 1, 300, ''",
        "3, 1, 150, 'it finished only 55.6 of 100 iterations a second'",
        // longer than the probe: it can't be told
        "3, 9, 150, ''",
    })
    void aServerKeepsUpIfItFinishesWhatAllArrivalsAskFor(double requests, double pauses, long finished, String broken) {
        var latency = new LatencySummary(
                finished,
                50e6,
                50_000_000,
                55_000_000,
                60_000_000,
                65_000_000,
                70_000_000,
                75_000_000,
                80_000_000,
                80_000_000);
        var p = Probes.of(Probe.Phase.BRACKET, 100, 2, finished, latency, 0.1, 0.1, Duration.ofSeconds(3));
        var probe = new Probe(p.phase(), p.rate(), p.seen(), p.took(), new Iteration(requests, pauses));
        ProbeVerdict verdict = ProbeVerdict.of(probe, Slo.parse("p99<100ms"));
        assertThat(String.join("; ", verdict.broken())).isEqualTo(broken);
        assertThat(verdict.result()).isEqualTo(broken.isEmpty() ? Result.MET : Result.BROKEN);
    }
}
