package dev.fettle.lab.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.lab.Fixtures;
import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.machine.Ports;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** All that a target is made of is known, so that a change of it is noticed. */
class TargetPartsTest {
    private static final String SERVERS = "servers/build/fettle-servers.jar";
    private static final String LIBRARIES = "servers/build/lib";
    private static final String AGENT = "agent/build/fettle-agent.jar";

    @TempDir
    Path folder;

    /** A target, and what of Fettle runs in it. */
    record Own(String name, Target target, Set<String> parts) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Own> own() {
        var backend = new Target.Backend(Duration.ZERO, 1);
        return Stream.of(
                new Own("hello", app("hello", Map.of()), Set.of(SERVERS, LIBRARIES)),
                new Own(
                        "backend",
                        app("login", Map.of()).withBackend(Optional.of(backend)),
                        Set.of(SERVERS, LIBRARIES)),
                new Own(
                        "fault",
                        app("login", Map.of("fault", "lock")),
                        Set.of(
                                SERVERS,
                                LIBRARIES,
                                "servers/faults/build/fettle-faults.jar",
                                "servers/faults/build/lib")),
                new Own("static", app("static", Map.of()), Set.of(SERVERS, AGENT, "servers/war/jetty/build/lib")),
                new Own(
                        "static with a backend",
                        app("static", Map.of()).withBackend(Optional.of(backend)),
                        Set.of(SERVERS, LIBRARIES, AGENT, "servers/war/jetty/build/lib")),
                new Own(
                        "war",
                        new Target.War(ServerKind.UNDERTOW, "/none.war", "/", Target.Jvm.SAME),
                        Set.of(SERVERS, AGENT, "servers/war/undertow/build/lib")),
                new Own("standalone", standalone(ServerKind.TOMCAT, "/none", "/none", ""), Set.of(AGENT)),
                new Own(
                        "boot",
                        new Target.Boot(
                                "/none.jar",
                                ServerKind.TOMCAT,
                                "4.1.1",
                                List.of(),
                                new Target.Jvm(Optional.of("/none"), List.of()),
                                Setting.DEFAULT),
                        Set.of(AGENT)),
                new Own("command", command("{java}", "-jar", "/x.jar"), Set.of()),
                new Own("url", new Target.Url(URI.create("http://127.0.0.1:1")), Set.of()));
    }

    private static Target.Embedded app(String app, Map<String, String> options) {
        return new Target.Embedded(
                ServerKind.JETTY, app, options, Optional.empty(), new Target.Jvm(Optional.of("/none"), List.of()));
    }

    private static Target.Standalone standalone(ServerKind server, String home, String base, String war) {
        return new Target.Standalone(
                server,
                Optional.empty(),
                Optional.of(home),
                Optional.of(base).filter(b -> !b.isEmpty()),
                Optional.of(war).filter(w -> !w.isEmpty()),
                "/",
                Target.Jvm.SAME,
                Setting.DEFAULT);
    }

    private static Target.Command command(String... arguments) {
        return new Target.Command(
                List.of(List.of(arguments)),
                Map.of(),
                Map.of(),
                Map.of(),
                Map.of(),
                Optional.empty(),
                Map.of(),
                Target.Jvm.SAME);
    }

    @ParameterizedTest
    @MethodSource("own")
    void theTargetHasThesePartsOfFettle(Own own) {
        assertThat(TargetParts.ofFettle(own.target())).isEqualTo(own.parts());
        assertThat(own.parts()).as("all that is on its class path").containsAll(TargetParts.classPath(own.target()));
    }

