package dev.fettle.report.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import dev.fettle.insight.GateConclusion;
import dev.fettle.insight.history.MeasuredRun;
import dev.fettle.insight.history.PastRun;
import dev.fettle.insight.history.TwoRuns;
import dev.fettle.model.plan.GateMetric;
import dev.fettle.report.Capacities;
import dev.fettle.report.Histories;
import dev.fettle.report.document.Document;
import dev.fettle.report.json.KeptResult.Found;
import dev.fettle.report.runs.ListedRun;
import dev.fettle.report.runs.TwoRunsDocument;
import dev.fettle.report.text.Runs;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The samples are of a real gate and a real bench. */
class KeptResultTest {
    private final KeptResult results = new KeptResult();
    private final ObjectMapper json = new ObjectMapper();

    private ObjectNode tree(String name) throws Exception {
        return (ObjectNode) json.readTree(Histories.sample(name));
    }

    private PastRun kept(String text, String name) {
        Found found = results.read(text, name, "folder/" + name);
        assertThat(found).isInstanceOf(Found.Kept.class);
        return ((Found.Kept) found).run();
    }

    @Test
    void aGate() throws Exception {
        PastRun run = kept(Histories.sample("gate.json"), "gate.json");
        assertThat(run.id()).isEqualTo("boot-tomcat-4.1-1");
        assertThat(run.started())
                .isEqualTo(Instant.parse("2026-11-29T07:43:50.084Z").plusNanos(1_704_240));
        assertThat(run.verdict()).contains(GateConclusion.Result.CANT_TELL);
        assertThat(run.unused()).isEmpty();
        assertThat(run.open()).isFalse();
        assertThat(run.reference()).isEqualTo("SHA-256 9cfd58a809b6");
        assertThat(run.figures())
                .containsOnlyKeys(
                        GateMetric.THROUGHPUT,
                        GateMetric.ERRORS,
                        GateMetric.CPU,
                        GateMetric.ALLOCATION,
                        GateMetric.MEMORY,
                        GateMetric.START);
        PastRun.Figure cpu = Objects.requireNonNull(run.figures().get(GateMetric.CPU));
        assertThat(cpu.value()).isCloseTo(18.84e-6, Offset.offset(0.01e-6));
        assertThat(cpu.reference().getAsDouble()).isCloseTo(17.49e-6, Offset.offset(0.01e-6));
        assertThat(run.conditions())
                .containsEntry("plan", "boot-tomcat")
                .containsEntry("JDK", "25")
                .containsEntry("CPU", "AMD EPYC")
                .containsEntry("load", "GET /, 20 connections");
        assertThat(run.memory().getAsDouble()).isCloseTo(23.5 * (1L << 30), Offset.offset(1e6));
        assertThat(run.facts()).containsEntry("kernel", "Linux 6.18.44").containsEntry("JDK", "25.0.3+9-LTS");
    }

    @Test
    void aBench() throws Exception {
        PastRun run = kept(Histories.sample("bench.json"), "main/1a2b3c4d5e6f/bench.json");
        assertThat(run.commit()).isEqualTo("1a2b3c4d5");
        assertThat(run.id()).isEqualTo("main/1a2b3c4d5e6f/bench");
        assertThat(run.reference()).isEmpty();
        assertThat(run.figures())
                .containsOnlyKeys(
                        GateMetric.THROUGHPUT, GateMetric.ERRORS, GateMetric.P50, GateMetric.P99, GateMetric.CPU);
        assertThat(Objects.requireNonNull(run.figures().get(GateMetric.P99)).value())
                .isEqualTo(2963455);
        // without the JVM's compilers
        assertThat(Objects.requireNonNull(run.figures().get(GateMetric.CPU)).value())
                .isCloseTo((7.35 - 2.917) / 159974, Offset.offset(1e-8));
        assertThat(run.conditions()).containsEntry("target", "http://127.0.0.1:18432");
        assertThat(run.facts()).containsEntry("server", "tomcat");
    }

    /** Of two gates of other programs, at other times, with another allowance: what they are compared under is the same. */
    @Test
    void whatIsNoConditionMakesNoOtherSeries() throws Exception {
        PastRun one = kept(Histories.sample("gate.json"), "a");
        ObjectNode gate = tree("gate.json");
        ObjectNode plan = (ObjectNode) gate.path("plan");
        ((ObjectNode) plan.path("gate"))
                .put("head", "boot-jetty-4.2.jar of 9f8e7d6c5, SHA-256 0")
                .put("time", "PT1H");
        ((ObjectNode) plan.path("target")).put("jar", "/elsewhere/x.jar").put("server", "JETTY");
        ((ObjectNode) plan.path("load")).put("measure", "PT20S");
        plan.remove("budget");
        PastRun other = kept(gate.toString(), "b");
        assertThat(other.conditions()).isEqualTo(one.conditions());
        assertThat(other.commit()).isEqualTo("9f8e7d6c5");
    }

