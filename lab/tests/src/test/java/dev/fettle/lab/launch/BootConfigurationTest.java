package dev.fettle.lab.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.config.boot.BootConfiguration;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BootConfigurationTest {
    @TempDir
    Path folder;

    private BootConfiguration read(Jars jar, String... arguments) throws IOException {
        return read(jar, List.of(), Map.of(), arguments);
    }

    private BootConfiguration read(Jars jar, List<String> flags, Map<String, String> environment, String... arguments)
            throws IOException {
        return BootJar.configuration(jar.in(folder), ServerKind.TOMCAT, List.of(arguments), flags, environment);
    }

    private static Jars withMax(int max) {
        return Jars.tomcat().resource("application.properties", "server.tomcat.threads.max=" + max + "\n");
    }

    private void file(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private static Setting max(String threads) {
        return Setting.of("threads.max", threads);
    }

    @Test
    void nothingConfiguredIsNothing() throws IOException {
        assertThat(read(Jars.tomcat())).isEqualTo(new BootConfiguration(Setting.DEFAULT, List.of(), Set.of()));
    }

    @Test
    void readsYamlInTheJar() throws IOException {
        var read = read(Jars.tomcat().resource("application.yml", """
            spring:
              application: {name: shop}
              datasource:
                password: geheim
            server:
              max-http-request-header-size: 16KB
              tomcat:
                threads: {max: 300, minSpare: 20}
                accept_count: 0x40
                keep-alive-timeout: 1m
                max-keep-alive-requests: -1
              compression:
                enabled: on
                mime-types: [text/html, application/json]
            """));

        assertThat(read.setting())
                .isEqualTo(Setting.of(Map.of(
                        "request.header.max", "16k",
                        "threads.max", "300",
                        "threads.min", "20",
                        "backlog", "64",
                        "keepalive.timeout", "60000",
                        "keepalive.requests", "-1",
                        "compression", "true",
                        "compression.types", "text/html,application/json")));
        assertThat(read.notes()).isEmpty();
    }

    /** Each step is stronger than all before it. */
    @Test
    void theLastWordIsTheStrongestPlaces() throws IOException {
        Jars jar = Jars.tomcat().resource("application.yaml", "server.tomcat.threads.max: 1");
        assertThat(read(jar).setting()).isEqualTo(max("1"));

        jar.resource("application.yml", "server.tomcat.threads.max: 2");
        assertThat(read(jar).setting()).isEqualTo(max("2"));

        jar.resource("application.properties", "server.tomcat.threads.max=3");
        assertThat(read(jar).setting()).isEqualTo(max("3"));

        jar.resource("config/application.yml", "server.tomcat.threads.max: 4");
        assertThat(read(jar).setting()).isEqualTo(max("4"));

        jar.resource("application-default.yml", "server.tomcat.threads.max: 5");
        assertThat(read(jar).setting()).as("of the profile, which is 'default'").isEqualTo(max("5"));

        file("application.properties", "server.tomcat.threads.max=6");
        assertThat(read(jar).setting()).as("beside the jar").isEqualTo(max("6"));

        file("config/application.yml", "server.tomcat.threads.max: 7");
        assertThat(read(jar).setting()).isEqualTo(max("7"));

        file("config/more/application.yml", "server.tomcat.threads.max: 8");
        assertThat(read(jar).setting()).isEqualTo(max("8"));

        var environment = Map.of("SERVER_TOMCAT_THREADS_MAX", "9");
        assertThat(read(jar, List.of(), environment).setting()).isEqualTo(max("9"));

        var flags = List.of("-Xmx1g", "-Dserver.tomcat.threads.max=10");
        assertThat(read(jar, flags, environment).setting()).isEqualTo(max("10"));

        assertThat(read(jar, flags, environment, "--server.tomcat.threads.max=11")
                        .setting())
                .isEqualTo(max("11"));
    }

    @Test
    void environmentVariablesHaveNoHyphens() throws IOException {
        assertThat(read(Jars.tomcat(), List.of(), Map.of("SERVER_TOMCAT_MAXKEEPALIVEREQUESTS", "7"))
                        .setting())
                .isEqualTo(Setting.of("keepalive.requests", "7"));
    }

    @Test
    void profilesCountOnlyWhenTheyAreActive() throws IOException {
        Jars jar = withMax(1)
                .resource("application-prod.yml", "server.tomcat.threads.max: 2")
                .resource("application-test.yml", "server.tomcat.threads.max: 3");
        assertThat(read(jar).setting()).isEqualTo(max("1"));
        assertThat(read(jar, "--spring.profiles.active=prod").setting()).isEqualTo(max("2"));
        assertThat(read(jar, "--spring.profiles.active=prod,test").setting()).isEqualTo(max("3"));
        assertThat(read(jar, "--spring.profiles.active=test, prod").setting()).isEqualTo(max("2"));
        assertThat(read(jar, List.of(), Map.of("SPRING_PROFILES_ACTIVE", "prod"))
                        .setting())
                .isEqualTo(max("2"));

        var unknown = read(jar, "--spring.profiles.active=${WHO}");
        assertThat(unknown.setting()).isEqualTo(max("1"));
        assertThat(unknown.notes())
                .containsExactly("spring.profiles.active is ${WHO} in the arguments, which only the app resolves: files"
                        + " of a profile are not read");
    }

    @Test
    void aFileMayActivateAProfile() throws IOException {
        Jars jar = Jars.tomcat()
                .resource("application.properties", "spring.profiles.active=prod\nserver.tomcat.threads.max=1")
                .resource("application-prod.properties", "server.tomcat.threads.max=2");
        assertThat(read(jar).setting()).isEqualTo(max("2"));
    }

    @Test
    void documentsOfOneFileAreReadInOrder() throws IOException {
        String properties = """
            server.tomcat.threads.max=1
            #---
            server.tomcat.threads.max=2
            #---
            spring.config.activate.on-profile=prod
            server.tomcat.threads.max=3
            #---
            spring.config.activate.on-cloud-platform=kubernetes
            server.tomcat.threads.max=4
            """;
        Jars jar = Jars.tomcat().resource("application.properties", properties);
        assertThat(read(jar).setting()).isEqualTo(max("2"));
        assertThat(read(jar, "--spring.profiles.active=prod").setting()).isEqualTo(max("3"));

        Jars yaml = Jars.tomcat().resource("application.yml", """
            server.tomcat.threads.max: 1
            ---
            spring.config.activate.on-profile: "!prod"
            server.tomcat.threads.max: 2
            ---
            spring: {config: {activate: {on-profile: "a & b"}}}
            server.tomcat.threads.max: 3
            """);
        assertThat(read(yaml).setting()).isEqualTo(max("2"));
        assertThat(read(yaml).notes())
                .containsExactly("application.yml in the jar is for the profiles 'a & b', which is more than a list of"
                        + " names: not read here");
        assertThat(read(yaml, "--spring.profiles.active=prod").setting()).isEqualTo(max("1"));
    }

    @Test
    void whatOnlyTheAppKnowsIsSaid() throws IOException {
        var read = read(
                Jars.tomcat().resource("application.properties", """
                    server.tomcat.threads.max=${MAX_THREADS:50}
                    server.tomcat.accept-count=many
                    server.tomcat.max-connections=-1
                    server.tomcat.connection-timeout=
                    spring.config.import=optional:configserver:
                    """),
                "--spring.config.additional-location=file:/etc/shop/");

        assertThat(read.setting()).isEqualTo(Setting.DEFAULT);
        assertThat(read.notes())
                .containsExactlyInAnyOrder(
                        "spring.config.additional-location is given in the arguments; the files there are not read here",
                        "application.properties in the jar imports optional:configserver:, which is not read here",
                        "server.tomcat.threads.max is ${MAX_THREADS:50} in application.properties in the jar, which only"
                                + " the running app resolves",
                        "server.tomcat.accept-count=many in application.properties in the jar is not read: backlog is a"
                                + " whole number from 1 to 65535, not 'many'",
                        "server.tomcat.max-connections=-1 in application.properties in the jar: Spring Boot ignores it");
    }

    @Test
    void anotherPlaceReplacesAllOthers() throws IOException {
        var read = read(withMax(1), "--spring.config.location=file:/etc/shop/");
        assertThat(read.setting()).isEqualTo(Setting.DEFAULT);
        assertThat(read.notes()).hasSize(1);
    }

    @Test
    void anotherNameIsFollowed() throws IOException {
        Jars jar = withMax(1).resource("shop.yml", "server.tomcat.threads.max: 2");
        assertThat(read(jar, "--spring.config.name=shop").setting()).isEqualTo(max("2"));
    }

    @Test
    void whatHasNoEffectIsNoPartOfIt() throws IOException {
        var read = read(Jars.tomcat().resource("application.yml", """
            spring.threads.virtual.enabled: true
            server.tomcat.threads.max: 50
            server.compression.min-response-size: 4KB
            """));
        assertThat(read.setting()).isEqualTo(Setting.of("threads.virtual", "true"));
        assertThat(read.notes())
                .containsExactlyInAnyOrder(
                        "server.tomcat.threads.max in application.yml in the jar has no effect with threads.virtual=true",
                        "server.compression.min-response-size in application.yml in the jar has no effect without"
                                + " compression=true");
    }

    @Test
    void undertowsOptionWinsOverItsProperty() throws IOException {
        Path jar = Jars.boot("3.5.16", "undertow-core-2.3.24.jar")
                .resource("application.yml", """
                    server:
                      undertow:
                        max-headers: 5
                        no-request-timeout: 30s
                        options:
                          server: {MAX_HEADERS: 6, "[IDLE_TIMEOUT]": 90000}
                          socket.BACKLOG: 77
                    """)
                .in(folder);
        assertThat(BootJar.configuration(
                                jar,
                                ServerKind.UNDERTOW,
                                List.of("--server.undertow.max-headers=7"),
                                List.of(),
                                Map.of())
                        .setting())
                .isEqualTo(Setting.of(Map.of(
                        "request.headers.max", "6",
                        "connections.idle", "90000",
                        "keepalive.timeout", "30000",
                        "backlog", "77")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "server: [",
                "server: {a: 1}\nserver: {b: 2}",
                "- a\n- b",
                "a: !!java.net.URL [\"http://127.0.0.1\"]",
                "a: &a [x, *a]\nb: *a",
                "\u0007: 1"
            })
    void aBrokenFileIsANoteAndNoMore(String text) throws IOException {
        var read = read(withMax(5).resource("application.yml", text));
        assertThat(read.setting()).isEqualTo(max("5"));
        assertThat(read.notes()).singleElement().asString().startsWith("application.yml in the jar cannot be read: ");
    }

    @Test
    void aliasesThatMultiplyAreBounded() throws IOException {
        var bomb = new StringBuilder("a0: &a0 {x: 1}\n");
        for (int i = 1; i < 25; i++) {
            bomb.append("a%1$d: &a%1$d {l: *a%2$d, r: *a%2$d}\n".formatted(i, i - 1));
        }
        var read = read(Jars.tomcat().resource("application.yml", bomb.toString()));
        assertThat(read.notes()).singleElement().asString().contains("it expands to more than");
    }

    @Test
    void aFileOfManyMegabytesIsNotRead() throws IOException {
        var read = read(withMax(5).resource("application.yml", "a: " + "x".repeat(3 << 20)));
        assertThat(read.setting()).isEqualTo(max("5"));
        assertThat(read.notes()).singleElement().asString().contains("is larger than 1 MiB");
    }

    @Test
    void secretsAreInNoNote() throws IOException {
        var read = read(Jars.tomcat().resource("application.yml", """
            spring:
              datasource.password: ${SECRET:geheim}
              config.import: configserver:http://me:geheim@config.example.com
            """));
        assertThat(read.notes())
                .containsExactly(
                        "application.yml in the jar imports configserver:http://***@config.example.com, which is not"
                                + " read here");
    }

    @Test
    void findsFilesBesideTheJarForAnAppThatRunsElsewhere() throws IOException {
        Path jar = Jars.tomcat().in(folder);
        assertThat(BootPlaces.besideJar(jar, List.of(), Map.of())).isEmpty();

        file("config/prod/application-prod.yaml", "a: b");
        String beside = "optional:file:%1$s/;optional:file:%1$s/config/;optional:file:%1$s/config/*/".formatted(folder);
        assertThat(BootPlaces.besideJar(jar, List.of(), Map.of())).contains(beside);
        assertThat(BootPlaces.besideJar(jar, List.of("-Dspring.config.additional-location=file:/etc/x/"), Map.of()))
                .contains(beside + ",file:/etc/x/");
        assertThat(BootPlaces.besideJar(jar, List.of(), Map.of("SPRING_CONFIG_LOCATION", "file:/etc/x/")))
                .isEmpty();
    }

    @Test
    void aFolderThatSpringBootCannotBeToldIsRefused() throws IOException {
        Path odd = Files.createDirectory(folder.resolve("a,b"));
        Path jar = Jars.tomcat().in(odd);
        Files.writeString(odd.resolve("application.yml"), "a: b");
        assertThatThrownBy(() -> BootPlaces.besideJar(jar, List.of(), Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("no folder with a comma");
    }
}
