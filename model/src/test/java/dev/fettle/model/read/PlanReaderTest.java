package dev.fettle.model.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.Protocol;
import dev.fettle.load.api.Tls;
import dev.fettle.load.api.TransportKind;
import dev.fettle.load.api.Wire;
import dev.fettle.model.BadPlans;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Budget;
import dev.fettle.model.plan.Dimension;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.plan.Variant;
import dev.fettle.model.target.Target;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class PlanReaderTest {
    private final PlanReader reader = new PlanReader(2, 4096);

    @ParameterizedTest
    @MethodSource("dev.fettle.model.BadPlans#all")
    void saysWhatIsWrongAndWhere(BadPlans.Bad bad) {
        var e = catchThrowableOfType(PlanException.class, () -> reader.read("plan.yaml", bad.yaml()));

        assertThat(e).isNotNull();
        assertThat(e.problems().stream().map(Problem::toString))
                .containsExactlyInAnyOrderElementsOf(
                        bad.problems().stream().map(p -> "plan.yaml:" + p).toList());
        assertThat(e).hasMessageContaining("plan.yaml:" + bad.problems().getFirst());
    }

    @Test
    void reportsAllMistakesInTheOrderOfTheFile() {
        var e = catchThrowableOfType(PlanException.class, () -> reader.read("p", """
                    name: p
                    target: {server: jety, app: hello}
                    load: {connections: x, timeout: 5}
                    hold: {backlok: 5}
                    """));

        assertThat(e.problems()).extracting(Problem::line).containsExactly(2, 3, 3, 4);
    }

    @Test
    void aSmallPlanGetsTheDefaults() {
        Plan plan = reader.read("p", "name: p\ntarget: {server: undertow, app: login}\nload: {connections: 7}\n");

        assertThat(plan)
                .isEqualTo(Plan.of(
                        "p",
                        new Target.Embedded(
                                ServerKind.UNDERTOW,
                                "login",
                                Map.of(),
                                Optional.of(new Target.Backend(Duration.ofMillis(50), 200)),
                                Target.Jvm.SAME),
                        new Load(
                                7,
                                true,
                                Load.Request.get("/"),
                                Load.Expect.OK,
                                Duration.ofSeconds(10),
                                Duration.ofSeconds(20),
                                Duration.ofSeconds(5),
                                1,
                                Arrivals.Closed.BACK_TO_BACK,
                                Wire.PLAIN,
                                Optional.empty())));
    }

    @Test
    void everyKeyArrives() {
        Plan plan = reader.read("p", """
            name: all
            about: Everything.
            target:
              server: tomcat
              app: login
              options: {cpu: 100us}
              backend: {delay: 1s, bytes: 1k}
              java: 25
              jvm: [-Xmx512m]
            load:
              connections: 300
              keep-alive: false
              request: {method: POST, path: '/a?b=c', headers: {Accept: text/html, X-N: 5}, body: "x y"}
              expect: {status: 201, length: 21, contains: Log in}
              timeout: 3s
              warm-up: 15s
              measure: 0.5m
              threads: 2
            hold: {backlog: 1024, keepalive.timeout: 60s, tcp.nodelay: true, jvm.heap: 1024m}
            knobs:
              threads.max: {from: 8, to: 1000}
              keepalive.requests: [100, -1]
              jvm.gc: [serial, g1]
            objective: {minimize: p99, limits: {p99: 250ms, errors: 2%}}
            budget: {trials: 9, time: 4m, pairs: 6}
            slo: p99<50ms, errors<=1%
            sweep: {grid: {threads.max: [4, 6], load.keep-alive: [false, true], app.cpu: [1ms, 0.2ms]}, repeats: 2}
            compare:
              pairs: 4
              grid: {load.path: [/a, /b]}
              variants:
                one: {set: {backlog: 512}, jvm: [-Xmx1g]}
                two: {server: jetty, app: payload, options: {bytes: 1k}, java: /opt/jdk}
            seed: 7
            """);

        assertThat(plan.target())
                .isEqualTo(new Target.Embedded(
                        ServerKind.TOMCAT,
                        "login",
                        Map.of("cpu", "0.1ms"),
                        Optional.of(new Target.Backend(Duration.ofSeconds(1), 1024)),
                        new Target.Jvm(Optional.of("25"), List.of("-Xmx512m"))));
        assertThat(plan.load())
                .isEqualTo(new Load(
                        300,
                        false,
                        new Load.Request(
                                "POST", "/a?b=c", Map.of("Accept", "text/html", "X-N", "5"), Optional.of("x y")),
                        new Load.Expect(201, OptionalInt.of(21), Optional.of("Log in")),
                        Duration.ofSeconds(3),
                        Duration.ofSeconds(15),
                        Duration.ofSeconds(30),
                        2,
                        Arrivals.Closed.BACK_TO_BACK,
                        Wire.PLAIN,
                        Optional.empty()));
        var hold = Setting.of(
                Map.of("backlog", "1024", "keepalive.timeout", "60000", "tcp.nodelay", "true", "jvm.heap", "1g"));
        assertThat(plan.hold()).isEqualTo(hold);
        assertThat(plan.knobs())
                .containsExactly(
                        KnobRange.interval("threads.max", 8, 1000),
                        KnobRange.choices("keepalive.requests", List.of("100", "-1")),
                        KnobRange.choices("jvm.gc", List.of("serial", "g1")));
        assertThat(plan.objective())
                .isEqualTo(new Objective(Objective.Metric.P99, Optional.of(Duration.ofMillis(250)), 0.02));
        assertThat(plan.budget()).isEqualTo(new Budget(9, Duration.ofMinutes(4), 6));
        assertThat(plan.slo()).contains(Slo.parse("p99<50ms,errors<=1%"));
        assertThat(plan.effectiveSlo()).isEqualTo(plan.slo());
        assertThat(plan.sweep())
                .contains(new Plan.Sweep(
                        List.of(
                                new Dimension("threads.max", List.of("4", "6")),
                                new Dimension("load.keep-alive", List.of("false", "true")),
                                new Dimension("app.cpu", List.of("1ms", "0.2ms"))),
                        2));
        Plan.Compare compare = plan.compare().orElseThrow();
        assertThat(compare.grid()).containsExactly(new Dimension("load.path", List.of("/a", "/b")));
        assertThat(compare.pairs()).isEqualTo(4);
        assertThat(compare.variants().get(0).name()).isEqualTo("one");
        assertThat(compare.variants().get(0).setting()).isEqualTo(hold.with("backlog", "512"));
        assertThat(compare.variants().get(0).target())
                .isEqualTo(new Target.Embedded(
                        ServerKind.TOMCAT,
                        "login",
                        Map.of("cpu", "0.1ms"),
                        Optional.of(new Target.Backend(Duration.ofSeconds(1), 1024)),
                        new Target.Jvm(Optional.of("25"), List.of("-Xmx1g"))));
        assertThat(compare.variants().get(1).target())
                .as("another app has neither the options nor the backend of the first")
                .isEqualTo(new Target.Embedded(
                        ServerKind.JETTY,
                        "payload",
                        Map.of("bytes", "1024"),
                        Optional.empty(),
                        new Target.Jvm(Optional.of("/opt/jdk"), List.of("-Xmx512m"))));
        assertThat(plan.seed()).isEqualTo(7);
    }

    @Test
    void aCommandKnowsItsKnobs() {
        Plan plan = reader.read("p", """
            name: c
            target:
              command: ["{java}", "{jvm}", '-Dx={"a": 1}', [-t, "{threads.max}"], -b, "{backlog}"]
              env: {PORT: "{port}", N: 1}
              files: {a/b.json: "{}"}
              workers: qtp
              defaults: {threads.max: 25}
            load: {connections: 1}
            hold: {jvm.gc: g1}
            """);

        assertThat(plan.target())
                .isEqualTo(new Target.Command(
                        List.of(
                                List.of("{java}"),
                                List.of("{jvm}"),
                                List.of("-Dx={\"a\": 1}"),
                                List.of("-t", "{threads.max}"),
                                List.of("-b"),
                                List.of("{backlog}")),
                        Map.of("PORT", "{port}", "N", "1"),
                        Map.of("a/b.json", "{}"),
                        Map.of(),
                        Map.of(),
                        Optional.of("qtp"),
                        Map.of("threads.max", "25", "backlog", "", "jvm.flags", "", "jvm.java", ""),
                        Target.Jvm.SAME));
    }

    @Test
    void severalJdksAreTheVariantsOfAComparison() {
        Plan plan = reader.read("p", """
            name: j
            target: {server: tomcat, app: hello, java: [17, /opt/a/jdk 25, /opt/b/jdk 25]}
            load: {connections: 1}
            hold: {backlog: 100}
            compare: {pairs: 3}
            """);

        var hold = Setting.of("backlog", "100");
        assertThat(plan.compare().orElseThrow().variants())
                .containsExactly(
                        new Variant("java 17", plan.target(), hold.with("jvm.java", "17")),
                        new Variant("java jdk-25", plan.target(), hold.with("jvm.java", "/opt/a/jdk 25")),
                        new Variant("java jdk-25 3", plan.target(), hold.with("jvm.java", "/opt/b/jdk 25")));
        assertThat(((Target.Embedded) plan.target()).jvm().java()).contains("17");
    }

    @Test
    void aUrlIsEnough() {
        Plan plan = reader.read("p", "name: u\ntarget: {url: \"http://[::1]:8080/\"}\nload: {connections: 1}\n");

        assertThat(plan.target()).isEqualTo(new Target.Url(URI.create("http://[::1]:8080/")));
    }

    @Test
    void httpsInAUrlIsTlsAndTheLoadSaysHow() {
        String https = "name: u\ntarget: {url: \"https://localhost:8443\"}\nload: {connections: 1%s}\n";
        assertThat(reader.read("p", https.formatted("")).load().wire().tls())
                .contains(new Tls(Optional.empty(), false, true));
        assertThat(reader.read("p", https.formatted(", tls: true"))
                        .load()
                        .wire()
                        .tls())
                .contains(new Tls(Optional.empty(), false, true));
        Load said = reader.read("p", https.formatted(", protocol: h2, tls: {insecure: true, resume: false}"))
                .load();
        assertThat(said.wire().tls()).contains(new Tls(Optional.empty(), true, false));
        assertThat(said.wire().protocol()).isEqualTo(Protocol.HTTP_2);
        assertThat(reader.read("p", https.replace("https", "http").formatted(", tls: false"))
                        .load()
                        .wire())
                .isEqualTo(Wire.PLAIN);
        assertThat(reader.read("p", https.replace("{url", "{pid: 17, url").formatted(""))
                        .load()
                        .wire()
                        .tls())
                .isPresent();
    }

    @Test
    void anEndThatAnotherTunedKnobMakesPossibleIsFine() {
        Plan plan = reader.read("p", """
            name: p
            target: {server: tomcat, app: hello}
            load: {connections: 1}
            knobs: {threads.min: {from: 1, to: 400}, threads.max: {from: 8, to: 1000}}
            """);

        assertThat(plan.knobs()).hasSize(2);
    }

    @Test
    void readsFilesAndSaysWhyItCannot(@TempDir Path folder) throws IOException {
        Path missing = folder.resolve("none.yaml");
        Path binary = Files.write(folder.resolve("binary.yaml"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});
        Path large = Files.writeString(folder.resolve("large.yaml"), "é".repeat(PlanReader.MOST_BYTES));

        assertRefused(missing, missing + ": no such file");
        assertRefused(binary, binary + ": is not UTF-8 text");
        assertRefused(large, large + ": is larger than 1 MiB");
        assertRefused(folder, folder + ": cannot be read");

        Path good = folder.resolve("good.yaml");
        Files.writeString(good, "name: p\ntarget: {server: jetty, app: hello}\nload: {connections: 1}\n");
        assertThat(reader.read(good).name()).isEqualTo("p");
    }

    private void assertRefused(Path file, String message) {
        assertThatThrownBy(() -> reader.read(file))
                .isInstanceOf(PlanException.class)
                .hasMessageStartingWith(message);
    }

    @Test
    void readsWhenRequestsAreDueAndHowTheyTravel() {
        assertThat(loadOf("{connections: 5, think: 100ms}").arrivals())
                .isEqualTo(new Arrivals.Closed(Duration.ofMillis(100)));
        assertThat(loadOf("{connections: 5, rate: 1.5k/s}").arrivals()).isEqualTo(Arrivals.Open.constant(1500));
        assertThat(loadOf(
                                "{connections: 5, arrivals: poisson, seed: 7, stages:"
                                        + " [{rate: 0, for: 1s}, {from: 0/s, to: 60/m, for: 2s}, {rate: 50, for: 1m, burst: 10}]}")
                        .arrivals())
                .isEqualTo(new Arrivals.Open(
                        List.of(
                                new Arrivals.Stage(0, 0, Duration.ofSeconds(1), 1),
                                new Arrivals.Stage(0, 1, Duration.ofSeconds(2), 1),
                                new Arrivals.Stage(50, 50, Duration.ofMinutes(1), 10)),
                        true,
                        7));
        assertThat(loadOf("{connections: 5}").wire()).isEqualTo(Wire.PLAIN);
        assertThat(loadOf("{connections: 5, tls: false}").wire()).isEqualTo(Wire.PLAIN);
        assertThat(loadOf("{connections: 5, protocol: h2, in-flight: 8, tls: {resume: false}, transport: io_uring,"
                                + " sources: [127.0.0.2, '::1']}")
                        .wire())
                .isEqualTo(new Wire(
                        Protocol.HTTP_2,
                        8,
                        Optional.of(new Tls(Optional.empty(), false, false)),
                        TransportKind.IO_URING,
                        List.of("127.0.0.2", "::1")));
    }

    @Test
    void findsACertificateBesideThePlan(@TempDir Path folder) throws IOException {
        Path ca = Files.writeString(folder.resolve("ca.pem"), "");
        Path plan = Files.writeString(
                folder.resolve("p.yaml"),
                "name: p\ntarget: {url: \"https://localhost:8443\"}\nload: {connections: 1, tls: {ca: ca.pem}}\n");
        assertThat(new PlanReader(2, 4096)
                        .read(plan)
                        .load()
                        .wire()
                        .tls()
                        .orElseThrow()
                        .authorities())
                .hasValue(ca.toAbsolutePath().toString());
    }

    private static Load loadOf(String load) {
        return new PlanReader(2, 4096)
                .read("p", "name: p\ntarget: {server: tomcat, app: hello}\nload: " + load + "\n")
                .load();
    }

    @Test
    void aLoadWithARateOpensAsManyConnectionsAsItTakes() {
        assertThat(loadOf("{rate: 900/s}").connections()).isEqualTo(Load.OPEN_CONNECTIONS);
        assertThat(loadOf("{stages: [{rate: 900/s, for: 1s}]}").connections()).isEqualTo(Load.OPEN_CONNECTIONS);
        assertThat(loadOf("{rate: 900/s, protocol: h2, in-flight: 20}").connections())
                .isEqualTo(Load.OPEN_CONNECTIONS);
        assertThat(loadOf("{rate: 900/s, connections: 20}").connections()).isEqualTo(20);
        assertThat(new PlanReader(2, 4096, OwnConfiguration.UNREAD, 192)
                        .read("p", "name: p\ntarget: {server: tomcat, app: hello}\nload: {rate: 900/s}\n")
                        .load()
                        .connections())
                .isEqualTo(192);
    }

    @Test
    void aSecondMetricIsAnotherThanTheFirstAndCanBeObserved() {
        String plan = """
                name: p
                target: %s
                load: {connections: 5%s}
                knobs: {threads.max: [8, 9]}
                objective: {%s}
                """;
        String tomcat = "{server: tomcat, app: hello}";
        assertThat(reader.read("p", plan.formatted(tomcat, "", "maximize: throughput, against: memory"))
                        .objective())
                .isEqualTo(new Objective(
                        Objective.Metric.THROUGHPUT,
                        Optional.of(Objective.Metric.MEMORY),
                        Optional.empty(),
                        0.001,
                        List.of()));
        assertThatThrownBy(
                        () -> reader.read("p", plan.formatted(tomcat, "", "maximize: throughput, against: throughput")))
                .hasMessageContaining("'against' is a second metric: the first is throughput already");
        assertThatThrownBy(() -> reader.read("p", plan.formatted(tomcat, "", "maximize: throughput, against: heap")))
                .hasMessageContaining("against");
        assertThatThrownBy(() -> reader.read(
                        "p",
                        plan.formatted("{url: 'http://127.0.0.1:1/'}", "", "maximize: throughput, against: memory")))
                .hasMessageContaining("memory is a figure of a process");
        assertThatThrownBy(() ->
                        reader.read("p", plan.formatted(tomcat, ", rate: 100/s", "minimize: p99, against: throughput")))
                .hasMessageContaining("the throughput of an open load is the rate that is offered");
    }

    @Test
    void anOpenLoadOfWhichNothingIsSaidIsJudgedByP99() {
        String plan = """
                name: p
                target: {server: tomcat, app: hello}
                load: {connections: 5%s}
                knobs: {threads.max: [8, 9]}
                """;
        assertThat(reader.read("p", plan.formatted(", rate: 100/s")).objective())
                .isEqualTo(new Objective(Objective.Metric.P99, Optional.empty(), 0.001));
        assertThat(reader.read("p", plan.formatted("")).objective()).isEqualTo(Objective.DEFAULT);
    }

    /** Without limits of its own, an objective has all of the SLO's bounds on latency. */
    @Test
    void theSlosBoundsAreTheObjectivesLimits() {
        String plan = """
                name: p
                target: {server: tomcat, app: hello}
                load: {connections: 5}
                slo: p99.9<200ms,p95<50ms,p99<100ms,errors<1%%
                knobs: {threads.max: [8, 9]}
                %s
                """;
        Objective all = reader.read("p", plan.formatted("")).objective();
        assertThat(all.p99AtMost()).contains(Duration.ofMillis(100));
        assertThat(all.errorsAtMost()).isEqualTo(0.01);
        assertThat(all.latencies()).hasToString("[p99.9<200ms, p95<50ms]");
        Objective own = reader.read("p", plan.formatted("objective: {maximize: throughput, limits: {p99: 1s}}"))
                .objective();
        assertThat(own)
                .isEqualTo(new Objective(Objective.Metric.THROUGHPUT, Optional.of(Duration.ofSeconds(1)), 0.001));
    }

    /** Probes last a twelfth of four fifths of it, and four times as long as the longest latency. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "limits: {p99: 50ms}||30|p99<=50ms,errors<=0.1%",
                "limits: {p99: 50ms, errors: 1%}|, measure: 20s|20|p99<=50ms,errors<=1%",
                "limits: {p99: 2s}||120|p99<=2s,errors<=0.1%",
                "||60|p99.9<1s,p50<20ms,errors<0.1%"
            })
    void aTrialHasTimeToSearchForItsCapacity(
            @Nullable String limits, @Nullable String measure, int seconds, String slo) {
        Plan plan = reader.read("p", """
            name: x
            target: {server: tomcat, app: hello}
            load: {connections: 5%s}
            knobs: {threads.max: [8, 9]}
            objective: {maximize: capacity%s}
            %s
            """.formatted(
                        measure == null ? "" : measure,
                        limits == null ? "" : ", " + limits,
                        limits == null ? "slo: p99.9<1s,p50<20ms" : ""));
        assertThat(plan.objective().metric()).isEqualTo(Objective.Metric.CAPACITY);
        assertThat(plan.load().measure()).isEqualTo(Duration.ofSeconds(seconds));
        assertThat(plan.effectiveSlo()).hasToString("Optional[" + slo + "]");
    }

    @Test
    void aScenarioOfUsersWhoDoNotPauseHasACapacity() throws PlanException {
        Plan plan = reader.read("p", """
            name: x
            target: {server: tomcat, app: hello}
            load: {connections: 5, scenario: {steps: [{name: a, path: /}, {name: b, path: /b}]}}
            knobs: {threads.max: [8, 9]}
            objective: {maximize: capacity, limits: {p99: 50ms}}
            """);
        assertThat(plan.load().scenario().orElseThrow().requests()).isEqualTo(2);
        assertThat(plan.load().measure()).isEqualTo(Duration.ofSeconds(30));
    }

    private static String comparing(String baseline) {
        return """
            name: x
            target: {server: tomcat, app: hello}
            load: {connections: 8}
            compare:
              baseline: %s
              variants: {now: {}, small: {set: {threads.max: 4}}, large: {set: {threads.max: 64}}}
            """.formatted(baseline);
    }

    @Test
    void theBaselineOfAComparisonIsItsFirstVariant() throws PlanException {
        assertThat(reader.read("p", comparing("now")).compare().orElseThrow().baseline())
                .contains("now");
        assertThatThrownBy(() -> reader.read("p", comparing("small")))
                .hasMessageContaining("compare.baseline is the variant that comes first: write 'baseline: now', or put"
                        + " 'small' first");
        assertThatThrownBy(() -> reader.read("p", comparing("now").replace("variants", "layers")))
                .hasMessageContaining("each layer is compared with the one before it: leave 'baseline' out");
    }

    @Test
    void layersHaveMoreOfTheApplicationOneAfterTheOther() throws PlanException {
        Plan plan = new PlanReader(2, 4096).read("p", """
            name: x
            target: {server: tomcat, app: login, backend: {delay: 20ms}}
            load: {connections: 8, request: {path: /}, expect: {status: 200, contains: Sign in}}
            compare:
              layers:
                empty page: {app: hello, expect: {status: 200}}
                mocked: {backend: {delay: 0ms}}
                home: {path: /home}
                whole: {}
            """);
        Plan.Compare compare = plan.compare().orElseThrow();
        assertThat(compare.layered()).isTrue();
        assertThat(compare.variants())
                .extracting(dev.fettle.model.plan.Variant::name)
                .containsExactly("empty page", "mocked", "home", "whole");
        assertThat(compare.variants().get(0).load().orElseThrow().expect()).isEqualTo(Load.Expect.OK);
        assertThat(((Target.Embedded) compare.variants().get(1).target()).backend())
                .contains(new Target.Backend(Duration.ZERO, 200));
        assertThat(compare.variants().get(2).load().orElseThrow().request().path())
                .isEqualTo("/home");
        assertThat(compare.variants().get(3).load()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"rate: 50/s|name: x", "keep-alive: true|objective: {minimize: p99}"})
    void layersAreOfTheThroughputOfAClosedLoad(String load, String line) {
        String layered = "target: {server: tomcat, app: login}\n" + line
                + "\nload: {connections: 8, %s}\ncompare: {layers: {empty: {app: hello}, whole: {}}}\n".formatted(load)
                + (line.startsWith("name") ? "" : "name: x\n");
        assertThatThrownBy(() -> reader.read("p", layered))
                .isInstanceOf(PlanException.class)
                .hasMessageContaining("layers are compared by the throughput of a closed load");
    }

    @Test
    void layersThatCannotBeAreRefused() {
        assertThatThrownBy(() -> new PlanReader(2, 4096).read("p", """
            name: x
            target: {server: tomcat, app: hello}
            load: {connections: 8}
            compare:
              variants: {a: {}, b: {}}
              layers: {one: {backend: {delay: 0ms}}}
            """))
                .isInstanceOf(PlanException.class)
                .hasMessageContaining("either 'variants' or 'layers'")
                .hasMessageContaining("only the login app has a backend")
                .hasMessageContaining("at least two layers");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "objective: {minimize: cpu-per-request}|rate: 50/s|CPU_PER_REQUEST|",
                "objective: {minimize: memory, limits: {p99: 1s}}||MEMORY|1000",
                "objective: {limits: {p99: 1s}}||THROUGHPUT|1000",
                "objective: {limits: {p99: 1s}}|rate: 50/s|P99|1000",
                "slo: p99<50ms||THROUGHPUT|50",
                "slo: p99<50ms|rate: 50/s|P99|50",
                "slo: p95<50ms||THROUGHPUT|",
                "slo: p99<50ms;objective: {minimize: memory}||MEMORY|50",
                "slo: p99<50ms;objective: {maximize: throughput, limits: {p99: 2s}}||THROUGHPUT|2000",
                "slo: p99<50ms;objective: {maximize: throughput, limits: {errors: 1%}}||THROUGHPUT|"
            })
    void anObjectiveIsNamedOrTheLoadsWithinTheSlo(
            String keys, @Nullable String rate, Objective.Metric metric, @Nullable Long millis) {
        Plan plan = reader.read(
                "p",
                "name: x\ntarget: {server: tomcat, app: hello}\nload: {connections: 5"
                        + (rate == null ? "" : ", " + rate) + "}\n" + keys.replace(';', '\n') + "\n");

        assertThat(plan.objective().metric()).isEqualTo(metric);
        assertThat(plan.objective().p99AtMost().map(Duration::toMillis)).isEqualTo(Optional.ofNullable(millis));
    }
}
