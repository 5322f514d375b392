package dev.fettle.report.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import dev.fettle.insight.history.History;
import dev.fettle.insight.history.Levels;
import dev.fettle.insight.history.PastRun;
import dev.fettle.report.document.Checks;
import dev.fettle.report.document.Document;
import dev.fettle.report.history.HistoryDocument;
import dev.fettle.report.history.HistoryReport;
import dev.fettle.report.history.HistoryReport.Standing;
import dev.fettle.report.html.HtmlReport;
import dev.fettle.report.json.KeptResult.Found;
import dev.fettle.report.markdown.MarkdownReport;
import dev.fettle.report.table.JunitReport;
import dev.fettle.report.text.TextReport;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Many gates and benches, made of a real one of each, in all forms. */
class HistoryReportTest {
    private static final Instant START = Instant.parse("2026-03-01T03:00:00Z");

    private final ObjectMapper json = new ObjectMapper();

    /** Thirty nights: from the twentieth on the head takes 5 % more CPU time; the twelfth night's gate is void. */
    private List<PastRun> gates(int n, double loss) throws Exception {
        JsonNode sample = json.readTree(KeptResultTest.sample("gate.json"));
        var r = new Random(4);
        var runs = new ArrayList<PastRun>();
        double machine = 1;
        for (int i = 0; i < n; i++) {
            machine *= 1 + 0.01 * r.nextGaussian();
            ObjectNode gate = sample.deepCopy();
            gate.put("runId", "shop-" + i)
                    .put("started", START.plus(Duration.ofDays(i)).toString());
            ((ObjectNode) gate.path("plan").path("gate"))
                    .put("head", "shop.jar of %09x, SHA-256 0".formatted(0xabcd0000L + i));
            ObjectNode found = (ObjectNode) gate.path("conclusion");
            found.put("result", i == 12 ? "not_valid" : "no_worse");
            for (JsonNode m : found.path("metrics")) {
                double by = m.path("metric").asText().equals("cpu") && i >= 20 ? 1 + loss : 1;
                double base = m.path("base").asDouble() * machine * (1 + 0.004 * r.nextGaussian());
                ((ObjectNode) m).put("base", base).put("head", base * by * (1 + 0.004 * r.nextGaussian()));
            }
            runs.add(((Found.Kept) new KeptResult().read(gate.toString(), "g" + i, "g" + i)).run());
        }
        return runs;
    }

    private List<PastRun> benches(int n) throws Exception {
        var runs = new ArrayList<PastRun>();
        for (int i = 0; i < n; i++) {
            ObjectNode bench = (ObjectNode) json.readTree(KeptResultTest.sample("bench.json"));
            bench.put("started", START.plus(Duration.ofDays(i)).toString());
            runs.add(((Found.Kept) new KeptResult().read(bench.toString(), "b" + i + ".json", "b" + i)).run());
        }
        return runs;
    }

    private static HistoryReport report(List<PastRun> runs, Optional<Instant> since) {
        return new HistoryReport(
                History.of(runs, Set.of(), Levels.usual(), History.usualLeast()),
                since,
                Map.of("a tune", 2),
                1,
                List.of("x.json: no JSON"));
    }

    private HistoryReport whole() throws Exception {
        var runs = gates(30, 0.05);
        runs.addAll(benches(9));
        return report(runs, Optional.empty());
    }

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
        JsonNode d = conforming(whole());
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
        conforming(report(List.of(), Optional.of(START)));
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
        HistoryReport r = whole();
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
        String page = new HtmlReport().render(whole());
        for (String id : List.of("history-0-cpu", "history-0-throughput", "history-1-cpu", "history-1-errors")) {
            assertThat(page).contains("data-chart=\"" + id + "\"").contains("\"id\":\"" + id + "\"");
        }
        assertThat(new HtmlReport().render(whole())).isEqualTo(page);
    }

    @Test
    void whatIsBeforeSinceIsNeitherShownNorJudged() throws Exception {
        List<PastRun> runs = gates(30, 0.05);
        assertThat(report(runs, Optional.of(START.plus(Duration.ofDays(20)))).standing())
                .isEqualTo(Standing.WORSE);
        HistoryReport later = report(runs, Optional.of(START.plus(Duration.ofDays(21))));
        assertThat(later.standing()).isEqualTo(Standing.NO_CHANGE);
        Document d = HistoryDocument.of(later);
        assertThat(d.checks().all()).allMatch(c -> c.outcome() == Checks.Outcome.PASSED);
        assertThat(new TextReport(100, false).document(d)).doesNotContain("0abcd0014");
        assertThat(new HtmlReport().render(later)).doesNotContain("0abcd0013");
    }

    @Test
    void aGainIsNoLoss() throws Exception {
        HistoryReport r = report(gates(30, -0.05), Optional.empty());
        assertThat(r.standing()).isEqualTo(Standing.BETTER);
        assertThat(r.losses()).isEmpty();
    }

    @Test
    void fewRunsAreTooFewAndNoneIsNothing() throws Exception {
        HistoryReport few = report(gates(7, 0), Optional.empty());
        assertThat(few.standing()).isEqualTo(Standing.TOO_FEW);
        assertThat(HistoryDocument.of(few).checks().all()).allMatch(c -> c.outcome() == Checks.Outcome.SKIPPED);
        assertThat(report(gates(8, 0), Optional.empty()).standing()).isEqualTo(Standing.NO_CHANGE);
        HistoryReport none = report(List.of(), Optional.empty());
        assertThat(none.standing()).isEqualTo(Standing.NOTHING);
        assertThat(new HtmlReport().render(none)).contains("</html>");
        assertThat(MarkdownReport.of(HistoryDocument.of(none))).isNotBlank();
    }
}