    /** There is nothing here that could be started: a launch ends as soon as it has looked. */
    @ParameterizedTest
    @MethodSource("own")
    void aLaunchAfterOneOfThemWasBuiltAgainEndsTheRun(Own own) throws Exception {
        for (String part : own.parts()) {
            Path file = folder.resolve(part.endsWith(".jar") ? part : part + "/x.jar");
            Files.createDirectories(file.getParent());
            Files.writeString(file, "first");
        }
        for (String part : own.parts()) {
            Path file = folder.resolve(part.endsWith(".jar") ? part : part + "/x.jar");
            var launcher = new TargetLauncher(
                    Fixtures.unloaded(folder.resolve("w")).withHome(folder),
                    new Artifacts(folder.resolve("a"), folder.resolve("m"), note -> {}),
                    new Calibration(folder),
                    List.of(),
                    new TrialFiles(),
                    note -> {});
            var spec = Fixtures.spec(own.target(), Setting.DEFAULT, Fixtures.load(1, "Hello World"));
            assertThatThrownBy(() -> launcher.launch(spec, folder.resolve("t"), new Ports()))
                    .hasMessageNotContaining("has changed");
            Files.writeString(file, Files.readString(file) + " and another");
            assertThatExceptionOfType(LabException.class)
                    .isThrownBy(() -> launcher.launch(spec, folder.resolve("t"), new Ports()))
                    .withMessageContaining(folder.resolve(part) + " has changed since the run began");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "-",
            value = {
                "{java} -jar /opt/app.jar --dir /opt        | /opt/app.jar",
                "{java} -cp /opt/a:/opt/b.jar:{dir} Main a.jar | /opt/a /opt/b.jar",
                "{java} -cp /opt/app/lib/* Main             | /opt/app/lib",
                "{java} -classpath /a/*:/b Main             | /a /b",
                "{java} --class-path=/opt/a:/opt/lib/* Main | /opt/a /opt/lib",
                "{java} --module-path=/opt/m -m x           | /opt/m",
                "{java} -p /opt/m -m x                      | /opt/m",
                "{java} -javaagent:/opt/x.jar=a=b,c Main    | /opt/x.jar",
                "{java} -javaagent:/opt/x.jar Main          | /opt/x.jar",
                "/opt/app/bin/server --port {port}          | /opt/app/bin/server",
                "sh /opt/app/start.sh {port}                | /opt/app/start.sh",
                "/usr/bin/taskset 1 {java} -jar /opt/a.jar  | /usr/bin/taskset /opt/a.jar",
                "{java} -jar {artifact:wiremock}            | -",
                "server --root /srv/www                     | -",
            })
    void aCommandIsItsProgramItsJarsAndItsClassPath(String command, String parts) {
        assertThat(TargetParts.ofUser(command(command.split(" ")))).isEqualTo(paths(parts));
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "-",
            value = {
                "TOMCAT, /b, -, /h/bin /h/lib /b/bin /b/lib /b/conf /b/shared /b/webapps",
                "TOMCAT, /b, /s.war, /h/bin /h/lib /b/bin /b/lib /b/conf /b/shared /s.war",
                "TOMCAT, /b, examples, /h/bin /h/lib /b/bin /b/lib /b/conf /b/shared",
                "TOMCAT, -, -, /h/bin /h/lib /h/conf /h/shared /h/webapps",
                "JETTY, /b, -, /h/etc /h/lib /h/modules /b/etc /b/lib /b/modules /b/start.ini /b/start.d /b/resources"
                        + " /b/webapps",
                "JETTY, -, /s.war, /h/etc /h/lib /h/modules /s.war",
            })
    void aServerIsItsConfigurationItsLibrariesAndItsApplications(
            ServerKind server, String base, String war, String parts) {
        Target target = standalone(server, "/h", base == null ? "" : base, war == null ? "" : war);
        assertThat(TargetParts.ofUser(target)).isEqualTo(paths(parts));
    }

    @Test
    void tomcatsApplicationsAreWhereItsServerXmlSays() throws Exception {
        Path xml = Files.createDirectories(folder.resolve("conf")).resolve("server.xml");
        Files.writeString(xml, """
                <Server><Service name="Catalina"><Connector port="8080"/>
                <Engine name="Catalina" defaultHost="localhost"><Host name="localhost" appBase="apps"/></Engine>
                </Service></Server>
                """);
        assertThat(TargetParts.ofUser(standalone(ServerKind.TOMCAT, "/h", folder.toString(), "")))
                .contains(folder.resolve("apps"))
                .doesNotContain(folder.resolve("webapps"));
    }

    @Test
    void theConfigurationBesideAJarIsPartOfIt() {
        Target boot = new Target.Boot(
                "/opt/shop.jar", ServerKind.TOMCAT, "4.1.1", List.of(), Target.Jvm.SAME, Setting.DEFAULT);
        assertThat(TargetParts.ofUser(boot))
                .isEqualTo(paths("/opt/shop.jar /opt/application.properties /opt/application.yml"
                        + " /opt/application.yaml /opt/config"));
    }

    private static Set<Path> paths(String text) {
        return text == null
                ? Set.of()
                : Set.copyOf(Arrays.stream(text.split(" ")).map(Path::of).toList());
    }
}
