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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
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

    /** With these most knobs of a pool do nothing, so it would take another launch: {@link TlsTargetTest} sets them on the same servers. */
    private static final Set<String> VIRTUAL = Set.of("threads.virtual");

    private static final Load PAGE = Fixtures.load(1, "a page").withPath("/index.html");

    @TempDir
    Path folder;

    /** What an application does is not asked, so it does nothing. */
    private String page() throws IOException {
        Path war = Files.createDirectories(folder.resolve("war"));
        Files.writeString(war.resolve("index.html"), "a page\n");
        return war.toString();
    }

    /** @param without knobs that the version does not have, or that are set elsewhere */
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

    private static Target standalone(ServerKind server, String version, String war) {
        return new Target.Standalone(
                server,
                Optional.of(version),
                Optional.empty(),
                Optional.empty(),
                Optional.of(war),
                "/",
                new Target.Jvm(Optional.empty(), QUICK),
                Setting.DEFAULT);
    }

    @Test
    void onAStandaloneTomcat() throws Exception {
        check("standalone Tomcat 11", standalone(ServerKind.TOMCAT, "11.0.24", page()), PAGE, VIRTUAL);
    }

    /** What many still run: javax.servlet. */
    @Tag("long")
    @Test
    void onAStandaloneTomcat9() throws Exception {
        check("standalone Tomcat 9.0", standalone(ServerKind.TOMCAT, "9.0.109", page()), PAGE, VIRTUAL);
    }

    @Tag("long")
    @Test
    void onAStandaloneJetty120() throws Exception {
        check(
                "standalone Jetty 12.0",
                standalone(ServerKind.JETTY, "12.0.31", page()),
                PAGE,
                // its compression is another module, with other properties, and the size of its input buffer has none
                Set.of("compression", "compression.min", "compression.level", "buffers.input", "threads.virtual"));
    }

    @Test
    void onAStandaloneJetty() throws Exception {
        check("standalone Jetty 12.1", standalone(ServerKind.JETTY, "12.1.12", page()), PAGE, VIRTUAL);
    }

    @Test
    void bySpringBootsProperties() throws Exception {
        springBoot(VIRTUAL);
    }

    /** With them most knobs of a pool do nothing: they take a launch of their own. */
    @Tag("long")
    @Test
    void bySpringBootsPropertiesWithVirtualThreads() throws Exception {
        springBoot(Set.of());
    }

    private void springBoot(Set<String> without) throws Exception {
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
            Load load = Fixtures.load(1, "").withPath("/work?cpu=0&wait=0");
            check("Spring Boot, " + app, target, load, app.startsWith("tomcat") ? VIRTUAL : without);
        }
    }
}
