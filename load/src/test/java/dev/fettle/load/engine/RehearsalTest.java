package dev.fettle.load.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.fettle.load.Expectation;
import dev.fettle.load.LoadRun;
import dev.fettle.load.LoadSpec;
import dev.fettle.load.LoadSpecBuilder;
import dev.fettle.load.RequestTemplate;
import dev.fettle.load.Scenario;
import dev.fettle.load.Window;
import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.Protocol;
import dev.fettle.load.api.Wire;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A load of any kind finds what it expects at the small server that it is rehearsed on. */
class RehearsalTest {

    /** Nobody is there: a rehearsal has nothing to do with it. */
    private static final InetSocketAddress SERVER = new InetSocketAddress(InetAddress.getLoopbackAddress(), 9);

    static Stream<Arguments> loads() {
        RequestTemplate get = RequestTemplate.get("/a?b=c");
        RequestTemplate post =
                RequestTemplate.builder("POST", "/").body(new byte[100_000]).build();
        Wire two = Wire.PLAIN.withProtocol(Protocol.HTTP_2);
        Wire text = Wire.PLAIN.withProtocol(Protocol.WEB_SOCKET_TEXT);
        return Stream.of(
                load("HTTP/1.1", get, load -> load.connections(100)),
                load("two threads", get, load -> load.connections(3).threads(2)),
                load("without keep-alive", get, load -> load.keepAlive(false)),
                load(
                        "pipelined",
                        get,
                        load -> load.wire(Wire.PLAIN.withInFlight(9)).connections(3)),
                load(
                        "open",
                        get,
                        load -> load.arrivals(Arrivals.Open.constant(1)).connections(500)),
                load("with a body", post, load -> load),
                load("HEAD", RequestTemplate.builder("HEAD", "/").build(), load -> load),
                load("204", get, load -> load.expect(Expectation.status(204))),
                load(
                        "a text and a length",
                        get,
                        load -> load.expect(Expectation.status(201)
                                .withBodyContaining("na\u00efve")
                                .withBodyLength(30_000))),
                load("HTTP/2", get, load -> load.wire(two.withInFlight(20))),
                load("HTTP/2, a body", post, load -> load.wire(two)),
                load(
                        "HTTP/2, 404 and a text",
                        get,
                        load -> load.wire(two)
                                .expect(Expectation.status(404)
                                        .withBodyContaining("gone")
                                        .withBodyLength(40_000))),
                load(
                        "WebSocket",
                        post("hello"),
                        load -> load.wire(text.withInFlight(4)).expect(Expectation.ECHO)),
                load(
                        "WebSocket, long",
                        post("x".repeat(70_000)),
                        load -> load.wire(text).expect(Expectation.ECHO)),
                load(
                        "WebSocket, a text",
                        post(""),
                        load -> load.wire(text).expect(Expectation.SUCCESS.withBodyContaining("you said"))));
    }

    private static RequestTemplate post(String message) {
        return RequestTemplate.builder("GET", "/")
                .body(message.getBytes(StandardCharsets.UTF_8))
                .build();
    }

    private static Arguments load(String name, RequestTemplate request, UnaryOperator<LoadSpecBuilder> how) {
        return Arguments.of(
                name,
                how.apply(LoadSpec.builder(SERVER, request).maxRequests(1)).build());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("loads")
    void isAnsweredAsItWants(String name, LoadSpec load) throws Exception {
        try (Rehearsal rehearsal = new Rehearsal(load, Duration.ofMinutes(1));
                LoadRun run = LoadEngine.start(rehearsal.spec())) {
            long answered = 0;
            while (answered < 200) {
                assertThat(run.awaitDone(Duration.ofMillis(10))).isFalse();
                Window window = run.takeWindow();
                assertThat(window.errors()).isEmpty();
                answered += window.responses();
            }
            run.endIn(Duration.ZERO);
            assertThat(run.awaitDone(Duration.ofMinutes(1))).isTrue();
        }
    }

    @Test
    void closesAllItsSockets() throws Exception {
        LoadSpec load = LoadSpec.builder(SERVER, RequestTemplate.get("/")).build();
        int port;
        try (Rehearsal rehearsal = new Rehearsal(load, Duration.ofMinutes(1));
                Socket socket = new Socket()) {
            port = rehearsal.spec().address().getPort();
            socket.connect(rehearsal.spec().address());
            rehearsal.close();
            assertThat(isClosed(socket)).isTrue();
        }
        assertThat(port).isPositive();
    }

    /** Whether the other side is gone: a connection that nobody had accepted yet is reset, any other one ends. */
    private static boolean isClosed(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() == -1;
        } catch (SocketException reset) {
            return true;
        }
    }

    @Test
    void takesNoScenario() {
        Scenario scenario = new Scenario(
                List.of(new Scenario.Flow(
                        "f",
                        1,
                        List.of(new Scenario.Step(
                                "s",
                                "GET",
                                "/",
                                List.of(),
                                Scenario.Body.NONE,
                                Set.of(),
                                List.of(),
                                List.of(),
                                Scenario.Think.NONE,
                                false)))),
                List.of(),
                Map.of(),
                true,
                1);
        LoadSpec load = LoadSpec.builder(SERVER, scenario).build();
        assertThatIllegalArgumentException().isThrownBy(() -> new Rehearsal(load, Duration.ofSeconds(1)));
    }
}
