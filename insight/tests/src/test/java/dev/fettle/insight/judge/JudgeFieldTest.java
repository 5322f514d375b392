package dev.fettle.insight.judge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.fettle.insight.judge.Judgement.Finding;
import dev.fettle.model.imports.ImportException;
import dev.fettle.model.imports.Published;
import dev.fettle.model.imports.Published.Figure;
import dev.fettle.model.imports.ResultImport;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Results as they were found in the field: failed connects, deadlines, and tables of all forms. */
class JudgeFieldTest {
    private static Judgement judged(String text) {
        return Judge.of(ResultImport.read(text).getFirst());
    }

    private static List<String> refusals(Judgement j) {
        return j.refusals().stream().map(Finding::rule).toList();
    }

    private static List<String> cautions(Judgement j) {
        return j.cautions().stream().map(Finding::rule).toList();
    }

    private static String wrk(int connections, String mean, int requests, int failedConnects) {
        return """
                Running 30s test @ http://127.0.0.1:8080/
                  4 threads and %d connections
                  Thread Stats   Avg      Stdev     Max   +/- Stdev
                    Latency    %s   20.10ms 310.22ms   80.12%%
                  %d requests in 30.00s, 20.10MB read
                  Socket errors: connect %d, read 0, write 0, timeout 0
                Requests/sec:   %.2f
                """.formatted(connections, mean, requests, failedConnects, requests / 30.0);
    }

    @ParameterizedTest
    @CsvSource({
        "300, 91.60ms, 78612, 252, true, 256", // 240 in flight: open files
        "2000, 100.00ms, 303000, 990, true, '1,024'",
        "300, 50.00ms, 78612, 252, true, -", // 131: what kept them out is not known
        "300, 113.00ms, 78612, 1, false, -", // all were there
    })
    void connectsThatFailedLeaveFewerClients(
            int clients, String mean, int requests, int connects, boolean refused, String files) {
        Judgement j = judged(wrk(clients, mean, requests, connects));
        assertThat(refusals(j).contains("littles-law")).isEqualTo(refused);
        if (!files.equals("-")) {
            assertThat(j.refusals().getFirst().message()).contains(files + " files", "ulimit -n");
        } else if (refused) {
            assertThat(j.refusals().getFirst().message()).doesNotContain("may open");
        }
    }

    @Test
    void connectsThatFailedNextToSoundAnswersAreSaid() {
        Judgement j = judged(wrk(20, "9.90ms", 60012, 12_522));
        assertThat(j.refusals()).isEmpty();
        assertThat(j.cautions())
                .filteredOn(f -> f.rule().equals("connect-errors"))
                .singleElement()
                .satisfies(f -> assertThat(f.message()).contains("12,522"));
        assertThat(cautions(judged(wrk(20, "9.90ms", 60012, 0)))).doesNotContain("connect-errors");
    }

    /** Seven are not the 924 that had nothing to do. */
    @Test
    void connectsThatFailedExplainOnlyThemselves() {
        Judgement j = judged(wrk(1024, "10.00ms", 300_000, 7));
        assertThat(refusals(j)).containsExactly("littles-law");
        assertThat(j.refusals().getFirst().message()).doesNotContain("connect", "ulimit");
        assertThat(cautions(j)).contains("connect-errors");
        assertThat(judged(wrk(300, "91.60ms", 78_612, 59)).refusals().getFirst().message())
                .contains("connects failed");
    }

    @ParameterizedTest
    @CsvSource({"40940, 0, true", "40940, 8000, false", "0, 48940, false"})
    void answersLookSoundOnlyIfTheyAre(int good, int bad, boolean sound) {
        String hey = """
                Summary:
                  Total:	10.0034 secs
                  Slowest:	0.2030 secs
                  Fastest:	0.0012 secs
                  Average:	0.0102 secs
                  Requests/sec:	%.4f

                Status code distribution:
                  [200]	%d responses
                  [503]	%d responses

                Error distribution:
                  [12]	Get "http://127.0.0.1:8080/": dial tcp 127.0.0.1:8080: connect: connection refused
                """.formatted((good + bad + 12) / 10.0034, good, bad);
        assertThat(judged(hey).cautions())
                .filteredOn(f -> f.rule().equals("connect-errors"))
                .singleElement()
                .satisfies(f -> assertThat(f.message().contains("look sound")).isEqualTo(sound));
    }

