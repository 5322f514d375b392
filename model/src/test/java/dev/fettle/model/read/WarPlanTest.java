package dev.fettle.model.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.plan.Plan;
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

/** A WAR on an embedded server. */
class WarPlanTest {
    @TempDir
    Path folder;

    private Plan read(String target, String more) throws IOException {
        Files.createDirectories(folder.resolve("web/WEB-INF"));
        Files.createDirectories(folder.resolve("empty"));
        Files.writeString(folder.resolve("shop.war"), "");
        Path plan = Files.writeString(folder.resolve("plan.yaml"), """
                name: p
                target: {%s}
                load: {connections: 4}
                %s
                """.formatted(target, more));
        return new PlanReader(4, 4096).read(plan);
    }

    @Test
    void aWarTakesThePlaceOfASampleApp() throws Exception {
        assertThat(read("server: undertow, war: shop.war, context: /shop, jvm: [-Xmx1g]", "")
                        .target())
                .isEqualTo(new Target.War(
                        ServerKind.UNDERTOW,
                        folder.resolve("shop.war").toString(),
                        "/shop",
                        new Target.Jvm(Optional.empty(), List.of("-Xmx1g"))));
        Target web = read("server: jetty, war: web, java: 21", "").target();
        assertThat(web)
                .isEqualTo(new Target.War(
                        ServerKind.JETTY,
                        folder.resolve("web").toString(),
                        "/",
                        new Target.Jvm(Optional.of("21"), List.of())));
        assertThat(web.label()).isEqualTo("jetty/web");
        assertThat(web.knownServer()).hasValue(ServerKind.JETTY);
    }

    @Test
    void aComparisonVariesItsServer() throws Exception {
        Plan plan = read("server: tomcat, war: shop.war, context: /shop", """
                compare:
                  variants:
                    tomcat: {}
                    undertow: {server: undertow, jvm: [-Xmx1g]}
                """);
        assertThat(plan.compare().orElseThrow().variants())
                .extracting(v -> (Target) v.target())
                .containsExactly(
                        plan.target(),
                        new Target.War(
                                ServerKind.UNDERTOW,
                                folder.resolve("shop.war").toString(),
                                "/shop",
                                new Target.Jvm(Optional.empty(), List.of("-Xmx1g"))));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "server: tomcat, app: hello, war: shop.war||2:38: an embedded server has either 'app' (a sample app) or 'war', not both",
                "server: tomcat, war: none.war||no such file: ",
                "server: tomcat, war: empty||is no web application: a folder of one holds WEB-INF",
                "server: tomcat, war: shop.war, context: shop||context is / or a path like /shop, not 'shop'",
                "server: tomcat, war: shop.war, options: {cpu: 1ms}||unknown key 'options' (allowed here: server, war, context, java, jvm)",
                "server: tomcat, war: shop.war, java: 11||java 11 is too old: at least 17",
                "server: glassfish, war: shop.war||server is one of tomcat, jetty, undertow",
                "server: undertow, war: shop.war|hold: {connections.rate: 5}|connections.rate",
                "server: jetty, war: shop.war|sweep: {grid: {app.bytes: [1]}}|unknown dimension 'app.bytes'",
                "server: jetty, war: shop.war|compare: {variants: {a: {app: hello}, b: {}}}|'app' cannot vary: the target is a WAR on an embedded server",
            })
    void aMistakeIsToldWithItsPlace(String target, String more, String words) {
        assertThatExceptionOfType(PlanException.class)
                .isThrownBy(() -> read(target, Optional.ofNullable(more).orElse("")))
                .withMessageContaining("plan.yaml:")
                .withMessageContaining(words);
    }
}
