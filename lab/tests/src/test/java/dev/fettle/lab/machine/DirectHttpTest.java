package dev.fettle.lab.machine;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DirectHttpTest {
    @Test
    void asksNoProxy() {
        try (HttpClient client = DirectHttp.client(Duration.ofSeconds(1)).build()) {
            assertThat(client.proxy()).containsSame(HttpClient.Builder.NO_PROXY);
            assertThat(client.version()).isEqualTo(HttpClient.Version.HTTP_1_1);
        }
    }

    /** Whoever looks at a target does so as the load does. */
    @Test
    void noOtherClientIsMade() throws Exception {
        var others = new ArrayList<String>();
        List<Path> sources;
        try (Stream<Path> all = Files.walk(Path.of("../src/main/java"))) {
            sources = all.filter(f -> f.toString().endsWith(".java")).toList();
        }
        assertThat(sources).isNotEmpty();
        for (Path source : sources) {
            String text = Files.readString(source);
            if (!source.endsWith("DirectHttp.java")
                    && (text.contains("HttpClient.newBuilder()") || text.contains("openConnection()"))) {
                others.add(source.getFileName().toString());
            }
        }
        assertThat(others).isEmpty();
    }
}
