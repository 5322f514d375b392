package dev.fettle.load.engine;

import static dev.fettle.load.engine.FaultsTest.run;
import static dev.fettle.load.engine.WebSocketTest.spec;
import static dev.fettle.load.engine.WebSocketTest.text;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.load.LoadSpec;
import dev.fettle.load.RequestTemplate;
import dev.fettle.load.Window;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.api.TransportKind;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** WebSocket servers that do something wrong: it is counted as what it is, in words that help; and the run goes on. */
class WebSocketFaultsTest {

    private static final int MESSAGES = 12;
    private static final int FAULTY = 5;

    static Stream<Arguments> frames() {
        return FrameFault.all()
                .flatMap(fault -> TransportKinds.usable().stream().map(kind -> Arguments.of(fault, kind)));
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("frames")
    void aWrongFrameFailsItsMessageAndTheRunGoesOn(FrameFault fault, TransportKind kind) throws Exception {
        MessageServer.Script script =
                (number, message, peer) -> peer.write(number == FAULTY ? fault.bytes() : MessageServer.text("hello"));
        try (MessageServer server = new MessageServer(script)) {
            Window window =
                    run(spec(server, "hello").wire(text(1).withTransport(kind)).maxRequests(MESSAGES));
            assertThat(window.errors()).containsOnlyKeys(fault.kind());
            assertThat(window.errors().get(fault.kind()).example()).contains(fault.says());
            assertThat(window.failed()).isEqualTo(1);
            assertThat(window.responses()).isEqualTo(MESSAGES - 1);
            assertThat(server.connections()).isEqualTo(2);
            for (int i = 0;
                    i < 3000 && !server.goodbyes().contains(fault.code());
                    i++) { // the server reads it after the run
                Thread.sleep(10);
            }
            assertThat(server.goodbyes()).as("what the server is told").contains(fault.code());
        }
    }

    interface Deed {
        void on(MessageServer.Peer peer) throws IOException, InterruptedException;
    }

    static Stream<Arguments> ends() {
        byte[] half = Arrays.copyOf(MessageServer.text("hello"), 4);
        return Stream.of(
                Arguments.of(
                        ErrorKind.CLOSED_EARLY,
                        "the server closed without a Close frame, before the first byte of an answer",
                        Named.of("close", (Deed) MessageServer.Peer::closeInOrder)),
                Arguments.of(
                        ErrorKind.CLOSED_EARLY,
                        "the server closed without a Close frame, after 2 bytes of an answer",
                        Named.of("half an answer and close", (Deed) peer -> {
                            peer.write(half);
                            peer.closeInOrder();
                        })),
                Arguments.of(ErrorKind.RESET, "before the first byte of an answer", Named.of("reset", (Deed)
                        MessageServer.Peer::reset)),
                Arguments.of(
                        ErrorKind.READ_TIMEOUT,
                        "no complete answer within the time-out, after 2 bytes of an answer",
                        Named.of("half an answer and silence", (Deed) peer -> {
                            peer.write(half);
                            peer.hang();
                        })));
    }

    @ParameterizedTest
    @MethodSource("ends")
    void whenTheConnectionEndsAllUnderWayFail(ErrorKind kind, String says, Deed deed) throws Exception {
        MessageServer.Script script = (number, message, peer) -> {
            if (number == 4) {
                deed.on(peer);
            } else if (number > 4) {
                peer.write(MessageServer.text("hello"));
            }
        };
        try (MessageServer server = new MessageServer(script)) {
            Window window = run(spec(server, "hello")
                    .wire(text(4))
                    .responseTimeout(Duration.ofSeconds(2))
                    .maxRequests(MESSAGES));
            assertThat(window.errors()).containsOnlyKeys(kind);
            assertThat(window.failed()).isEqualTo(4);
            assertThat(window.responses()).isEqualTo(MESSAGES - 4);
            assertThat(window.errors().get(kind).example()).contains(says);
        }
    }

    /** What a server says to the first key, and what that is. */
    static Stream<Arguments> openings() {
        String ok = MessageServer.agree("x").replaceAll("Accept: .*", "Accept: ACCEPT");
        String greeting = new String(MessageServer.text("welcome"), ISO_8859_1);
        return Stream.of(
                opening(ErrorKind.STATUS, "status 403, expected 101", "HTTP/1.1 403 No\r\nContent-Length: 2\r\n\r\nno"),
                opening(ErrorKind.STATUS, "status 200, expected 101", "HTTP/1.1 200 OK\r\n\r\nno end"),
                opening(
                        ErrorKind.STATUS,
                        "status 426, expected 101",
                        "HTTP/1.1 426 No\r\nSec-WebSocket-Version: 7\r\n"),
                opening(ErrorKind.MALFORMED, "no 'Upgrade: websocket'", ok.replace("websocket", "h2c")),
                opening(ErrorKind.MALFORMED, "no 'Connection: Upgrade'", ok.replace("n: Upgrade", "n: close")),
                opening(ErrorKind.MALFORMED, "does not follow from the key: 'x'", ok.replace("ACCEPT", "x")),
                opening(ErrorKind.MALFORMED, "no Sec-WebSocket-Accept", ok.replace("Sec-WebSocket-Accept", "X")),
                opening(
                        ErrorKind.MALFORMED,
                        "an extension which nobody offered: 'permessage-deflate'",
                        ok.replace("\r\n\r\n", "\r\nSec-WebSocket-Extensions: permessage-deflate\r\n\r\n")),
                opening(
                        ErrorKind.MALFORMED,
                        "a subprotocol which nobody offered: 'chat'",
                        ok.replace("\r\n\r\n", "\r\nSec-WebSocket-Protocol: chat\r\n\r\n")),
                opening(ErrorKind.MALFORMED, "no HTTP/1.x status line: 'SSH-2.0", "SSH-2.0-OpenSSH_9.6\r\n"),
                opening(ErrorKind.MALFORMED, "a message came that answers none", ok + greeting),
                opening(ErrorKind.CLOSED_EARLY, "1008 (policy violation)", ok + "\u0088\u0002\u0003\u00f0"),
                opening(ErrorKind.MALFORMED, "reserved bits set (0xc1)", ok + "\u00c1\u0000"));
    }

    private static Arguments opening(ErrorKind kind, String says, String answer) {
        return Arguments.of(kind, says, Named.of(says, answer));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("openings")
    void anOpeningThatFailsIsCountedAndTheNextOneIsTried(ErrorKind kind, String says, String answer) throws Exception {
        AtomicInteger openings = new AtomicInteger();
        UnaryOperator<String> first = key -> openings.incrementAndGet() == 1
                ? answer.replace("ACCEPT", MessageServer.accept(key))
                : MessageServer.agree(key);
        try (MessageServer server = new MessageServer(first, MessageServer.ECHO)) {
            Window window = run(spec(server, "hello").maxRequests(MESSAGES));
            assertThat(window.errors()).containsOnlyKeys(kind);
            assertThat(window.failed()).isEqualTo(1);
            assertThat(window.responses()).isEqualTo(MESSAGES - 1);
            assertThat(window.errors().get(kind).example())
                    .startsWith("while connecting: ")
                    .contains(says);
            assertThat(window.connect().getTotalCount()).isEqualTo(1);
            assertThat(server.messages()).isEqualTo(MESSAGES - 1);
        }
    }

    /** They are told apart from one, and not kept: thousands would be copied again with each that comes. */
    @Test
    void ofARepeatedHeaderOnlyTheBeginningIsTold() throws Exception {
        String header = "Sec-WebSocket-Accept: " + "x".repeat(200) + "\r\n";
        String many = MessageServer.agree("x").replaceAll("Sec-WebSocket-Accept: .*\r\n", header.repeat(1000));
        AtomicInteger openings = new AtomicInteger();
        UnaryOperator<String> first = key -> openings.incrementAndGet() == 1 ? many : MessageServer.agree(key);
        try (MessageServer server = new MessageServer(first, MessageServer.ECHO)) {
            Window window = run(spec(server, "hello").maxRequests(MESSAGES));
            assertThat(window.errors()).containsOnlyKeys(ErrorKind.MALFORMED);
            assertThat(window.errors().get(ErrorKind.MALFORMED).example())
                    .contains("does not follow from the key: 'xxx", "xxx, xxx")
                    .hasSizeLessThan(2000);
            assertThat(window.responses()).isEqualTo(MESSAGES - 1);
        }
    }

    @Test
    void aServerThatSaysNothingToAnOpeningIsAConnectTimeout() throws Exception {
        try (ScriptedServer server = new ScriptedServer((number, peer) -> {
            peer.write("HTTP/1.1 1");
            peer.hang();
        })) {
            Window window = run(LoadSpec.builder(server.address(), RequestTemplate.get("/"))
                    .wire(text(1))
                    .connectTimeout(Duration.ofMillis(200))
                    .maxRequests(2));
            assertThat(window.errors()).containsOnlyKeys(ErrorKind.CONNECT_TIMEOUT);
            assertThat(window.failed()).isEqualTo(2);
            assertThat(window.errors().get(ErrorKind.CONNECT_TIMEOUT).example())
                    .isEqualTo(
                            "while connecting: no answer to the upgrade within the time-out, within the status line");
        }
    }

    @Test
    void anOpeningMayComeInPiecesAfterAnInterimAndWithFramesBehindIt() throws Exception {
        UnaryOperator<String> opening = key -> "HTTP/1.1 103 Early Hints\r\nUpgrade: h2c\r\n\r\n"
                + MessageServer.agree(key).replace("Connection: Upgrade", "connection: keep-alive, UPGRADE")
                + "\u0089\u0002hi";
        try (MessageServer server = new MessageServer(opening, MessageServer.ECHO)) {
            // one connection: of two, the other one might be opened when all is over
            Window window = run(spec(server, "hello").connections(1).maxRequests(MESSAGES));
            assertThat(window.errors()).isEmpty();
            assertThat(window.responses()).isEqualTo(MESSAGES);
            assertThat(server.pongs()).containsExactly("hi");
        }
    }

    @Test
    void aServerThatRefusesAllIsNotHammered() throws Exception {
        try (ScriptedServer server = new ScriptedServer(
                (number, peer) -> peer.write("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"))) {
            Window window = run(LoadSpec.builder(server.address(), RequestTemplate.get("/"))
                    .wire(text(2))
                    .maxRequests(8));
            assertThat(window.errors()).containsOnlyKeys(ErrorKind.STATUS);
            assertThat(window.failed()).isEqualTo(8);
            assertThat(window.statuses()).containsOnlyKeys(404);
        }
    }

    @Test
    void whatIsSaidUnaskedIsAnErrorThoughNoMessageFailsByIt() throws Exception {
        MessageServer.Script twice = (number, message, peer) -> {
            byte[] one = MessageServer.text("hello");
            byte[] two = Arrays.copyOf(one, 2 * one.length);
            System.arraycopy(one, 0, two, one.length, one.length);
            peer.write(number == 3 ? two : one);
        };
        try (MessageServer server = new MessageServer(twice)) {
            Window window = run(spec(server, "hello").maxRequests(6));
            assertThat(window.errors()).containsOnlyKeys(ErrorKind.MALFORMED);
            assertThat(window.errors().get(ErrorKind.MALFORMED).example()).contains("answers none");
            assertThat(window.responses()).isEqualTo(6);
            assertThat(server.connections()).isEqualTo(2);
        }
    }

    /** Between two messages a server may close, as it may in HTTP: that is no error, and the next one opens again. */
    @Test
    void aServerThatClosesWhenNothingIsUnderWayIsNoError() throws Exception {
        byte[] last = FrameFault.hex("8105" + "68656c6c6f" + "880203e9");
        MessageServer.Script threeEach =
                (number, message, peer) -> peer.write(number % 3 == 0 ? last : MessageServer.text("hello"));
        try (MessageServer server = new MessageServer(threeEach)) {
            Window window = run(spec(server, "hello").maxRequests(9));
            assertThat(window.errors()).isEmpty();
            assertThat(window.responses()).isEqualTo(9);
            assertThat(window.reconnects()).isEqualTo(2);
            assertThat(window.statuses()).isEqualTo(Map.of(101, 3L));
        }
    }
}
