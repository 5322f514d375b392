package dev.fettle.model.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import dev.fettle.model.imports.Published.Figure;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What load generators print, as they print it. */
class ResultImportTest {
    private static Published one(String text) {
        List<Published> all = ResultImport.read(text);
        assertThat(all).hasSize(1);
        return all.getFirst();
    }

    private static void has(Published p, Map<Figure, Double> figures) {
        figures.forEach((f, v) ->
                assertThat(p.get(f).orElse(Double.NaN)).as(f.name()).isCloseTo(v, within(1e-6 * Math.max(1, v))));
    }

    @Test
    void ab() {
        Published p = one("""
                Document Path:          /test.jsp
                Document Length:        253 bytes

                Concurrency Level:      2000
                Time taken for tests:   4.089 seconds
                Complete requests:      50000
                Failed requests:        12
                   (Connect: 0, Receive: 0, Length: 12, Exceptions: 0)
                Non-2xx responses:      7
                Keep-Alive requests:    49000
                Total transferred:      25100000 bytes
                Requests per second:    12227.55 [#/sec] (mean)
                Time per request:       163.565 [ms] (mean)

                              min  mean[+/-sd] median   max
                Connect:        9   77 138.5     54    1070
                Processing:    15   81  51.7     76     617
                Total:         40  158 148.6    127    1221

                  50%    127
                  99%   1105
                 100%   1221 (longest request)
                """);
        has(
                p,
                Map.of(
                        Figure.CLIENTS, 2000.0,
                        Figure.MEAN, 0.158,
                        Figure.CONNECT_MAX, 1.070,
                        Figure.PROCESSING_MAX, 0.617,
                        Figure.OTHER_LENGTH, 12.0, // which have not failed
                        Figure.FAILED, 7.0,
                        Figure.WRONG, 7.0,
                        Figure.BYTES, 25_100_000.0));
        assertThat(p.percentiles()).isEqualTo(Map.of(50.0, 0.127, 99.0, 1.105));
        assertThat(p.keepAlive()).contains(true);
        assertThat(p.label()).isEqualTo("/test.jsp");
    }

    @Test
    void wrk() {
        Published p = one("""
                Running 30s test @ http://127.0.0.1:8080/index.html
                  12 threads and 400 connections
                  Thread Stats   Avg      Stdev     Max   +/- Stdev
                    Latency   635.91us    0.89ms  12.92ms   93.69%
                    Req/Sec    56.20k     8.07k   62.00k    86.54%
                  Latency Distribution
                     50%  250.00us
                     99%    5.80ms
                  22464657 requests in 30.00s, 17.76GB read
                  Socket errors: connect 0, read 5, write 0, timeout 10
                  Non-2xx or 3xx responses: 100
                Requests/sec: 748868.53
                Transfer/sec:    606.33MB
                """);
        has(
                p,
                Map.of(
                        Figure.CLIENTS, 400.0,
                        Figure.SECONDS, 30.0,
                        Figure.RESPONSES, 22_464_657.0,
                        Figure.MEAN, 635.91e-6,
                        Figure.MAX, 0.01292,
                        Figure.WRONG, 100.0,
                        Figure.FAILED, 115.0));
        assertThat(p.percentiles()).containsEntry(99.0, 0.0058).hasSize(2);
    }

    @Test
    void hey() {
        Published p = one("""
                Summary:
                  Total:	2.0042 secs
                  Slowest:	0.1041 secs
                  Fastest:	0.0501 secs
                  Average:	0.0512 secs
                  Requests/sec:	976.9484
                  Size/request:	13 bytes

                Latency distribution:
                  50% in 0.0508 secs
                  99% in 0.0921 secs

                Status code distribution:
                  [200]	1950 responses
                  [503]	8 responses

                Error distribution:
                  [3]	Get "http://127.0.0.1:8080/": EOF
                """);
        has(p, Map.of(Figure.MEAN, 0.0512, Figure.RESPONSES, 1958.0, Figure.WRONG, 8.0, Figure.FAILED, 11.0));
        assertThat(p.has(Figure.CLIENTS)).isFalse();
        assertThat(p.percentiles()).containsEntry(99.0, 0.0921);
    }

