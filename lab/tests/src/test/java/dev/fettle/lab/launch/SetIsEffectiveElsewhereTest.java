package dev.fettle.lab.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.lab.Fixtures;
import dev.fettle.lab.SampleApps;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.read.PlanReader;
import dev.fettle.model.target.Target;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Set = effective where the server is not ours: in a distribution's configuration files, and by Spring Boot's properties. Each
 * server knob that the way of running has a place for is set to a value that is no default, and read back by the agent.
 */
@Order(4)
class SetIsEffectiveElsewhereTest {
    /** Only what is the server's is asked here, so the JVM may be one that starts quickly. */
    private static final List<String> QUICK = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    @TempDir
    Path folder;

    private void check(String way, Target target, Load load) throws Exception {
        check(way, target, load, Set.of());
    }

    /** @param without knobs that the version does not have */
    private void check(String way, Target target, Load load, Set<String> without) throws Exception {
        var both = new SetAndReadBack(Files.createDirectories(folder.resolve(way.replace(' ', '-'))));
        var results = new LinkedHashMap<String, String>();
        for (Setting setting :
                SetAndReadBack.settings(target, k -> k.part() == Knob.Part.SERVER && !without.contains(k.name()))) {
            results.putAll(both.launch(target, setting, load));
        }
        ServerKind server = target.knownServer().orElseThrow();
        var out = new StringBuilder("set = effective: " + way + ", in " + both.launches() + " launches\n");
        for (Knob knob : Knobs.all()) {
            String result = results.get(knob.name());
            if (result != null) {
                out.append("  %-28s %s%n".formatted(knob.name(), result));
            }
        }
        System.out.print(out);
        assertThat(results).hasSizeGreaterThan(5);
        results.forEach((knob, result) -> {
            boolean unread = !Knobs.find(knob).orElseThrow().on(server).unread().isEmpty();
            assertThat(result)
                    .as("%s on %s", knob, way)
                    .isIn(unread && !knob.equals("backlog") ? "exception" : "ok", "differs");
        });
    }

    private static Target standalone(ServerKind server, String version, Optional<String> war, String context) {
        return new Target.Standalone(
                server,
                Optional.of(version),
                Optional.empty(),
                Optional.empty(),
                war,
                context,
                new Target.Jvm(Optional.empty(), QUICK),
                Setting.DEFAULT);
    }

    @Test
    void onAStandaloneTomcat() throws Exception {
        check(
                "standalone Tomcat 11",
                standalone(ServerKind.TOMCAT, "11.0.24", Optional.of(Target.Standalone.EXAMPLES), "/examples"),
                Fixtures.load(1, "Hello World").withPath("/examples/servlets/servlet/HelloWorldExample"));
    }

    /** What many still run: javax.servlet. */
    @Test
    void onAStandaloneTomcat9() throws Exception {
        check(
                "standalone Tomcat 9.0",
                standalone(ServerKind.TOMCAT, "9.0.109", Optional.of(Target.Standalone.EXAMPLES), "/examples"),
                Fixtures.load(1, "Hello World").withPath("/examples/servlets/servlet/HelloWorldExample"));
    }

    @Test
    void onAStandaloneJetty120() throws Exception {
        String war = Fixtures.home()
                .resolve("examples/war")
                .toAbsolutePath()
                .normalize()
                .toString();
        check(
                "standalone Jetty 12.0",
                standalone(ServerKind.JETTY, "12.0.31", Optional.of(war), "/"),
                Fixtures.load(1, "Hello").withPath("/hello.jsp"),
                // its compression is another module, with other properties, and the size of its input buffer has none
                Set.of("compression", "compression.min", "compression.level", "buffers.input"));
    }

    @Test
    void onAStandaloneJetty() throws Exception {
        String war = Fixtures.home()
                .resolve("examples/war")
                .toAbsolutePath()
                .normalize()
                .toString();
        check(
                "standalone Jetty 12.1",
                standalone(ServerKind.JETTY, "12.1.12", Optional.of(war), "/"),
                Fixtures.load(1, "Hello").withPath("/hello.jsp"));
    }

    @Test
    void bySpringBootsProperties() throws Exception {
        for (String app : new String[] {"tomcat-4.1", "jetty-4.1", "undertow-3.5"}) {
            Path jar = SampleApps.jar(app).toAbsolutePath().normalize();
            Target target = new PlanReader(2, 4096, OwnFiles.CONFIGURATION)
                    .read("p.yaml", """
                    name: x
                    target: {boot: "%s", jvm: %s}
                    load: {connections: 1}
                    """.formatted(jar, QUICK))
                    .target();
            assertThat(target.configured().get("request.header.max")).as(app).contains("12k");
            check("Spring Boot, " + app, target, Fixtures.load(1, "").withPath("/work?cpu=0&wait=0"));
        }
    }
}
