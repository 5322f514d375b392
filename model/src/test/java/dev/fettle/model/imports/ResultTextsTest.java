package dev.fettle.model.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.fettle.model.imports.Published.Clients;
import dev.fettle.model.imports.Published.Figure;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What the figures of a tool mean: several results in one text, open loads, ramps, requests without an answer, units. */
class ResultTextsTest {
    private static final String AB = """
            This is ApacheBench, Version 2.3 <$Revision: 1903618 $>
            Server Software:        x
            Document Path:          /time
            Concurrency Level:      %d
            Complete requests:      50000
            Failed requests:        0
            Requests per second:    2484.47 [#/sec] (mean)
            Total:          2   %d   4.5     20      88
              99%%     35
            """;
    private static final String WRK = """
            Running 30s test @ http://127.0.0.1:8080/
              12 threads and %d connections
              Thread Stats   Avg      Stdev     Max   +/- Stdev
                Latency   %dms    0.89ms  12.92ms   93.69%%
              1000 requests in 30.00s, 17.76MB read
            Requests/sec: 748868.53
            """;
    private static final String HEY = """

            Summary:
              Total:	10.0046 secs
              Average:	0.%02d%02d secs
              Requests/sec:	4943.2461

            Latency distribution:
              99%% in 0.0261 secs

            Status code distribution:
              [200]	49455 responses
            """;
    private static final String SIEGE = """
            ** SIEGE 4.0.4
            ** Preparing %d concurrent users for battle.
            Transactions:                  75155 hits
            Response time:                  0.%02d secs
            Transaction rate:            2472.20 trans/sec
            Successful transactions:       75155
            Failed transactions:               0
            """;
    private static final String K6 = """
                 execution: local
                 scenarios: (100.00%%) 1 scenario, 10 max VUs, 1m0s max duration
                          * default: 10 looping VUs for 30s (gracefulStop: 30s)
                 http_req_duration..............: avg=%2$dms  min=28.1ms
                   { expected_response:true }...: avg=%2$dms  min=28.1ms
                 http_reqs......................: 290     9.610212/s
                 vus............................: 1       min=1      max=%1$d
                 vus_max........................: %1$d    min=%1$d   max=%1$d
            """;
    private static final String JMETER = """
            summary +   5000 in 00:00:12 =  416.7/s Avg:   230 Min:     1 Max:  3000 Err:     0 (0.00%%) Active: %1$d Started: %1$d Finished: 0
            summary =  5000%1$d in 00:01:30 =  137.2/s Avg:   %2$d Min:     1 Max:  3000 Err:     9 (0.07%%)
            """;

    static Stream<Arguments> twice() {
        return Stream.of(
                Arguments.of(AB, "/time"),
                Arguments.of(AB.lines().skip(3).collect(Collectors.joining("\n", "", "\n")), ""),
                Arguments.of(WRK, "http://127.0.0.1:8080/"),
                Arguments.of(SIEGE, ""),
                Arguments.of(
                        "{ \"transactions\": 5, \"response_time\": 0.%2$02d, \"transaction_rate\": 9, \"concurrency\": %1$d }",
                        ""),
                Arguments.of(HEY, ""),
                Arguments.of(K6, ""),
                Arguments.of(JMETER, ""));
    }

    /** Or a good result and a bad one would be one that nobody measured. */
    @ParameterizedTest
    @MethodSource("twice")
    void severalResultsAreOnesOfTheirOwn(String text, String label) {
        // and the beginning of a third one that failed
        String third = text.startsWith("{") ? "" : text.lines().findFirst().orElse("");
        List<Published> both = ResultImport.read(text.formatted(50, 20) + text.formatted(10, 70) + third);
        assertThat(both)
                .extracting(Published::label)
                .containsExactly(label.isEmpty() ? "1" : "1, " + label, label.isEmpty() ? "2" : "2, " + label);
        Published first = ResultImport.read(text.formatted(50, 20)).getFirst();
        Published second = ResultImport.read(text.formatted(10, 70)).getFirst();
        assertThat(both).extracting(Published::figures).containsExactly(first.figures(), second.figures());
        assertThat(both).extracting(Published::percentiles).containsExactly(first.percentiles(), second.percentiles());
        assertThat(first.get(Figure.MEAN)).isNotEqualTo(second.get(Figure.MEAN));
    }