    /** What is under way when its time is up, it gives up itself; whether its rate counts those depends on its version. */
    @ParameterizedTest
    @CsvSource({"4900, 500", "5400, 500", "4900, 0"})
    void whatTheGeneratorGaveUpItselfHasNotFailed(int counted, int givenUp) {
        Published p = ResultImport.read("""
                Summary:
                  Success rate:	100.00%%
                  Total:	1.0000 secs
                  Slowest:	0.2030 secs
                  Fastest:	0.0012 secs
                  Average:	0.1002 secs
                  Requests/sec:	%d.0000

                  Size/request:	12 B

                Response time distribution:
                  50.00%% in 0.0953 secs
                  99.90%% in 0.1500 secs

                Status code distribution:
                  [200] 4900 responses

                Error distribution:
                  [%d] aborted due to deadline
                """.formatted(counted, givenUp)).getFirst();
        assertThat(p.tool()).isEqualTo("oha");
        assertThat(p.get(Figure.FAILED)).hasValue(0);
        assertThat(p.get(Figure.LOST)).isEmpty();
        assertThat(p.get(Figure.THROUGHPUT).orElseThrow()).isCloseTo(4900, within(0.01));
        assertThat(p.percentiles()).containsEntry(99.9, 0.15);
        assertThat(refusals(Judge.of(p))).isEmpty();
    }

    private static String ab(double first, double last, double waiting) {
        return """
                Concurrency Level:      100
                Time taken for tests:   %1$.3f seconds
                Complete requests:      100
                Failed requests:        0
                Requests per second:    %4$.2f [#/sec] (mean)
                Connection Times (ms)
                              min  mean[+/-sd] median   max
                Connect:        0    0   0.1      0       1
                Processing: %2$.0f %2$.0f   1.0  %2$.0f   %3$.0f
                Waiting:        1    %5$.0f   0.6      %5$.0f       %5$.0f
                Total:      %2$.0f %2$.0f   1.2  %2$.0f   %3$.0f
                """.formatted(last / 1000, first, last, 100_000 / last, waiting);
    }

    @ParameterizedTest
    @CsvSource({
        "10016, 10020, 2, true",
        "5001, 5004, 5001, true",
        "30002, 30090, 3, true",
        "60010, 60200, 3, true",
        "10016, 10400, 9000, false", // it varies
        "9000, 10020, 9000, false",
        "7016, 7020, 2, false", // no round time
        "16, 20, 2, false",
    })
    void anAnswerThatAlwaysEndsAfterTheSameTimeIsADeadline(
            double first, double last, double waiting, boolean deadline) {
        assertThat(refusals(judged(ab(first, last, waiting))).contains("deadline"))
                .isEqualTo(deadline);
    }

    private static final String ROWS = "Tool A | 4100 Requests | 0 | 31 | 64.5";

