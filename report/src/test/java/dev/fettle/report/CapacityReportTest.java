package dev.fettle.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fettle.insight.CapacityConclusion;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.report.document.CapacityDocument;
import dev.fettle.report.html.HtmlReport;
import dev.fettle.report.json.CapacityJson;
import dev.fettle.report.text.TextReport;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A capacity search as text, JSON and HTML. */
class CapacityReportTest {
    static Stream<Map.Entry<String, CapacityReport>> all() {
        return Capacities.all().entrySet().stream();
    }

    private static JsonNode json(CapacityReport report) throws Exception {
        return new ObjectMapper().readTree(new CapacityJson().text(report));
    }

    private static JsonNode drawn(String page) throws Exception {
        String from = "<script type=\"application/json\" id=\"data\">";
        int at = page.indexOf(from) + from.length();
        return new ObjectMapper().readTree(page.substring(at, page.indexOf("</script>", at)));
    }

    @ParameterizedTest
    @MethodSource("all")
    void everyPlotHasItsDataAndEveryOutputItsHeadline(Map.Entry<String, CapacityReport> one) throws Exception {
        CapacityReport report = one.getValue();
        String page = new HtmlReport().render(report);
        JsonNode data = drawn(page);
        for (String plot : new String[] {"probes", "overload"}) {
            assertThat(page.contains("data-chart=\"" + plot + "\"")).isEqualTo(data.has(plot));
        }
        assertThat(page).contains("capacity-7").doesNotContain("8080/<script>");
        assertThat(json(report).path("schema").asText()).isEqualTo("fettle.capacity/1");
        assertThat(json(report).path("capacity").path("probes"))
                .hasSize(report.probes().size());
        assertThat(new TextReport(100, false)
                        .document(CapacityDocument.of(report))
                        .replaceAll("\\s+", " "))
                .contains(report.headline().replaceAll("\\s+", " "))
                .contains("run capacity-7");
    }

    @Test
    void theChartHasEachProbeWithItsVerdictTheBoundTheIntervalAndTheAnswer() throws Exception {
        JsonNode data = drawn(new HtmlReport().render(Capacities.found())).path("probes");
        assertThat(data.path("figure").asText()).isEqualTo("p99");
        assertThat(data.path("bound").asDouble()).isEqualTo(50);
        assertThat(data.path("answer").asDouble()).isEqualTo(800);
        assertThat(data.path("limit").path("lo").asDouble()).isEqualTo(820);
        assertThat(data.path("limit").path("hi").asDouble()).isEqualTo(881);
        assertThat(data.path("points")).hasSize(13);
        assertThat(data.path("points").path(2).path("value").asDouble()).isEqualTo(22);
        assertThat(data.path("points").path(2).path("verdict").asText()).isEqualTo("met");
        assertThat(data.path("points").path(3).path("verdict").asText()).isEqualTo("void");
        assertThat(data.path("points").path(9).path("what").asText()).isEqualTo("breaks it: p99 was 65.3 ms (< 50 ms)");
    }

    /** The same report of another plan or result. */
    private static CapacityReport with(CapacityReport r, Plan plan, CapacityConclusion found) {
        return new CapacityReport(
                r.runId(), r.target(), r.slo(), plan, r.started(), r.environment(), r.probes(), Optional.of(found));
    }

    /** A plot of nothing would keep the page from drawing those that follow. */
    @Test
    void aSpikeWithoutWindowsHasATableAndNoPlot() throws Exception {
        CapacityReport r = Capacities.found();
        CapacityConclusion c = r.found().orElseThrow();
        CapacityReport bare = with(
                r,
                r.plan(),
                new CapacityConclusion(
                        c.idleMillis(),
                        c.result(),
                        c.overload().map(o -> o.withSlices(List.of())),
                        c.launches(),
                        c.notes()));
        String page = new HtmlReport().render(bare);
        assertThat(drawn(page).has("overload")).isFalse();
        assertThat(page).doesNotContain("data-chart=\"overload\"").contains("given up or unsent");
    }

    @Test
    void iterationsAndRequestsOfAScenarioAreToldApart() {
        CapacityReport r = Capacities.found();
        assertThat(new TextReport(100, false).document(CapacityDocument.of(r))).doesNotContain("iterations");
        CapacityReport users = with(
                r,
                r.plan().withLoad(r.plan().load().withScenario(Benches.login())),
                r.found().orElseThrow());
        assertThat(new TextReport(120, false).document(CapacityDocument.of(users)))
                .containsPattern("iterations offered +requests achieved +p50 ")
                .containsPattern("iterations offered +requests valid +in time");
        assertThat(new HtmlReport().render(users))
                .contains("iterations offered", "requests achieved", "requests valid");
    }

    @Test
    void aClientThatGotNoAnswerHasNoFigure() throws Exception {
        CapacityReport r = Capacities.found();
        assertThat(new HtmlReport().render(r)).contains("A single client");
        CapacityConclusion c = r.found().orElseThrow();
        CapacityReport silent = with(
                r,
                r.plan(),
                new CapacityConclusion(OptionalFigure.empty(), c.result(), c.overload(), c.launches(), c.notes()));
        assertThat(new HtmlReport().render(silent)).doesNotContain("A single client");
        assertThat(json(silent).has("idleP50Millis")).isFalse();
    }

    @Test
    void whatWasFullInTheServerIsSaidWhereItBrokeAndInEachProbe() throws Exception {
        String page = new HtmlReport().render(Capacities.found());
        assertThat(page).contains("; 20 of its 20 worker threads were busy<").contains(">busy threads<");
        JsonNode capacity = json(Capacities.found()).path("capacity");
        assertThat(capacity.path("brokeFirst").path("server").asText())
                .isEqualTo("20 of its 20 worker threads were busy");
        JsonNode evidence = capacity.path("probes").path(0).path("evidence");
        assertThat(evidence.path("busyWorkersMean").asDouble()).isEqualTo(19.9);
        assertThat(evidence.path("acceptQueueLimit").asInt()).isEqualTo(100);
        assertThat(evidence.has("queuedMean")).isFalse();
    }

    @Test
    void withoutALatencyInTheSloTheChartIsOfTheErrors() throws Exception {
        JsonNode data = drawn(new HtmlReport().render(Capacities.all().get("errors-only")))
                .path("probes");
        assertThat(data.path("figure").asText()).isEqualTo("errors");
        assertThat(data.path("millis").asBoolean()).isFalse();
        assertThat(data.path("bound").asDouble()).isEqualTo(1);
        // two of 1,002
        assertThat(data.path("points").path(0).path("value").asDouble()).isBetween(0.19, 0.2);
    }

    @Test
    void anUnfinishedSearchShowsItsProbesAndSaysThatItIsUnfinished() throws Exception {
        CapacityReport report = Capacities.all().get("unfinished");
        assertThat(new TextReport(100, false).document(CapacityDocument.of(report)))
                .contains("Not finished: 13 probes so far")
                .contains("Probes, by rate");
        assertThat(new HtmlReport().render(report)).contains("Not finished");
        JsonNode json = json(report);
        assertThat(json.path("complete").asBoolean()).isFalse();
        assertThat(json.has("idleP50Millis")).isFalse();
        assertThat(json.path("capacity").has("outcome")).isFalse();
    }
}
