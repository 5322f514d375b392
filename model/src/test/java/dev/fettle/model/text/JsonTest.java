package dev.fettle.model.text;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.api.Wire;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Budget;
import dev.fettle.model.plan.Dimension;
import dev.fettle.model.plan.GateAsked;
import dev.fettle.model.plan.GateMetric;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Variant;
import dev.fettle.model.target.Hook;
import dev.fettle.model.target.Hooks;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Aggregates;
import dev.fettle.model.trial.Conditions;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.HookOutcome;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Series;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Timeline;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.Verdict;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every record survives the journal. */
class JsonTest {
    private static final ObjectMapper MAPPER = Json.mapper();

    private static final Target.Embedded EMBEDDED = new Target.Embedded(
            ServerKind.UNDERTOW,
            "login",
            Map.of("cpu", "0.1ms"),
            Optional.of(new Target.Backend(Duration.ofMillis(50), 200)),
            new Target.Jvm(Optional.of("25"), List.of("-Xmx1g")));
    private static final Target.Command COMMAND = new Target.Command(
            List.of(List.of("{java}"), List.of("-t", "{threads.max}")),
            Map.of("A", "b"),
            Map.of("x/y", "z\n"),
            Map.of("c.ini", "t={threads.max}\n"),
            Map.of("w", "g:a:1"),
            Optional.of("qtp"),
            Map.of("threads.max", "25"),
            Target.Jvm.SAME);
    private static final Target.Url URL = new Target.Url(URI.create("http://127.0.0.1:8080"));
    private static final Load LOAD = new Load(
            300,
            false,
            new Load.Request("POST", "/a", Map.of("A", "b"), Optional.of("body é \u0001")),
            new Load.Expect(201, OptionalInt.of(21), Optional.of("x")),
            Duration.ofMillis(1500),
            Duration.ofSeconds(20),
            Duration.ofNanos(1_000_000_001),
            2,
            Arrivals.Closed.BACK_TO_BACK,
            Wire.PLAIN,
            Optional.empty());
    private static final Load PLAIN = new Load(
            1,
            true,
            Load.Request.get("/"),
            Load.Expect.OK,
            Duration.ZERO,
            Duration.ZERO,
            Duration.ofSeconds(1),
            1,
            Arrivals.Closed.BACK_TO_BACK,
            Wire.PLAIN,
            Optional.empty());
    private static final Setting SETTING = Setting.of(Map.of("threads.max", "50", "jvm.flags", "-Da=b -Xint"));

    private static final Measurement MEASUREMENT = new Measurement(
            Duration.ofMillis(4001),
            12_345_678_901L,
            Map.of(ErrorKind.STATUS, 3L, ErrorKind.READ_TIMEOUT, 1L),
            Map.of(ErrorKind.STATUS, "404 for /"),
            Map.of(200, 5L, 404, 3L),
            99L,
            1199.25,
            new LatencySummary(5, 1.5, 1, 2, 3, 4, 5, 6, 7, 8),
            LatencySummary.NONE,
            4,
            300,
            List.of(
                    new Measurement.Window(0, 0.5, 10, 1, 7, false),
                    new Measurement.Window(0.5, 0.5, 12, 0, 3, 5, 6, 9, true)),
            "HISTFAAAAB==",
            Measurement.Detail.NONE
                    .with()
                    .service(new LatencySummary(5, 1.5, 1, 2, 3, 4, 5, 6, 7, 8))
                    .sendLag(new LatencySummary(5, 1.5, 1, 2, 3, 4, 5, 6, 7, 8))
                    .offered(Optional.of(new Measurement.Offered(100, 3, 2, 0)))
                    .steps(List.of(new Measurement.Step("log in", LatencySummary.NONE, 4)))
                    .abandoned(6)
                    .bytesWritten(77)
                    .notes(List.of("through io_uring"))
                    .serviceHistogram("HISTFAAAAC==")
                    .build());