    @ParameterizedTest
    @ValueSource(strings = {"""
            ** Preparing 100 concurrent users for battle.
            Transactions:		       25084 hits
            Availability:		       99.98 %
            Elapsed time:		      119.96 secs
            Response time:		        0.01 secs
            Transaction rate:	      209.10 trans/sec
            Concurrency:		        1.03
            Failed transactions:	           5
            """, """
            ** Preparing 100 concurrent users for battle.
            {	"transactions":			       25084,
            	"availability":			       99.98,
            	"elapsed_time":			      119.96,
            	"response_time":		        0.01,
            	"transaction_rate":		      209.10,
            	"failed_transactions":		           5 }
            """})
    void siege(String text) {
        Published p = one(text);
        has(
                p,
                Map.of(
                        Figure.CLIENTS, 100.0,
                        Figure.RESPONSES, 25084.0,
                        Figure.THROUGHPUT, 209.10,
                        Figure.MEAN, 0.01,
                        Figure.FAILED, 5.0));
        assertThat(p.tool()).isEqualTo("siege");
    }

    @Test
    void k6() {
        Published p = one("""
                     data_received..................: 11 MB  360 kB/s
                     http_req_duration..............: avg=130.19ms min=109.62ms med=118.91ms max=1.2s p(90)=154.1ms p(95)=156.23ms
                       { expected_response:true }...: avg=130ms min=1ms med=2ms max=3ms p(90)=4ms p(95)=5ms
                     http_req_failed................: 0.50%  ✓ 4         ✗ 796
                     http_reqs......................: 800    26.6/s
                     vus............................: 5      min=5       max=10
                     vus_max........................: 10     min=10      max=10
                """);
        has(
                p,
                Map.of(
                        Figure.CLIENTS, 10.0,
                        Figure.MEAN, 0.13019,
                        Figure.MAX, 1.2,
                        Figure.RESPONSES, 800.0,
                        Figure.FAILED, 4.0,
                        Figure.BYTES_PER_SECOND, 360 * 1024.0));
        assertThat(p.percentiles())
                .containsEntry(50.0, 0.11891)
                .hasSize(3)
                .hasEntrySatisfying(95.0, v -> assertThat(v).isCloseTo(0.15623, within(1e-9)));
    }

    @Test
    void k6SaysVusWithoutTheirMaximum() {
        has(one("""
                     http_req_duration..............: avg=200ms min=100ms med=200ms max=1.2s p(90)=250ms p(95)=300ms
                     http_reqs......................: 1500   50/s
                     vus............................: 10     min=10       max=10
                """), Map.of(Figure.CLIENTS, 10.0));
    }

    @Test
    void jmeter() {
        Published summary = one("""
                summary +   5000 in 00:00:12 =  416.7/s Avg:   230 Min:     1 Max:  3000 Err:     0 (0.00%) Active: 100 Started: 100 Finished: 0
                summary =  12345 in 00:01:30 =  137.2/s Avg:   231 Min:     1 Max:  3000 Err:     9 (0.07%)
                """);
        has(
                summary,
                Map.of(
                        Figure.RESPONSES, 12345.0,
                        Figure.SECONDS, 90.0,
                        Figure.MEAN, 0.231,
                        Figure.FAILED, 9.0,
                        Figure.CLIENTS, 100.0));

        List<Published> aggregate = ResultImport.read("""
                Label,# Samples,Average,Median,90% Line,95% Line,99% Line,Min,Max,Error %,Throughput,Received KB/sec,Std. Dev.
                home,"1,000",230,200,300,400,900,1,1000,0.50%,100.0,36.5,1.0
                TOTAL,1000,230,200,300,400,900,1,1000,0.50%,100.0,36.5,1.0
                """);
        assertThat(aggregate).hasSize(2);
        has(
                aggregate.getFirst(),
                Map.of(Figure.RESPONSES, 1000.0, Figure.MEAN, 0.23, Figure.FAILED, 5.0, Figure.THROUGHPUT, 100.0));
        assertThat(aggregate.getFirst().percentiles()).containsEntry(99.0, 0.9).hasSize(4);

        Published jtl = one("""
                timeStamp,elapsed,label,responseCode,responseMessage,threadName,success,bytes,grpThreads,allThreads,Latency,Connect
                1000,100,home,200,OK,"t, 1",true,500,2,2,90,1
                1100,300,home,500,Bad,t 2,false,100,2,2,290,1001
                1400,200,home,Non HTTP response code: java.net.SocketTimeoutException,x,t 1,false,0,2,2,0,1
                1600,100
                """);
        has(
                jtl,
                Map.of(
                        Figure.CLIENTS, 2.0,
                        Figure.MEAN, 0.2,
                        Figure.SECONDS, 0.6,
                        Figure.RESPONSES, 2.0,
                        Figure.WRONG, 1.0,
                        Figure.FAILED, 2.0,
                        Figure.CONNECT_MAX, 1.001,
                        Figure.BYTES, 600.0));
    }

