package dev.fettle.model.constraint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SpringBootConstraintsTest {
    private static Target.Boot app(ServerKind server, Setting configured) {
        return new Target.Boot("/srv/app.jar", server, "3.5.16", List.of(), Target.Jvm.SAME, configured);
    }

    private static List<String> check(ServerKind server, Map<String, String> configured, Map<String, String> setting) {
        return Constraints.check(app(server, Setting.of(configured)), Setting.of(setting), 4, 4096);
    }

    @Test
    void aKnobWithoutAPropertyIsNotTunableHere() {
        assertThat(check(ServerKind.JETTY, Map.of(), Map.of("backlog", "1024")))
                .containsExactly(
                        "backlog is not tunable here: ServerConnector.acceptQueueSize has no place in Spring Boot"
                                + " 3.5.16's properties for jetty");
        assertThat(check(ServerKind.TOMCAT, Map.of(), Map.of("backlog", "1024")))
                .isEmpty();
    }

    @Test
    void whatSpringBootIgnoresIsRefused() {
        assertThat(check(ServerKind.TOMCAT, Map.of(), Map.of("connections.max", "-1")))
                .containsExactly("connections.max=-1 is not possible here: Spring Boot ignores"
                        + " server.tomcat.max-connections=-1");
        assertThat(check(ServerKind.JETTY, Map.of(), Map.of("threads.min", "0")))
                .containsExactly("threads.min=0 is not possible here: Spring Boot ignores server.jetty.threads.min=0");
        assertThat(check(ServerKind.JETTY, Map.of(), Map.of("connections.max", "-1")))
                .isEmpty();
    }

    @Test
    void jettyGetsSpringBootsMinimumOfThreads() {
        assertThat(check(ServerKind.JETTY, Map.of(), Map.of("threads.max", "7")))
                .containsExactly(
                        "threads.max=7 is below Spring Boot's threads.min=8 for Jetty, which would not start: set"
                                + " threads.min too");
        assertThat(check(ServerKind.JETTY, Map.of(), Map.of("threads.max", "8")))
                .isEmpty();
        assertThat(check(ServerKind.JETTY, Map.of(), Map.of("threads.max", "7", "threads.min", "4")))
                .isEmpty();
        assertThat(check(ServerKind.JETTY, Map.of("threads.min", "4"), Map.of("threads.max", "7")))
                .isEmpty();
        assertThat(check(ServerKind.JETTY, Map.of(), Map.of("threads.max", "7", "threads.virtual", "true")))
                .isEmpty();
        assertThat(check(ServerKind.JETTY, Map.of(), Map.of("threads.max", "few")))
                .containsExactly("threads.max is a whole number from 1 to 20000, not 'few'");
    }

    @Test
    void theAppsOwnConfigurationCountsButIsNotJudged() {
        assertThat(check(ServerKind.TOMCAT, Map.of("threads.max", "20"), Map.of("threads.min", "30")))
                .containsExactly("threads.min=30 is above threads.max=20");
        assertThat(check(
                        ServerKind.TOMCAT,
                        Map.of("threads.max", "20"),
                        Map.of("threads.min", "30", "threads.max", "40")))
                .isEmpty();
        assertThat(check(ServerKind.TOMCAT, Map.of("backlog", "9999"), Map.of("threads.max", "20")))
                .isEmpty();
        assertThat(check(ServerKind.TOMCAT, Map.of("threads.virtual", "true"), Map.of("threads.max", "20")))
                .containsExactly("threads.max has no effect on Tomcat with threads.virtual=true");
    }

    @Test
    void virtualThreadsNeedTheirJava() {
        var jvm = new Target.Jvm(Optional.of("17"), List.of());
        var app = new Target.Boot("/srv/app.jar", ServerKind.TOMCAT, "3.5.16", List.of(), jvm, Setting.DEFAULT);
        assertThat(Constraints.check(app, Setting.of("threads.virtual", "true"), 4, 4096))
                .containsExactly(
                        "threads.virtual=true has no effect in Java 17: Spring Boot uses virtual threads from Java"
                                + " 21 on");
    }

    /** The tools in the jar that extract it came with Spring Boot 3.3. */
    @ParameterizedTest
    @CsvSource({"2.7.18, false", "3.2.12, false", "3.3.0, true", "3.5.16, true", "4.0.3, true"})
    void anExtractedJarNeedsItsTools(String version, boolean possible) {
        var app = new Target.Boot(
                "/srv/app.jar", ServerKind.TOMCAT, version, List.of(), Target.Jvm.SAME, Setting.DEFAULT);
        assertThat(Constraints.check(app, Setting.of("boot.layout", "extracted"), 4, 4096))
                .hasSize(possible ? 0 : 1)
                .allMatch(r -> r.contains("Spring Boot 3.3") && r.contains(version));
        assertThat(Constraints.check(app, Setting.of("boot.layout", "jar"), 4, 4096))
                .isEmpty();
        assertThat(Constraints.check(app, Setting.of("boot.layout", "flat"), 4, 4096))
                .hasSize(1);
    }

    @Test
    void onlyAJarHasALayout() {
        for (Target other : List.of(
                new Target.Embedded(ServerKind.TOMCAT, "work", Map.of(), Optional.empty(), Target.Jvm.SAME),
                new Target.Running(1, Optional.empty(), false, false, Optional.empty()))) {
            assertThat(Constraints.check(other, Setting.of("boot.layout", "extracted"), 4, 4096))
                    .singleElement()
                    .asString()
                    .contains("boot.layout", "only a Spring Boot jar");
        }
    }
}