    @ParameterizedTest
    @ValueSource(
            strings = {
                "| | Successful | Errors | Total time (s) | Mean (ms) |\n|---|---|---|---|---|\n| " + ROWS + " |",
                " | Successful | Errors | Total time (s) | Mean (ms)\n---|---|---|---|---\n" + ROWS,
                "| Successful | Errors | Total time (s) | Mean (ms)\n:--|--:|:-:|---|---\n" + ROWS,
                "|| Successful | Errors | Total time (s) | Mean (ms) |\n|---|---|---|---|---|\n| " + ROWS + " |",
                "| | Tool A |\n|---|---|\n| Successful | 4100 Requests |\n| Errors | 0 |\n| Total time (s) | 31 |\n| Mean (ms) | 64.5 |",
                "| | Successful | Errors | Total time (s) | Mean (ms) |\n|---|---|---|---|---|\n| Tool A | 4.100 | 0 | 31 | 64,5 |",
                "| | Successful | Errors | Total time (s) | Mean (ms) |\n|---|---|---|---|---|\n| Tool A | 4 100 | 0 | 31 | 64.5 |",
            })
    void aTableIsReadWhateverItsForm(String table) {
        Published p = ResultImport.read(table).getFirst();
        assertThat(p.label()).contains("Tool A");
        assertThat(p.get(Figure.RESPONSES)).hasValue(4100);
        assertThat(p.get(Figure.FAILED)).hasValue(0);
        assertThat(p.get(Figure.SECONDS)).hasValue(31);
        assertThat(p.get(Figure.MEAN)).hasValue(0.0645);
        assertThat(p.get(Figure.THROUGHPUT).orElseThrow()).isCloseTo(132.26, within(0.01));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "| clients | total requests | failed requests | average response time in seconds | test duration (ms) |",
                "| users | Number of requests | error count | mean latency in s | duration (ms) |",
                "| VUs | # Requests | Unsuccessful Responses | Avg (sec) | Test duration (ms) |",
                "| Connections | Total responses | # errors | response time in seconds | elapsed (ms) |",
            })
    void columnsAreKnownByMoreThanOneName(String heading) {
        Published p = ResultImport.read(heading + "\n|---|---|---|---|---|\n| 100 | 20000 | 11000 | 0.05 | 10000 |")
                .getFirst();
        assertThat(p.label()).isEmpty();
        assertThat(p.get(Figure.RESPONSES)).hasValue(20_000);
        assertThat(p.get(Figure.FAILED)).hasValue(11_000);
        assertThat(p.get(Figure.MEAN)).hasValue(0.05);
        assertThat(p.get(Figure.SECONDS)).hasValue(10);
        assertThat(refusals(Judge.of(p))).contains("mostly-failed");
    }

    @ParameterizedTest
    @CsvSource({
        "1M, 1000000",
        "1.2M req/s, 1200000",
        "90000 req/min, 1500",
        "90k/min, 1500",
        "12.5k req/s, 12500",
        "600/s, 600"
    })
    void ratesHaveUnitsOfTheirOwn(String cell, double rate) {
        Published p = ResultImport.read("| clients | throughput |\n|---|---|\n| 10 | " + cell + " |")
                .getFirst();
        assertThat(p.get(Figure.THROUGHPUT).orElseThrow()).isCloseTo(rate, within(1e-6));
    }

    @Test
    void anErrorRateIsNoCount() {
        Published p = ResultImport.read(
                        "| clients | rps | error rate | errors/s |\n|---|---|---|---|\n| 10 | 100 | 3 | 7 |")
                .getFirst();
        assertThat(p.get(Figure.FAILED)).isEmpty();
        assertThat(p.label()).contains("error rate 3", "errors/s 7");
    }

    @Test
    void halfOfTheAttemptsFailed() {
        String table =
                "| clients | requests | answered | errors | mean (ms) | rps |\n|---|---|---|---|---|---|\n| 100 | 500 | 250 | 0 | 100 | 50 |";
        assertThat(ResultImport.read(table).getFirst().get(Figure.FAILED)).hasValue(250);
        Judgement j = judged(table);
        assertThat(refusals(j)).doesNotContain("littles-law");
        assertThat(cautions(j)).contains("errors");
    }

    @Test
    void aTableOfSomethingElseIsNotGuessed() {
        assertThatThrownBy(() -> ResultImport.read("| Flavour | Size |\n|---|---|\n| a | 3 |"))
                .isInstanceOf(ImportException.class)
                .hasMessageContaining("Flavour, Size");
    }
}
