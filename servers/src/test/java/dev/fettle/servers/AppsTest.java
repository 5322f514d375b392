package dev.fettle.servers;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AppsTest {

    @ParameterizedTest
    @ValueSource(strings = {"tomcat", "jetty", "undertow"})
    void helloIsTheSamePageWithALengthAndWithoutChunks(String server) throws Exception {
        try (Running running = Running.start("server=" + server, "app=hello")) {
            HttpResponse<String> response = running.get("/any/path");
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.body()).isEqualTo("<h1>Hello World</h1>\n");
            assertThat(response.headers().firstValue("Content-Length")).hasValue("21");
            assertThat(response.headers().firstValue("Content-Type")).hasValue("text/html;charset=UTF-8");
            assertThat(response.headers().firstValue("Transfer-Encoding")).isEmpty();
            assertThat(response.headers().firstValue("Date")).isPresent();
            assertThat(response.headers().firstValue("Server")).isEmpty();
            assertThat(running.stat("requestsTotal")).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tomcat", "jetty", "undertow"})
    void whoHasASessionIsGivenNoOther(String server) throws Exception {
        try (Running running = Running.start("server=" + server, "app=hello", "app.session=true")) {
            HttpResponse<String> first = running.get("/");
            String cookie = first.headers().firstValue("Set-Cookie").orElseThrow();
            assertThat(cookie).matches("FETTLE_VISIT=[0-9a-f]{32}; .*HttpOnly.*");
            assertThat(first.body()).isEqualTo("<h1>Hello World</h1>\n");
            assertThat(running.get("/").headers().firstValue("Set-Cookie"))
                    .as("a session a visitor")
                    .isPresent()
                    .isNotEqualTo(first.headers().firstValue("Set-Cookie"));
            var known = running.request("/").header("Cookie", cookie.substring(0, cookie.indexOf(';')));
            HttpResponse<String> again = Running.CLIENT.send(known.build(), HttpResponse.BodyHandlers.ofString());
            assertThat(again.headers().firstValue("Set-Cookie")).isEmpty();
            assertThat(again.body()).isEqualTo(first.body());
        }
        try (Running running = Running.start("server=" + server, "app=hello")) {
            assertThat(running.get("/").headers().firstValue("Set-Cookie")).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tomcat", "jetty", "undertow"})
    void payloadHasItsSizeAndIsDeterministic(String server) throws Exception {
        try (Running running = Running.start("server=" + server, "app=payload", "app.bytes=64k")) {
            HttpResponse<String> response = running.get("/");
            assertThat(response.body())
                    .hasSize(65_536)
                    .isEqualTo(running.get("/").body());
            assertThat(response.headers().firstValue("Content-Length")).hasValue("65536");
            assertThat(response.headers().firstValue("Transfer-Encoding")).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tomcat", "jetty", "undertow"})
    void workAnswersTheResultOfItsWork(String server) throws Exception {
        try (Running running = Running.start(
                "server=" + server, "app=work", "app.cpu=0.01ms", "app.wait=1ms", "app.iterations=1000")) {
            HttpResponse<String> response = running.get("/?cpu=nonsense");
            assertThat(response.statusCode())
                    .as("the query is not read unless asked to")
                    .isEqualTo(200);
            assertThat(response.body())
                    .matches("[0-9a-f]{16}\n")
                    .isNotEqualTo(running.get("/").body());
            assertThat(running.target.ready().get("appFacts")).hasToString("{iterationsPerMs=1000}");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"tomcat", "jetty", "undertow"})
    void workIsOverriddenByTheQueryWhereAllowed(String server) throws Exception {
        try (Running running = Running.start(
                "server=" + server, "app=work", "app.wait=3600s", "app.query=true", "app.iterations=1000")) {
            assertThat(running.get("/?wait=0&cpu=0.1ms").statusCode()).isEqualTo(200);
            HttpResponse<String> bad = running.get("/?wait=soon");
            assertThat(bad.statusCode()).isEqualTo(400);
            assertThat(bad.body()).contains("wait=soon");
        }
    }
}