    @Test
    void tooManyResultsAreRefusedInALine() {
        assertThatExceptionOfType(ImportException.class)
                .isThrownBy(() -> ResultImport.read("| clients | rate |\n|---|---|\n" + "| 10 | 5 |\n".repeat(10_001)))
                .withMessage("more than 10,000 results are too many for one file: split it");
        assertThatExceptionOfType(ImportException.class)
                .isThrownBy(() -> ResultImport.read("Requests/sec: 5\n".repeat(10_002)))
                .withMessageStartingWith("more than 10,000 results");
    }

    /** Its connections don't wait: the requests come at a rate. The last percentiles are ends of a histogram's buckets. */
    @Test
    void wrk2HasNoClients() {
        Published p = ResultImport.read("""
                Running 30s test @ http://127.0.0.1:80/index.html
                  2 threads and 100 connections
                  Thread calibration: mean lat.: 9747 usec, rate sampling interval: 21 msec
                  Thread Stats   Avg      Stdev     Max   +/- Stdev
                    Latency     6.46ms    1.93ms  12.34ms   67.66%
                  Latency Distribution (HdrHistogram - Recorded Latency)
                 50.000%    6.67ms
                 99.999%   12.35ms
                100.000%   12.35ms
                  Latency Distribution (HdrHistogram - Uncorrected Latency (measured without taking delayed starts into account))
                 50.000%    1.67ms
                  60017 requests in 30.01s, 19.81MB read
                Requests/sec:   2000.15
                """).getFirst();
        assertThat(p.tool()).isEqualTo("wrk2");
        assertThat(p.clients()).isEqualTo(Clients.OPEN);
        assertThat(p.has(Figure.CLIENTS)).isFalse();
        assertThat(p.percentiles()).hasSize(2).containsEntry(50.0, 0.00667).containsEntry(99.999, 0.01234);
    }

    /** The command of the second one is not the first one's, whatever the prompt, and though it takes two lines. */
    @ParameterizedTest
    @CsvSource({
        "$ wrk -t2 -c100 -d30s http://h/,$ wrk2 -t2 -c100 -d30s -R2000 http://h/",
        "'',ann@bench-0123456789-abcdef:~/wrk2$ ./wrk -c 100 -R 2000 http://h/",
        "$ wrk -c100 \\\\n    http://h/,'# wrk2 -c100 -R2000 \\\\n    http://h/'",
        "With wrk 4.2:,And with wrk2:\\n$ wrk2 --rate=2000 http://h/"
    })
    void aCommandIsThatOfTheResultBelowIt(String first, String second) {
        String wrk = WRK.formatted(100, 20);
        List<Published> both = ResultImport.read(
                (first + "\n" + wrk + "\n" + second + "\n" + wrk + "\nSo much for wrk.\n").replace("\\n", "\n"));
        assertThat(both).extracting(Published::tool).containsExactly("wrk", "wrk2");
        assertThat(both).extracting(Published::clients).containsExactly(Clients.STEADY, Clients.OPEN);
        assertThat(both.getFirst().get(Figure.CLIENTS)).hasValue(100);
    }