    @ParameterizedTest
    @CsvSource({
        "/load/request, path, /other",
        "/load, keepAlive, no",
        "/target/jvm, flags, -Xmx64m",
        "/hold, threads.max, 5",
        "/load/request/headers, Accept, text/plain"
    })
    void anotherLoadOrJvmDoes(String at, String key, String value) throws Exception {
        PastRun one = kept(Histories.sample("gate.json"), "a");
        ObjectNode gate = tree("gate.json");
        ((ObjectNode) gate.at("/plan" + at)).put(key, value);
        assertThat(kept(gate.toString(), "b").conditions()).isNotEqualTo(one.conditions());
    }

    @Test
    void whatIsVoidSaysWhy() throws Exception {
        ObjectNode bench = tree("bench.json");
        bench.put("valid", false).putArray("voidReasons").addObject().put("message", "errors of 12 %");
        assertThat(kept(bench.toString(), "a").unused()).contains("errors of 12 %");
        ObjectNode gate = tree("gate.json");
        ((ObjectNode) gate.path("conclusion")).put("result", "not_valid").put("headline", "Nothing compared");
        assertThat(kept(gate.toString(), "a").unused()).contains("Nothing compared");
    }

    @Test
    void otherRunsAndOtherFiles() throws Exception {
        ObjectNode gate = tree("gate.json");
        assertThat(results.read(gate.deepCopy().put("kind", "tune").toString(), "a", "a"))
                .isEqualTo(new Found.Other("a tune"));
        assertThat(results.read(gate.deepCopy().putNull("conclusion").toString(), "a", "a"))
                .isEqualTo(new Found.Other("not finished"));
        ObjectNode same = gate.deepCopy();
        ((ObjectNode) same.path("conclusion")).put("baseAgainstBase", true);
        assertThat(results.read(same.toString(), "a", "a")).isInstanceOf(Found.Other.class);
        assertThat(results.read("{\"name\": \"package\"}", "a", "a")).isInstanceOf(Found.Foreign.class);
        assertThat(results.read("[1]", "a", "a")).isInstanceOf(Found.Foreign.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "no JSON",
                "{\"schema\": \"fettle.bench/1\"}",
                "{\"schema\": \"fettle.bench/1\", \"started\": 5}",
                "{\"schema\": \"fettle.bench/1\", \"started\": \"+1000000000-12-31T23:59:59Z\"}"
            })
    void whatIsBrokenIsRefused(String text) {
        assertThatThrownBy(() -> results.read(text, "a", "a")).isInstanceOf(IllegalArgumentException.class);
    }

    /** Somebody else may have written it. */
    @Test
    void figuresThatAreNoneAreNotRead() throws Exception {
        ObjectNode bench = tree("bench.json");
        bench.put("throughputPerSecond", -5)
                .put("errorShare", 7)
                .put("responses", 0)
                .put("target", "a\u001b[31m\nb");
        ((ObjectNode) bench.path("latency")).put("p99Millis", 1e300);
        PastRun run = kept(bench.toString(), "a");
        assertThat(run.figures()).containsOnlyKeys(GateMetric.P50);
        assertThat(run.conditions().get("target")).doesNotContain("\u001b", "\n");
    }

    @ParameterizedTest
    @CsvSource({
        "bench-1a2b3c4.json, 1a2b3c4",
        "2026-11-29/bench.json, ''",
        "20261129.json, ''",
        "deadbeef.json, ''",
        "deadbeef1.json, deadbeef1",
        "1a2b3c.json, ''",
        "x/0123456789abcdef0123456789abcdef01234567/y.json, 012345678"
    })
    void aCommitIsInAFilesName(String name, String commit) throws Exception {
        assertThat(kept(Histories.sample("bench.json"), name).commit()).isEqualTo(commit);
    }

    @Test
    void whatATuneMeasured() throws Exception {
        MeasuredRun run =
                results.measured(new JsonReport().run(Runs.tune()), "x").orElseThrow();
        assertThat(run.kind()).isEqualTo("tune");
        assertThat(run.unused()).isEmpty();
        assertThat(run.conditions()).containsEntry("what", "tune").containsKey("plan, exactly");
        assertThat(run.arms())
                .extracting(MeasuredRun.Arm::name)
                .doesNotHaveDuplicates()
                .hasSizeGreaterThan(2);
        assertThat(run.arms()).allSatisfy(a -> assertThat(a.figures()).containsKey(GateMetric.THROUGHPUT));
        // against itself: the same everywhere
        TwoRuns two = TwoRuns.of(run, run);
        assertThat(two.refused()).isEmpty();
        assertThat(two.rows()).isNotEmpty().allSatisfy(row -> {
            assertThat(row.isApart()).isFalse();
            assertThat(row.one()).isEqualTo(row.other());
        });
        assertThat(JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
                        .getSchema(Objects.requireNonNull(
                                TwoRunsJson.class.getResourceAsStream("/dev/fettle/report/two-runs.schema.json")))
                        .validate(json.readTree(TwoRunsJson.of(two))))
                .isEmpty();
        // its first arm is a point over time
        assertThat(run.first("", "x").figures()).containsKey(GateMetric.THROUGHPUT);
    }

