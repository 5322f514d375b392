package dev.fettle.lab.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fettle.lab.Fixtures;
import dev.fettle.lab.LabListener;
import dev.fettle.lab.machine.Folders;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.Ports;
import dev.fettle.lab.machine.TrialFailure;
import dev.fettle.lab.target.RunningTarget;
import dev.fettle.load.api.Wire;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialOutcome.Kind;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Real distributions, fetched as the product fetches them, with private copies of their configuration. */
class StandaloneTest {
    private static final String TOMCAT = "11.0.24";
    private static final String JETTY = "12.1.12";

    /** Shared: a distribution is fetched and unpacked once. */
    @TempDir
    static Path workspace;

    @TempDir
    Path folder;

    private final LabListener silent = new LabListener() {};

    private TrialOutcome run(Target target, Setting setting, String path, String contains) throws Exception {
        var load = new Load(
                4,
                true,
                Load.Request.get(path),
                new Load.Expect(200, OptionalInt.empty(), Optional.of(contains)),
                Duration.ofSeconds(30),
                Fixtures.SHORT,
                Fixtures.SHORT,
                1,
                Fixtures.RESTING,
                Wire.PLAIN,
                Optional.empty());
        return Fixtures.answered(
                Fixtures.runner(Fixtures.unloaded(workspace), folder, silent),
                Fixtures.spec(target, setting, load),
                silent);
    }

    private static Target.Standalone target(
            ServerKind server, Optional<String> base, Optional<String> war, String context) {
        return new Target.Standalone(
                server,
                Optional.of(server == ServerKind.TOMCAT ? TOMCAT : JETTY),
                Optional.empty(),
                base,
                war,
                context,
                new Target.Jvm(Optional.empty(), List.of("-Xms128m", "-Xmx128m", "-XX:TieredStopAtLevel=1")),
                Setting.DEFAULT);
    }

    private String kept(String file) throws IOException {
        return Files.readString(folder.resolve("trial-1").resolve(file));
    }

    @AfterEach
    void nothingIsLeftRunning() {
        assertThat(Fixtures.runningIn(folder)).isEmpty();
    }

