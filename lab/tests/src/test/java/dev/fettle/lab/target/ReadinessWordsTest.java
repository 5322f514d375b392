package dev.fettle.lab.target;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import org.junit.jupiter.api.Test;

/** What is told of a target that never answered: no bare names of exceptions. */
class ReadinessWordsTest {
    @Test
    void aRefusedConnectionIsNoConnection() throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:1/")).build(),
                    HttpResponse.BodyHandlers.discarding());
        } catch (IOException e) {
            assertThat(e).isInstanceOf(ConnectException.class);
            assertThat(Readiness.words(e)).isEqualTo("no connection");
            return;
        }
        throw new AssertionError("somebody listens on port 1");
    }

    @Test
    void whatHasAMessageKeepsIt() {
        assertThat(Readiness.words(new HttpTimeoutException("request timed out")))
                .isEqualTo("HttpTimeoutException: request timed out");
        assertThat(Readiness.words(new ConnectException("Cannot assign requested address")))
                .isEqualTo("no connection: Cannot assign requested address");
    }
}