    /** A load from elsewhere is another, and so is one from other machines. */
    @Test
    void benchesFromOtherMachinesAreNotCompared() throws Exception {
        var runs = new ArrayList<MeasuredRun>();
        for (List<String> hosts : List.of(List.<String>of(), List.of("a"), List.of("b", "a"), List.of("a", "b"))) {
            ObjectNode bench = tree("bench.json");
            hosts.forEach(h -> bench.withArray("agents").addObject().put("host", h));
            runs.add(results.measured(bench.toString(), "bench.json").orElseThrow());
        }
        for (int i = 0; i < 3; i++) {
            TwoRuns two = TwoRuns.of(runs.get(i), runs.get(Math.min(i + 1, 2)));
            assertThat(two.refused()).hasSize(i < 2 ? 1 : 0);
        }
        assertThat(TwoRuns.of(runs.get(2), runs.get(3)).refused()).isEmpty();
    }

    /** The same setting, on a fresh JVM in one run and on a warm one in the other. */
    @Test
    void aWarmJvmIsNoMatchForAFreshOne() throws Exception {
        ObjectNode fresh = (ObjectNode) json.readTree(new JsonReport().run(Runs.tune()));
        ObjectNode warm = fresh.deepCopy();
        warm.path("trials").forEach(t -> ((ObjectNode) t).withObject("evidence").putObject("warmJvm"));
        fresh.path("trials")
                .forEach(t -> ((ObjectNode) t).withObject("evidence").remove("warmJvm"));
        MeasuredRun one = results.measured(fresh.toString(), "x").orElseThrow();
        MeasuredRun other = results.measured(warm.toString(), "x").orElseThrow();
        assertThat(other.arms()).hasSameSizeAs(one.arms());
        assertThat(TwoRuns.of(one, other).rows()).isEmpty();
        assertThat(TwoRuns.of(other, other).rows()).isNotEmpty();
    }

    /** Of failures where there were none there is no ratio: it must not read as if there was no difference. */
    @Test
    void failuresThatAreNewAreSaid() throws Exception {
        MeasuredRun bench =
                results.measured(Histories.sample("bench.json"), "bench.json").orElseThrow();
        ListedRun listed = results.listed(Histories.sample("bench.json"), "bench.json", "folder")
                .orElseThrow();
        MeasuredRun none = trials(bench, List.of(0.0, 0.0));
        Document d = TwoRunsDocument.of(TwoRuns.of(none, trials(bench, List.of(0.25, 0.25))), listed, listed);
        assertThat(d.head().headline()).contains(GateMetric.ERRORS.label()).contains("25");
        Document same = TwoRunsDocument.of(TwoRuns.of(none, none), listed, listed);
        assertThat(d.head().badge()).isNotEqualTo(same.head().badge());
        assertThat(same.head().headline()).doesNotContain(GateMetric.ERRORS.label());
    }

    private static MeasuredRun trials(MeasuredRun of, List<Double> errors) {
        var figures = Map.of(GateMetric.ERRORS, errors, GateMetric.P99, List.of(1e6, 1.01e6));
        return new MeasuredRun(
                of.id(),
                of.kind(),
                of.started(),
                of.open(),
                of.conditions(),
                of.memory(),
                of.facts(),
                List.of(new MeasuredRun.Arm("", figures)),
                Optional.empty());
    }

    @Test
    void whatACapacitySearchFound() {
        MeasuredRun run = results.measured(new CapacityJson().text(Capacities.found()), "x")
                .orElseThrow();
        assertThat(run.kind()).isEqualTo("capacity");
        assertThat(run.arms()).hasSize(1);
        assertThat(run.arms().getFirst().figures()).containsOnlyKeys(GateMetric.THROUGHPUT);
    }

    @Test
    void whatTheSamplesMeasured() throws Exception {
        MeasuredRun bench =
                results.measured(Histories.sample("bench.json"), "bench.json").orElseThrow();
        assertThat(bench.arms()).hasSize(1);
        assertThat(bench.arms().getFirst().figures()).containsKey(GateMetric.THROUGHPUT);
        ObjectNode withoutTrials = tree("gate.json");
        withoutTrials.putArray("trials");
        MeasuredRun gate =
                results.measured(withoutTrials.toString(), "gate.json").orElseThrow();
        assertThat(gate.arms()).extracting(MeasuredRun.Arm::name).containsExactly("base", "head");
        assertThat(results.measured("{}", "x")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"gate.json, gate, boot-tomcat", "bench.json, bench, http://127.0.0.1:18432"})
    void whatAListSays(String sample, String kind, String plan) throws Exception {
        ListedRun run =
                results.listed(Histories.sample(sample), sample, "folder").orElseThrow();
        assertThat(run.kind()).isEqualTo(kind);
        assertThat(run.plan()).isEqualTo(plan);
        assertThat(run.state()).isEqualTo(ListedRun.State.DONE);
        assertThat(run.headline()).isNotEmpty();
        assertThat(run.has(List.of(kind, "folder"))).isTrue();
        assertThat(run.has(List.of(kind, "nothing-like-it"))).isFalse();
    }
}