    /** A second test that had more samples in its first seconds than the first one in ten minutes. */
    @Test
    void aJmeterTestThatIsEarlierIsAnotherOne() {
        List<Published> both = ResultImport.read("""
                summary +   9000 in 00:10:00 =   15.0/s Avg:   230 Min:     1 Max:  3000 Err:     0 (0.00%) Active: 50 Started: 50 Finished: 0
                summary =   9000 in 00:10:00 =   15.0/s Avg:   230 Min:     1 Max:  3000 Err:     0 (0.00%)
                summary +  12000 in 00:00:30 =  400.0/s Avg:    20 Min:     1 Max:   300 Err:     0 (0.00%) Active: 10 Started: 10 Finished: 0
                summary =  12000 in 00:00:30 =  400.0/s Avg:    20 Min:     1 Max:   300 Err:     0 (0.00%)
                summary +   8000 in 00:00:20 =  400.0/s Avg:    20 Min:     1 Max:   300 Err:     0 (0.00%) Active: 0 Started: 10 Finished: 10
                summary =  20000 in 00:00:50 =  400.0/s Avg:    20 Min:     1 Max:   300 Err:     0 (0.00%)
                """);
        assertThat(both).extracting(p -> p.get(Figure.RESPONSES).orElse(0)).containsExactly(9000.0, 20_000.0);
        assertThat(both).extracting(p -> p.get(Figure.CLIENTS).orElse(0)).containsExactly(50.0, 10.0);
        assertThat(both).extracting(Published::clients).containsOnly(Clients.STEADY);
    }

    /** A second test that had more samples and took longer than the first one, as the lines with '+' tell. */
    @Test
    void aLaterJmeterTestWithMoreSamplesIsAnotherOne() {
        assertThat(ResultImport.read("""
                summary +   4000 in 00:00:10 =  400.0/s Avg:    20 Min:     1 Max:   300 Err:     0 (0.00%) Active: 8 Started: 8 Finished: 0
                summary +   5000 in 00:00:20 =  250.0/s Avg:    20 Min:     1 Max:   300 Err:     0 (0.00%) Active: 0 Started: 8 Finished: 8
                summary =   9000 in 00:00:30 =  300.0/s Avg:    20 Min:     1 Max:   300 Err:     0 (0.00%)
                summary +   2000 in 00:00:04 =  500.0/s Avg:    20 Min:     1 Max:   300 Err:     0 (0.00%) Active: 9 Started: 9 Finished: 0
                summary +   9000 in 00:00:30 =  300.0/s Avg:    20 Min:     1 Max:   300 Err:     0 (0.00%) Active: 9 Started: 9 Finished: 0
                summary =  11000 in 00:00:34 =  323.5/s Avg:    20 Min:     1 Max:   300 Err:     0 (0.00%)
                summary +   1000 in 00:00:04 =  250.0/s Avg:    20 Min:     1 Max:   300 Err:     0 (0.00%) Active: 0 Started: 9 Finished: 9
                summary =  12000 in 00:00:38 =  315.8/s Avg:    20 Min:     1 Max:   300 Err:     0 (0.00%)
                summary =  12000 in 00:00:38 =  315.8/s Avg:    20 Min:     1 Max:   300 Err:     0 (0.00%)
                """))
                .extracting(p -> p.get(Figure.RESPONSES).orElse(0))
                .containsExactly(9000.0, 12_000.0);
    }

    /** As {@code grep 'summary ='} leaves it: what was added in between is not told, so only less, or earlier, is of another test. */
    @Test
    void aJmeterLogOfTotalsOnlyIsOneTestUntilTheyFall() {
        assertThat(ResultImport.read("""
                summary =   9000 in 00:00:30 =  300.0/s Avg:    20 Min:     1 Max:   300 Err:     0 (0.00%)
                summary =  18000 in 00:01:00 =  300.0/s Avg:    20 Min:     1 Max:   300 Err:     0 (0.00%)
                summary =  20000 in 00:01:08 =  294.1/s Avg:    20 Min:     1 Max:   300 Err:     0 (0.00%)
                summary =   7000 in 00:01:10 =  100.0/s Avg:    20 Min:     1 Max:   300 Err:     0 (0.00%)
                summary =  12000 in 00:01:38 =  122.4/s Avg:    20 Min:     1 Max:   300 Err:     0 (0.00%)
                summary =  13000 in 00:00:30 =  433.3/s Avg:    20 Min:     1 Max:   300 Err:     0 (0.00%)
                """))
                .extracting(p -> p.get(Figure.RESPONSES).orElse(0))
                .containsExactly(20_000.0, 12_000.0, 13_000.0);
    }

