package dev.fettle.report.recommend;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.config.tomcat.ConnectorText;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import dev.fettle.report.Fixtures;
import dev.fettle.report.text.Runs;
import java.io.StringReader;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

class ConfigSnippetsTest {
    private static final Setting MANY = Setting.of(Map.of(
            "threads.max",
            "318",
            "threads.min",
            "20",
            "backlog",
            "1024",
            "keepalive.timeout",
            "60000",
            "admission.max",
            "300",
            "jvm.heap",
            "512m",
            "jvm.gc",
            "z"));

    private static Target embedded(ServerKind server) {
        return new Target.Embedded(server, "login", Map.of(), Optional.empty(), Target.Jvm.SAME);
    }

    private static List<ConfigSnippet> snippets(Target target, Setting setting, String comment) {
        return ConfigSnippets.of(target, setting, Setting.DEFAULT, List.of(comment), Optional.empty(), List.of());
    }

    private static String all(Target target, Setting setting) {
        return snippets(target, setting, "run x: +38.2 %").stream()
                .map(s -> s.title() + "\n" + s.text())
                .collect(Collectors.joining("\n"));
    }

    @Test
    void tomcatsOwnWords() {
        assertThat(all(embedded(ServerKind.TOMCAT), MANY))
                .contains(
                        "maxThreads=\"318\"",
                        "minSpareThreads=\"20\"",
                        "acceptCount=\"1024\"",
                        "keepAliveTimeout=\"60000\"",
                        "SemaphoreValve",
                        "concurrency=\"300\"",
                        "highConcurrencyStatus=\"503\"",
                        "server.tomcat.threads.max=318",
                        "server.tomcat.keep-alive-timeout=60000ms",
                        "-Xms512m -Xmx512m -XX:+UseZGC",
                        "run x: +38.2 %");
    }

    @Test
    void valuesOfThePoolBelongToTheExecutorThatTheConnectorRunsOn() {
        Setting setting = Setting.of(Map.of("threads.max", "318", "backlog", "1024", "shutdown.timeout", "1500"));
        assertThat(ConnectorText.of(setting, Setting.DEFAULT, Optional.of("pool"))
                        .text())
                .isEqualTo("""
                <!-- shutdown.timeout=1500 has no attribute of the Connector -->
                <Executor name="pool" maxThreads="318" />
                <!-- Add to your Connector, and keep what else it says: port, address, executor, SSL -->
                <Connector acceptCount="1024" />
                """);
        assertThat(ConnectorText.of(Setting.of("threads.max", "318"), Setting.DEFAULT, Optional.of("pool"))
                        .text())
                .isEqualTo("<Executor name=\"pool\" maxThreads=\"318\" />\n");
        // it does not start with fewer than its spare threads, 25 unless it says so
        Setting few = Setting.of("threads.max", "10");
        assertThat(ConnectorText.of(few, Setting.DEFAULT, Optional.of("pool")).text())
                .isEqualTo("<Executor name=\"pool\" maxThreads=\"10\" minSpareThreads=\"10\" />\n");
        assertThat(ConnectorText.of(few, Setting.of("threads.min", "4"), Optional.of("pool"))
                        .text())
                .isEqualTo("<Executor name=\"pool\" maxThreads=\"10\" />\n");
        assertThat(ConnectorText.of(few.with("threads.min", "8"), Setting.DEFAULT, Optional.of("pool"))
                        .text())
                .contains("maxThreads=\"10\"", "minSpareThreads=\"8\"");
        assertThat(ConnectorText.of(Setting.of("threads.virtual", "true"), Setting.DEFAULT, Optional.of("pool"))
                        .text())
                .contains("take executor=\"pool\" off the Connector", "useVirtualThreads=\"true\"")
                .doesNotContain("<Executor");
    }

    @Test
    void aDefaultIsWrittenWhereTheConfigurationHasAnotherValue() {
        Setting setting = Setting.of("threads.max", "200");
        assertThat(ConnectorText.of(setting, Setting.of("threads.max", "500"), Optional.empty())
                        .text())
                .contains("maxThreads=\"200\"");
        assertThat(ConnectorText.of(setting, Setting.DEFAULT, Optional.empty()).text())
                .doesNotContain("maxThreads");
    }

    @Test
    void jettysOwnWords() {
        assertThat(all(embedded(ServerKind.JETTY), MANY))
                .contains(
                        "--modules=server\n", // else it could be another environment's
                        "jetty.threadPool.maxThreads=318",
                        "jetty.http.acceptQueueSize=1024",
                        "jetty.http.idleTimeout=60000",
                        "--module=qos",
                        "jetty.qos.maxRequestCount=300",
                        "server.jetty.threads.max=318",
                        "# no property for admission.max=300, backlog=1024");
    }

    @Test
    void undertowsOwnWords() {
        assertThat(all(embedded(ServerKind.UNDERTOW), MANY))
                .contains(
                        ".setWorkerThreads(318)",
                        ".setSocketOption(Options.BACKLOG, 1024)",
                        "NO_REQUEST_TIMEOUT, 60000",
                        "new RequestLimitingHandler(300, handler)",
                        "server.undertow.threads.worker=318");
    }

    @Test
    void aCommandWithItsKnobsFilledIn() {
        String text = all(Fixtures.COMMAND, Setting.of("threads.max", "400"));
        assertThat(text)
                .contains(
                        "java -jar wiremock-standalone-3.13.1.jar \\\n  --port {port}",
                        "--container-threads 400",
                        "# what differs from the default: --container-threads 400")
                .doesNotContain("accept-queue-size");
    }