    private static final Evidence EVIDENCE = new Evidence(
            2,
            Evidence.Cpus.UNKNOWN,
            Aggregates.NOTHING
                    .with(Aggregate.SERVER_CPU_SECONDS, 1)
                    .with(Aggregate.COMPILER_CPU_SECONDS, 0.25)
                    .with(Aggregate.STEAL, 0)
                    .with(Aggregate.SERVER_STEAL, 0.01)
                    .with(Aggregate.GENERATOR_STEAL, 0.02)
                    .with(Aggregate.FOREIGN_CPU, 0.5)
                    .with(Aggregate.BUSY_WORKERS, 5)
                    .with(Aggregate.BUSY_WORKERS_MAX, 6)
                    .with(Aggregate.WORKERS, 7)
                    .with(Aggregate.QUEUED, 8)
                    .with(Aggregate.GC_MILLIS, 9)
                    .with(Aggregate.LISTEN_OVERFLOWS, 10)
                    .with(Aggregate.SYN_RETRANSMITS, 11)
                    .with(Aggregate.LOAD_AVERAGE, 12)
                    .with(Aggregate.ACCEPT_QUEUE_MAX, 17)
                    .with(Aggregate.ACCEPT_QUEUE_DROPS, 3),
            OptionalFigure.of(2.5),
            OptionalFigure.of(3),
            OptionalInt.of(1024),
            345.5,
            Map.of("threads.max", "50"),
            Map.of("server", "Jetty/12"),
            List.of("no JMX"),
            Timeline.of(
                    -1500,
                    500,
                    Map.of("cpu.total", Series.of(1.23456, Double.NaN, 2), "heap.used", Series.of(123_456_789, 0, 7)),
                    Map.of("heap.old", "the JVM could not be attached to"),
                    List.of(new Sighting("peer.closeWait", "10.0.0.5:5432", 12))),
            List.of(),
            Conditions.ALONE);
    private static final Evidence NOTHING = new Evidence(
            1,
            Evidence.Cpus.UNKNOWN,
            Aggregates.NOTHING,
            OptionalFigure.empty(),
            OptionalFigure.empty(),
            OptionalInt.empty(),
            0,
            Map.of(),
            Map.of(),
            List.of(),
            Timeline.NONE,
            List.of(),
            Conditions.ALONE);

    private static final TrialSpec SPEC = new TrialSpec(
            TrialSpec.Phase.DUEL, "candidate", Map.of("load.connections", "100"), 3, EMBEDDED, SETTING, LOAD);

    static Stream<Object> records() {
        return Stream.of(
                EMBEDDED,
                COMMAND,
                URL,
                new Target.Running(17, Optional.empty(), true, false, Optional.empty()),
                new Target.Running(17, Optional.empty(), false, true, Optional.empty())
                        .with(
                                URL.base(),
                                new Target.Found(
                                        9_876_543_210L,
                                        Optional.of(ServerKind.JETTY),
                                        SETTING,
                                        java.util.Set.of("threads.max"))),
                new Target.Embedded(ServerKind.TOMCAT, "hello", Map.of(), Optional.empty(), Target.Jvm.SAME),
                new Target.War(ServerKind.UNDERTOW, "/srv/shop.war", "/shop", Target.Jvm.SAME),
                LOAD,
                PLAIN,
                SETTING,
                Setting.DEFAULT,
                KnobRange.interval("threads.max", 8, 1000),
                KnobRange.choices("jvm.gc", List.of("g1", "z")),
                new Dimension("threads.max", List.of("1", "2")),
                Objective.DEFAULT,
                new Objective(Objective.Metric.P99, Optional.of(Duration.ofMillis(250)), 0.5),
                Budget.DEFAULT,
                new Variant("a", COMMAND, SETTING),
                MEASUREMENT,
                EVIDENCE,
                NOTHING,
                Verdict.VALID,
                new Verdict(
                        List.of(new Verdict.Reason("steal", "3 % stolen", true)),
                        List.of(new Verdict.Advisory("short", "2 s measured"))),
                SPEC,
                new TrialOutcome(
                        7,
                        SPEC,
                        Instant.parse("2026-01-02T03:04:05.123456789Z"),
                        Duration.ofSeconds(9),
                        Duration.ofMillis(1),
                        Optional.of(MEASUREMENT),
                        Optional.of(EVIDENCE),
                        Optional.of(new TrialOutcome.Failure(TrialOutcome.Kind.OUT_OF_MEMORY, "Java heap space")),
                        Verdict.VALID,
                        List.of(
                                new HookOutcome(HookOutcome.Where.BEFORE, 1, Duration.ofMillis(210), Optional.empty()),
                                new HookOutcome(
                                        HookOutcome.Where.AFTER, 2, Duration.ZERO, Optional.of("exited with code 4")))),
                new TrialOutcome(
                        1,
                        SPEC,
                        Instant.EPOCH,
                        Duration.ZERO,
                        Duration.ZERO,
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Verdict.VALID,
                        List.of()),
                plan());
    }