    @ParameterizedTest
    @CsvSource({
        // header, vus at least, at most, vus_max, iteration in ms, clients mean, clients, pause in ms
        "'* rate: 500.00 iterations/s for 30s (maxVUs: 100, gracefulStop: 30s)',14,21,100,31.4,OPEN,,",
        "'* rate: Up to 500.00 iterations/s for 30s over 2 stages (maxVUs: 100)',14,100,100,31.4,OPEN,,",
        "no header,14,21,100,31.4,OPEN,,",
        "'* default: 10 looping VUs for 30s (gracefulStop: 30s)',10,10,10,1031,STEADY,10,1000",
        "'* default: 10 looping VUs for 30s (gracefulStop: 30s)',3,10,10,31,STEADY,10,",
        "'* default: Up to 100 looping VUs for 1m0s over 2 stages',1,100,100,31,AT_MOST,100,",
        "no header,1,100,100,31,AT_MOST,100,",
        "no header,100,100,100,31,STEADY,100,",
        "with http.batch,100,100,100,12,OPEN,,",
    })
    void k6sVusAreClientsWhereTheyLoop(
            String header, int least, int most, int max, double iteration, Clients clients, Double n, Double pause) {
        Published p = ResultImport.read("""
                     scenarios: (100.00%%) 1 scenario, 100 max VUs, 1m0s max duration (incl. graceful stop):
                              %s
                    http_req_duration..............: avg=31ms min=28.1ms med=30.2ms max=155.1ms p(90)=35.1ms
                    http_reqs......................: 15001  499.98/s
                    iteration_duration.............: avg=%sms min=28.3ms med=30.4ms max=155.4ms
                    iterations.....................: 15001  499.98/s
                    vus............................: %d     min=%d          max=%d
                    vus_max........................: %d    min=%d         max=%d
                """.formatted(header, iteration, least, least, most, max, max, max))
                .getFirst();
        assertThat(p.clients()).isEqualTo(clients);
        assertThat(p.figures().get(Figure.CLIENTS)).isEqualTo(n);
        assertThat(p.has(Figure.THINK)).isEqualTo(pause != null);
        p.get(Figure.THINK).ifPresent(t -> assertThat(t * 1e3).isCloseTo(pause, within(1e-6)));
    }

    @ParameterizedTest
    @CsvSource({"30,AT_MOST", "100,STEADY"})
    void jmetersThreadsStartOneByOne(int started, Clients clients) {
        Published p = ResultImport.read("""
                summary +   2990 in 00:00:10 =  299.0/s Avg:    59 Min:     1 Max:   500 Err:     0 (0.00%%) Active: %d Started: %d Finished: 0
                summary +  25010 in 00:00:20 = 1250.5/s Avg:    60 Min:     1 Max:   480 Err:     0 (0.00%%) Active: 100 Started: 100 Finished: 0
                summary =  28000 in 00:00:30 =  933.3/s Avg:    59 Min:     1 Max:   500 Err:     0 (0.00%%)
                """.formatted(started, started)).getFirst();
        assertThat(p.clients()).isEqualTo(clients);
        assertThat(p.get(Figure.CLIENTS)).hasValue(100);
    }

