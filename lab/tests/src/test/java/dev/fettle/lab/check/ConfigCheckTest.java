package dev.fettle.lab.check;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.config.ConfigFile;
import dev.fettle.config.ConfigFile.Kind;
import dev.fettle.lab.Fixtures;
import dev.fettle.lab.SampleApps;
import dev.fettle.lab.check.ConfigVerdict.Outcome;
import dev.fettle.lab.check.ConfigVerdict.ReadBack;
import dev.fettle.lab.launch.BootJar;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Real servers, started from texts. In each, one value is right and one text says something else than was meant: a check that
 * looked at the setting and not at the text would find neither.
 */
class ConfigCheckTest {
    @TempDir
    static Path workspace;

    @TempDir
    Path folder;

    private static final Target.Jvm SMALL =
            new Target.Jvm(Optional.empty(), List.of("-Xmx128m", "-XX:TieredStopAtLevel=1"));

    private ConfigVerdict check(Target target, Setting wanted, ConfigFile... files) throws Exception {
        return new ConfigCheck(Fixtures.unloaded(workspace), List.of(), note -> {})
                .check(target, List.of(files), wanted, folder);
    }

    private static Map<String, Outcome> outcomes(ConfigVerdict verdict) {
        assertThat(verdict.failure()).isEmpty();
        return verdict.knobs().stream().collect(Collectors.toMap(ReadBack::knob, ReadBack::outcome));
    }

    private static Target standalone(ServerKind server, Path base) {
        return new Target.Standalone(
                server,
                Optional.of(server == ServerKind.TOMCAT ? "11.0.24" : "12.1.12"),
                Optional.empty(),
                Optional.of(base.toString()),
                Optional.empty(),
                "/",
                SMALL,
                Setting.DEFAULT);
    }

    @AfterEach
    void nothingIsLeftRunning() {
        assertThat(Fixtures.runningIn(folder)).isEmpty();
        assertThat(Fixtures.runningIn(workspace)).isEmpty();
    }

    @Test
    void tomcatFromAPatchAndASetenv() throws Exception {
        Path base = folder.resolve("mine");
        Files.createDirectories(base.resolve("conf"));
        Files.createDirectories(base.resolve("webapps/ROOT"));
        Files.createDirectories(base.resolve("bin"));
        Files.writeString(base.resolve("bin/setenv.sh"), "CATALINA_OPTS=-Xmx64m");
        Files.writeString(base.resolve("conf/server.xml"), """
                <Server port="8005">
                  <Service name="Catalina">
                    <Connector port="8080" acceptCount="90" />
                    <Engine name="Catalina" defaultHost="localhost">
                      <Host name="localhost" appBase="webapps" />
                    </Engine>
                  </Service>
                </Server>
                """);
        String before = Files.readString(base.resolve("conf/server.xml"));
        ConfigVerdict verdict = check(
                standalone(ServerKind.TOMCAT, base),
                Setting.of(
                        Map.of("threads.max", "51", "backlog", "300", "jvm.heap", "96m", "boot.layout", "extracted")),
                new ConfigFile(Kind.PATCH, "fettle.patch", """
                        # why
                        --- a/conf/server.xml
                        +++ b/conf/server.xml
                        @@ -2,3 +2,3 @@
                           <Service name="Catalina">
                        -    <Connector port="8080" acceptCount="90" />
                        +    <Connector port="8080" acceptCount="301" maxThreads="51" />
                             <Engine name="Catalina" defaultHost="localhost">
                        """),
                new ConfigFile(Kind.SETENV, "bin/setenv.sh", "CATALINA_OPTS=\"$CATALINA_OPTS -Xms96m -Xmx96m\"\n"));

        assertThat(outcomes(verdict))
                .containsEntry("threads.max", Outcome.OK)
                .containsEntry("jvm.heap", Outcome.OK)
                .containsEntry("backlog", Outcome.DIFFERS);
        assertThat(verdict.holds()).isFalse();
        assertThat(verdict.started()).isEqualTo("Apache Tomcat 11.0.24");
        assertThat(Files.readString(base.resolve("conf/server.xml"))).isEqualTo(before);
    }

