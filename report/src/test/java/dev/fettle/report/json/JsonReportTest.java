package dev.fettle.report.json;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import dev.fettle.insight.CompareConclusion;
import dev.fettle.insight.DiagnoseConclusion;
import dev.fettle.insight.FailedStarts;
import dev.fettle.insight.Finding;
import dev.fettle.insight.SecondFigure;
import dev.fettle.insight.Starts;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.insight.judge.Judge;
import dev.fettle.insight.judge.Judgement;
import dev.fettle.insight.stats.Interval;
import dev.fettle.model.imports.ResultImport;
import dev.fettle.model.plan.Objective.Metric;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.CapacitySeen;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Observation;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.report.Fixtures;
import dev.fettle.report.RunReport;
import dev.fettle.report.Wording;
import dev.fettle.report.text.Runs;
import dev.fettle.report.text.TextReport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

class JsonReportTest {
    private final ObjectMapper mapper = new ObjectMapper();

    static Stream<String> names() {
        return Runs.all().keySet().stream();
    }

    private void conforms(String schema, JsonNode document) {
        var in = JsonReport.class.getResourceAsStream("/dev/fettle/report/" + schema);
        assertThat(in).isNotNull();
        assertThat(JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                        .getSchema(in)
                        .validate(document))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("names")
    void everyRunConformsToItsSchema(String name) throws Exception {
        conforms(
                "run.schema.json",
                mapper.readTree(new JsonReport().run(Runs.all().get(name))));
    }

    @ParameterizedTest
    @EnumSource(Metric.class)
    void aComparisonByAnyMetricConformsToItsSchema(Metric metric) throws Exception {
        var run = Runs.compare();
        var found = (CompareConclusion) run.conclusion().orElseThrow();
        var by = new CompareConclusion(
                found.headline(), metric, found.conditions(), found.notes(), found.spike(), List.of());
        conforms(
                "run.schema.json",
                mapper.readTree(
                        new JsonReport().run(Fixtures.run("compare", run.plan(), run.outcomes(), Optional.of(by)))));
    }

    @Test
    void aVariantHasTheFigureOfTheObjective() throws Exception {
        JsonNode r = mapper.readTree(new JsonReport().run(Runs.compare()));
        assertThat(r.findValue("variants").path(0).path("objective").asDouble()).isEqualTo(21_000);
    }

    @Test
    void aTrialThatWasEndedEarlyHasABound() throws Exception {
        JsonNode r = mapper.readTree(new JsonReport().run(Runs.early()));
        assertThat(r.at("/trials/17/endedEarlyAtBest").asDouble()).isEqualTo(253.4);
        assertThat(r.at("/trials/17/valid").asBoolean()).isFalse();
        assertThat(r.at("/trials/17/voidReasons/0/rule").asText()).isEqualTo("surely-worse");
        assertThat(r.at("/trials/0").has("endedEarlyAtBest")).isFalse();
        JsonNode last = r.findValue("candidates").path(6);
        assertThat(last.path("atBest").asDouble()).isEqualTo(253.4);
        assertThat(last.has("throughputPerSecond")).isFalse();
    }

    @ParameterizedTest
    @MethodSource("published")
    void everyJudgementConformsToItsSchema(Path example) throws Exception {
        List<Judgement> all = ResultImport.read(Files.readString(example)).stream()
                .map(Judge::of)
                .toList();
        assertThat(all).isNotEmpty();
        JsonNode document = mapper.readTree(JudgeJson.of(all));
        conforms("judge.schema.json", document);
        assertThat(document.path("results")).hasSize(all.size());
        // and is the one that the pages show
        String name = example.getFileName().toString().replaceAll("[.][a-z]+$", "");
        Path shown = Path.of("..", "docs", "documents", "data", "judge-" + name + ".json");
        assertThat(JudgeJson.of(all).strip()).isEqualTo(Files.readString(shown).strip());
    }

    static Stream<Path> published() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("..", "examples", "judge"))) {
            return files.sorted().toList().stream();
        }
    }

    @Test
    void aProbeWithoutAnAnswerHasNoLatency() throws Exception {
        TrialOutcome o = Runs.searched(Runs.tune().outcomes().getFirst(), 4210);
        var m = o.measurement().orElseThrow();
        var c = m.detail().capacity().orElseThrow();
        var probes = c.probes().stream()
                .map(p -> new CapacitySeen.Probed(
                        p.phase(),
                        p.rate(),
                        p.took(),
                        new Observation(
                                p.seen().measurement().withLatency(LatencySummary.NONE),
                                p.seen().evidence())))
                .toList();
        var silent = new CapacitySeen(c.end(), c.rate(), c.low(), c.high(), c.why(), c.before(), c.after(), probes);
        var run = Fixtures.run(
                "tune",
                Runs.capacity().plan(),
                List.of(o.withMeasurement(Optional.of(m.with(silent)))),
                Optional.empty());
        JsonNode tree = mapper.readTree(new JsonReport().run(run));
        assertThat(tree.at("/trials/0/measurement/capacity/probes/0/ratePerSecond")
                        .asDouble())
                .isEqualTo(4635);
        assertThat(tree.at("/trials/0/measurement/capacity/probes/0").has("p99Millis"))
                .isFalse();
        conforms("run.schema.json", tree);
    }

    @Test
    void aSearchForTheCapacityIsWithItsTrialProbeByProbe() throws Exception {
        JsonNode run = mapper.readTree(new JsonReport().run(Runs.capacity()));
        conforms("run.schema.json", run);
        JsonNode found = run.at("/trials/0/measurement/capacity");
        assertThat(found.path("end").asText()).isEqualTo("found");
        assertThat(found.path("ratePerSecond").asDouble()).isEqualTo(4210);
        assertThat(found.at("/probes/0/phase").asText()).isEqualTo("bracket");
        assertThat(found.at("/probes/1/ratePerSecond").asDouble()).isEqualTo(4100);
        assertThat(found.has("why")).isFalse();
        assertThat(run.at("/conclusion/pairs/0/winnerObjective").asDouble()).isEqualTo(4210);
    }

    @Test
    void aTuneInFigures() throws Exception {
        JsonNode c = mapper.readTree(new JsonReport().run(Runs.tune())).path("conclusion");
        assertThat(c.path("result").asText()).isEqualTo("improved");
        assertThat(c.at("/ratio/low").asDouble()).isEqualTo(1.351);
        assertThat(c.at("/winner/threads.max").asText()).isEqualTo("318");
        assertThat(c.at("/candidates/1/throughputPerSecond").has("low"))
                .as("no bound from one trial")
                .isFalse();
        assertThat(c.at("/winnerWhy/limit").asText()).isEqualTo("cpu");
        assertThat(c.at("/tradeOff/against").asText()).isEqualTo("memory");
        assertThat(c.at("/tradeOff/points/1/onFront").asBoolean()).isFalse();
    }

    /** As much by the objective, and less p99; with a start without load among its trials. */
    @Test
    void whatIsGainedBesideTheObjectiveAndHowOftenItStarted() throws Exception {
        var run = Runs.tune();
        var found = (TuneConclusion) run.conclusion().orElseThrow();
        var trade = found.withResult(TuneConclusion.Result.TRADE)
                .withBeside(List.of(
                        new SecondFigure(Metric.P99, new Interval(0.32, 0.27, 0.38, 0.995), 687e6, 218e6, true),
                        new SecondFigure(
                                Metric.CPU_PER_REQUEST, new Interval(0.99, 0.9, 1.1, 0.995), 0.004, 0.004, false)))
                .withFailedStarts(List.of(
                        new FailedStarts("threads.max=8", new Starts(2, 14, 3, 14), FailedStarts.Because.CHANCE)));
        var first = run.outcomes().getFirst();
        var trials = new ArrayList<>(run.outcomes());
        TrialSpec s = first.spec();
        trials.add(first.with()
                .ordinal(trials.size() + 1)
                .spec(new TrialSpec(
                        TrialSpec.Phase.START, s.variant(), s.point(), 0, s.target(), s.setting(), s.load()))
                .measurement(Optional.empty())
                .evidence(Optional.empty())
                .build());
        RunReport all = Fixtures.run("tune", run.plan(), trials, Optional.of(trade));
        JsonNode document = mapper.readTree(new JsonReport().run(all));
        conforms("run.schema.json", document);
        JsonNode start = document.path("trials").path(trials.size() - 1);
        assertThat(start.path("phase").asText()).isEqualTo("start");
        assertThat(start.path("valid").asBoolean()).as("it came up").isTrue();
        assertThat(all.voids()).isEqualTo(run.voids());
        assertThat(Wording.verdict(trials.getLast())).isEqualTo("came up");
        JsonNode c = document.path("conclusion");
        assertThat(c.path("result").asText()).isEqualTo("trade");
        assertThat(c.at("/beside/0/metric").asText()).isEqualTo("p99");
        assertThat(c.at("/beside/0/ratio/high").asDouble()).isEqualTo(0.38);
        assertThat(c.at("/beside/0/shown").asBoolean()).isTrue();
        assertThat(c.at("/beside/0/plan").asText()).isEqualTo("objective: {minimize: p99}");
        assertThat(c.at("/beside/1/shown").asBoolean()).isFalse();
        assertThat(c.at("/failedStarts/0/because").asText()).isEqualTo("chance");
        assertThat(c.at("/failedStarts/0/failed").asInt()).isEqualTo(2);
        assertThat(c.at("/failedStarts/0/othersStarts").asInt()).isEqualTo(14);
        assertThat(new TextReport(120, false).report(all)).contains("CPU time per request");
    }

    private static Finding tested(String scope) {
        return new Finding(
                "lock",
                Finding.Severity.WARNING,
                "A lock is the limit",
                "40 of 48 busy workers wait for a lock.",
                List.of(),
                OptionalFigure.of(0.8),
                "Hold it for a shorter time",
                Optional.empty(),
                "With more workers there is more throughput.",
                List.of(),
                Optional.of(new Finding.Test(
                        Finding.Outcome.CONFIRMED, "with 96 clients instead of 48", "505/s instead of 500/s.", scope)));
    }

    @Test
    void whatATestCoversIsSaidOnlyIfItIsLessThanTheFinding() throws Exception {
        var found = new DiagnoseConclusion(
                DiagnoseConclusion.Result.FOUND,
                "A lock is the limit.",
                Optional.of(tested("what lies behind the workers is full")),
                List.of(tested("")),
                List.of(),
                List.of(),
                List.of(),
                Optional.empty(),
                List.of(),
                List.of());
        JsonNode run = mapper.readTree(
                new JsonReport().run(Fixtures.run("diagnose", Runs.tune().plan(), List.of(), Optional.of(found))));
        conforms("run.schema.json", run);
        assertThat(run.at("/conclusion/bottleneck/tested").asText()).isEqualTo("confirmed");
        assertThat(run.at("/conclusion/bottleneck/test/scope").asText())
                .isEqualTo("what lies behind the workers is full");
        assertThat(run.at("/conclusion/others/0/test/change").asText()).isEqualTo("with 96 clients instead of 48");
        assertThat(run.at("/conclusion/others/0/test").has("scope")).isFalse();
    }

    @Test
    void anUnfinishedRunHasNoConclusion() throws Exception {
        JsonNode r = mapper.readTree(new JsonReport().run(Runs.partial()));
        assertThat(r.path("conclusion").isNull()).isTrue();
        assertThat(r.path("complete").asBoolean()).isFalse();
        assertThat(r.path("trials")).hasSize(6);
        assertThat(r.at("/trials/5/voidReasons/0/rule").asText()).isEqualTo("steal");
    }
}