    @Test
    void aTableInMarkdownIsOneResultARow() {
        List<Published> all = ResultImport.read("""
                Some words | and more.

                | server | users | RPS | avg (ms) | p99 (ms) | errors | max (s) |
                |:-------|------:|----:|---------:|---------:|-------:|---|
                | **Tomcat** | 1,000 | 2,415 | 382 | 900 | 0.5 % | 2 |
                | Jetty | 100 | 1.5k/s | 50 | | | |

                Nothing here.
                """);
        assertThat(all).extracting(Published::label).containsExactly("Tomcat", "Jetty");
        has(
                all.getFirst(),
                Map.of(Figure.CLIENTS, 1000.0, Figure.THROUGHPUT, 2415.0, Figure.MEAN, 0.382, Figure.MAX, 2.0));
        assertThat(all.getFirst().percentiles()).containsEntry(99.0, 0.9);
        assertThat(all.getFirst().get(Figure.FAILED).orElseThrow()
                        / all.getFirst().get(Figure.RESPONSES).orElseThrow())
                .isCloseTo(0.005, within(1e-9));
        has(all.get(1), Map.of(Figure.THROUGHPUT, 1500.0));
    }

    @ParameterizedTest
    @CsvSource({"0.00,0.005,true", "0.01,0.01,false", "0,0.5,true"})
    void aMeanThatIsRoundedToZeroIsAtMostHalfOfItsLastDigit(String text, double seconds, boolean rounded) {
        Published p = Amounts.mean(Published.of("siege", ""), text, 1);
        assertThat(p.get(Figure.MEAN).orElseThrow()).isCloseTo(seconds, within(1e-12));
        assertThat(p.rounded()).isEqualTo(rounded);
    }

