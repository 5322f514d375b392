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