    /** One thread more each second, each waiting for an answer all the time, until the tenth second. */
    @Test
    void theThreadsOfAJtlAreThoseThatThereWereOnAverage() {
        var text = new StringBuilder("timeStamp,elapsed,responseCode,threadName,success,allThreads\n");
        for (int s = 0; s < 10; s++) {
            for (int t = 0; t <= s; t++) {
                text.append("%d,1000,200,t%d,true,%d\n".formatted(s * 1000, t, s + 1));
            }
        }
        Published p = ResultImport.read(text.toString()).getFirst();
        assertThat(p.get(Figure.CLIENTS)).hasValue(5.5);
        assertThat(p.get(Figure.THROUGHPUT)).hasValue(5.5);
        assertThat(p.clients()).isEqualTo(Clients.STEADY);
        Published nameless =
                ResultImport.read(text.toString().replace("threadName", "x")).getFirst();
        assertThat(nameless.get(Figure.CLIENTS)).hasValue(10);
        assertThat(nameless.clients()).isEqualTo(Clients.AT_MOST);
    }

    static Stream<Arguments> withoutAnAnswer() {
        return Stream.of(
                Arguments.of("""
                        Complete requests:      1000
                        Failed requests:        150
                           (Connect: 20, Receive: 100, Length: 30, Exceptions: 0)
                        Requests per second:    200.00 [#/sec] (mean)
                        """, 900, 120, 120, 180),
                Arguments.of("""
                        Summary:
                          Total:	10.0000 secs
                          Average:	0.0101 secs
                          Requests/sec:	160.0
                        Status code distribution:
                          [200]	1000 responses
                        Error distribution:
                          [600]	Get "http://127.0.0.1:8080/": context deadline exceeded
                        """, 1000, 600, 600, 100),
                Arguments.of("""
                          2 threads and 100 connections
                          102000 requests in 10.01s, 20.00MB read
                          Socket errors: connect 1, read 102000, write 2, timeout 4
                        Requests/sec:  10189.81
                        """, 102_000, 102_007, 102_003, 10189.81),
                Arguments.of("""
                        Transactions:                   1000 hits
                        Transaction rate:             100.00 trans/sec
                        Failed transactions:             600
                        """, 1000, 600, 600, 100),
                Arguments.of("""
                        timeStamp,elapsed,responseCode,success
                        0,1000,200,true
                        1000,1000,Non HTTP response code: java.net.SocketTimeoutException,false
                        2000,2000,503,false
                        """, 2, 2, 1, 0.5));
    }

    @ParameterizedTest
    @MethodSource("withoutAnAnswer")
    void whatWasNotAnsweredIsNoResponse(String text, double responses, double failed, double lost, double rate) {
        Published p = ResultImport.read(text).getFirst();
        assertThat(p.figures())
                .containsEntry(Figure.RESPONSES, responses)
                .containsEntry(Figure.FAILED, failed)
                .containsEntry(Figure.LOST, lost);
        assertThat(p.get(Figure.THROUGHPUT).orElseThrow()).isCloseTo(rate, within(1e-9));
    }

