package dev.fettle.report.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import dev.fettle.insight.history.PastRun;
import dev.fettle.report.Histories;
import dev.fettle.report.document.Checks;
import dev.fettle.report.document.Document;
import dev.fettle.report.history.HistoryDocument;
import dev.fettle.report.history.HistoryReport;
import dev.fettle.report.history.HistoryReport.Standing;
import dev.fettle.report.html.HtmlReport;
import dev.fettle.report.markdown.MarkdownReport;
import dev.fettle.report.table.JunitReport;
import dev.fettle.report.text.TextReport;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Many gates and benches, made of a real one of each, in all forms. */
class HistoryReportTest {
    private final ObjectMapper json = new ObjectMapper();

    private JsonNode conforming(HistoryReport r) throws Exception {
        JsonNode document = json.readTree(HistoryJson.of(r));
        assertThat(JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                        .getSchema(Objects.requireNonNull(
                                HistoryJson.class.getResourceAsStream("/dev/fettle/report/history.schema.json")))
                        .validate(document))
                .isEmpty();
        return document;
    }

    @Test
    void jsonConformsToItsSchema() throws Exception {
        JsonNode d = conforming(Histories.found());
        assertThat(d.path("standing").asText()).isEqualTo("worse");
        assertThat(d.path("series")).hasSize(2);
        assertThat(d.at("/search/level").asDouble()).isEqualTo(0.00005);
        JsonNode gates = d.at("/series/0");
        assertThat(gates.at("/runs/12/void").isTextual()).isTrue();
        assertThat(gates.at("/runs/3/commit").asText()).isEqualTo("0abcd0003");
        JsonNode cpu = metric(gates, "cpu");
        assertThat(cpu.path("points")).hasSize(29);
        assertThat(cpu.path("changes")).hasSize(1);
        assertThat(cpu.at("/changes/0/run").asInt()).isEqualTo(20);
        assertThat(cpu.at("/changes/0/loss").asBoolean()).isTrue();
        assertThat(cpu.at("/changes/0/change").asDouble()).isBetween(1.04, 1.06);
        assertThat(cpu.at("/drift/references").asInt()).isEqualTo(1);
        assertThat(metric(gates, "throughput").path("changes")).isEmpty();
        assertThat(metric(d.at("/series/1"), "cpu").has("drift")).isFalse();
        assertThat(d.at("/leftOut/a tune").asInt()).isEqualTo(2);
        conforming(Histories.report(List.of(), Optional.of(Histories.START)));
    }

    private static JsonNode metric(JsonNode series, String id) {
        for (JsonNode m : series.path("metrics")) {
            if (m.path("metric").asText().equals(id)) {
                return m;
            }
        }
        throw new AssertionError("no " + id);
    }

    /** The same figures in all of them. */
    @Test
    void everyOutputNamesTheCommit() throws Exception {
        HistoryReport r = Histories.found();
        Document d = HistoryDocument.of(r);
        for (String out :
                List.of(new TextReport(100, false).document(d), MarkdownReport.of(d), new HtmlReport().render(r))) {
            assertThat(out.replace('\u00a0', ' ')).contains("0abcd0014").containsPattern("\\+[45][.][0-9] %");
            assertThat(out).contains("x.json: no JSON");
        }
        assertThat(JunitReport.of(d)).contains("failures=\"1\"");
        assertThat(d.head().badge()).isEqualTo("Worse");
        assertThat(new TextReport(100, false).document(d).lines()).allMatch(l -> l.length() <= 100);
    }

    @Test
    void thePageHasAPlotForEachMetric() throws Exception {
        String page = new HtmlReport().render(Histories.found());
        for (String id : List.of("history-0-cpu", "history-0-throughput", "history-1-cpu", "history-1-errors")) {
            assertThat(page).contains("data-chart=\"" + id + "\"").contains("\"id\":\"" + id + "\"");
        }
        assertThat(new HtmlReport().render(Histories.found())).isEqualTo(page);
    }

    @Test
    void whatIsBeforeSinceIsNeitherShownNorJudged() throws Exception {
        List<PastRun> runs = Histories.gates(30, 0.05);
        assertThat(Histories.report(runs, Optional.of(Histories.START.plus(Duration.ofDays(20))))
                        .standing())
                .isEqualTo(Standing.WORSE);
        HistoryReport later = Histories.report(runs, Optional.of(Histories.START.plus(Duration.ofDays(21))));
        assertThat(later.standing()).isEqualTo(Standing.NO_CHANGE);
        Document d = HistoryDocument.of(later);
        assertThat(d.checks().all()).allMatch(c -> c.outcome() == Checks.Outcome.PASSED);
        assertThat(new TextReport(100, false).document(d)).doesNotContain("0abcd0014");
        assertThat(new HtmlReport().render(later)).doesNotContain("0abcd0013");
    }

    @Test
    void aGainIsNoLoss() throws Exception {
        HistoryReport r = Histories.report(Histories.gates(30, -0.05), Optional.empty());
        assertThat(r.standing()).isEqualTo(Standing.BETTER);
        assertThat(r.losses()).isEmpty();
    }

    @Test
    void fewRunsAreTooFewAndNoneIsNothing() throws Exception {
        HistoryReport few = Histories.report(Histories.gates(7, 0), Optional.empty());
        assertThat(few.standing()).isEqualTo(Standing.TOO_FEW);
        assertThat(HistoryDocument.of(few).checks().all()).allMatch(c -> c.outcome() == Checks.Outcome.SKIPPED);
        assertThat(Histories.report(Histories.gates(8, 0), Optional.empty()).standing())
                .isEqualTo(Standing.NO_CHANGE);
        HistoryReport none = Histories.report(List.of(), Optional.empty());
        assertThat(none.standing()).isEqualTo(Standing.NOTHING);
        assertThat(new HtmlReport().render(none)).contains("</html>");
        assertThat(MarkdownReport.of(HistoryDocument.of(none))).isNotBlank();
    }
}
