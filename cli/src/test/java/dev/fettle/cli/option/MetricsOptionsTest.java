package dev.fettle.cli.option;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.fettle.cli.terminal.CliException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where figures may go, and with which headers. */
class MetricsOptionsTest {
    private static final String SECRET = "hunter2hunter2";

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({
        "http://127.0.0.1:4318, http://127.0.0.1:4318/v1/metrics",
        "http://[::1]:4318/, http://[::1]:4318/v1/metrics",
        "HTTPS://otel.example/otlp, https://otel.example/otlp/v1/metrics",
        "https://otel.example/otlp/v1/metrics, https://otel.example/otlp/v1/metrics",
        "http://collector.example, http://collector.example/v1/metrics"
    })
    void thePathOfMetricsIsAdded(String given, String to) {
        assertThat(MetricsOptions.receiver(given, null, Map.of()).at()).hasToString(to);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1:4318",
                "grpc://127.0.0.1:4317",
                "http://u:hunter2hunter2@127.0.0.1/",
                "http://127.0.0.1/?key=hunter2hunter2",
                "http://127.0.0.1/#hunter2hunter2",
                "http://127.0.0.1:99999",
                "http:///x",
                "http://a b",
                ""
            })
    void anythingElseIsRefusedWithoutShowingIt(String given) {
        assertThatExceptionOfType(CliException.class)
                .isThrownBy(() -> MetricsOptions.receiver(given, null, Map.of()))
                .withMessageStartingWith("--otlp: ")
                .satisfies(
                        e -> assertThat(e.getMessage()).doesNotContain(SECRET).doesNotContain("\n"));
    }

    @Test
    void headersComeFromAFileOrTheEnvironmentAndAreNotShown() throws Exception {
        Path file = Files.writeString(folder.resolve("h"), "X-Scope: 7\n\nauthorization: Bearer " + SECRET + "\n");
        var environment = Map.of(
                MetricsOptions.HEADERS,
                "api-key=a%20b+c,authorization=other",
                MetricsOptions.ATTRIBUTES,
                "deployment.environment.name=ci");
        var receiver = MetricsOptions.receiver("https://otel.example", file, environment);
        assertThat(receiver.headers())
                .containsEntry("X-Scope", "7")
                .containsEntry("authorization", "Bearer " + SECRET)
                .containsEntry("api-key", "a b+c");
        assertThat(receiver.attributes()).containsEntry("deployment.environment.name", "ci");
        assertThat(receiver.toString()).doesNotContain(SECRET);
    }

    /** Unencrypted, they stay on this machine. */
    @Test
    void headersLeaveOverHttpsOnly() {
        var environment = Map.of(MetricsOptions.HEADERS, "api-key=" + SECRET);
        assertThat(MetricsOptions.receiver("http://127.0.0.1:4318", null, environment)
                        .headers())
                .hasSize(1);
        assertThatExceptionOfType(CliException.class)
                .isThrownBy(() -> MetricsOptions.receiver("http://192.0.2.1:4318", null, environment))
                .satisfies(e -> assertThat(e.getMessage()).contains("https").doesNotContain(SECRET));
    }

    @ParameterizedTest
    @ValueSource(strings = {"host=x", "a b=c", "a=%0d%0aX: y", "a=%zz", "=x", "novalue", "Content-Length=1"})
    void aHeaderThatCantBeSentIsRefused(String headers) {
        assertThatExceptionOfType(CliException.class)
                .isThrownBy(() -> MetricsOptions.receiver(
                        "http://127.0.0.1:4318", null, Map.of(MetricsOptions.HEADERS, headers)));
    }
}