    @ParameterizedTest
    @CsvSource({"'10.01 ms','120.00 ms',0.01001,0.000005", "'0.01 secs','0.12',0.01,0.005"})
    void siegeTellsMillisecondsOrSeconds(String mean, String longest, double seconds, double rounding) {
        Published p = ResultImport.read("""
                Response time:                    %s
                Transaction rate:               2472.20 trans/sec
                Longest transaction:             %s
                Shortest transaction:            %s
                """.formatted(mean, longest, mean)).getFirst();
        assertThat(p.get(Figure.MEAN).orElseThrow()).isCloseTo(seconds, within(1e-12));
        assertThat(p.meanAbove()).isCloseTo(rounding, within(1e-12));
        assertThat(p.get(Figure.MAX).orElseThrow()).isCloseTo(0.12, within(1e-12));
        assertThat(p.get(Figure.MIN).orElseThrow()).isCloseTo(seconds, within(1e-12));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '#',
            value = {
                // headings # cells # what is read
                "mean (ms) | Requests/sec | Throughput (MB/s) # 50 | 2000 | 12.5 # mean=0.05 throughput=2000 bytes_per_second=13107200",
                "Throughput (KB/sec) | rate # 5 | 7 # bytes_per_second=5120 throughput=7",
                "Throughput (Mb/s) | clients # 12.5 | 7 # clients=7",
                "Throughput | RPS # 12.5 | 70 # throughput=70",
                "Latency (mean) | Latency (p99) # 50 ms | 180 ms # mean=0.05 p99.0=0.18",
                "Latency (p99) | Latency | Latency (avg, us) # 180 | 90 | 50 # p99.0=0.18 mean=0.00005",
                "Latency p99.9 (s) | p999 ms | max latency # 2 | 2000 | 3s # p99.9=2 max=3",
                "Avg latency (ms) | 95th percentile (ms) | median # 50 | 80 | 40 # mean=0.05 p95.0=0.08 p50.0=0.04",
                "99% Line | Min Latency | average response time # 80 | 4 | 20 # p99.0=0.08 min=0.004 mean=0.02",
                "clients | threads # 100 | 10 # clients=100",
                "threads | rate # 100 | 10 # clients=100 throughput=10",
                "Users | Connections | rate # 100 | 600 | 10 # throughput=10",
                "Users | Connections # 100 | 100 # clients=100",
                "Throughput (req/min) | clients # 120000 | 100 # throughput=2000 clients=100",
                "requests per hour | transactions/s # 3600 | 1 # throughput=1",
                "requests/min | rate # 1200 req/s | 5 # throughput=1200",
                "Errors (%) | requests # 60 | 200 # failed=120 responses=200",
                "errors | requests # 60 | 200 # failed=60 responses=200",
                "errors/s | requests | duration # 50 | 100000 | 60s # responses=100000 seconds=60 throughput=1666.666666667",
                "errors per minute | requests # 0.5 % | 200 # responses=200",
                "failed | requests # 50/s | 200 # responses=200",
                "success/min (%) | requests # 100 | 200 # responses=200",
                "errors (%) | rate | duration (min) # 50% | 10 | 2 # failed=600 responses=1200 throughput=10 seconds=120",
                "Latency (μs) # 50000 # mean=0.05",
                "Latency (µs) # 50000 # mean=0.05",
                "Time (ms) | clients # 50 | 5 # clients=5",
                "Time (min) | clients # 50 | 5 # clients=5",
                "Time (s) | elapsed # 50 | 50 # seconds=50",
                "Time (avg) | clients # 50 | 5 # mean=0.05 clients=5",
                "p99 of reads | clients # 50 | 5 # clients=5",
                "mean | average # 50 | 60 # ",
            })
    void aHeadingSaysWhatItsColumnIs(String heading, String cells, String read) {
        String rule = heading.replaceAll("[^|]+", "---");
        String table = "| x |" + heading + "|\n|---|" + rule + "|\n| a |" + cells + "|\n";
        if (read == null) {
            assertThatExceptionOfType(ImportException.class).isThrownBy(() -> ResultImport.read(table));
            return;
        }
        Published p = ResultImport.read(table).getFirst();
        String told = Stream.concat(
                        p.figures().entrySet().stream()
                                .map(e -> e.getKey().name().toLowerCase(Locale.ROOT) + "=" + number(e.getValue())),
                        p.percentiles().entrySet().stream().map(e -> "p" + e.getKey() + "=" + number(e.getValue())))
                .sorted()
                .collect(Collectors.joining(" "));
        assertThat(told).isEqualTo(Stream.of(read.split(" ", -1)).sorted().collect(Collectors.joining(" ")));
    }

    private static String number(double v) {
        return BigDecimal.valueOf(Math.round(v * 1e9), 9).stripTrailingZeros().toPlainString();
    }

    @Test
    void whatIsLeftOutIsTold() {
        Published p = ResultImport.read("""
                | server | users | connections | threads | rate |
                |---|---|---|---|---|
                | Jetty | 100 | 600 | 8 | 10 |
                """).getFirst();
        assertThat(p.label())
                .isEqualTo("Jetty, users 100 (left out: another column is named alike), connections 600"
                        + " (left out: another column is named alike), threads 8");
    }
}
