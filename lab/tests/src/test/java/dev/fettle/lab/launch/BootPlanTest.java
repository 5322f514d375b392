package dev.fettle.lab.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.read.PlanException;
import dev.fettle.model.read.PlanReader;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.Json;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BootPlanTest {
    @TempDir
    Path folder;

    private Plan read(String more) throws IOException {
        Path plan = Files.writeString(folder.resolve("plan.yaml"), "name: b\nload: {connections: 7}\n" + more);
        return new PlanReader(2, 4096, OwnFiles.CONFIGURATION).read(plan);
    }

    @Test
    void theAppsOwnConfigurationIsRead() throws IOException {
        Path jar = Jars.tomcat()
                .resource("application.yml", "server.tomcat: {threads.max: 50, accept-count: 300}")
                .in(folder);

        var plan = read("target: {boot: app.jar, args: [--server.tomcat.threads.max=60, 5], java: 21}\n");

        assertThat(plan.target())
                .isEqualTo(new Target.Boot(
                        jar.toString(),
                        ServerKind.TOMCAT,
                        "4.1.1",
                        List.of("--server.tomcat.threads.max=60", "5"),
                        new Target.Jvm(Optional.of("21"), List.of()),
                        Setting.of(Map.of("threads.max", "60", "backlog", "300"))));
        assertThat(plan.hold()).isEqualTo(Setting.DEFAULT);
        assertThat(plan.target().configured()).isEqualTo(Setting.of(Map.of("threads.max", "60", "backlog", "300")));
        String json = Json.mapper().writeValueAsString(plan.target());
        assertThat(Json.mapper().readValue(json, Target.class)).isEqualTo(plan.target());
    }

    @Test
    void aVariantsFlagsMayConfigureItToo() throws IOException {
        Jars.tomcat().in(folder);

        var plan = read("""
            target: {boot: app.jar}
            compare:
              variants:
                one: {jvm: [-Dserver.tomcat.threads.max=9]}
                two: {set: {threads.max: 10}}
            """);

        var variants = plan.compare().orElseThrow().variants();
        assertThat(variants.get(0).target().configured()).isEqualTo(Setting.of("threads.max", "9"));
        assertThat(variants.get(1).target().configured()).isEqualTo(Setting.DEFAULT);
    }

    @Test
    void mistakesAreToldWhereTheyAre() throws IOException {
        assertThatThrownBy(() -> read("target: {boot: none.jar}\n"))
                .isInstanceOf(PlanException.class)
                .hasMessage(folder.resolve("plan.yaml") + ":3:16: no such file: " + folder.resolve("none.jar"));

        Jars.boot("3.5.16", "jetty-server-12.0.36.jar").in(folder);
        assertThatThrownBy(() -> read("target: {boot: app.jar}\nhold: {backlog: 1024}\n"))
                .hasMessage(folder.resolve("plan.yaml") + ":4:17: backlog is not tunable here:"
                        + " ServerConnector.acceptQueueSize has no place in Spring Boot 3.5.16's properties for jetty");
    }
}