    @Test
    void aKnobWithoutALineIsNamed() {
        assertThat(all(embedded(ServerKind.TOMCAT), Setting.of("threads.selectors", "2")))
                .contains("<!-- threads.selectors=2 has no attribute of the Connector -->");
        assertThat(all(embedded(ServerKind.UNDERTOW), Setting.of("keepalive.requests", "5")))
                .contains("// keepalive.requests=5 has no method");
    }

    @Test
    void aValueThatIsTheDefaultIsNotWritten() {
        assertThat(all(embedded(ServerKind.TOMCAT), Setting.of(Map.of("backlog", "100", "threads.max", "50"))))
                .contains("maxThreads=\"50\"")
                .doesNotContain("acceptCount", "accept-count");
    }

    @Test
    void aSpringBootAppGetsPropertiesAndItsServersDefaultsToo() {
        var app = new Target.Boot(
                "/srv/app.jar", ServerKind.TOMCAT, "4.1.1", List.of(), Target.Jvm.SAME, Setting.DEFAULT);
        assertThat(all(app, Setting.of(Map.of("backlog", "100", "keepalive.timeout", "5000"))))
                .contains("server.tomcat.accept-count=100", "server.tomcat.keep-alive-timeout=5000ms")
                .doesNotContain("<Connector");
    }

    static Stream<Arguments> catalogue() {
        return Knobs.all().stream()
                .filter(k -> Knobs.ofServer(k.name()))
                .flatMap(k -> Stream.of(ServerKind.values())
                        .filter(s -> k.on(s).applies())
                        .map(s -> Arguments.of(s, k.name())));
    }

    @ParameterizedTest
    @MethodSource("catalogue")
    void everyKnobOfTheCatalogueIsWrittenOrNamed(ServerKind server, String knob) {
        Knob known = Knobs.find(knob).orElseThrow();
        String value = known.canonical(known.on(server).trial());
        var setting = Setting.of("admission.max", "99").with(knob, value);
        var snippet = snippets(embedded(server), setting, "x").getFirst();
        String own = known.on(server).values().getOrDefault(value, known.plain(value));
        assertThat(snippet.text())
                .containsAnyOf(own, knob + "=" + value, "--module=", "<UpgradeProtocol")
                .doesNotContain("%s");
    }

    @Test
    void nothingForAUrlAndNothingWithoutAnImprovement() {
        assertThat(snippets(new Target.Url(URI.create("http://127.0.0.1:8080")), MANY, "x"))
                .isEmpty();
        assertThat(ConfigSnippets.of(Runs.aa())).isEmpty();
        assertThat(ConfigSnippets.of(Runs.partial())).isEmpty();
        assertThat(ConfigSnippets.of(Runs.sweep1())).isEmpty();
    }

    @Test
    void theRunAndWhatItGaveStandInEachPiece() {
        assertThat(ConfigSnippets.of(Runs.tune()))
                .isNotEmpty()
                .allSatisfy(
                        s -> assertThat(s.text())
                                .contains(
                                        "Fettle run login-3: throughput +38.2 % [35.1, 41.0] against the default, with backlog=1024 held in both"));
    }

    @Property(tries = 300)
    void xmlStaysWellFormedAndKeepsTheValue(@ForAll String value, @ForAll String comment) throws Exception {
        String xml = snippets(embedded(ServerKind.TOMCAT), Setting.of("backlog", value), comment)
                .getFirst()
                .text();
        var document = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new InputSource(new StringReader("<r>" + xml + "</r>")));
        assertThat(document.getElementsByTagName("Connector").getLength()).isEqualTo(1);
        var connector = (Element) document.getElementsByTagName("Connector").item(0);
        assertThat(connector.getAttributes().getLength())
                .as("a port or an address would take the place of the user's")
                .isEqualTo(1);
    }

    @Property(tries = 300)
    void propertiesHoldTheValueAndNothingElse(@ForAll String value, @ForAll String comment) throws Exception {
        String text = snippets(embedded(ServerKind.TOMCAT), Setting.of("backlog", value), comment)
                .get(1)
                .text();
        var properties = new Properties();
        properties.load(new StringReader(text));
        assertThat(properties).hasSize(1);
        assertThat(properties.getProperty("server.tomcat.accept-count")).isEqualTo(value);
    }

    @Property(tries = 300)
    void javaNeverHoldsAValueThatIsNoLiteral(@ForAll String value, @ForAll String comment) {
        String text = snippets(embedded(ServerKind.UNDERTOW), Setting.of("backlog", value), comment)
                .getFirst()
                .text();
        assertThat(text.lines().filter(l -> !l.startsWith("//")))
                .allMatch(l -> l.equals("Undertow.builder()")
                        || l.matches(" {4}\\.setSocketOption\\(Options\\.BACKLOG, (-?\\d+|true|false)\\)"));
        assertThat(text).doesNotContain("\\");
    }

    @Test
    void shellArgumentsAreQuoted() {
        var target = new Target.Command(
                List.of(List.of("{java}"), List.of("--title", "{threads.max}")),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                Optional.empty(),
                Map.of("threads.max", ""),
                Target.Jvm.SAME);
        assertThat(all(target, Setting.of("threads.max", "a'b $(rm -rf x)"))).contains("--title 'a'\\''b $(rm -rf x)'");
    }
}
