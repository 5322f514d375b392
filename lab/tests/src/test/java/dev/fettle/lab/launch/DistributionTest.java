package dev.fettle.lab.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fettle.lab.machine.LabException;
import dev.fettle.lab.process.GivenSecrets;
import dev.fettle.model.knob.ServerKind;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Homes, archives, web applications and logs, each looked at without running anything. */
class DistributionTest {
    @TempDir
    Path folder;

    private Path tomcat(String info) throws Exception {
        Files.createDirectories(folder.resolve("lib"));
        Files.createDirectories(folder.resolve("bin"));
        Files.write(folder.resolve("bin/bootstrap.jar"), new byte[0]);
        Wars.zip(
                folder.resolve("lib/catalina.jar"),
                Map.of("org/apache/catalina/util/ServerInfo.properties", Wars.bytes(info)));
        return folder;
    }

    private Path jetty() throws Exception {
        Files.createDirectories(folder.resolve("modules"));
        Files.write(folder.resolve("start.jar"), new byte[0]);
        return folder;
    }

    @ParameterizedTest
    @EnumSource
    void aServerSaysWhetherItHasADistribution(ServerKind server) {
        if (server.rules().hasDistribution()) {
            DistributedServer known = DistributedServer.of(server);
            assertThat(known.example()).startsWith(known.lines().getLast() + ".");
        } else {
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> DistributedServer.of(server))
                    .withMessage(server.title() + " has no distribution");
        }
    }

    @Test
    void aHomeSaysItsVersion() throws Exception {
        Distribution d = Distribution.at(ServerKind.TOMCAT, tomcat("server.info=Apache Tomcat/10.1.59\n"));
        assertThat(d.title()).isEqualTo("Tomcat 10.1.59");
        assertThat(d.oldestJava()).isEqualTo(11);

        Files.writeString(jetty().resolve("VERSION.txt"), "jetty-12.1.12 - 21 July 2026\n + 1 fix\n\njetty-12.1.11\n");
        assertThat(Distribution.at(ServerKind.JETTY, folder).title()).isEqualTo("Jetty 12.1.12");
        Files.delete(folder.resolve("VERSION.txt"));
        Files.write(folder.resolve("lib/jetty-server-12.0.31.jar"), new byte[0]);
        assertThat(Distribution.at(ServerKind.JETTY, folder).version()).isEqualTo("12.0.31");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "server.info=Apache Tomcat/8.5.100|is version 8.5.100; of Tomcat, Fettle knows the lines 9.0, 10.1, 11.0. A command target",
                "server.info=Apache Tomcat/10.0.27|is version 10.0.27; of Tomcat, Fettle knows the lines 9.0, 10.1, 11.0. A command target",
                "server.info=Something|is of an unknown version, 'Something'",
            })
    void aHomeOfAnotherVersionIsRefused(String info, String words) throws Exception {
        tomcat(info);
        assertThatExceptionOfType(LabException.class)
                .isThrownBy(() -> Distribution.at(ServerKind.TOMCAT, folder))
                .withMessageStartingWith(folder.toString())
                .withMessageContaining(words);
    }

    @Test
    void aHomeThatIsSomethingElseIsNamed() throws Exception {
        assertThatExceptionOfType(LabException.class)
                .isThrownBy(() -> Distribution.at(ServerKind.TOMCAT, folder))
                .withMessage(folder + " is no Tomcat: there is no lib/catalina.jar with bin/bootstrap.jar in it");
        jetty();
        assertThatExceptionOfType(LabException.class)
                .isThrownBy(() -> Distribution.at(ServerKind.TOMCAT, folder))
                .withMessageEndingWith("it is a Jetty ('standalone: jetty')");
        assertThatExceptionOfType(LabException.class)
                .isThrownBy(() -> Distribution.at(ServerKind.JETTY, folder))
                .withMessageContaining("neither VERSION.txt nor a lib/jetty-server-….jar says");
    }

    // -- archives ----------------------------------------------------------------------------------------------------

    @Test
    void anArchiveIsUnpacked() throws Exception {
        Path zip = Wars.zip(folder.resolve("a.zip"), Map.of("a/b/c.txt", Wars.bytes("c"), "a/d/", new byte[0]));
        Path to = Files.createDirectory(folder.resolve("to"));
        new Unzip().into(zip, to);
        assertThat(to.resolve("a/b/c.txt")).hasContent("c");
        assertThat(to.resolve("a/d")).isDirectory();
    }

    @ParameterizedTest
    @ValueSource(strings = {"../evil", "a/../../evil", "/tmp/../../evil", "a/b/../../../to-evil"})
    void anArchiveThatLeavesItsFolderIsRefused(String name) throws Exception {
        Path zip = Wars.zip(folder.resolve("a.zip"), Map.of(name, Wars.bytes("evil")));
        Path to = Files.createDirectory(folder.resolve("to"));
        assertThatExceptionOfType(LabException.class)
                .isThrownBy(() -> new Unzip().into(zip, to))
                .withMessageContaining("its entry '" + name + "' would lie outside the folder");
        assertThat(to).isEmptyDirectory();
        assertThat(folder.resolve("evil")).doesNotExist();
    }

    @Test
    void anArchiveIsBounded() throws Exception {
        var many = new LinkedHashMap<String, byte[]>();
        many.put("a", new byte[600_000]);
        many.put("b", new byte[600_000]);
        Path zip = Wars.zip(folder.resolve("a.zip"), many);
        Path to = Files.createDirectory(folder.resolve("to"));
        assertThatExceptionOfType(LabException.class)
                .isThrownBy(() -> new Unzip(1 << 20, 10).into(zip, to))
                .withMessageContaining("unpacks to more than 1 MiB");
        assertThatExceptionOfType(LabException.class)
                .isThrownBy(() -> new Unzip(1 << 30, 1).into(zip, Files.createDirectory(folder.resolve("to2"))))
                .withMessageContaining("holds 2 files; 1 are the most");
        Files.writeString(zip, "no archive");
        assertThatExceptionOfType(LabException.class)
                .isThrownBy(() -> new Unzip().into(zip, to))
                .withMessageContaining("is no zip archive");
    }

    // -- web applications --------------------------------------------------------------------------------------------

    static Stream<Arguments> apps() throws Exception {
        byte[] javax = Wars.classNaming("javax/servlet/Filter");
        byte[] jakarta = Wars.classNaming("jakarta/servlet/Filter");
        byte[] neither = Wars.classNaming("java/lang/Object");
        return Stream.of(
                Arguments.of(Map.of("WEB-INF/classes/A.class", javax), WebApp.Api.JAVAX),
                Arguments.of(Map.of("WEB-INF/classes/A.class", jakarta), WebApp.Api.JAKARTA),
                // both: it was written for either
                Arguments.of(
                        Map.of("WEB-INF/classes/A.class", javax, "WEB-INF/classes/B.class", jakarta),
                        WebApp.Api.JAKARTA),
                // a library that can do either, beside an application that says what it wants
                Arguments.of(
                        Map.of("WEB-INF/classes/A.class", jakarta, "WEB-INF/lib/l.jar", jar(javax)),
                        WebApp.Api.JAKARTA),
                Arguments.of(
                        Map.of("WEB-INF/classes/A.class", neither, "WEB-INF/lib/l.jar", jar(javax)), WebApp.Api.JAVAX),
                Arguments.of(
                        Map.of("WEB-INF/lib/l.jar", jar(javax), "WEB-INF/lib/m.jar", jar(jakarta)), WebApp.Api.JAKARTA),
                Arguments.of(Map.of("WEB-INF/lib/l.jar", Wars.bytes("damaged")), WebApp.Api.NONE),
                Arguments.of(Map.of("A.class", javax), WebApp.Api.NONE));
    }

    private static byte[] jar(byte[] classFile) throws Exception {
        Path jar = Files.createTempFile("fettle", ".jar");
        try {
            return Files.readAllBytes(Wars.zip(jar, Map.of("p/A.class", classFile)));
        } finally {
            Files.delete(jar);
        }
    }

    @ParameterizedTest
    @MethodSource("apps")
    void theServletApiIsReadFromClassFiles(Map<String, byte[]> files, WebApp.Api api) throws Exception {
        assertThat(WebApp.of(Wars.zip(folder.resolve("a.war"), files)).api()).isEqualTo(api);
        Path exploded = folder.resolve("exploded");
        for (var e : files.entrySet()) {
            Path file = exploded.resolve(e.getKey());
            Files.createDirectories(file.getParent());
            Files.write(file, e.getValue());
        }
        assertThat(WebApp.of(exploded).api()).isEqualTo(api);
    }

    @Test
    void theVersionAndTheJspsAreFound() throws Exception {
        WebApp app = WebApp.of(Wars.folder(folder.resolve("shop"), ""));
        assertThat(app.servlet()).isEqualTo(Optional.of("6.0"));
        assertThat(app.jsp()).isTrue();
    }

    @Test
    void whatIsNoWarIsNamed() throws Exception {
        Path text = Files.writeString(folder.resolve("a.war"), "text");
        assertThatExceptionOfType(LabException.class)
                .isThrownBy(() -> WebApp.of(text))
                .withMessageContaining("a.war is no WAR");
    }

    // -- logs --------------------------------------------------------------------------------------------------------

    @Test
    void theReasonIsTheInnermostExceptionOfTheRecordThatSaysIt() throws Exception {
        Files.writeString(folder.resolve("target.log"), """
                22-Nov-2026 01:00:00.000 INFO [main] org.apache.catalina.startup.HostConfig.deployDirectory Deploying [/x]
                22-Nov-2026 01:00:00.000 WARNING [main] a.B.c beware
                java.lang.IllegalStateException: not this one
                22-Nov-2026 01:00:01.000 SEVERE [main] org.apache.catalina.core.StandardContext.startInternal One or more \
                listeners failed to start. Full details will be found in the appropriate container log file
                22-Nov-2026 01:00:01.000 SEVERE [main] org.apache.catalina.core.StandardContext.startInternal Context [/shop] \
                startup failed due to previous errors
                """);
        Files.createDirectory(folder.resolve("logs"));
        Files.writeString(folder.resolve("logs/localhost.2026-11-22.log"), """
                22-Nov-2026 01:00:01.000 SEVERE [main] org.apache.catalina.core.StandardContext.listenerStart Exception \
                sending context initialized event to listener instance of class [shop.Start]
                java.lang.RuntimeException: start
                \tat shop.Start.contextInitialized(Start.java:1)
                Caused by: shop.NoDatabaseException: db.example:5432 refused
                \tat shop.Db.open(Db.java:1)
                """);
        var log = new DeployLog(java.util.List.of(folder.resolve("target.log"), folder.resolve("logs")));
        assertThat(log.problem(GivenSecrets.of(java.util.List.of(), java.util.Map.of())))
                .contains("shop.NoDatabaseException: db.example:5432 refused");
        assertThat(log.problem(
                        GivenSecrets.of(java.util.List.of("java", "-Ddb.password=db.example"), java.util.Map.of())))
                .contains("shop.NoDatabaseException: ***:5432 refused");
        assertThat(new DeployLog(java.util.List.of(folder.resolve("logs")))
                        .problem(GivenSecrets.of(java.util.List.of(), java.util.Map.of())))
                .as("a listener's exception alone need not mean that the application is down")
                .isEmpty();
    }
}
