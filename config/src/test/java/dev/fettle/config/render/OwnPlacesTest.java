package dev.fettle.config.render;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.config.ConfigFile;
import dev.fettle.config.ConfigFile.Kind;
import dev.fettle.model.knob.Knob;
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
                .contains("maxConcurrentTasks=400")
                .doesNotContain("maxThreads");
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
