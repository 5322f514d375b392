package dev.fettle.faults;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.fettle.servers.launch.EmbeddedServer;
import dev.fettle.servers.launch.Launch;
import dev.fettle.servers.undertow.UndertowServer;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class FaultsTest {
    private static final String BLOCKED = "app.fault=io-thread-blocked";

    @ParameterizedTest
    @CsvSource({"0, 2", "1, 2", "4, 2", "8, 4", "32, 16", "512, 256"})
    void aHumongousBufferIsLargerThanHalfARegion(int region, int buffer) {
        assertThat(Humongous.bytes((long) region << 20)).isEqualTo(buffer << 20);
        assertThat(Humongous.region()).isNotNegative();
    }

    @ParameterizedTest
    @ValueSource(strings = {"server=tomcat", "server=jetty", "server=undertow threads.virtual=true"})
    void onlyUndertowsOwnThreadsCanBeBlocked(String server) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.fettle.servers.Main",
                "app=login",
                "app.cpu=0",
                "app.backend=127.0.0.1:1",
                "stop.on.eof=true",
                BLOCKED));
        command.addAll(List.of(server.split(" ")));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try (var out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            assertThat(out.readLine())
                    .startsWith("FETTLE-FAILED {")
                    .contains(BLOCKED + ": only Undertow without threads.virtual runs requests on its I/O threads");
            assertThat(process.waitFor()).isEqualTo(2);
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void onAnIoThreadAFormIsReadToo() throws Exception {
        HttpServer backend = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        backend.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write("{}".getBytes(StandardCharsets.UTF_8));
            exchange.close();
        });
        backend.start();
        Launch launch = Launch.parse(
                "server=undertow",
                "app=login",
                "app.cpu=0",
                "app.backend=127.0.0.1:" + backend.getAddress().getPort(),
                BLOCKED);
        EmbeddedServer server = UndertowServer.start(launch, launch.serving().content());
        try {
            HttpResponse<String> page = send(server, HttpRequest.newBuilder(), "/");
            assertThat(page.statusCode()).isEqualTo(200);
            HttpResponse<String> in = send(
                    server,
                    HttpRequest.newBuilder()
                            .POST(HttpRequest.BodyPublishers.ofString(
                                    "account=ada&password=x&more=" + "y".repeat(50_000))),
                    "/login");
            assertThat(in.statusCode()).as(in.body()).isEqualTo(303);
            assertThat(in.headers().firstValue("Set-Cookie")).isPresent();
        } finally {
            server.stop();
            backend.stop(0);
        }
    }

    private static HttpResponse<String> send(EmbeddedServer server, HttpRequest.Builder request, String path)
            throws Exception {
        return HttpClient.newHttpClient()
                .send(
                        request.uri(URI.create("http://127.0.0.1:" + server.port() + path))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());
    }
}
