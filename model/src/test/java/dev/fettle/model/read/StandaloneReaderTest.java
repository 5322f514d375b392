package dev.fettle.model.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StandaloneReaderTest {
    @TempDir
    Path folder;

    private Target read(String target, String hold) throws IOException {
        Files.createDirectories(folder.resolve("base"));
        Files.writeString(folder.resolve("shop.war"), "");
        Path plan = Files.writeString(folder.resolve("plan.yaml"), """
                name: p
                target: {%s}
                load: {connections: 4}
                hold: {%s}
                sweep: {grid: {threads.max: [8]}}
                """.formatted(target, hold));
        return new PlanReader(4, 4096).read(plan).target();
    }

    @Test
    void pathsBeginAtThePlansFolder() throws Exception {
        assertThat(read("standalone: tomcat, home: ., base: base, war: shop.war, context: /shop, jvm: [-Xmx1g]", ""))
                .isEqualTo(new Target.Standalone(
                        ServerKind.TOMCAT,
                        Optional.empty(),
                        Optional.of(folder.toString()),
                        Optional.of(folder.resolve("base").toString()),
                        Optional.of(folder.resolve("shop.war").toString()),
                        "/shop",
                        new Target.Jvm(Optional.empty(), List.of("-Xmx1g")),
                        Setting.DEFAULT));
    }

    /** The usual layout of one server on a machine. */
    @Test
    void aHomeThatHoldsWebApplicationsIsItsOwnBase() throws Exception {
        Path home = java.nio.file.Files.createDirectories(folder.resolve("tomcat/webapps"))
                .getParent();
        assertThat(read("standalone: tomcat, home: tomcat", ""))
                .isInstanceOfSatisfying(
                        Target.Standalone.class, s -> assertThat(s.base()).contains(home.toString()));
        assertThat(read("standalone: tomcat, home: tomcat, war: shop.war", ""))
                .isInstanceOfSatisfying(
                        Target.Standalone.class, s -> assertThat(s.base()).isEmpty());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "standalone: tomcat, version: 11.0.24, home: ., war: examples||either 'version'",
                "standalone: tomcat, war: examples||either 'version'",
                "standalone: tomcat, version: latest, war: examples||version is one like 11.0.24, not 'latest'",
                "standalone: tomcat, version: 11.0.24||nothing would be deployed",
                "standalone: tomcat, version: 11.0.24, war: none.war||no such file: ",
                "standalone: tomcat, version: 11.0.24, base: base, context: /a||context has no effect without 'war'",
                "standalone: tomcat, version: 11.0.24, war: examples, context: a||context is / or a path like /shop",
                "standalone: jetty, version: 12.1.12, war: examples||only Tomcat ships examples",
                "standalone: jetty, home: nowhere, war: shop.war||home: there is no folder",
                "standalone: undertow, version: 2.3.0, war: shop.war||tomcat, jetty",
                "standalone: tomcat, version: 11.0.24, war: examples|client.rate: 5|client.rate is not tunable here",
                "standalone: jetty, version: 12.1.12, war: shop.war|shutdown.timeout: 5s|shutdown.timeout is not tunable here",
            })
    void aMistakeIsToldWithItsPlace(String target, String hold, String words) {
        assertThatExceptionOfType(PlanException.class)
                .isThrownBy(() -> read(target, Optional.ofNullable(hold).orElse("")))
                .withMessageContaining("plan.yaml:")
                .withMessageContaining(words);
    }
}
