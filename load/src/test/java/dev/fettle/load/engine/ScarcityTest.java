package dev.fettle.load.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.load.api.TransportKind;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The generator's own host runs out of something. */
class ScarcityTest {

    @ParameterizedTest
    @MethodSource("dev.fettle.load.engine.TransportKinds#usable")
    void tooFewDescriptorsAreSaidAndTheRestGoesOn(TransportKind transport) throws Exception {
        try (TinyServer server = TinyServer.ok()) {
            String java =
                    Path.of(System.getProperty("java.home"), "bin", "java").toString();
            Process process = new ProcessBuilder(
                            "sh",
                            "-c",
                            "ulimit -n 80; exec \"$@\"",
                            "sh",
                            java,
                            "-Dfettle.transport=" + transport,
                            "--enable-native-access=ALL-UNNAMED",
                            "-cp",
                            System.getProperty("java.class.path"),
                            LoadRunner.class.getName(),
                            "127.0.0.1",
                            String.valueOf(server.address().getPort()),
                            "/",
                            "200",
                            "1",
                            "2",
                            "true")
                    .redirectErrorStream(true)
                    .start();
            String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(said).isZero();
            assertThat(said)
                    .contains("OTHER=ErrorCount")
                    .contains("Too many open files")
                    .contains("[transport: ");
            assertThat(said).doesNotStartWith("0 ok").doesNotContain("Exception");
            assertThat(server.connections()).isBetween(10L, 79L);
        }
    }
}
