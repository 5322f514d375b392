package dev.fettle.load.engine;

import static dev.fettle.load.engine.FaultsTest.run;
import static java.nio.charset.StandardCharsets.UTF_8;
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
import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.api.Protocol;
import dev.fettle.load.api.TransportKind;
import dev.fettle.load.api.Wire;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Echo load over WebSockets, on a server that behaves. */
class WebSocketTest {

    private static final int DEPTH = 8;

    static Stream<Arguments> loads() {
        return TransportKinds.usable().stream()
                .flatMap(kind -> Stream.of(
                        Arguments.of(kind, 1, 1, 1),
                        Arguments.of(kind, 5, 2, 1),
                        Arguments.of(kind, 3, 1, DEPTH),
                        Arguments.of(kind, 1, 1, 500)));
    }

    @ParameterizedTest
    @MethodSource("loads")
    void eachMessageIsAnsweredOnce(TransportKind kind, int connections, int threads, int depth) throws Exception {
        try (MessageServer server = new MessageServer(MessageServer.ECHO)) {
            Window window = run(spec(server, "hello")
                    .wire(text(depth).withTransport(kind))
                    .connections(connections)
                    .threads(threads)
                    .maxRequests(3001)
                    .expect(Expectation.ECHO));
            assertThat(window.errors()).isEmpty();
            assertThat(window.responses()).isEqualTo(3001);
            assertThat(server.messages()).isEqualTo(3001);
            assertThat(window.latency().getTotalCount()).isEqualTo(3001);
            assertThat(window.firstByte().getTotalCount()).isEqualTo(3001);
            assertThat(window.connect().getTotalCount()).isEqualTo(connections);
            assertThat(window.statuses()).isEqualTo(Map.of(101, (long) connections));
            assertThat(server.connections()).isEqualTo(connections);
            assertThat(server.keys()).hasSize(connections);
            assertThat(server.masks()).as("each frame has its own").hasSizeGreaterThanOrEqualTo(1000);
            assertThat(server.faults()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"0", "1", "7", "8", "9", "125", "126", "127", "65535", "65536", "300001"})
    void messagesOfAllLengthsGoOutAsTheyAre(int length) throws Exception {
        byte[] message = new byte[length];
        for (int i = 0; i < length; i++) {
            message[i] = (byte) (i * 31 + 200);
        }
        try (MessageServer server = new MessageServer(MessageServer.ECHO)) {
            for (TransportKind kind : TransportKinds.usable()) {
                Window window = run(LoadSpec.builder(server.address(), opening("/", message))
                        .wire(text(3).withProtocol(Protocol.WEB_SOCKET_BINARY).withTransport(kind))
                        .maxDuration(Duration.ofSeconds(60))
                        .maxRequests(7)
                        .expect(Expectation.ECHO));
                assertThat(window.errors()).isEmpty();
                assertThat(window.responses()).isEqualTo(7);
            }
            assertThat(server.faults()).isEmpty();
        }
    }

    @Test
    void messagesAreTextOrBinary() throws Exception {
        try (MessageServer server = new MessageServer(
                (number, message, peer) -> peer.write(MessageServer.text(peer.opcode() == 1 ? "text" : "binary")))) {
            Window text = run(spec(server, "\u20ac")
                    .wire(text(1))
                    .expect(Expectation.SUCCESS.withBodyContaining("text"))
                    .maxRequests(3));
            Window binary = run(spec(server, "\u20ac")
                    .wire(text(1).withProtocol(Protocol.WEB_SOCKET_BINARY))
                    .expect(Expectation.SUCCESS.withBodyContaining("binary").withBodyLength(6))
                    .maxRequests(3));
            assertThat(text.errors()).isEmpty();
            assertThat(binary.errors()).isEmpty();
        }
    }

    private static Scenario.Step say(String name, String text, Scenario.Condition... conditions) {
        return Scenario.Step.message(name, text, List.of(conditions), List.of(), Scenario.Think.NONE, false);
    }

    /** Each user says who he is, gets a ticket, and shows it; what comes back is his own. */
    @ParameterizedTest
    @CsvSource({"1,1", "4,1", "1,5"})
    void messagesOfAScenarioBuildOnAnswers(int connections, int depth) throws Exception {
        var login = Scenario.Step.message(
                "log in",
                "{\"user\": ${user}}",
                List.of(new Scenario.Condition.JsonEquals("$.user", "${user}")),
                List.of(new Scenario.Extraction("ticket", new Scenario.Source.Json("$.ticket"))),
                Scenario.Think.NONE,
                false);
        try (MessageServer server = new MessageServer((number, message, peer) -> {
            String said = new String(message, UTF_8);
            peer.write(MessageServer.text(
                    said.startsWith("{")
                            ? said.replace("}", ", \"ticket\": \"t" + number + "\"}")
                            : "welcome " + said.substring(said.indexOf(' ') + 1)));
        })) {
            Window window = run(LoadSpec.builder(
                            server.address(),
                            opening("/chat", new byte[0]),
                            Scenario.of(
                                    login,
                                    say(
                                            "enter",
                                            "ticket ${ticket}",
                                            new Scenario.Condition.BodyContains("welcome ${ticket}"))))
                    .wire(text(depth))
                    .connections(connections)
                    .maxRequests(50)
                    .maxDuration(Duration.ofSeconds(60)));
            assertThat(window.errors()).isEmpty();
            assertThat(window.responses()).as("iterations of two messages").isEqualTo(100);
            assertThat(window.steps()).hasSize(2);
            assertThat(server.head()).startsWith("GET /chat HTTP/1.1");
            assertThat(server.faults()).isEmpty();
        }
    }

    @Test
    void aMessageThatIsNotExpectedEndsTheIterationAndIsKept() throws Exception {
        try (MessageServer server = new MessageServer(MessageServer.ECHO)) {
            Window window = run(LoadSpec.builder(
                            server.address(),
                            opening("/", new byte[0]),
                            Scenario.of(
                                    say("first", "one", new Scenario.Condition.BodyContains("two")),
                                    say("second", "three")))
                    .wire(text(1))
                    .maxRequests(3)
                    .maxDuration(Duration.ofSeconds(60)));
            assertThat(window.failed()).isEqualTo(3);
            assertThat(window.responses()).isZero();
            assertThat(window.answers().getFirst().wrong()).singleElement().satisfies(w -> {
                assertThat(w.body()).isEqualTo("one");
                assertThat(w.status()).isZero();
                assertThat(w.whole()).isTrue();
            });
        }
    }

    @Test
    void anOpeningSaysWhatItHasToAndWhatTheUserWants() throws Exception {
        RequestTemplate opening = RequestTemplate.builder("GET", "/chat?room=1")
                .header("Cookie", "a=b")
                .header("Sec-WebSocket-Protocol", "v2, v1")
                .body("hello".getBytes(UTF_8))
                .build();
        try (MessageServer server = new MessageServer(
                key -> MessageServer.agree(key).replace("\r\n\r\n", "\r\nSec-WebSocket-Protocol: v1\r\n\r\n"),
                MessageServer.ECHO)) {
            Window window = run(LoadSpec.builder(server.address(), opening)
                    .wire(text(1))
                    .maxRequests(1)
                    .maxDuration(Duration.ofSeconds(60)));
            assertThat(window.errors()).isEmpty();
            assertThat(server.head().lines())
                    .containsExactly(
                            "GET /chat?room=1 HTTP/1.1",
                            "Host: " + server.address().getHostString() + ":"
                                    + server.address().getPort(),
                            "Cookie: a=b",
                            "Sec-WebSocket-Protocol: v2, v1",
                            "Connection: Upgrade",
                            "Upgrade: websocket",
                            "Sec-WebSocket-Version: 13",
                            "Sec-WebSocket-Key: " + server.keys().iterator().next(),
                            "");
        }
    }

    @Test
    void aServerThatSelectsNoSubprotocolIsNoted() throws Exception {
        RequestTemplate opening = RequestTemplate.builder("GET", "/")
                .header("Sec-WebSocket-Protocol", "v1")
                .build();
        try (MessageServer server = new MessageServer(MessageServer.ECHO);
                LoadRun run = LoadEngine.start(LoadSpec.builder(server.address(), opening)
                        .wire(text(1))
                        .connections(3)
                        .maxRequests(3)
                        .build())) {
            assertThat(run.awaitDone(Duration.ofSeconds(60))).isTrue();
            assertThat(run.takeWindow().errors()).isEmpty();
            assertThat(run.notes())
                    .filteredOn(note -> note.contains("subprotocol"))
                    .hasSize(1);
        }
    }

    @Test
    void aClosedLoadKeepsTheDepthUnderWay() throws Exception {
        // answers only when it has as many messages as may be under way
        MessageServer.Script inEights = (number, message, peer) -> {
            for (int i = 0; number % DEPTH == 0 && i < DEPTH; i++) {
                peer.write(MessageServer.text("hello"));
            }
        };
        try (MessageServer server = new MessageServer(inEights)) {
            Window window = run(spec(server, "hello")
                    .wire(text(DEPTH))
                    .maxRequests(20 * DEPTH)
                    .expect(Expectation.ECHO));
            assertThat(window.errors()).isEmpty();
            assertThat(window.responses()).isEqualTo(20 * DEPTH);
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    @Test
    void anOpenLoadOpensWhatItNeedsAndCountsAllThatIsDue() throws Exception {
        try (MessageServer server = new MessageServer(MessageServer.ECHO)) {
            Window window = run(spec(server, "hello")
                    .wire(text(1))
                    .arrivals(
                            new Arrivals.Open(List.of(new Arrivals.Stage(400, 400, Duration.ofMinutes(1), 5)), true, 3))
                    .connections(20)
                    .maxRequests(400)
                    .expect(Expectation.ECHO));
            assertThat(window.errors()).isEmpty();
            assertThat(window.responses()).isEqualTo(400);
            assertThat(server.messages()).isEqualTo(400);
            assertThat(server.connections()).isBetween(1, 20);
            assertThat(window.sendLag().getTotalCount()).isPositive();
        }
    }

    /** A connection for each message, in the kernel's buffers and in the server's count. */
    @ParameterizedTest
    @MethodSource("dev.fettle.load.engine.TransportKinds#usable")
    void withoutKeepAliveEachMessageOpensItsOwnAndTakesLeave(TransportKind kind) throws Exception {
        try (MessageServer server = new MessageServer(MessageServer.ECHO)) {
            Window window = run(spec(server, "hello")
                    .wire(text(1).withTransport(kind))
                    .connections(2)
                    .keepAlive(false)
                    .maxRequests(40)
                    .expect(Expectation.ECHO));
            assertThat(window.errors()).isEmpty();
            assertThat(window.responses()).isEqualTo(40);
            assertThat(window.reconnects()).isZero();
            assertThat(server.connections()).isEqualTo(40);
            assertThat(server.keys()).hasSize(40);
            assertThat(server.goodbyes()).containsExactly(1000);
        }
    }

    @Test
    void thereIsALeaveTakingAtTheEnd() throws Exception {
        try (MessageServer server = new MessageServer(MessageServer.ECHO)) {
            run(spec(server, "hello").wire(text(1)).connections(3).maxRequests(30));
            for (int i = 0; i < 500 && server.goodbyes().isEmpty(); i++) {
                Thread.sleep(10);
            }
            assertThat(server.goodbyes()).containsExactly(1000);
        }
    }

    /** Nothing of this is an error: frames in between, fragments, and what nobody has to answer. */
    @ParameterizedTest
    @MethodSource("dev.fettle.load.engine.TransportKinds#usable")
    void pingsAreAnsweredAndFragmentsPutTogether(TransportKind kind) throws Exception {
        byte[] all = FrameFault.hex("0102" + "6865" + "8904" + "70696e67" + "0000" + "8a00" + "8003" + "6c6c6f");
        MessageServer.Script script = (number, message, peer) -> {
            if (number % 2 == 0) {
                peer.write(all);
            } else {
                peer.drip(all);
            }
        };
        try (MessageServer server = new MessageServer(script)) {
            Window window = run(spec(server, "hello")
                    .wire(text(1).withTransport(kind))
                    .maxRequests(20)
                    .expect(Expectation.ECHO));
            assertThat(window.errors()).isEmpty();
            assertThat(window.responses()).isEqualTo(20);
            assertThat(server.connections()).isEqualTo(1);
            assertThat(server.faults()).isEmpty();
            assertThat(server.pongs()).hasSizeGreaterThanOrEqualTo(19).containsOnly("ping");
        }
    }

    @Test
    void anAnswerThatIsNoEchoFailsItsCheckAndNothingElse() throws Exception {
        MessageServer.Script script = (number, message, peer) ->
                peer.write(MessageServer.text(number == 3 ? "hellO" : number == 5 ? "hello!" : "hello"));
        try (MessageServer server = new MessageServer(script)) {
            Window window =
                    run(spec(server, "hello").wire(text(1)).maxRequests(10).expect(Expectation.ECHO));
            assertThat(window.errors()).containsOnlyKeys(ErrorKind.BODY);
            assertThat(window.errors().get(ErrorKind.BODY).count()).isEqualTo(2);
            assertThat(window.errors().get(ErrorKind.BODY).example())
                    .isEqualTo("an answer of 5 bytes which is not the echo of the 5 sent");
            assertThat(window.responses()).isEqualTo(8);
            assertThat(server.connections()).isEqualTo(1);
            Window any = run(spec(server, "hello").wire(text(1)).maxRequests(10));
            assertThat(any.errors()).isEmpty();
        }
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 80);
        refused(LoadSpec.builder(address, RequestTemplate.builder("POST", "/").build()), "opened by GET, not POST");
        refused(
                LoadSpec.builder(
                        address,
                        RequestTemplate.builder("GET", "/")
                                .header("sec-websocket-key", "x")
                                .build()),
                "sec-websocket-key follows from the opening");
        refused(LoadSpec.builder(address, opening("/", new byte[] {(byte) 0xff})), "must be UTF-8");
        refused(LoadSpec.builder(address, opening("/", new byte[(16 << 20) + 1])), "at most 16777216");
        refused(
                LoadSpec.builder(address, Scenario.of(Scenario.Step.get("x", "/"))),
                "over a WebSocket a step sends a message");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LoadSpec.builder(address, Scenario.of(say("x", "hello")))
                        .build())
                .withMessageContaining("a message is sent over a WebSocket only");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LoadSpec.builder(address, RequestTemplate.get("/"))
                        .expect(Expectation.ECHO)
                        .build())
                .withMessageContaining("over a WebSocket");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Expectation.ECHO.withBodyContaining("x"))
                .withMessageContaining("the whole answer");
    }

    private static void refused(LoadSpecBuilder spec, String why) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> spec.wire(text(1)).build())
                .withMessageContaining(why);
    }

    static Wire text(int inFlight) {
        return Wire.PLAIN
                .withProtocol(Protocol.WEB_SOCKET_TEXT)
                .withInFlight(inFlight)
                .withTransport(TransportKind.NIO);
    }

    static RequestTemplate opening(String path, byte[] message) {
        return RequestTemplate.builder("GET", path).body(message).build();
    }

    static LoadSpecBuilder spec(MessageServer server, String message) {
        return LoadSpec.builder(server.address(), opening("/", message.getBytes(UTF_8)))
                .wire(text(1))
                .maxDuration(Duration.ofSeconds(60));
    }
}
