package dev.fettle.lab.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.lab.Fixtures;
import dev.fettle.lab.machine.Ports;
import dev.fettle.lab.target.RunningTarget;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A file, served by each server's own means, with and without sendfile and compression. */
class StaticFileTest {
    @TempDir
    Path folder;

    @AfterEach
    void nothingIsLeft() {
        assertThat(Fixtures.runningIn(folder)).isEmpty();
        assertThat(folder.resolve("server")).doesNotExist();
    }

    private HttpResponse<byte[]> get(ServerKind server, Map<String, String> options, Setting setting) throws Exception {
        var launcher = new TargetLauncher(
                Fixtures.unloaded(folder.resolve("workspace")),
                new Artifacts(folder.resolve("a"), folder.resolve("m"), note -> {}),
                new Calibration(folder),
                List.of(),
                new TrialFiles(),
                note -> {});
        var jvm = new Target.Jvm(Optional.empty(), List.of("-XX:TieredStopAtLevel=1"));
        var target = new Target.Embedded(server, "static", options, Optional.empty(), jvm);
        try (RunningTarget running =
                        launcher.launch(Fixtures.spec(target, setting, Fixtures.load(1, "")), folder, new Ports());
                HttpClient client = HttpClient.newHttpClient()) {
            return client.send(
                    HttpRequest.newBuilder(URI.create(
                                    "http://127.0.0.1:" + running.address().getPort() + "/"))
                            .header("Accept-Encoding", "gzip")
                            .timeout(Duration.ofSeconds(60))
                            .build(),
                    HttpResponse.BodyHandlers.ofByteArray());
        }
    }

    private static String encoding(HttpResponse<byte[]> answer) {
        assertThat(answer.statusCode()).isEqualTo(200);
        return answer.headers().firstValue("Content-Encoding").orElse("");
    }

    private static final Map<String, String> CSS = Map.of("bytes", "9000", "type", "css");

    @ParameterizedTest
    @EnumSource(ServerKind.class)
    void itIsCompressedIfAsked(ServerKind server) throws Exception {
        HttpResponse<byte[]> small = get(server, CSS, Setting.of("compression", "true"));
        assertThat(encoding(small)).isEqualTo("gzip");
        assertThat(small.headers().firstValue("Content-Type").orElse("")).startsWith("text/css");
        assertThat(small.body()).hasSizeLessThan(4500);
    }

    @Test
    void itIsAsItLiesOtherwise() throws Exception {
        plain(ServerKind.UNDERTOW);
    }

    @Tag("long")
    @ParameterizedTest
    @EnumSource(
            value = ServerKind.class,
            mode = EnumSource.Mode.EXCLUDE,
            names = {"UNDERTOW"})
    void onTheOthersTooItIsAsItLiesOtherwise(ServerKind server) throws Exception {
        plain(server);
    }

    private void plain(ServerKind server) throws Exception {
        HttpResponse<byte[]> plain = get(server, CSS, Setting.DEFAULT);
        assertThat(encoding(plain)).isEmpty();
        assertThat(plain.body()).hasSize(9000);
        assertThat(plain.headers().firstValue("Content-Type").orElse("")).startsWith("text/css");
    }

    /** On Tomcat sendfile comes before compression from 48 KiB on; an image is left alone by its type. */
    @Tag("long")
    @Test
    void sendfileAndTypeDecideOnTomcat() throws Exception {
        Map<String, String> large = Map.of("bytes", "100000", "type", "css");
        Setting compressed = Setting.of("compression", "true");
        assertThat(encoding(get(ServerKind.TOMCAT, large, compressed))).isEmpty();
        assertThat(encoding(get(ServerKind.TOMCAT, large, compressed.with("sendfile", "false"))))
                .isEqualTo("gzip");
        HttpResponse<byte[]> image =
                get(ServerKind.TOMCAT, Map.of("bytes", "9000", "type", "image"), compressed.with("sendfile", "false"));
        assertThat(encoding(image)).isEmpty();
        assertThat(image.body()).hasSize(9000);
    }
}