    @ParameterizedTest
    @CsvSource({"13,1e-3,0.0005,0.0005", "0.01,1,0.005,0.005", "1.2ms,1,0.00005,0.00005"})
    void aMeanIsAsExactAsItsLastDigit(String text, double unit, double below, double above) {
        Published p = Amounts.mean(Published.of("", ""), text, unit);
        assertThat(p.meanBelow()).isCloseTo(below, within(1e-12));
        assertThat(p.meanAbove()).isCloseTo(above, within(1e-12));
        Published cut = Amounts.cutMean(Published.of("", ""), text, unit);
        assertThat(cut.meanBelow()).isZero();
        assertThat(cut.meanAbove()).isCloseTo(below + above, within(1e-12));
        assertThat(p.with(Figure.MEAN, 1).meanBelow()).isZero();
        assertThat(Published.of("given", "").or(p).meanAbove()).isEqualTo(p.meanAbove());
        assertThat(Published.of("given", "").with(Figure.MEAN, 1).or(p).meanAbove())
                .isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "'', 'no result of ab, wrk'",
        "hello, 'no result of ab, wrk'",
        "'{\"a\": 1}', 'no result of ab, wrk'",
        "'| a | b |\n|---|---|\n| 1 | 2 |\n', 'of this table''s columns none is known by its heading (a, b)'",
    })
    void whatIsNoResultIsRefused(String text, String why) {
        assertThatExceptionOfType(ImportException.class)
                .isThrownBy(() -> ResultImport.read(text))
                .withMessageContaining(why);
    }

    @ParameterizedTest
    @CsvSource({
        "'Concurrency Level: 10\nRequests per second: 5', '  100 requests in 1.00s, 5MB read\nRequests/sec: 100', ab and of wrk",
        "'  100 requests in 1.00s, 5MB read\nRequests/sec: 100', 'Summary:\n  Slowest: 0.1 secs\n  Requests/sec: 50', wrk and of hey",
        "'Transaction rate: 5 trans/sec', 'http_reqs......: 100 5/s', siege and of k6"
    })
    void resultsOfTwoGeneratorsAreRefusedRatherThanHalfRead(String one, String other, String tools) {
        assertThatExceptionOfType(ImportException.class)
                .isThrownBy(() -> ResultImport.read((one + "\n\n" + other).replace("\\n", "\n")))
                .withMessageContaining("of " + tools)
                .withMessageContaining("a file of their own");
    }

    @Test
    void whatIsTypedCompletesWhatWasRead() {
        Published read = Published.of("hey", "").with(Figure.THROUGHPUT, 10).withKeepAlive(true);
        Published both = Published.of("given", "").with(Figure.CLIENTS, 5).or(read);
        assertThat(both.figures()).hasSize(2);
        assertThat(both.keepAlive()).isEqualTo(Optional.of(true));
    }

    @Test
    void whatIsTypedIsNoLongerCalculated() {
        Published read = Published.of("k6", "").with(Figure.THROUGHPUT, 10).withDerived(Figure.SECONDS, 30);
        assertThat(read.derived()).containsExactly(Figure.SECONDS);
        assertThat(read.named("k6", "x")
                        .withKeepAlive(true)
                        .with(99, 1)
                        .withMean(1, 0, 0)
                        .derived())
                .containsExactly(Figure.SECONDS);
        assertThat(Published.of("given", "").with(Figure.CLIENTS, 5).or(read).derived())
                .containsExactly(Figure.SECONDS);
        assertThat(Published.of("given", "").with(Figure.SECONDS, 31).or(read).derived())
                .isEmpty();
        assertThat(read.with(Figure.SECONDS, 31).derived()).isEmpty();
    }

    /** Figures of a tool whose columns are not known must not be taken for another's. */
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '~',
            delimiter = ';',
            value = {
                "vegeta; ~Requests      [total, rate, throughput]   500, 50.10, 50.08\nLatencies     [min, mean, 50, 90, 95, 99, max]  1.21ms, 3.4ms, 2.9ms, 5.1ms, 6.3ms, 12.4ms, 40.5ms~",
                "vegeta; ~{\"latencies\":{\"total\":1700000000,\"mean\":3400000,\"99th\":12400000},\"requests\":500,\"rate\":50.1}~",
                "autocannon; ~Running 10s test @ http://localhost:8080\n10 connections\n\n70k requests in 10.02s, 14.1 MB read~",
                "autocannon; ~{\"url\":\"http://localhost\",\"connections\":10,\"sampleInt\":1000,\"latency\":{\"p99\":5}}~",
                "Gatling; ~---- Global Information ----\n> request count    10000 (OK=9900   KO=100   )~",
                "Gatling; ~{\"name\":\"All Requests\",\"numberOfRequests\":{\"total\":10000,\"ok\":9900}}~",
                "Locust; ~Type,Name,Request Count,Failure Count,Median Response Time\nGET,/,10,0,5~",
                "Artillery; ~All VUs finished. Total time: 10 seconds\nvusers.created: .... 100~",
            })
    void aToolThatIsNotReadIsNamed(String tool, String text) {
        assertThatExceptionOfType(ImportException.class)
                .isThrownBy(() -> ResultImport.read(text.replace("\\n", "\n")))
                .withMessageContainingAll("a result of " + tool + ", which is not read", "as options")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain("\n"));
    }
}
