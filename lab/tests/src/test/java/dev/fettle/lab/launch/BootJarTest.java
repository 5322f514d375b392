package dev.fettle.lab.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.read.OwnConfiguration.BootApp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class BootJarTest {
    @TempDir
    Path folder;

    static Stream<Arguments> libraries() {
        return Stream.of(
                Arguments.of("3.5.16", ServerKind.TOMCAT, "tomcat-embed-core-10.1.55.jar"),
                Arguments.of("3.5.16", ServerKind.JETTY, "jetty-server-12.0.36.jar jetty-util-12.0.36.jar"),
                Arguments.of("3.5.16", ServerKind.UNDERTOW, "undertow-core-2.3.24.Final.jar"),
                Arguments.of("4.1.1", ServerKind.TOMCAT, "spring-boot-tomcat-4.1.1.jar tomcat-embed-core-11.0.24.jar"),
                Arguments.of("4.1.1", ServerKind.JETTY, "spring-boot-jetty-4.1.1.jar jetty-server-12.1.12.jar"),
                // several: Spring Boot's own order
                Arguments.of(
                        "3.5.16",
                        ServerKind.TOMCAT,
                        "undertow-core-2.3.24.jar jetty-server-12.0.jar tomcat-embed-core-10.1.55.jar"),
                Arguments.of("3.5.16", ServerKind.JETTY, "undertow-core-2.3.24.jar jetty-server-12.0.36.jar"),
                Arguments.of("4.1.1", ServerKind.JETTY, "spring-boot-tomcat-4.1.1.jar spring-boot-jetty-4.1.1.jar"),
                // a server's library that Spring Boot 4 would not start, for want of its module
                Arguments.of("4.1.1", ServerKind.TOMCAT, "jetty-server-12.1.12.jar spring-boot-tomcat-4.1.1.jar"),
                // libraries of a client
                Arguments.of("3.5.16", ServerKind.TOMCAT, "jetty-client-12.0.36.jar tomcat-embed-core-10.1.55.jar"));
    }

    @ParameterizedTest
    @MethodSource("libraries")
    void theServerIsTheOneThatSpringBootWouldTake(String version, ServerKind server, String libraries)
            throws IOException {
        Path jar = Jars.boot(version, libraries.split(" ")).in(folder);

        assertThat(BootJar.of(jar)).isEqualTo(new BootApp(server, version));
    }

    @Test
    void aWarHasItsServerAside() throws IOException {
        Path war = Jars.empty()
                .attribute("Main-Class", "org.springframework.boot.loader.launch.WarLauncher")
                .attribute("Spring-Boot-Version", "3.5.16")
                .with("WEB-INF/lib-provided/tomcat-embed-core-10.1.55.jar", "")
                .in(folder);

        assertThat(BootJar.of(war).server()).isEqualTo(ServerKind.TOMCAT);
    }

    @Test
    void aLayeredJarIsAsAnyOther() throws IOException {
        Path jar = Jars.tomcat()
                .with("BOOT-INF/layers.idx", "- \"dependencies\":\n")
                .in(folder);

        assertThat(BootJar.of(jar).server()).isEqualTo(ServerKind.TOMCAT);
    }

    @Test
    void anExtractedJarNamesItsLibraries() throws IOException {
        Path jar = Jars.empty()
                .attribute("Main-Class", "com.example.App")
                .attribute("Spring-Boot-Version", "3.5.16")
                .attribute("Class-Path", "lib/spring-core-6.2.jar lib/undertow-core-2.3.24.jar")
                .in(folder);

        assertThat(BootJar.of(jar).server()).isEqualTo(ServerKind.UNDERTOW);
    }

    @Test
    void saysWhyAJarIsNone() throws IOException {
        refused(folder.resolve("none.jar"), "no such file: " + folder.resolve("none.jar"));
        refused(folder, "is a folder, not a jar");
        refused(Files.writeString(folder.resolve("text.jar"), "hello"), "text.jar is no jar: ");
        refused(Files.writeString(folder.resolve("empty.jar"), ""), "empty.jar is no jar: zip file is empty");
        refused(
                Jars.empty().in(folder),
                "is no executable jar of Spring Boot: its manifest has no Spring-Boot-Version");
        refused(
                Jars.empty().attribute("Spring-Boot-Version", "4.1.1").in(folder),
                "cannot be started: its manifest has no Main-Class");
        refused(
                Jars.boot("4.1.1", "spring-core-7.0.jar").in(folder),
                "holds none of " + ServerKind.all() + " among its libraries");
        refused(
                Jars.boot("3.5.16", "reactor-netty-http-1.2.jar").in(folder),
                "it runs on Netty, which Fettle can load as a 'command' target, and not tune");
        Path plain = Files.move(Jars.empty().in(folder), folder.resolve("app-plain.jar"));
        refused(plain, "the executable one lies next to it");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 40, 200, 1000})
    void aBrokenJarIsSaidToBeOne(int kept) throws IOException {
        byte[] whole = Files.readAllBytes(Jars.tomcat().in(folder));
        Path broken =
                Files.write(folder.resolve("broken.jar"), Arrays.copyOf(whole, Math.min(kept, whole.length - 30)));

        refused(broken, "broken.jar is no jar: ");
    }

    @Test
    void aManifestThatUnpacksToMuchIsNotReadToItsEnd() throws IOException {
        Path jar = Jars.empty()
                .attribute("Spring-Boot-Version", "x".repeat(100).concat("\n x".repeat(1 << 20)))
                .in(folder);

        refused(jar, "META-INF/MANIFEST.MF is larger than 1 MiB");
    }

    @Test
    void tellsHowAMissingJarIsBuilt() throws IOException {
        Path app = Files.createDirectories(folder.resolve("shop/web"));
        refused(app.resolve("target/web.jar"), "no such file: " + app.resolve("target/web.jar"));

        Files.createFile(app.resolve("pom.xml"));
        refused(app.resolve("target/web.jar"), "; build it first: mvn -f " + app.resolve("pom.xml") + " package");

        Files.createFile(folder.resolve("shop/pom.xml"));
        refused(
                app.resolve("target/web.jar"),
                "; build it first: mvn -f " + folder.resolve("shop/pom.xml") + " package");

        Path gradle = Files.createDirectories(folder.resolve("g"));
        Files.createFile(gradle.resolve("build.gradle.kts"));
        refused(gradle.resolve("build/libs/g.jar"), "; build it first: gradle -p " + gradle + " bootJar");
    }

    private static void refused(Path jar, String why) {
        assertThatThrownBy(() -> BootJar.of(jar))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why)
                .hasMessageNotContaining("\n");
    }
}
