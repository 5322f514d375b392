package dev.fettle.report.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.insight.CapacityConclusion;
import dev.fettle.insight.CapacityResult;
import dev.fettle.insight.DiagnoseConclusion;
import dev.fettle.insight.GateConclusion;
import dev.fettle.insight.judge.Judge;
import dev.fettle.insight.stats.Interval;
import dev.fettle.model.imports.Published;
import dev.fettle.model.imports.Published.Figure;
import dev.fettle.model.plan.CapacityAsked;
import dev.fettle.model.plan.CapacityOptions;
import dev.fettle.model.plan.GateAsked;
import dev.fettle.model.plan.GateMetric;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Timeline;
import dev.fettle.report.Capacities;
import dev.fettle.report.RunReport;
import dev.fettle.report.WatchReport;
import dev.fettle.report.document.Document;
import dev.fettle.report.document.JudgeDocument;
import dev.fettle.report.document.RunDocument;
import dev.fettle.report.document.WatchDocument;
import dev.fettle.report.text.Runs;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Element;

/** What of a result passes, fails, is void, or was not tried, as JUnit XML. */
class JunitReportTest {
    static Stream<String> names() {
        return Runs.all().keySet().stream();
    }

    private static Element suite(Document d) throws Exception {
        return DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(JunitReport.of(d).getBytes(StandardCharsets.UTF_8)))
                .getDocumentElement();
    }

    private static List<Element> elements(Element in, String tag) {
        var all = in.getElementsByTagName(tag);
        return IntStream.range(0, all.getLength())
                .mapToObj(i -> (Element) all.item(i))
                .toList();
    }

    /** Names of those whose case holds such an element. */
    private static List<String> of(Document d, String tag) throws Exception {
        return elements(suite(d), tag).stream()
                .map(e -> ((Element) e.getParentNode()).getAttribute("name"))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("names")
    void countsWhatItHolds(String name) throws Exception {
        RunReport run = Runs.all().get(name);
        Element suite = suite(RunDocument.of(run));
        assertThat(elements(suite, "testcase")).isNotEmpty();
        for (var pair : List.of("testcase tests", "failure failures", "error errors", "skipped skipped")) {
            assertThat(elements(suite, pair.split(" ")[0]))
                    .as(pair)
                    .hasSize(Integer.parseInt(suite.getAttribute(pair.split(" ")[1])));
        }
        assertThat(suite.getAttribute("name"))
                .isEqualTo("fettle " + run.kind() + " " + run.plan().name());
    }

    /** Nothing that is void passes: without a conclusion there is an error, whatever was measured. */
    @ParameterizedTest
    @MethodSource("names")
    void aRunWithoutAConclusionIsAnError(String name) throws Exception {
        RunReport run = Runs.all().get(name);
        var stopped = new RunReport(
                run.runId(),
                run.kind(),
                run.plan(),
                run.started(),
                run.took(),
                run.environment(),
                run.outcomes(),
                Optional.empty(),
                false);
        Element suite = suite(RunDocument.of(stopped));
        assertThat(suite.getAttribute("errors")).isEqualTo("1");
        assertThat(suite.getAttribute("tests")).isEqualTo("1");
        assertThat(elements(suite, "error").getFirst().getAttribute("type")).isEqualTo("unfinished");
    }

    @Test
    void aTuneKnowsWhetherAnotherSettingIsBetter() throws Exception {
        Document d = RunDocument.of(Runs.tune());
        assertThat(of(d, "failure")).isEmpty();
        assertThat(of(d, "error")).isEmpty();
        assertThat(elements(suite(d), "testcase"))
                .extracting(e -> e.getAttribute("classname"))
                .containsOnly("fettle.tune");
    }

    @Test
    void whatADiagnosisDidNotObserveIsSkipped() throws Exception {
        Document d = RunDocument.of(Runs.all().get("diagnose"));
        assertThat(of(d, "skipped")).isNotEmpty().allMatch(n -> n.contains(": "));
        assertThat(elements(suite(d), "skipped"))
                .allMatch(e -> !e.getAttribute("message").isEmpty());
    }

    /** A rate that was asked for fails only where it is surely missed; what is not known is an error. */
    @ParameterizedTest
    @CsvSource({"800, 800, passed", "801, 900, void", "5000, 900, failed"})
    void aRateThatWasAskedForIsReachedMissedOrNotKnown(double asked, double high, String outcome) throws Exception {
        var capacity = Capacities.found();
        CapacityConclusion found = capacity.found().orElseThrow();
        CapacityResult result = found.result().orElseThrow();
        var limited = result.withRate(800).withLimit(Optional.of(new Interval(Math.min(850, high), 790, high, 0.95)));
        var run = new RunReport(
                "capacity-7",
                "capacity",
                capacity.plan()
                        .withCapacity(Optional.of(new CapacityAsked(
                                "http://127.0.0.1:8080",
                                new CapacityOptions(
                                        capacity.slo(),
                                        OptionalFigure.empty(),
                                        Duration.ofSeconds(5),
                                        0.05,
                                        3,
                                        Duration.ofMinutes(3),
                                        false,
                                        1,
                                        true,
                                        Optional.empty(),
                                        1,
                                        Duration.ofSeconds(5)),
                                OptionalFigure.of(asked),
                                true))),
                capacity.started(),
                Duration.ofMinutes(2),
                capacity.environment(),
                List.of(),
                Optional.of(new CapacityConclusion(
                        found.idleMillis(), Optional.of(limited), found.overload(), List.of(), List.of())),
                true);
        Document d = RunDocument.of(run);
        String name = "at least " + Format.rate(asked);
        assertThat(of(d, "failure").contains(name)).isEqualTo(outcome.equals("failed"));
        assertThat(of(d, "error").contains(name)).isEqualTo(outcome.equals("void"));
        assertThat(elements(suite(d), "testcase"))
                .extracting(e -> e.getAttribute("name"))
                .contains(name);
    }

    /** Of a process that was observed under its own load there is no run, but the same checks. */
    @Test
    void aDiagnosisWithoutARunHasItsChecks() throws Exception {
        var found = (DiagnoseConclusion) Runs.all().get("diagnose").conclusion().orElseThrow();
        var seen = new WatchReport("process 7", List.of(), Timeline.NONE, List.of(), Optional.of(found));
        Element observed = suite(WatchDocument.of(seen));
        Element run = suite(RunDocument.of(Runs.all().get("diagnose")));
        for (String count : List.of("tests", "failures", "errors", "skipped")) {
            assertThat(observed.getAttribute(count)).as(count).isEqualTo(run.getAttribute(count));
        }
    }

    @Test
    void resultsThatAreRefusedFailAndThoseWithTooFewFiguresAreSkipped() throws Exception {
        Published refused = Published.of("ab", "impossible")
                .with(Figure.CLIENTS, 5)
                .with(Figure.THROUGHPUT, 10_000)
                .with(Figure.MEAN, 0.1);
        Published few = Published.of("ab", "few").with(Figure.CLIENTS, 5);
        Document d = JudgeDocument.of(List.of(Judge.of(refused), Judge.of(few)));
        assertThat(of(d, "failure")).singleElement().asString().contains("impossible");
        assertThat(of(d, "skipped")).singleElement().asString().contains("few");
        assertThat(new ArrayList<>(of(d, "error"))).isEmpty();
    }

    private static Document gate(GateConclusion.Result result, GateAsked.WhenUnsure unsure, boolean answersMayDiffer) {
        RunReport run = Runs.all().get("gate");
        var found = (GateConclusion) run.conclusion().orElseThrow();
        var asked = new GateAsked(
                Duration.ofMinutes(10), Map.of(), false, answersMayDiffer, unsure, 0, "old.jar", "new.jar");
        return RunDocument.of(new RunReport(
                run.runId(),
                run.kind(),
                run.plan().withGate(Optional.of(asked)),
                run.started(),
                run.took(),
                run.environment(),
                run.outcomes(),
                Optional.of(found.with()
                        .result(result)
                        .metrics(found.metrics().stream()
                                .map(m ->
                                        m.metric() == GateMetric.MEMORY ? m.withAnswer(GateConclusion.Answer.WORSE) : m)
                                .toList())
                        .build()),
                true));
    }

    /** What can't be told is skipped or fails, as was asked; a metric that need not be answered fails where it is worse. */
    @Test
    void aGateFailsByWhatIsWorse() throws Exception {
        var worse = gate(GateConclusion.Result.WORSE, GateAsked.WhenUnsure.SAYS, false);
        assertThat(of(worse, "failure"))
                .anyMatch(n -> n.startsWith("CPU per request"))
                .anyMatch(n -> n.startsWith("memory after GC"))
                .contains("the head answers as the base does");
        assertThat(of(worse, "skipped")).singleElement().asString().startsWith("throughput");
        assertThat(of(gate(GateConclusion.Result.WORSE, GateAsked.WhenUnsure.FAILS, false), "failure"))
                .anyMatch(n -> n.startsWith("throughput"));
        assertThat(of(gate(GateConclusion.Result.WORSE, GateAsked.WhenUnsure.SAYS, true), "failure"))
                .doesNotContain("the head answers as the base does");
        assertThat(of(gate(GateConclusion.Result.NOT_VALID, GateAsked.WhenUnsure.PASSES, false), "error"))
                .hasSize(1);
    }
}
