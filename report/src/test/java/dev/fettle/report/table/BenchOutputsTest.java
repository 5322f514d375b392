package dev.fettle.report.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import dev.fettle.model.plan.Condition;
import dev.fettle.model.plan.Conditions;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Verdict;
import dev.fettle.report.BenchReport;
import dev.fettle.report.Benches;
import dev.fettle.report.Exposition;
import dev.fettle.report.document.BenchDocument;
import dev.fettle.report.html.HtmlReport;
import dev.fettle.report.json.JsonReport;
import dev.fettle.report.text.TextReport;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

/** What a bench writes for programs. */
class BenchOutputsTest {
    private final ObjectMapper mapper = new ObjectMapper();

    static Stream<String> names() {
        return Benches.all().keySet().stream();
    }

    private JsonNode json(BenchReport r) throws Exception {
        return mapper.readTree(new JsonReport().bench(r));
    }

    private static Document xml(String text) throws Exception {
        return DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    @ParameterizedTest
    @MethodSource("names")
    void jsonConformsToThePublishedSchema(String name) throws Exception {
        var schema = JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                .getSchema(JsonReport.class.getResourceAsStream("/dev/fettle/report/bench.schema.json"));
        assertThat(schema.validate(json(Benches.all().get(name)))).isEmpty();
    }

    @Test
    void jsonOfAClosedLoad() throws Exception {
        JsonNode b = json(Benches.closed());
        assertThat(b.path("schema").asText()).isEqualTo("fettle.bench/1");
        assertThat(b.path("throughputPerSecond").asDouble()).isEqualTo(3000);
        assertThat(b.at("/latency/p50Millis").asDouble()).isBetween(48.0, 52.0);
        assertThat(b.at("/latency/stdevMillis").asDouble()).isPositive();
        assertThat(b.at("/arrivals/model").asText()).isEqualTo("closed");
        assertThat(b.has("offered")).isFalse();
        assertThat(b.path("series")).hasSize(32);
    }

    @Test
    void jsonOfAnOpenLoad() throws Exception {
        JsonNode b = json(Benches.open());
        assertThat(b.at("/offered/perSecond").asDouble()).isEqualTo(2000);
        assertThat(b.at("/offered/unsent").asLong()).isEqualTo(4980);
        assertThat(b.at("/offered/achievedShare").asDouble()).isEqualTo(0.75);
        assertThat(b.at("/arrivals/stages/1/burst").asInt()).isEqualTo(20);
        assertThat(b.at("/service/p99Millis").asDouble())
                .isLessThan(b.at("/latency/p99Millis").asDouble());
        assertThat(b.at("/failIf/0/met").asBoolean()).isTrue();
        assertThat(b.at("/failIf/1/met").asBoolean()).isFalse();
    }

    @Test
    void jsonOfAnOpenLoadOfAScenarioCountsTheRequestsOfItsIterations() throws Exception {
        assertThat(json(Benches.iterations()).at("/offered/achievedShare").asDouble())
                .isEqualTo(0.375);
    }

    @Test
    void jsonOfALoadWithoutAnyResponse() throws Exception {
        JsonNode b = json(Benches.dead());
        assertThat(b.path("latency").has("p50Millis")).isFalse();
        assertThat(b.path("errorShare").asDouble()).isEqualTo(1);
        assertThat(b.at("/errorDetails/0/phase").asText()).isEqualTo("connect");
        assertThat(b.at("/failIf/0").has("value")).isFalse();
    }

    @ParameterizedTest
    @MethodSource("names")
    void junitCountsWhatItHolds(String name) throws Exception {
        Element suite =
                xml(JunitReport.of(BenchDocument.of(Benches.all().get(name)))).getDocumentElement();
        assertThat(suite.getTagName()).isEqualTo("testsuite");
        assertThat(suite.getElementsByTagName("testcase").getLength())
                .isEqualTo(Integer.parseInt(suite.getAttribute("tests")));
        assertThat(suite.getElementsByTagName("failure").getLength())
                .isEqualTo(Integer.parseInt(suite.getAttribute("failures")));
        assertThat(suite.getElementsByTagName("error").getLength())
                .isEqualTo(Integer.parseInt(suite.getAttribute("errors")));
    }

    @Test
    void junitFailsWhatAConditionMeets() throws Exception {
        Element open = xml(JunitReport.of(BenchDocument.of(Benches.open()))).getDocumentElement();
        assertThat(open.getAttribute("tests")).isEqualTo("3");
        assertThat(open.getAttribute("failures")).isEqualTo("1");
        var failure = (Element) open.getElementsByTagName("failure").item(0);
        assertThat(failure.getAttribute("message")).startsWith("p99>50ms: p99 was ");
        assertThat(((Element) failure.getParentNode()).getAttribute("name")).isEqualTo("not p99>50ms");
        // void figures and a latency that does not exist are errors, not passes
        Element dead = xml(JunitReport.of(BenchDocument.of(Benches.dead()))).getDocumentElement();
        assertThat(dead.getAttribute("failures")).isEqualTo("1");
        assertThat(dead.getAttribute("errors")).isEqualTo("2");
    }

    @ParameterizedTest
    @MethodSource("names")
    void prometheusCanBeRead(String name) {
        Exposition.parse(PrometheusReport.of(Benches.all().get(name)));
    }

    @Test
    void prometheusHasTheFigures() {
        Exposition e = Exposition.parse(PrometheusReport.of(Benches.open()));
        assertThat(e.value("fettle_bench_responses_total")).isEqualTo(15_000);
        assertThat(e.value("fettle_bench_unsent_total")).isEqualTo(4980);
        assertThat(e.value("fettle_bench_unanswered_total")).isZero();
        assertThat(e.value("fettle_bench_error_share")).isCloseTo(4980 / 19_980.0, within(1e-9));
        Exposition stuck = Exposition.parse(PrometheusReport.of(Benches.stuck()));
        assertThat(stuck.value("fettle_bench_unanswered_total")).isEqualTo(1);
        assertThat(stuck.value("fettle_bench_error_share")).isCloseTo(1 / 30_001.0, within(1e-9));
        assertThat(e.value("fettle_bench_latency_seconds_count")).isEqualTo(15_000);
        assertThat(e.value("fettle_bench_latency_seconds_bucket{le=\"+Inf\"}")).isEqualTo(15_000);
        assertThat(e.value("fettle_bench_latency_seconds_sum") / 15_000).isCloseTo(0.92, within(0.1));
        assertThat(e.value("fettle_bench_service_seconds{quantile=\"0.5\"}")).isCloseTo(0.02, within(0.001));
        assertThat(e.value("fettle_bench_condition_met{condition=\"p99>50ms\"}"))
                .isEqualTo(1);
        assertThat(e.value("fettle_bench_valid")).as("a caution is no void").isEqualTo(1);
        assertThat(Exposition.parse(PrometheusReport.of(Benches.dead())).value("fettle_bench_valid"))
                .isZero();
    }

    @ParameterizedTest
    @MethodSource("names")
    void theHtmlPageIsWellFormedAndEscaped(String name) {
        String page = new HtmlReport().render(Benches.all().get(name));
        String markup = page.replaceAll("(?s)<(script|style)\\b.*?</\\1>", "");
        assertThat(markup).contains("<h1>").doesNotContain("</testcase>", "\u001b", "\u0000");
        assertThat(page).contains("Content-Security-Policy").doesNotContain("https://cdn");
    }

    @Test
    void theHtmlPageHasTheCurveOfLatencyAndOfServiceTime() {
        String open = new HtmlReport().render(Benches.open());
        assertThat(open).contains("latency, from when it was due", "service time, from its send", "4,980 never sent");
        assertThat(new HtmlReport().render(Benches.closed()))
                .doesNotContain("service time, from its send", "from when it was due");
    }

    private static BenchReport with(BenchReport r, Measurement.Detail detail) {
        return with(r, r.measurement().withDetail(detail), r.checks());
    }

    private static BenchReport with(BenchReport r, Measurement m, List<BenchReport.Check> checks) {
        return new BenchReport(r.target(), r.load(), m, r.evidence(), r.verdict(), checks, r.started());
    }

    /** Requests that piled up in the server are in no count of failures, and were all sent. */
    @Test
    void theHtmlPageSaysWhatWasLost() {
        BenchReport open = Benches.open();
        var piled = new Measurement.Offered(20_000, 14_000, 0, 812);
        var detail = open.measurement().detail().withOffered(Optional.of(piled));
        assertThat(new HtmlReport().render(with(open, detail)))
                .contains("of 20,000 requests due 812 piled up in the server", "5.1\u00a0% with those lost")
                .doesNotContain("no backlog at the end");
        var none = detail.withOffered(Optional.of(new Measurement.Offered(20_000, 0, 0, 0)));
        assertThat(new HtmlReport().render(with(open, none)))
                .contains("no backlog at the end")
                .doesNotContain("with those lost");
        // of a closed load there is no schedule, but what hangs is lost all the same
        assertThat(new HtmlReport().render(Benches.stuck())).contains("0.003\u00a0% with those lost");
        assertThat(new HtmlReport().render(Benches.closed())).doesNotContain("with those lost");
    }

    /** A second without an answer has no latency: nought would be drawn as the best of all. */
    @Test
    void theHtmlPageHasAGapWhereNothingWasAnswered() {
        BenchReport r = Benches.closed();
        var windows = List.of(
                new Measurement.Window(0, 1, 10, 0, 5_000_000, true), new Measurement.Window(1, 1, 0, 3, 0, true));
        Measurement m = r.measurement().withWindows(windows);
        assertThat(new HtmlReport().render(with(r, m, List.of())))
                .contains("\"points\":[[0.5,10.0,5.0,true],[1.5,0.0,null,true]]");
    }

    /** A note on how to read the figures is no caution: nothing disturbed them. */
    @Test
    void theHtmlPageIsOneOfValidFiguresWhereThereIsAnAdvisory() {
        BenchReport r = Benches.closed();
        var advisory = new Verdict.Advisory("think-time", "the clients' pauses set the throughput");
        var disturbed = new Verdict.Reason("steal", "another guest took the CPU", true);
        for (var of : List.of(new Verdict(List.of(), List.of(advisory)), new Verdict(List.of(disturbed)))) {
            var noted =
                    new BenchReport(r.target(), r.load(), r.measurement(), r.evidence(), of, List.of(), r.started());
            assertThat(noted.valid()).isTrue();
            String html = new HtmlReport().render(noted);
            assertThat(html.contains("Valid, with caution")).isEqualTo(!of.valid());
        }
    }

    /** What was judged is told: a figure is not rounded across the bound, nor to it. */
    @ParameterizedTest
    @CsvSource({
        "throughput<1000/s, 999.96, throughput was 999.96/s",
        "throughput<1000/s, 999.99999, throughput was 999.99999/s",
        "throughput<1000/s, 1000.04, 'throughput was 1,000.04/s'",
        "throughput<1000/s, 1004.4, 'throughput was 1,004/s'",
        "throughput<1000/s, 812.34567, throughput was 812/s",
        "throughput<1000/s, 1000, 'throughput was 1,000/s'",
        "throughput>=1000/s, 999.96, throughput was 999.96/s",
        "p99>50ms, 50000400, p99 was 50.0004 ms",
        "p99>50ms, 61234567, p99 was 61.2 ms",
        "errors>0.1%, 0.001000001, errors was 0.1000001 %"
    })
    void aFigureIsToldOnItsSideOfTheBound(String condition, double value, String text) {
        Condition c = Conditions.parse(condition).all().getFirst();
        assertThat(new BenchReport.Check(c, OptionalFigure.of(value), c.holds(value)).text())
                .isEqualTo(text);
    }

    @Test
    void csvHasARowForEachSecond() {
        var columns = List.of(CsvReport.SECONDS.strip().split(","));
        assertThat(columns)
                .containsExactly(
                        "seconds",
                        "length_seconds",
                        "phase",
                        "responses_per_second",
                        "responses",
                        "failed",
                        "p50_ms",
                        "p90_ms",
                        "p99_ms",
                        "max_ms",
                        "connections");
        String row = CsvReport.second(
                new Measurement.Window(3.0000001, 1, 250, 2, 1_500_000, 2_000_000, 3_000_000, 9_999_999, true), 12);
        assertThat(row).isEqualTo("3,1,measure,250,250,2,1.5,2,3,9.999999,12\r\n");
        String silent = CsvReport.second(new Measurement.Window(0, 0.5, 0, 2, 0, false), 12);
        assertThat(silent).isEqualTo("0,0.5,warm-up,0,0,2,,,,,12\r\n");
        assertThat(silent.strip().split(",")).hasSameSizeAs(columns);
    }

    @ParameterizedTest
    @MethodSource("names")
    void noOutputHasASecret(String name) {
        BenchReport r = Benches.all().get(name);
        assertThat(new TextReport(100, false).document(BenchDocument.of(r))
                        + new JsonReport().bench(r)
                        + JunitReport.of(BenchDocument.of(r))
                        + PrometheusReport.of(r)
                        + new HtmlReport().render(r)
                        + r)
                .doesNotContain(Benches.SECRET);
    }
}
