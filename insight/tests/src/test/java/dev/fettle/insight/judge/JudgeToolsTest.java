package dev.fettle.insight.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.fettle.insight.judge.Judgement.Finding;
import dev.fettle.insight.judge.Judgement.Outcome;
import dev.fettle.model.imports.Published;
import dev.fettle.model.imports.Published.Clients;
import dev.fettle.model.imports.Published.Figure;
import dev.fettle.model.imports.ResultImport;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Usual results of the tools, each with what only looks as if it spoke against them. */
class JudgeToolsTest {
    private static final String K6 = """
                http_req_duration..............: avg=31.21ms min=28.1ms med=30.2ms max=155.1ms p(90)=35.1ms p(95)=38.2ms
                http_req_failed................: 0.00%%  0 out of 15001
                http_reqs......................: 15001  %s/s
                iteration_duration.............: avg=%s min=28.3ms med=30.4ms max=155.4ms
                iterations.....................: 15001  %s/s
                vus............................: 16     min=%d          max=%d
                vus_max........................: 100    min=100         max=100
            """;

    static Stream<Arguments> usual() {
        return Stream.of(
                Arguments.of("an open load of wrk2", """
                        Running 30s test @ http://127.0.0.1:80/index.html
                          2 threads and 100 connections
                          Thread calibration: mean lat.: 9747 usec, rate sampling interval: 21 msec
                          Thread Stats   Avg      Stdev     Max   +/- Stdev
                            Latency     6.46ms    1.93ms  12.34ms   67.66%
                         99.999%   12.35ms
                        100.000%   12.35ms
                          60017 requests in 30.01s, 19.81MB read
                        Requests/sec:   2000.15
                        Transfer/sec:    676.14KB
                        """, List.of(), List.of()),
                Arguments.of(
                        "arrivals of k6", K6.formatted("499.98", "31.4ms", "499.98", 14, 21), List.of(), List.of()),
                Arguments.of("a ramp of k6", K6.formatted("499.98", "31.4ms", "499.98", 1, 100), List.of(), List.of()),
                Arguments.of(
                        "pauses of k6",
                        K6.formatted("97.01", "1.03s", "97.01", 100, 100),
                        List.of("think-time"),
                        List.of()),
                Arguments.of(
                        "idle clients of k6",
                        K6.formatted("499.98", "31.4ms", "499.98", 100, 100),
                        List.of("littles-law"),
                        List.of()),
                Arguments.of("a ramp of JMeter", """
                        summary +   2990 in 00:00:10 =  299.0/s Avg:    59 Min:     1 Max:   500 Err:     0 (0.00%) Active: 30 Started: 30 Finished: 0
                        summary +  25010 in 00:00:20 = 1250.5/s Avg:    60 Min:     1 Max:   480 Err:     0 (0.00%) Active: 100 Started: 100 Finished: 0
                        summary =  28000 in 00:00:30 =  933.3/s Avg:    59 Min:     1 Max:   500 Err:     0 (0.00%)
                        """, List.of(), List.of()),
                Arguments.of("lengths that vary", """
                        Concurrency Level:      50
                        Time taken for tests:   20.125 seconds
                        Complete requests:      50000
                        Failed requests:        44871
                           (Connect: 0, Receive: 0, Length: 44871, Exceptions: 0)
                        Keep-Alive requests:    50000
                        Requests per second:    2484.47 [#/sec] (mean)
                        Total:          2   20   4.5     20      88
                        """, List.of(), List.of("lengths")),
                Arguments.of("answers and errors of hey", """
                        Summary:
                          Total:	10.0046 secs
                          Slowest:	0.0731 secs
                          Fastest:	0.0005 secs
                          Average:	0.0101 secs
                          Requests/sec:	159.93
                        Status code distribution:
                          [200]	1000 responses
                        Error distribution:
                          [600]	Get "http://127.0.0.1:8080/": context deadline exceeded
                        """, List.of(), List.of("errors")),
                Arguments.of("more errors than answers", """
                        Summary:
                          Total:	10.0000 secs
                          Requests/sec:	210
                        Status code distribution:
                          [200]	1000 responses
                        Error distribution:
                          [1100]	EOF
                        """, List.of("mostly-failed"), List.of("errors")),
                Arguments.of("a reset for each answer of wrk", """
                        Running 10s test @ http://127.0.0.1:8080/
                          2 threads and 100 connections
                            Latency     9.80ms    2.00ms   50.00ms   80.00%
                          102000 requests in 10.01s, 20.00MB read
                          Socket errors: connect 0, read 102000, write 0, timeout 0
                        Requests/sec:  10189.81
                        Transfer/sec:      2.00MB
                        """, List.of(), List.of("errors")),
                Arguments.of("milliseconds of siege", """
                        ** Preparing 25 concurrent users for battle.
                        Transactions:                  75155    hits
                        Elapsed time:                     30.40 secs
                        Response time:                    10.01 ms
                        Transaction rate:               2472.20 trans/sec
                        Failed transactions:               0
                        Longest transaction:             120.00 ms
                        Shortest transaction:              1.00 ms
                        """, List.of(), List.of()),
                Arguments.of("a share of a table", """
                        | clients | rate | mean (ms) | duration | errors (%) |
                        |---|---|---|---|---|
                        | 100 | 2000/s | 50 | 60s | 60 |
                        """, List.of("mostly-failed"), List.of("errors")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("usual")
    void whatIsUsualIsNotHeldAgainstAResult(String what, String text, List<String> refusals, List<String> cautions) {
        List<Published> all = ResultImport.read(text);
        assertThat(all).hasSize(1);
        Judgement j = Judge.of(all.getFirst());
        assertThat(j.refusals()).extracting(Finding::rule).containsExactlyElementsOf(refusals);
        assertThat(j.cautions()).extracting(Finding::rule).containsExactlyElementsOf(cautions);
        assertThat(j.checked()).noneMatch(c -> c.contains("Infinity") || c.contains("NaN"));
    }

    /** An error page is timed as an answer is; a lost one has no time, but JMeter's. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            value = {
                "Requests/sec: 200!    Latency    10ms    2ms   50ms   80.00%!  2000 requests in 10.00s, 2.00MB read!  Non-2xx or 3xx responses: 600# true",
                "Requests/sec: 200!    Latency    10ms    2ms   50ms   80.00%!  2000 requests in 10.00s, 2.00MB read!  Socket errors: connect 0, read 600, write 0, timeout 0# false",
                "summary =   2000 in 00:00:10 =  200.0/s Avg:    50 Min:     1 Max:   500 Err:   600 (30.00%)# true",
            })
    void whetherLatenciesIncludeWhatFailed(String text, boolean included) {
        Judgement j = Judge.of(ResultImport.read(text.replace('!', '\n')).getFirst());
        assertThat(j.cautions())
                .filteredOn(f -> f.rule().equals("errors"))
                .singleElement()
                .satisfies(f -> assertThat(f.message().contains("include")).isEqualTo(included));
    }

    /** A JTL with 5 % that were never answered: its rate and its number of responses count the same. */
    @Test
    void aJtlAgreesWithItself() {
        var text = new StringBuilder("timeStamp,elapsed,responseCode,success,allThreads,threadName\n");
        for (int i = 0; i < 2000; i++) {
            String code = i % 20 == 0 ? "Non HTTP response code: java.net.SocketException,false" : "200,true";
            text.append("%d,200,%s,20,t%d\n".formatted(i / 20 * 200, code, i % 20));
        }
        Published p = ResultImport.read(text.toString()).getFirst();
        assertThat(p.get(Figure.THROUGHPUT).orElseThrow()
                        * p.get(Figure.SECONDS).orElseThrow())
                .isCloseTo(p.get(Figure.RESPONSES).orElseThrow(), within(1e-6));
        Judgement j = Judge.of(p);
        assertThat(j.outcome()).isEqualTo(Outcome.NOT_REFUTED);
        assertThat(j.checked()).singleElement().asString().startsWith("Little's law");
        assertThat(j.cautions()).extracting(Finding::rule).containsExactly("errors");
    }

    /** What was calculated from other figures agrees with them, whatever was measured: that is no check. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            value = {
                "| rate | duration | error % |!|---|---|---|!| 100/s | 60s | 0 % |# TOO_FEW #",
                "| requests | rate | duration | error % |!|---|---|---|---|!| 6000 | 100/s | 60s | 0 % |# NOT_REFUTED # responses = rate × time",
                "http_reqs......: 15001  499.98/s # TOO_FEW #",
                "timeStamp,elapsed,responseCode,success!0,100,200,true!200,150,200,true # TOO_FEW #"
            })
    void whatWasCalculatedIsNotChecked(String text, Outcome outcome, String checked) {
        Published read = ResultImport.read(text.replace('!', '\n')).getFirst();
        Judgement j = Judge.of(read);
        assertThat(j.outcome()).isEqualTo(outcome);
        assertThat(j.checked()).isEqualTo(checked == null ? List.of() : List.of(checked));
        Published told = Published.of("given", "").with(Figure.SECONDS, 5000).or(read);
        assertThat(Judge.of(told).refusals())
                .as("a time that is told is held against the rest, if that was told, too")
                .hasSize(checked != null || read.tool().equals("k6") ? 1 : 0);
    }

    /** Clients are asked for only where they would tell something, and even if given, they are not idle in an open load. */
    @ParameterizedTest
    @CsvSource({"OPEN,,false", "STEADY,littles-law,true", "AT_MOST,,true"})
    void anOpenLoadHasNoClients(Clients clients, String rule, boolean asked) {
        Published p = Published.of("k6", "")
                .with(Figure.THROUGHPUT, 100)
                .with(Figure.MEAN, 0.1)
                .with(Figure.RESPONSES, 1000)
                .with(Figure.FAILED, 0)
                .with(clients);
        Published given = Published.of("given", "").with(Figure.CLIENTS, 100).or(p);
        assertThat(Judge.of(given).refusals().stream().map(Finding::rule))
                .isEqualTo(rule == null ? List.of() : List.of(rule));
        assertThat(Judge.of(p).unknown().getFirst().contains("how many clients"))
                .isEqualTo(asked);
    }

    /** More in flight than there were clients at most is impossible in a ramp, too. */
    @Test
    void aRampHasAnUpperBound() {
        Published p = Published.of("k6", "")
                .with(Figure.CLIENTS, 100)
                .with(Figure.THROUGHPUT, 2000)
                .with(Figure.MEAN, 0.1)
                .with(Clients.AT_MOST);
        assertThat(Judge.of(p).refusals()).extracting(Finding::rule).containsExactly("littles-law");
        assertThat(Judge.of(p.with(Figure.MEAN, 0.02)).checked())
                .containsExactly(
                        "Little's law (0.400 requests in flight for each client, not all of whom were there all the time)");
    }

    @Test
    void percentilesThatFallDoNotFit() {
        Judgement j = Judge.of(Published.of("given", "")
                .with(Figure.MEAN, 0.05)
                .with(50, 0.06)
                .with(99, 0.04)
                .with(99.9, 0.03));
        assertThat(j.refusals()).containsExactly(new Finding("percentiles", "p99 is 40.0 ms, less than p50, 60.0 ms"));
        assertThat(j.checked()).isEmpty();
        assertThat(Judge.of(Published.of("given", "").with(99.9, 0.04).with(99.99, 0.03))
                        .refusals()
                        .getFirst()
                        .message())
                .startsWith("p99.99 is")
                .contains("less than p99.9,");
    }
}
