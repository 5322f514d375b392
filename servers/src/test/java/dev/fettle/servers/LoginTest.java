package dev.fettle.servers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.servers.app.BackendClient;
import dev.fettle.servers.app.Sessions;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoginTest {

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return Running.CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static HttpResponse<String> post(Running running, String form) throws Exception {
        return send(running.request("/login")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(form)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"tomcat", "jetty", "undertow"})
    void pageLoginHome(String server) throws Exception {
        try (Child backend = Child.start(Backend.class, "wait=1ms");
                Running running = Running.start(
                        "server=" + server,
                        "app=login",
                        "app.cpu=0",
                        "app.backend=127.0.0.1:" + backend.number("port"))) {
            HttpResponse<String> page = send(running.request("/").header("User-Agent", "<probe>\"1\""));
            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(page.body())
                    .containsPattern("name=\"csrf\" value=\"[0-9a-f]{32}\"")
                    .contains("&lt;probe&gt;&quot;1&quot;")
                    .doesNotContain("<probe>")
                    .doesNotContain("${");
            assertThat(page.body().length()).isBetween(1_900, 4_096);
            assertThat(running.get("/").body())
                    .as("a fresh token for each page")
                    .isNotEqualTo(page.body());

            assertThat(running.get("/home").statusCode()).isEqualTo(303);
            assertThat(running.get("/home").headers().firstValue("Location")).hasValue("/");
            HttpResponse<String> refused = post(running, "account=ada&password=");
            assertThat(refused.statusCode()).isEqualTo(303);
            assertThat(refused.headers().firstValue("Set-Cookie")).isEmpty();

            HttpResponse<String> in = post(running, "account=ada+%3Clovelace%3E&password=x");
            assertThat(in.statusCode()).isEqualTo(303);
            assertThat(in.headers().firstValue("Location")).hasValue("/home");
            String cookie = in.headers().firstValue("Set-Cookie").orElseThrow();
            assertThat(cookie).contains("HttpOnly");
            HttpResponse<String> home =
                    send(running.request("/home").header("Cookie", "a=b; " + cookie.substring(0, cookie.indexOf(';'))));
            assertThat(home.statusCode()).isEqualTo(200);
            assertThat(home.body()).contains("Welcome, ada &lt;lovelace&gt;.");
            assertThat(running.get("/nowhere").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void aBackendThatGoesAwayIsABadGatewayAndOneThatComesBackIsFound() throws Exception {
        Child backend = Child.start(Backend.class, "wait=1ms");
        int port = backend.number("port");
        try (Running running =
                Running.start("server=jetty", "app=login", "app.cpu=0", "app.backend=127.0.0.1:" + port)) {
            assertThat(running.get("/").statusCode()).isEqualTo(200);
            backend.close();
            HttpResponse<String> down = running.get("/");
            assertThat(down.statusCode()).isEqualTo(502);
            assertThat(down.body()).contains("Bad gateway");
            try (Child again = Child.start(Backend.class, "wait=1ms", "port=" + port)) {
                assertThat(again.firstLine).startsWith("FETTLE-READY");
                assertThat(running.get("/").statusCode()).isEqualTo(200);
            }
        } finally {
            backend.close();
        }
    }

    @Test
    void aPooledConnectionThatWasClosedIsReplacedWithoutAFailure() throws Exception {
        Child backend = Child.start(Backend.class, "wait=1ms");
        int port = backend.number("port");
        BackendClient client =
                new BackendClient(new java.net.InetSocketAddress("127.0.0.1", port), java.time.Duration.ofSeconds(20));
        assertThat(client.call()).contains("\"status\":\"ok\"");
        backend.close();
        try (Child again = Child.start(Backend.class, "wait=1ms", "port=" + port)) {
            assertThat(again.firstLine).startsWith("FETTLE-READY");
            assertThat(client.call()).contains("\"status\":\"ok\"");
        }
    }

    @Test
    void theOldestSessionGoesWhenThereAreTooMany() {
        Sessions sessions = new Sessions(2);
        String first = sessions.open("a");
        String second = sessions.open("b");
        String third = sessions.open("c");
        assertThat(sessions.account(first)).isNull();
        assertThat(sessions.account(second)).isEqualTo("b");
        assertThat(sessions.account(third)).isEqualTo("c");
    }
}
