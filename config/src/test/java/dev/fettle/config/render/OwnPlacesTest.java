package dev.fettle.config.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.config.ConfigFile;
import dev.fettle.config.ConfigFile.Kind;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.NativeKnob;
import dev.fettle.model.knob.OwnKnob;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class OwnPlacesTest {
    private static final Target BOOT =
            new Target.Boot("/app.jar", ServerKind.TOMCAT, "4.1.1", List.of(), Target.Jvm.SAME, Setting.DEFAULT);

    private static OwnKnob knob(String name, OwnKnob.How how) {
        return new OwnKnob(
                name,
                Knob.Type.INT,
                Knob.Scale.LOG,
                0,
                1000,
                List.of(),
                Optional.empty(),
                "",
                "",
                how,
                Optional.empty());
    }

    private static final List<OwnKnob> OWN = List.of(
            knob("own.pool", new OwnKnob.Property("a.b.maximum-pool-size")),
            knob("own.cache", new OwnKnob.SystemProperty("app.cache")),
            knob("own.workers", new OwnKnob.Variable("WORKERS")),
            knob("own.line", new OwnKnob.Line("conf/app.properties", "size={value}")),
            knob("own.xml", new OwnKnob.Attribute("conf/server.xml", "//R/@n")),
            knob("own.unset", new OwnKnob.Variable("UNSET")));
    private static final Setting SETTING = Setting.of(Map.of(
            "own.pool", "20", "own.cache", "3", "own.workers", "4", "own.line", "5", "own.xml", "6", "backlog", "9"));

    private static String text(ConfigPlace place, Kind kind) {
        return new ConfigRenderer(BOOT, SETTING, Optional.empty(), OWN)
                .at(place).stream()
                        .filter(f -> f.kind() == kind)
                        .map(ConfigFile::text)
                        .reduce("", String::concat);
    }

    /** What a tune has changed in a template is what the reader is told to change. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            timeout {value}  | timeout 30~timeout_read 60~timeouts 5 | timeout 9~timeout_read 60~timeouts 5
            timeout={value}  | timeout=30~timeout.read=60            | timeout=9~timeout.read=60
            timeout: {value} | timeout:30                            | timeout: 9
            timeout {value}  | x timeout 3                           | x timeout 3~timeout 9
            """)
    void aLineReplacesItsOwnKind(String pattern, String before, String after) {
        assertThat(OwnPlaces.line(before.replace('~', '\n') + "\n", pattern, "9"))
                .isEqualTo(after.replace('~', '\n') + "\n");
    }

    private static String rendered(Target target, ConfigPlace place, Setting winner, Setting baseline) {
        return new ConfigRenderer(target, winner, Optional.empty(), List.of())
                .measured(baseline.with(winner), baseline).at(place).stream()
                        .map(f -> "== " + f.path() + "\n" + f.text())
                        .reduce("", String::concat);
    }

    private static Target embedded(ServerKind server, String... flags) {
        return new Target.Embedded(
                server, "hello", Map.of(), Optional.empty(), new Target.Jvm(Optional.empty(), List.of(flags)));
    }

    @Test
    void noLimitIsALineToTakeOut() {
        Setting none = Setting.of("connections.max", "-1");
        Setting some = Setting.of("connections.max", "500");
        assertThat(rendered(embedded(ServerKind.JETTY), ConfigPlace.JETTY, none, some))
                .contains("# connections.max=-1: take out --module=network-connection-limit\n")
                .doesNotContain("maxNetworkConnectionCount");
        assertThat(rendered(embedded(ServerKind.UNDERTOW), ConfigPlace.UNDERTOW, none, some))
                .contains(
                        "// connections.max=-1 is the default: take out .setSocketOption(Options.CONNECTION_HIGH_WATER, …)\n")
                .doesNotContain("-1)");
    }

    @Test
    void aModuleThatWasTurnedOffIsNamed() {
        assertThat(rendered(
                        embedded(ServerKind.JETTY),
                        ConfigPlace.JETTY,
                        Setting.of("threads.virtual", "false"),
                        Setting.of("threads.virtual", "true")))
                .contains("# threads.virtual=false: take out --module=threadpool-all-virtual\n");
    }

    /** The flags were left out in the trials, and two collectors start no JVM. */
    @ParameterizedTest
    @CsvSource({"TOMCAT, TOMCAT", "JETTY, JETTY", "UNDERTOW, UNDERTOW"})
    void flagsThatHaveToGoAreNamed(ServerKind server, ConfigPlace place) {
        Target target = embedded(server, "-XX:+UseParallelGC", "-ea");
        assertThat(rendered(target, place, Setting.of("jvm.gc", "z"), Setting.DEFAULT))
                .contains("# take out of what is there: -XX:+UseParallelGC\n");
        assertThat(rendered(target, place, Setting.of("jvm.heap", "1g"), Setting.DEFAULT))
                .doesNotContain("take out");
    }

    /** JAVA_TOOL_OPTIONS come before the command line, whose flags win. */
    @ParameterizedTest
    @CsvSource({"SYSTEMD", "KUBERNETES", "DOCKER"})
    void flagsThatWinOverAVariableAreNamed(ConfigPlace place) {
        Target target = new Target.Boot(
                "/app.jar",
                ServerKind.TOMCAT,
                "4.1.1",
                List.of(),
                new Target.Jvm(Optional.empty(), List.of("-Xmx4g", "-ea")),
                Setting.DEFAULT);
        assertThat(rendered(target, place, Setting.of("jvm.heap", "1g"), Setting.DEFAULT))
                .contains("# take out of what is there: -Xmx4g\n", "# flags on the command line win over these\n");
        assertThat(rendered(target, place, Setting.of("threads.max", "9"), Setting.DEFAULT))
                .doesNotContain("take out", "command line");
    }

    /** A limit is required by WildFly's request-limit; without it, the batch fails. */
    @ParameterizedTest
    @CsvSource({
        "admission.queue, 50, admission.max, 100",
        "admission.max, 100, admission.queue, 50",
    })
    void aFilterIsAddedWithAllThatWasHeld(String knob, String value, String held, String there) {
        Setting baseline = Setting.of(held, there);
        assertThat(rendered(embedded(ServerKind.UNDERTOW), ConfigPlace.WILDFLY, Setting.of(knob, value), baseline))
                .containsPattern("request-limit=fettle-limit:add\\((max-concurrent-requests=100,queue-size=50"
                        + "|queue-size=50,max-concurrent-requests=100)\\)");
    }

    @Test
    void whatWasHeldAddsNoFilterByItself() {
        assertThat(rendered(
                        embedded(ServerKind.UNDERTOW),
                        ConfigPlace.WILDFLY,
                        Setting.of("backlog", "50"),
                        Setting.of("admission.max", "100")))
                .doesNotContain("request-limit");
    }

    @ParameterizedTest
    @CsvSource({"SYSTEMD", "KUBERNETES", "DOCKER"})
    void aVariableTakesThePlaceOfTheUsers(ConfigPlace place) {
        assertThat(rendered(BOOT, place, Setting.of("jvm.heap", "1g"), Setting.DEFAULT))
                .contains("# put your own JAVA_TOOL_OPTIONS in front of these: they take its place\n");
        assertThat(rendered(BOOT, place, Setting.of("process.cpus", "2"), Setting.DEFAULT))
                .doesNotContain("JAVA_TOOL_OPTIONS");
    }

    @Test
    void aKnobWithoutAPropertyIsNotLostSilently() {
        assertThat(rendered(
                        embedded(ServerKind.TOMCAT),
                        ConfigPlace.SPRING_BOOT,
                        Setting.of(Map.of("tcp.nodelay", "false", "jvm.heap", "1g")),
                        Setting.DEFAULT))
                .contains("# no property for tcp.nodelay=false: use a customizer\n", "java -Xms1g");
    }

    /** The server's default is not Spring Boot's, nor what the user has. */
    @Test
    void aDefaultThatIsNoneThereIsWritten() {
        Setting winner = Setting.of(Map.of("threads.max", "200", "backlog", "100", "compression.min", "2k"));
        var files = new ConfigRenderer(embedded(ServerKind.TOMCAT), winner, Optional.empty(), List.of())
                .measured(winner, Setting.of("threads.max", "50"))
                .boot(false);
        assertThat(files.map(ConfigFile::text).orElse(""))
                .contains("server.tomcat.threads.max=200")
                .doesNotContain("accept-count");
    }

    private static final String XML = "<?xml version=\"1.0\"?>\n<Connector maxThreads=\"{threads.max}\"/>\n";

    /** In front of an XML declaration a comment makes the file a broken one. */
    @Test
    void aTemplateIsWrittenWithoutAComment() {
        Target command = new Target.Command(
                List.of(List.of("{java}")),
                Map.of(),
                Map.of(),
                Map.of("conf/server.xml", XML),
                Map.of(),
                Optional.empty(),
                Map.of("threads.max", "25"),
                Target.Jvm.SAME);
        List<ConfigFile> files = new ConfigRenderer(command, Setting.of("threads.max", "9"), Optional.empty(), OWN)
                .measured(Setting.of(Map.of("threads.max", "9", "own.xml", "6")), Setting.DEFAULT)
                .at(ConfigPlace.COMMAND_LINE);
        assertThat(files).extracting(ConfigFile::kind).startsWith(Kind.COMMAND_LINE, Kind.TEMPLATE);
        // own.xml has no place in it, which is said where a comment is one
        assertThat(files.get(0).text()).startsWith("# conf/server.xml");
        assertThat(files.get(1).after(List.of("Fettle run x")).text())
                .isEqualTo("<?xml version=\"1.0\"?>\n<Connector maxThreads=\"9\"/>\n");
    }

    @Test
    void eachValueStandsWhereItIsSet() {
        assertThat(text(ConfigPlace.SPRING_BOOT, Kind.BOOT_PROPERTIES)).contains("a.b.maximum-pool-size=20\n");
        assertThat(text(ConfigPlace.SPRING_BOOT, Kind.JAVA_COMMAND)).contains("java -Dapp.cache=3 -jar app.jar");
        assertThat(text(ConfigPlace.SPRING_BOOT, Kind.SYSTEMD_UNIT)).contains("Environment=\"WORKERS=4\"");
        assertThat(text(ConfigPlace.SPRING_BOOT, Kind.OWN_FILE)).isEqualTo("size=5\n//R/@n = 6\n");
        assertThat(text(ConfigPlace.DOCKER, Kind.DOCKER_RUN))
                .contains("-e A_B_MAXIMUMPOOLSIZE=20", "-e WORKERS=4", "JAVA_TOOL_OPTIONS=-Dapp.cache=3")
                .doesNotContain("UNSET");
        assertThat(text(ConfigPlace.KUBERNETES, Kind.KUBERNETES_PATCH)).contains("- name: WORKERS");
    }

    @Test
    void nothingIsSaidOfAnOwnKnobInTheServersFile() {
        Target tomcat = new Target.Embedded(ServerKind.TOMCAT, "hello", Map.of(), Optional.empty(), Target.Jvm.SAME);
        assertThat(new ConfigRenderer(tomcat, Setting.of("own.workers", "4"), Optional.empty(), OWN)
                        .at(ConfigPlace.TOMCAT))
                .extracting(ConfigFile::kind)
                .containsExactly(Kind.SYSTEMD_UNIT);
    }

    /** Choices of an own knob are free text, and a flag with a blank is one flag. */
    @Test
    void aFlagWithABlankStaysOne() {
        OwnKnob mode = new OwnKnob(
                "own.mode",
                Knob.Type.ENUM,
                Knob.Scale.LINEAR,
                0,
                0,
                List.of("first come", "priority"),
                Optional.empty(),
                "",
                "",
                new OwnKnob.SystemProperty("mode"),
                Optional.empty());
        assertThat(new ConfigRenderer(BOOT, Setting.of("own.mode", "first come"), Optional.empty(), List.of(mode))
                        .at(ConfigPlace.KUBERNETES).stream()
                                .map(ConfigFile::text)
                                .reduce("", String::concat))
                .contains("'-Dmode=first come'");
    }

    /** The place of a server is its own; one without a distribution is tried as a program made of its code. */
    @ParameterizedTest
    @EnumSource
    void everyServerIsWritten(ServerKind server) {
        assertThat(ConfigPlace.of(embedded(server)).server()).hasValue(server);
        assertThat(ConfigPlace.config(server).server()).isEqualTo(server);
        assertThat(ConfigPlace.config(server).program(Optional.empty(), 8080).isPresent())
                .isNotEqualTo(server.rules().hasDistribution());
        for (Knob knob : Knobs.all()) {
            NativeKnob on = knob.on(server);
            if (knob.part() == Knob.Part.SERVER && on.applies()) {
                assertThat(ConfigPlace.config(server).embedded(on))
                        .as(knob.name())
                        .isNotBlank()
                        .doesNotContain("null");
            }
        }
    }

    private static Target embedded(ServerKind server) {
        return new Target.Embedded(server, "hello", Map.of(), Optional.empty(), Target.Jvm.SAME);
    }

    private static String measured(ServerKind server, Setting shown, Setting whole, Setting baseline) {
        return new ConfigRenderer(embedded(server), shown, Optional.empty(), List.of())
                .measured(whole, baseline)
                .at(ConfigPlace.of(embedded(server)))
                .getFirst()
                .text();
    }

    /** A user who runs with the baseline's value keeps it unless told otherwise. */
    @Test
    void theServersOwnDefaultIsWrittenWhereTheBaselineHadAnother() {
        Setting best = Setting.of("threads.max", "200");
        assertThat(measured(ServerKind.TOMCAT, best, best, Setting.of("threads.max", "50")))
                .contains("maxThreads=\"200\"");
        assertThat(measured(ServerKind.TOMCAT, best, best, Setting.DEFAULT)).doesNotContain("maxThreads");
    }

    @Test
    void whatWasHeldDecidesHowAKnobIsWritten() {
        Setting threads = Setting.of("threads.max", "400");
        assertThat(measured(ServerKind.JETTY, threads, threads.with("threads.virtual", "true"), Setting.DEFAULT))
                .contains("maxConcurrentTasks=400", "maxThreads=400"); // of 12.1, and of 12.0
        assertThat(measured(ServerKind.JETTY, threads, threads, Setting.DEFAULT))
                .contains("maxThreads=400")
                .doesNotContain("maxConcurrentTasks");
        Setting queue = Setting.of("admission.queue", "20");
        assertThat(measured(ServerKind.UNDERTOW, queue, queue.with("admission.max", "64"), Setting.DEFAULT))
                .contains("RequestLimitingHandler(64, 20, handler)");
    }

    @ParameterizedTest
    @CsvSource({
        "'a=1|size=3|b=2|','a=1|size=9|b=2|'",
        "'a=1|  size=3','a=1|  size=9'",
        "'a=1','a=1|size=9|'",
        "'','size=9|'",
        "'sizes=1|','sizes=1|size=9|'",
    })
    void aLineTakesThePlaceOfItsOwn(String before, String after) {
        assertThat(OwnPlaces.line(before.replace('|', '\n'), "size={value}", "9"))
                .isEqualTo(after.replace('|', '\n'));
    }
}