    @Test
    void tomcatServesItsExamplesUnderASetting() throws Exception {
        Setting setting = Setting.of(Map.of("threads.max", "23", "backlog", "321", "jvm.heap", "96m"));
        Target examples =
                target(ServerKind.TOMCAT, Optional.empty(), Optional.of(Target.Standalone.EXAMPLES), "/examples");
        TrialOutcome o = run(examples, setting, "/examples/servlets/servlet/HelloWorldExample", "Hello World!");

        assertThat(o.failure()).isEmpty();
        assertThat(o.measurement().orElseThrow().statuses()).containsOnlyKeys(200);
        var evidence = o.evidence().orElseThrow();
        assertThat(evidence.effective())
                .containsEntry("threads.max", "23")
                .containsEntry("backlog", "321")
                .containsEntry("jvm.heap", "96m");
        assertThat(evidence.facts())
                .containsEntry("serverVersion", "Apache Tomcat/" + TOMCAT)
                .containsEntry("deployed", "examples at /examples")
                .containsEntry("configured", "request.timeout=20000");
        assertThat(kept("base/conf/server.xml"))
                .contains("maxThreads=\"23\"", "acceptCount=\"321\"", "address=\"127.0.0.1\"", "<Server port=\"-1\"");
        assertThat(kept("server.xml"))
                .contains("<Server port=\"8005\"", "<Connector port=\"8080\"", "maxThreads=\"23\"");
        assertThat(kept("gc.log")).contains("gc");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("trial-1/base"))))
                .as("configurations hold passwords")
                .isEqualTo("rwx------");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("trial-1/server.xml"))))
                .isEqualTo("rw-------");
        assertThat(folder.resolve("trial-1/base/logs")).isNotEmptyDirectory();
        assertThat(folder.resolve("trial-1/base/webapps")).doesNotExist();
    }

    @Test
    void aUsersBaseIsTheBaselineAndStaysAsItWas() throws Exception {
        Path base = folder.resolve("mine");
        Distribution home = Distribution.of(
                target(ServerKind.TOMCAT, Optional.empty(), Optional.of("x"), "/"),
                Artifacts.of(Fixtures.unloaded(workspace), note -> {}));
        Folders.copy(home.home().resolve("conf"), base.resolve("conf"));
        Path xml = base.resolve("conf/server.xml");
        Files.writeString(xml, Files.readString(xml).replace("<Connector port=\"8080\"", """
            <Executor name="mine" maxThreads="31"/>
            <Connector port="8009" protocol="AJP/1.3" secretRequired="false"/>
            <Connector executor="mine" maxThreads="7" port="8080\"\
            """));
        Files.createDirectories(base.resolve("bin"));
        Files.writeString(base.resolve("bin/setenv.sh"), "CATALINA_OPTS='-Xmx2g -Dmine=yes'\n");
        Wars.folder(base.resolve("webapps/shop"), "");
        Map<String, String> before = contents(base);

        TrialOutcome o = run(
                target(ServerKind.TOMCAT, Optional.of(base.toString()), Optional.empty(), "/"),
                Setting.of("jvm.heap", "100m"),
                "/shop/",
                "sum 21 on /shop!");

        assertThat(o.failure()).isEmpty();
        var evidence = o.evidence().orElseThrow();
        assertThat(evidence.facts().get("configured")).contains("threads.max=31");
        assertThat(evidence.effective()).containsEntry("jvm.heap", "100m");
        assertThat(evidence.notes())
                .anyMatch(n -> n.contains("maxThreads=\"7\" of the Connector is ignored"))
                .anyMatch(n -> n.endsWith("the Connector on port 8009 (AJP/1.3)"));
        assertThat(contents(base)).isEqualTo(before);
    }

    @Test
    void jettyServesAWarUnderASetting() throws Exception {
        Path war = Wars.folder(folder.resolve("shop"), "");
        Setting setting = Setting.of(Map.of("threads.max", "23", "backlog", "321", "admission.max", "50"));
        TrialOutcome o = run(
                target(ServerKind.JETTY, Optional.empty(), Optional.of(war.toString()), "/a/b"),
                setting,
                "/a/b/",
                "sum 21 on /a/b!");

        assertThat(o.failure()).isEmpty();
        var evidence = o.evidence().orElseThrow();
        assertThat(evidence.effective()).containsEntry("threads.max", "23").containsEntry("backlog", "321");
        assertThat(evidence.facts())
                .containsEntry("environment", "ee10")
                .containsEntry("serverVersion", "Jetty/" + JETTY)
                .containsEntry("deployed", "shop at /a/b");
        assertThat(kept("base/start.d/zz-fettle.ini")).contains("jetty.threadPool.maxThreads=23", "--modules=qos");
        assertThat(kept("gc.log")).contains("gc");
    }

    /** Every user of the machine can read the command line of a process. */
    @Tag("long")
    @Test
    void passwordsOfAJettyBaseAreNotInTheCommandOfItsServer() throws Exception {
        Path base = folder.resolve("mine");
        Files.createDirectories(base.resolve("start.d"));
        Files.writeString(base.resolve("start.d/shop.ini"), "shop.db.password=geheim-77\nshop.pool=12\n");
        Path war = Wars.folder(folder.resolve("shop"), "");
        var env = Fixtures.unloaded(workspace);
        var launcher = new StandaloneLauncher(env, new ProgramLauncher(env), Artifacts.of(env, note -> {}));
        Path trial = Files.createDirectories(folder.resolve("trial-1"));
        try (RunningTarget running = launcher.launch(
                target(ServerKind.JETTY, Optional.of(base.toString()), Optional.of(war.toString()), "/"),
                Setting.of("threads.max", "23"),
                Optional.empty(),
                trial,
                Ports.freePort())) {
            assertThat(running.effective()).containsEntry("threads.max", "23");
            assertThat(String.join(" ", env.proc().arguments(running.pid())))
                    .contains("start.properties")
                    .doesNotContain("geheim-77");
            assertThat(kept("base/start.properties")).contains("shop.db.password=geheim-77", "shop.pool=12");
            assertThat(running.process().orElseThrow().secrets().mask("no geheim-77 here"))
                    .isEqualTo("no *** here");
        }
    }

    @Tag("long")
    @ParameterizedTest
    @EnumSource(
            value = ServerKind.class,
            names = {"TOMCAT", "JETTY"})
    void aWarThatDoesNotDeploySaysWhy(ServerKind server) throws Exception {
        Path war = Wars.folder(
                folder.resolve("shop"), "<listener><listener-class>no.such.Listener</listener-class></listener>");
        TrialOutcome o = run(
                target(server, Optional.empty(), Optional.of(war.toString()), "/shop"),
                Setting.DEFAULT,
                "/shop/",
                "sum");

        assertThat(o.failure().orElseThrow().kind()).isEqualTo(Kind.DID_NOT_START);
        assertThat(o.failure().get().message())
                .isEqualTo("the web application did not deploy: java.lang.ClassNotFoundException: no.such.Listener");
    }

    @Tag("long")
    @Test
    void aPortThatSomebodyElseHasIsNotLoaded() throws Exception {
        var env = Fixtures.unloaded(workspace);
        Target.Standalone examples =
                target(ServerKind.TOMCAT, Optional.empty(), Optional.of(Target.Standalone.EXAMPLES), "/");
        try (var taken = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            var launcher = new StandaloneLauncher(env, new ProgramLauncher(env), Artifacts.of(env, note -> {}));
            assertThatExceptionOfType(TrialFailure.class)
                    .isThrownBy(() ->
                            launcher.launch(examples, Setting.DEFAULT, Optional.empty(), folder, taken.getLocalPort()))
                    .withMessageContaining("Address already in use");
        }
    }

    @Test
    void aWarForTheOldNamespaceIsNamedBeforeAnythingIsLaunched() throws Exception {
        Path war = Wars.zip(
                folder.resolve("old.war"),
                Map.of("WEB-INF/classes/shop/Cart.class", Wars.classNaming("javax/servlet/http/HttpServlet")));
        Target target = target(ServerKind.TOMCAT, Optional.empty(), Optional.of(war.toString()), "/");
        assertThatExceptionOfType(LabException.class)
                .isThrownBy(() -> run(target, Setting.DEFAULT, "/", "x"))
                .withMessageContaining(
                        "old.war is built for javax.servlet (WEB-INF/classes/shop/Cart.class), and Tomcat 11.0.24"
                                + " serves jakarta.servlet");
        assertThat(folder.resolve("trial-1/base")).doesNotExist();
    }

    @Test
    void aWarForTheNewNamespaceIsNothingForTomcat9() throws Exception {
        Path war = Wars.zip(
                folder.resolve("new.war"),
                Map.of("WEB-INF/classes/shop/Cart.class", Wars.classNaming("jakarta/servlet/http/HttpServlet")));
        var target = new Target.Standalone(
                ServerKind.TOMCAT,
                Optional.of("9.0.109"),
                Optional.empty(),
                Optional.empty(),
                Optional.of(war.toString()),
                "/",
                Target.Jvm.SAME,
                Setting.DEFAULT);
        assertThatExceptionOfType(LabException.class)
                .isThrownBy(() -> run(target, Setting.DEFAULT, "/", "x"))
                .withMessageContaining(
                        "new.war is built for jakarta.servlet (WEB-INF/classes/shop/Cart.class), and Tomcat 9.0.109"
                                + " serves javax.servlet");
        assertThat(folder.resolve("trial-1/base")).doesNotExist();
    }

    @Test
    void whatTheConfigurationCannotTakeIsAnImpossibleSetting() throws Exception {
        Path base = folder.resolve("mine");
        Files.createDirectories(base.resolve("conf"));
        Files.writeString(
                base.resolve("conf/server.xml"),
                "<Server><Service><Connector useVirtualThreads='true'/></Service></Server>");
        TrialOutcome o = run(
                target(ServerKind.TOMCAT, Optional.of(base.toString()), Optional.of(Target.Standalone.EXAMPLES), "/"),
                Setting.of("threads.max", "5"),
                "/",
                "x");
        assertThat(o.failure().orElseThrow().kind()).isEqualTo(Kind.IMPOSSIBLE_SETTING);
        assertThat(o.failure().get().message()).contains("server.xml:1: threads.max has no effect");
    }

    private static Map<String, String> contents(Path of) throws IOException {
        try (Stream<Path> files = Files.walk(of)) {
            var out = new java.util.TreeMap<String, String>();
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                out.put(of.relativize(file).toString(), Files.readString(file));
            }
            return out;
        }
    }
}
