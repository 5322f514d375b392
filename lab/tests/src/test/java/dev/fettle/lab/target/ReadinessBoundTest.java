package dev.fettle.lab.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.sun.net.httpserver.HttpServer;
import dev.fettle.lab.EndlessServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A body that never ends, or is very long, holds nothing up: neither the look nor the end of its client. */
@Timeout(120)
class ReadinessBoundTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    @Test
    void aBodyThatNeverEndsIsNotWaitedForForEver() throws Exception {
        try (var server = new EndlessServer();
                var client = HttpClient.newHttpClient()) {
            HttpRequest request =
                    HttpRequest.newBuilder(server.url()).timeout(LONG).build();
            assertThatExceptionOfType(HttpTimeoutException.class)
                    .isThrownBy(() -> Readiness.ask(client, request, Duration.ofSeconds(1)))
                    .withMessage("the answer had not ended after 1 s");
        }
    }

    @Test
    void anInterruptEndsTheWaiting() throws Exception {
        try (var server = new EndlessServer();
                var client = HttpClient.newHttpClient()) {
            HttpRequest request =
                    HttpRequest.newBuilder(server.url()).timeout(LONG).build();
            Thread.currentThread().interrupt();
            assertThatExceptionOfType(InterruptedException.class)
                    .isThrownBy(() -> Readiness.ask(client, request, LONG));
        }
    }

    @Test
    void aStatusIsKnownBeforeTheBodyEnds() throws Exception {
        try (var server = new EndlessServer();
                var client = HttpClient.newHttpClient()) {
            assertThat(Readiness.status(client, server.url(), LONG)).isEqualTo(200);
        }
    }

    @Test
    void ofALongBodyTheBeginningIsKeptAndTheLengthKnown() throws Exception {
        int length = 20_000_000;
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 9);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, length);
            exchange.getResponseBody().write(new byte[length]);
            exchange.close();
        });
        server.start();
        try (var client = HttpClient.newHttpClient()) {
            URI url = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
            Readiness.Answer answer =
                    Readiness.ask(client, HttpRequest.newBuilder(url).build(), LONG);
            assertThat(answer.length()).isEqualTo(length);
            assertThat(answer.announced()).isEqualTo(length);
            assertThat(answer.body()).hasSize(16 * 1024 * 1024);
        } finally {
            server.stop(0);
        }
    }
}
