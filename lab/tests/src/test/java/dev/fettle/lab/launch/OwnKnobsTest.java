package dev.fettle.lab.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fettle.lab.Fixtures;
import dev.fettle.lab.SampleApps;
import dev.fettle.lab.machine.Ports;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.target.EffectiveValues;
import dev.fettle.lab.target.Readiness;
import dev.fettle.lab.target.RunningTarget;
import dev.fettle.model.knob.OwnKnob;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.read.PlanReader;
import dev.fettle.model.trial.TrialSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Knobs of the user's application reach it, and are read back as the plan says. */
class OwnKnobsTest {
    @TempDir
    Path folder;

    private Plan plan(String targetAndLoad, String own) throws Exception {
        Path file = Files.writeString(folder.resolve("p.yaml"), "name: p\n" + targetAndLoad + own);
        return new PlanReader(4, 4096, OwnFiles.CONFIGURATION).read(file);
    }

    private RunningTarget launched(Plan plan, Setting setting) throws Exception {
        Path trial = Files.createDirectory(folder.resolve("trial"));
        var env = Fixtures.unloaded(trial);
        TrialSpec spec = Fixtures.spec(plan.target(), setting, plan.load());
        RunningTarget running = new TargetLauncher(
                        env,
                        new Artifacts(trial.resolve("a"), trial.resolve("m"), note -> {}),
                        new Calibration(trial),
                        plan.own(),
                        new TrialFiles(),
                        note -> {})
                .launch(spec, trial, new Ports());
        try {
            Load load = plan.load();
            Readiness.await(running, load);
            new EffectiveValues(env.proc(), plan.own(), Set.of()).readBack(running, spec);
            return running;
        } catch (TrialFailure e) {
            running.close();
            throw e;
        }
    }

    /** HikariCP's pool by a property, its time-out by a system property, its idle connections by a variable. */
    @Test
    void everyWayReachesAnApplicationOfSpringBoot() throws Exception {
        Plan plan = plan("""
                target: {boot: %s, args: [--spring.datasource.hikari.maximumPoolSize=33, --spring.datasource.hikari.register-mbeans=true], jvm: [-Xmx256m, "-XX:TieredStopAtLevel=1"]}
                load: {connections: 1, request: {path: /article}, expect: {contains: Euro}}
                """.formatted(SampleApps.jar("pool-4.1")), """
                own:
                  pool: {type: int, set: {property: spring.datasource.hikari.maximum-pool-size}, read: {actuator: hikaricp.connections.max}}
                  pool.seen: {type: int, set: {env: NOBODY}, read: {mbean: "com.zaxxer.hikari:type=PoolConfig*", attribute: MaximumPoolSize}}
                  pool.text: {type: int, set: {env: NOBODY}, read: {url: /actuator/metrics/hikaricp.connections.max, pointer: /measurements/0/value}}
                  wait: {type: duration, set: {system-property: spring.datasource.hikari.connection-timeout}, read: {mbean: "com.zaxxer.hikari:type=PoolConfig*", attribute: ConnectionTimeout}}
                  idle: {type: int, set: {env: SPRING_DATASOURCE_HIKARI_MINIMUMIDLE}, read: {actuator: hikaricp.connections.min}}
                  marker: {type: text, set: {system-property: app.marker}, read: {run: [sh, -c, "tr '\\\\0' '\\\\n' < /proc/{pid}/cmdline | grep app.marker | cut -d= -f2"]}}
                  lost: {type: int, set: {env: NOBODY}, read: {url: /nothing}}
                """);
        Setting setting = Setting.of(Map.of("own.pool", "7", "own.wait", "2000", "own.idle", "3", "own.marker", "a b"));
        try (RunningTarget running = launched(plan, setting)) {
            assertThat(running.effective())
                    .containsEntry("own.pool", "7")
                    .containsEntry("own.pool.seen", "7")
                    .containsEntry("own.pool.text", "7")
                    .containsEntry("own.wait", "2000")
                    .containsEntry("own.idle", "3")
                    .containsEntry("own.marker", "a b");
            assertThat(running.notes()).contains("own.lost not read back: GET /nothing answers 404");
        }
    }

    @Test
    void aValueThatDoesNotArriveEndsTheTrial() throws Exception {
        Plan plan = plan("""
                target: {server: undertow, app: hello, jvm: ["-XX:TieredStopAtLevel=1"]}
                load: {connections: 1}
                """, """
                own:
                  pool: {type: int, set: {env: NOBODY_READS_THIS}, read: {run: [echo, 33]}}
                """);
        assertThatExceptionOfType(TrialFailure.class)
                .isThrownBy(() -> launched(plan, Setting.of("own.pool", "7")).close())
                .withMessage("own.pool was set to 7, but the running target has 33");
    }

    @Test
    void aFileOfThePrivateBaseIsChangedAndNoOther() throws Exception {
        Path base = Files.createDirectory(folder.resolve("base"));
        Path conf = Files.createDirectory(base.resolve("conf"));
        Path users = Files.writeString(folder.resolve("users.properties"), "size=1\n");
        Files.writeString(conf.resolve("app.properties"), "a=\u00e9\nsize=1\n");
        Files.writeString(conf.resolve("server.xml"), "<S><R name=\"x\" maxTotal=\"8\"/></S>");
        Files.createSymbolicLink(conf.resolve("shared.properties"), users);
        var own = List.of(
                own("own.size", new OwnKnob.Line("conf/app.properties", "size={value}")),
                own("own.total", new OwnKnob.Attribute("conf/server.xml", "//R[@name='x']/@maxTotal")),
                own("own.gone", new OwnKnob.Line("conf/none", "size={value}")),
                own("own.shared", new OwnKnob.Line("conf/shared.properties", "size={value}")));

        new OwnTexts(own, Setting.of(Map.of("own.size", "5", "own.total", "60"))).files(base);
        assertThat(conf.resolve("app.properties")).hasContent("a=\u00e9\nsize=5\n");
        assertThat(conf.resolve("server.xml")).hasContent("<S><R name=\"x\" maxTotal=\"60\"/></S>");
        assertThatExceptionOfType(TrialFailure.class)
                .isThrownBy(() -> new OwnTexts(own, Setting.of("own.gone", "1")).files(base))
                .withMessage("there is no file conf/none in the server's base");
        assertThatExceptionOfType(TrialFailure.class)
                .isThrownBy(() -> new OwnTexts(own, Setting.of("own.shared", "1")).files(base))
                .withMessageContaining("is shared with the server's own base");
        assertThat(users).hasContent("size=1\n");
    }

    private static OwnKnob own(String name, OwnKnob.How how) {
        return new OwnKnob(
                name,
                dev.fettle.model.knob.Knob.Type.INT,
                dev.fettle.model.knob.Knob.Scale.LOG,
                0,
                1000,
                List.of(),
                java.util.Optional.empty(),
                "",
                "",
                how,
                java.util.Optional.empty());
    }
}