    private static Plan plan() {
        return new Plan(
                "p",
                "about",
                URL,
                LOAD,
                SETTING,
                List.of(KnobRange.interval("threads.max", 8, 1000), KnobRange.choices("jvm.gc", List.of("g1"))),
                Objective.DEFAULT,
                Budget.DEFAULT,
                Optional.empty(),
                Optional.of(new Plan.Sweep(List.of(new Dimension("load.path", List.of("/"))), 3)),
                Optional.of(new Plan.Compare(
                        List.of(new Variant("a", EMBEDDED, SETTING)),
                        List.of(),
                        4,
                        Optional.empty(),
                        false,
                        Optional.empty())),
                Optional.of(new Hooks(
                        List.of(
                                hook(new Hook.Ready.Tcp("127.0.0.1:{port:a}")),
                                hook(new Hook.Ready.Http("http://127.0.0.1/", 204)),
                                hook(new Hook.Ready.Log("up")),
                                hook(new Hook.Ready.Probe(List.of(List.of("x", "y"))))),
                        List.of())),
                Long.MIN_VALUE,
                Optional.empty(),
                Optional.of(new GateAsked(
                        Duration.ofMinutes(10),
                        Map.of(GateMetric.CPU, 0.02),
                        true,
                        false,
                        GateAsked.WhenUnsure.FAILS,
                        0,
                        "old.jar",
                        "new.jar")),
                List.of(),
                Optional.empty(),
                false,
                List.of("perf@gen-1"),
                List.of());
    }

    private static Hook hook(Hook.Ready ready) {
        return new Hook(
                List.of(List.of("a"), List.of("b", "{backlog}")),
                Map.of("A", "b"),
                true,
                Optional.of(ready),
                Duration.ofMillis(1500),
                3,
                Hook.Scope.RUN);
    }

    @Test
    void aPlanFromBeforeThereWereHooks() throws JsonProcessingException {
        var tree = (com.fasterxml.jackson.databind.node.ObjectNode) MAPPER.valueToTree(plan());
        tree.remove("hooks");
        assertThat(MAPPER.treeToValue(tree, Plan.class).hooks()).isEmpty();
    }

    @Test
    void whichFilesAPlanWasReadFromIsNotJournalled() throws JsonProcessingException {
        Plan read = plan().withFiles(List.of(Path.of("/plans/scenario.yaml")));
        String json = MAPPER.writeValueAsString(read);
        assertThat(json).isEqualTo(MAPPER.writeValueAsString(plan()));
        assertThat(MAPPER.readValue(json, Plan.class)).isEqualTo(plan());
    }

    /** Names of errors in JSON are those that journals always had; names of another version are counted together. */
    @Test
    void errorsOfOlderAndNewerVersionsAreRead() throws JsonProcessingException {
        var tree = (com.fasterxml.jackson.databind.node.ObjectNode) MAPPER.valueToTree(MEASUREMENT);
        assertThat(tree.get("errors").toString()).isEqualTo("{\"READ_TIMEOUT\":1,\"STATUS\":3}");
        tree.set("errors", MAPPER.readTree("{\"CHECK\": 2, \"OF_TOMORROW\": 3, \"OF_YESTERDAY\": 4}"));
        tree.set(
                "errorExamples",
                MAPPER.readTree("{\"CHECK\": \"no\", \"OF_TOMORROW\": \"a\", \"OF_YESTERDAY\": \"b\"}"));
        Measurement read = MAPPER.treeToValue(tree, Measurement.class);
        assertThat(read.errors()).isEqualTo(Map.of(ErrorKind.CHECK, 2L, ErrorKind.UNKNOWN, 7L));
        assertThat(read.errorExamples()).isEqualTo(Map.of(ErrorKind.CHECK, "no", ErrorKind.UNKNOWN, "a"));
        assertThat(read.failed()).isEqualTo(9);
    }

    @ParameterizedTest
    @MethodSource("records")
    void survives(Object value) throws JsonProcessingException {
        // as the journal holds it: a target is read as the interface
        Class<?> type = value instanceof Target ? Target.class : value.getClass();
        String json = MAPPER.writerFor(type).writeValueAsString(value);

        assertThat(MAPPER.readValue(json, type)).as(json).isEqualTo(value);
    }

    @Test
    void orderOfGridValuesSurvives() throws JsonProcessingException {
        var point = new java.util.LinkedHashMap<String, String>();
        point.put("z", "1");
        point.put("a", "2");
        var spec = new TrialSpec(TrialSpec.Phase.SWEEP, "", point, 0, URL, Setting.DEFAULT, PLAIN);

        assertThat(MAPPER.readValue(MAPPER.writeValueAsString(spec), TrialSpec.class)
                        .point()
                        .keySet())
                .containsExactly("z", "a");
    }

    @Test
    void absentFiguresAreLeftOutAndUnknownOnesIgnored() throws JsonProcessingException {
        assertThat(MAPPER.writeValueAsString(NOTHING)).doesNotContain("queued", "null");
        assertThat(MAPPER.readValue("{\"name\":\"a\",\"values\":[\"1\"],\"later\":1}", Dimension.class))
                .isEqualTo(new Dimension("a", List.of("1")));
    }
}