    @Test
    void jettyFromItsIniFilesAndAUnit() throws Exception {
        Path base = folder.resolve("mine");
        Files.createDirectories(base.resolve("start.d"));
        Files.writeString(base.resolve("start.d/http.ini"), "--modules=http\n");
        // later than fettle.ini by name, and so what counts
        Files.writeString(base.resolve("start.d/threads.ini"), "jetty.threadPool.maxThreads=77\n");
        ConfigVerdict verdict = check(
                standalone(ServerKind.JETTY, base),
                Setting.of(Map.of("threads.max", "51", "backlog", "300", "process.nofile", "900", "process.nice", "7")),
                new ConfigFile(
                        Kind.JETTY_INI,
                        "start.d/fettle.ini",
                        "jetty.threadPool.maxThreads=51\njetty.http.acceptQueueSize=300\n"),
                new ConfigFile(
                        Kind.SYSTEMD_UNIT,
                        "UNIT.service.d/fettle.conf",
                        "# process.nice=7 has no place\n[Service]\nLimitNOFILE=900\nEnvironment=\"JAVA_TOOL_OPTIONS=-Xms96m -Xmx97m\"\n",
                        Map.of("process.nice", "7")));

        assertThat(outcomes(verdict))
                .containsEntry("threads.max", Outcome.DIFFERS)
                .containsEntry("backlog", Outcome.OK)
                .containsEntry("process.nofile", Outcome.OK)
                .containsEntry("process.nice", Outcome.NOT_WRITTEN);
        assertThat(verdict.notes()).anyMatch(n -> n.startsWith("systemd itself was not asked"));
    }

    @Test
    void springBootFromProperties() throws Exception {
        Path jar = SampleApps.jar("tomcat-4.1");
        var inside = BootJar.of(jar);
        var app = new Target.Boot(jar.toString(), inside.server(), inside.version(), List.of(), SMALL, Setting.DEFAULT);
        ConfigVerdict verdict = check(
                app,
                Setting.of(
                        Map.of("threads.max", "51", "backlog", "300", "jvm.heap", "96m", "boot.layout", "extracted")),
                new ConfigFile(
                        Kind.BOOT_PROPERTIES,
                        "application.properties",
                        "server.tomcat.threads.max=51\nserver.tomcat.accept-count=301\n"),
                new ConfigFile(
                        Kind.JAVA_COMMAND,
                        "the command that starts it",
                        "# why\njava -Djarmode=tools -jar app.jar extract\njava -Xms96m -Xmx96m -jar app/app.jar\n"));

        assertThat(outcomes(verdict))
                .containsEntry("boot.layout", Outcome.OK)
                .containsEntry("threads.max", Outcome.OK)
                .containsEntry("jvm.heap", Outcome.OK)
                .containsEntry("backlog", Outcome.DIFFERS);
    }

    @Test
    void undertowFromTheCodeOfItsBuilder() throws Exception {
        Function<String, ConfigFile> code =
                text -> new ConfigFile(Kind.SERVER_CODE, "the code that builds the server", text);
        Target hello = Fixtures.hello(ServerKind.UNDERTOW);
        ConfigVerdict verdict = check(
                hello,
                Setting.of(Map.of("threads.max", "51", "keepalive.timeout", "7000", "threads.stack", "1m")),
                code.apply("""
                        // why
                        Undertow.builder()
                            .setWorkerThreads(51)
                            .setServerOption(UndertowOptions.NO_REQUEST_TIMEOUT, 7001)
                        """));
        assertThat(outcomes(verdict))
                .containsEntry("threads.max", Outcome.OK)
                .containsEntry("keepalive.timeout", Outcome.DIFFERS)
                .containsEntry("threads.stack", Outcome.UNREADABLE);

        ConfigVerdict none =
                check(hello, Setting.of("threads.max", "51"), code.apply("Undertow.builder()\n.setThreads(51)\n"));
        assertThat(none.holds()).isFalse();
        assertThat(none.failure().orElseThrow()).contains("setThreads");
    }

    @Test
    void aTextThatDoesNotFitIsWrongBeforeAnythingIsStarted() throws Exception {
        Path base = folder.resolve("mine");
        Files.createDirectories(base.resolve("conf"));
        Files.writeString(base.resolve("conf/server.xml"), "<Server><Service><Connector/></Service></Server>\n");
        ConfigVerdict verdict = check(
                standalone(ServerKind.TOMCAT, base),
                Setting.of("threads.max", "51"),
                new ConfigFile(
                        Kind.PATCH,
                        "fettle.patch",
                        "--- a/conf/server.xml\n+++ b/conf/server.xml\n@@ -1 +1 @@\n-<x/>\n+<y/>\n"));
        assertThat(verdict.failure()).contains("the patch does not fit conf/server.xml:1");
    }
}
