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
