package dev.fettle.load.engine;

import static dev.fettle.load.engine.FrameServer.HELLO;
import static dev.fettle.load.engine.FrameServer.STATUS_200;
import static dev.fettle.load.http2.Http2Frame.CONTINUATION;
import static dev.fettle.load.http2.Http2Frame.DATA;
import static dev.fettle.load.http2.Http2Frame.END_HEADERS;
import static dev.fettle.load.http2.Http2Frame.END_STREAM;
import static dev.fettle.load.http2.Http2Frame.GOAWAY;
import static dev.fettle.load.http2.Http2Frame.HEADERS;
import static dev.fettle.load.http2.Http2Frame.PADDED;
import static dev.fettle.load.http2.Http2Frame.PING;
import static dev.fettle.load.http2.Http2Frame.PRIORITISED;
import static dev.fettle.load.http2.Http2Frame.PRIORITY;
import static dev.fettle.load.http2.Http2Frame.PUSH_PROMISE;
import static dev.fettle.load.http2.Http2Frame.RST_STREAM;
import static dev.fettle.load.http2.Http2Frame.SETTINGS;
import static dev.fettle.load.http2.Http2Frame.WINDOW_UPDATE;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.load.ErrorCount;
import dev.fettle.load.Expectation;
import dev.fettle.load.LoadSpec;
import dev.fettle.load.LoadSpecBuilder;
import dev.fettle.load.RequestTemplate;
import dev.fettle.load.Window;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.api.Protocol;
import dev.fettle.load.api.Wire;
import dev.fettle.load.http2.Http2Code;
import dev.fettle.load.http2.Http2Frame;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** A server breaks a rule of HTTP/2 in the middle of a run: the right kind is counted, once, and the run goes on. */
class Http2FaultsTest {

    private static final int REQUESTS = 20;
    private static final int FAULTY = 7;
    /** A reason that Tomcat gives for a GOAWAY: what matters comes last. */
    private static final String TOMCATS_REASON =
            "A new remote stream ID of [9] was requested but the most recent stream was [21]";

    interface Fault {
        void on(int stream, FrameServer.Peer peer) throws IOException;
    }

    static Stream<Arguments> faults() {
        return Stream.of(
                malformed("more than the 16384 allowed", (s, p) -> p.frame(DATA, 0, s, new byte[16_385])),
                malformed("SETTINGS frame on stream 0 of 5", (s, p) -> p.frame(SETTINGS, 0, 0, new byte[5])),
                malformed("SETTINGS frame on stream 0 of 6", (s, p) -> p.frame(SETTINGS, 1, 0, new byte[6])),
                malformed("PING frame on stream 0 of 7", (s, p) -> p.frame(PING, 0, 0, new byte[7])),
                malformed("of 3 bytes", (s, p) -> p.frame(RST_STREAM, 0, s, new byte[3])),
                malformed("of 5 bytes", (s, p) -> p.frame(WINDOW_UPDATE, 0, s, new byte[5])),
                malformed("of 4 bytes", (s, p) -> p.frame(PRIORITY, 0, s, new byte[4])),
                malformed("of 7 bytes", (s, p) -> p.frame(GOAWAY, 0, 0, new byte[7])),
                malformed("DATA frame on stream 0", (s, p) -> p.frame(DATA, 0, 0, HELLO)),
                malformed("HEADERS frame on stream 0", (s, p) -> p.frame(HEADERS, END_HEADERS, 0, STATUS_200)),
                malformed("SETTINGS frame on stream 1 ", (s, p) -> p.frame(SETTINGS, 0, 1)),
                malformed("which nobody opened", (s, p) -> p.frame(HEADERS, END_HEADERS, s + 2, STATUS_200)),
                malformed("on stream 2, which nobody opened", (s, p) -> p.frame(DATA, 0, 2, HELLO)),
                malformed("which nobody opened", (s, p) -> p.frame(RST_STREAM, 0, s + 2, new byte[4])),
                malformed("which nobody opened", (s, p) -> p.frame(WINDOW_UPDATE, 0, s + 2, bytes(0, 0, 0, 1))),
                malformed("though pushing", (s, p) -> p.frame(PUSH_PROMISE, END_HEADERS, s, new byte[8])),
                malformed("by nothing", (s, p) -> p.frame(WINDOW_UPDATE, 0, 0, new byte[4])),
                malformed("a window over 2^31-1", (s, p) -> p.frame(WINDOW_UPDATE, 0, 0, bytes(0x7f, -1, -1, -1))),
                malformed("a window over 2^31-1", (s, p) -> p.frame(WINDOW_UPDATE, 0, s, bytes(0x7f, -1, -1, -1))),
                malformed("a window over", (s, p) -> p.write(FrameServer.setting(Http2Frame.INITIAL_WINDOW_SIZE, -1))),
                malformed("ENABLE_PUSH = 1", (s, p) -> p.write(FrameServer.setting(Http2Frame.ENABLE_PUSH, 1))),
                malformed("MAX_FRAME_SIZE = 5", (s, p) -> p.write(FrameServer.setting(Http2Frame.MAX_FRAME_SIZE, 5))),
                malformed("more padding", (s, p) -> p.frame(DATA, PADDED, s, bytes(9, 0, 0))),
                malformed("without the length of its padding", (s, p) -> p.frame(DATA, PADDED, s)),
                malformed("more padding", (s, p) -> p.frame(HEADERS, PADDED | END_HEADERS, s, bytes(9, 0))),
                malformed("more padding", (s, p) -> p.frame(HEADERS, PRIORITISED | END_HEADERS, s, bytes(0, 0))),
                malformed("where none does", (s, p) -> p.frame(CONTINUATION, END_HEADERS, s, STATUS_200)),
                malformed("where a header block goes on", (s, p) -> {
                    p.frame(HEADERS, 0, s, STATUS_200);
                    p.frame(DATA, END_STREAM, s, HELLO);
                }),
                malformed("entry 70", (s, p) -> p.frame(HEADERS, END_HEADERS, s, bytes(0x80 | 70))),
                malformed("entry 0", (s, p) -> p.frame(HEADERS, END_HEADERS, s, bytes(0x80))),
                malformed("ends within a field", (s, p) -> p.frame(HEADERS, END_HEADERS, s, bytes(0, 5, 'a'))),
                malformed(
                        "no Huffman code",
                        (s, p) -> p.frame(HEADERS, END_HEADERS, s, bytes(0, 0x84, -1, -1, -1, -1, 0))),
                malformed("larger than the 4096", (s, p) -> p.frame(HEADERS, END_HEADERS, s, bytes(0x3f, 0xe2, 0x1f))),
                malformed("within a header block", (s, p) -> p.frame(HEADERS, END_HEADERS, s, bytes(0x88, 0x20))),
                malformed(
                        "larger than can be",
                        (s, p) -> p.frame(HEADERS, END_HEADERS, s, bytes(-1, -1, -1, -1, -1, -1, 1))),
                malformed("says more than 1048576 bytes", Http2FaultsTest::headerBomb),
                malformed("no end of it", Http2FaultsTest::continuationFlood),
                malformed("no end of it", (s, p) -> {
                    p.frame(HEADERS, 0, s, STATUS_200);
                    for (int i = 0; i < 1002; i++) {
                        p.frame(CONTINUATION, 0, s);
                    }
                }),
                malformed("data before the head", (s, p) -> p.frame(DATA, END_STREAM, s, HELLO)),
                malformed("ends without a response", (s, p) -> p.frame(DATA, END_STREAM, s)),
                malformed("without :status", (s, p) -> p.frame(HEADERS, END_HEADERS | END_STREAM, s)),
                malformed("no status", (s, p) -> p.frame(HEADERS, END_HEADERS, s, bytes(0x08, 3, '2', 'x', '0'))),
                malformed("no status", (s, p) -> p.frame(HEADERS, END_HEADERS, s, bytes(0x08, 4, '0', '2', '0', '0'))),
                malformed("pseudo-header", (s, p) -> p.frame(HEADERS, END_HEADERS, s, bytes(0x88, 0x88))),
                malformed("pseudo-header", (s, p) -> p.frame(HEADERS, END_HEADERS, s, bytes(0x88, 0x84))),
                malformed(
                        "a field without a name",
                        (s, p) -> p.frame(HEADERS, END_HEADERS, s, bytes(0x88, 0, 0, 1, 'b'))),
                malformed("a field without a name", Http2FaultsTest::namelessAtTheEndOfTheTable),
                malformed("status 101", (s, p) -> p.frame(HEADERS, END_HEADERS, s, bytes(0x08, 3, '1', '0', '1'))),
                malformed(
                        "interim status 103",
                        (s, p) -> p.frame(HEADERS, END_HEADERS | END_STREAM, s, bytes(0x08, 3, '1', '0', '3'))),
                malformed("5 body bytes where 7 were", (s, p) -> {
                    p.frame(HEADERS, END_HEADERS, s, bytes(0x88, 0x0f, 13, 1, '7'));
                    p.frame(DATA, END_STREAM, s, HELLO);
                }),
                malformed(
                        "no content-length",
                        (s, p) -> p.frame(HEADERS, END_HEADERS, s, bytes(0x88, 0x0f, 13, 2, '-', '7'))),
                malformed(
                        "differing content-lengths",
                        (s, p) -> p.frame(HEADERS, END_HEADERS, s, bytes(0x88, 0x0f, 13, 1, '7', 0x0f, 13, 1, '8'))),
                malformed("trailers which do not end", (s, p) -> {
                    p.head(s);
                    p.frame(HEADERS, END_HEADERS, s, bytes(0, 1, 'a', 1, 'b'));
                }),
                malformed("where none belong", (s, p) -> {
                    p.frame(HEADERS, END_HEADERS, s, bytes(0x89));
                    p.frame(DATA, END_STREAM, s, HELLO);
                }),
                fault(ErrorKind.RESET, "INTERNAL_ERROR", (s, p) -> p.frame(RST_STREAM, 0, s, bytes(0, 0, 0, 2))),
                fault(
                        ErrorKind.RESET,
                        "REFUSED_STREAM, before",
                        (s, p) -> p.frame(RST_STREAM, 0, s, bytes(0, 0, 0, 7))),
                fault(ErrorKind.RESET, "error 4294967295", (s, p) -> p.frame(RST_STREAM, 0, s, bytes(-1, -1, -1, -1))),
                fault(
                        ErrorKind.RESET,
                        "ENHANCE_YOUR_CALM 'too much",
                        (s, p) -> p.frame(
                                GOAWAY, 0, 0, bytes(0, 0, 0, 0, 0, 0, 0, 11, 't', 'o', 'o', ' ', 'm', 'u', 'c', 'h'))),
                fault(
                        ErrorKind.RESET,
                        "PROTOCOL_ERROR '" + TOMCATS_REASON + "', before",
                        Http2FaultsTest::goAwayWithAReason),
                fault(ErrorKind.CLOSED_EARLY, "the server closed, before the head", (s, p) -> p.close()),
                fault(ErrorKind.CLOSED_EARLY, "after 5 body bytes", (s, p) -> {
                    p.head(s);
                    p.frame(DATA, 0, s, HELLO);
                    p.close();
                }),
                fault(ErrorKind.READ_TIMEOUT, "after 5 body bytes", (s, p) -> {
                    p.head(s);
                    p.frame(DATA, 0, s, HELLO);
                }));
    }

    private static void headerBomb(int stream, FrameServer.Peer peer) throws IOException {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        block.writeBytes(STATUS_200);
        block.writeBytes(new byte[] {0x40, 1, 'a', 0x7f, (byte) 0xa1, 0x1e}); // 4000 bytes, kept
        block.writeBytes("x".repeat(4000).getBytes(ISO_8859_1));
        block.writeBytes("\276".repeat(300).getBytes(ISO_8859_1)); // and the same 300 times more
        peer.frame(HEADERS, END_HEADERS, stream, block.toByteArray());
    }

    /** Fills the client's table to its last byte, so that a field of no bytes lies behind it, and refers to that. */
    private static void namelessAtTheEndOfTheTable(int stream, FrameServer.Peer peer) throws IOException {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        block.writeBytes(STATUS_200);
        for (int i = 0; i < 8; i++) {
            block.writeBytes(bytes(0x40, 1, 'a', 0x7f, 0xe0, 0x06)); // 991 bytes, kept
            block.writeBytes(new byte[991]);
        }
        block.writeBytes(bytes(0x40, 1, 'a', 0x7f, 0x80, 0x01)); // 255 bytes, kept
        block.writeBytes(new byte[255]);
        block.writeBytes(bytes(0x40, 0, 0, 0xbe));
        peer.frame(HEADERS, END_HEADERS, stream, block.toByteArray());
    }

    private static void continuationFlood(int stream, FrameServer.Peer peer) throws IOException {
        peer.frame(HEADERS, 0, stream, STATUS_200);
        byte[] padding = new byte[16_384];
        for (int i = 0; i < 20; i++) {
            peer.frame(CONTINUATION, 0, stream, padding);
        }
    }

    private static void goAwayWithAReason(int stream, FrameServer.Peer peer) throws IOException {
        ByteArrayOutputStream payload = new ByteArrayOutputStream();
        payload.writeBytes(bytes(0, 0, 0, 21, 0, 0, 0, 1));
        payload.writeBytes(TOMCATS_REASON.getBytes(ISO_8859_1));
        peer.frame(GOAWAY, 0, 0, payload.toByteArray());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void isCountedAndTheRunGoesOn(ErrorKind kind, String says, Fault fault) throws Exception {
        try (FrameServer server = new FrameServer((number, stream, peer) -> {
            if (number == FAULTY) {
                fault.on(stream, peer);
            } else {
                peer.ok(stream);
            }
        })) {
            Window window = FaultsTest.run(spec(server, 1).responseTimeout(Duration.ofSeconds(2)));
            assertThat(window.errors()).containsOnlyKeys(kind);
            assertThat(window.errors().get(kind).count()).isEqualTo(1);
            assertThat(window.errors().get(kind).example()).contains(says);
            assertThat(window.responses()).isEqualTo(REQUESTS - 1);
            assertThat(server.requests()).isEqualTo(REQUESTS);
            assertThat(server.objections()).isEmpty();
        }
    }

    /** The streams beside the one that fails are none the worse for it. */
    @Test
    void aStreamFailsAlone() throws Exception {
        try (FrameServer server = new FrameServer((number, stream, peer) -> {
            if (number % 4 == 1) {
                peer.head(stream);
                peer.frame(RST_STREAM, 0, stream, new byte[] {0, 0, 0, 2});
            } else if (number % 4 == 2) {
                peer.frame(HEADERS, END_HEADERS, stream, new byte[] {0, 1, 'a', 1, 'b'});
                // it was told to stop, but that comes late
                peer.frame(DATA, END_STREAM, stream, HELLO);
            } else {
                peer.ok(stream);
            }
        })) {
            Window window = FaultsTest.run(spec(server, 4).maxRequests(400));
            assertThat(window.errors()).containsOnlyKeys(ErrorKind.RESET, ErrorKind.MALFORMED);
            assertThat(window.errors().get(ErrorKind.RESET).count()).isEqualTo(100);
            assertThat(window.errors().get(ErrorKind.MALFORMED).count()).isEqualTo(100);
            assertThat(window.responses()).isEqualTo(200);
            assertThat(server.connections()).isEqualTo(1);
            assertThat(server.resets()).containsExactly(Http2Code.PROTOCOL_ERROR);
            assertThat(server.objections()).isEmpty();
        }
    }

    /** Answers, interim responses, trailers, padding and frames that mean nothing here, in one run. */
    @Test
    void whatIsAllowedIsNoError() throws Exception {
        try (FrameServer server = new FrameServer((number, stream, peer) -> {
            peer.frame(99, 0xff, stream, HELLO);
            peer.frame(PRIORITY, 0, stream, new byte[5]);
            peer.frame(PING, 0, 0, new byte[8]);
            peer.write(FrameServer.setting(Http2Frame.INITIAL_WINDOW_SIZE, 100 + number));
            peer.write(FrameServer.setting(0xf1, number));
            peer.frame(HEADERS, END_HEADERS, stream, new byte[] {0x08, 3, '1', '0', '3', 0, 1, 'a', 1, 'b'});
            byte[] padded = {2, 0, 0, 0, 0, 16, (byte) 0x88, 0, 0};
            peer.frame(HEADERS, PADDED | PRIORITISED, stream, padded);
            peer.frame(CONTINUATION, 0, stream);
            peer.frame(CONTINUATION, END_HEADERS, stream, new byte[] {0x0f, 13, 1, '5'});
            peer.frame(DATA, PADDED, stream, new byte[] {3, 'h', 'e', 'l', 0, 0, 0});
            peer.frame(DATA, 0, stream);
            peer.frame(DATA, PADDED, stream, new byte[] {0, 'l', 'o'});
            peer.frame(HEADERS, END_HEADERS | END_STREAM, stream, new byte[] {0, 1, 'a', 1, 'b'});
            peer.frame(RST_STREAM, 0, stream, new byte[4]);
        })) {
            Window window = FaultsTest.run(spec(server, 3)
                    .expect(Expectation.status(200).withBodyLength(5).withBodyContaining("hello")));
            assertThat(window.errors()).isEmpty();
            assertThat(window.responses()).isEqualTo(REQUESTS);
        }
    }

    /** A server which goes away in order has what it did not look at sent again, and nothing fails. */
    @Test
    void goAwayInOrder() throws Exception {
        try (FrameServer server = new FrameServer((number, stream, peer) -> {
            if (stream == 9) {
                // 7 is the last it takes on; 9 and what follows is not answered
                peer.frame(GOAWAY, 0, 0, new byte[] {0, 0, 0, 7, 0, 0, 0, 0});
            } else if (stream < 9) {
                peer.ok(stream);
            }
        })) {
            Window window = FaultsTest.run(spec(server, 3));
            assertThat(window.errors()).isEmpty();
            assertThat(window.responses()).isEqualTo(REQUESTS);
            assertThat(server.connections()).isEqualTo(REQUESTS / 4);
            assertThat(window.reconnects()).isEqualTo(REQUESTS / 4 - 1);
            assertThat(server.goodbyes()).containsExactly(Http2Code.NO_ERROR);
            assertThat(server.objections()).isEmpty();
        }
    }

    @Test
    void goAwayWithoutAnyAnswerFails() throws Exception {
        try (FrameServer server = new FrameServer((number, stream, peer) -> peer.frame(GOAWAY, 0, 0, new byte[8]))) {
            Window window = FaultsTest.run(spec(server, 1).maxRequests(3));
            assertThat(window.errors()).containsOnlyKeys(ErrorKind.CLOSED_EARLY);
            assertThat(window.failed()).isEqualTo(3);
        }
    }

    /** It says so together with its settings, before a request can be on its way. */
    @ParameterizedTest
    @CsvSource({"0, CLOSED_EARLY, answered nothing", "11, RESET, ENHANCE_YOUR_CALM"})
    void goAwayAtOnceFailsWhatWaited(int code, ErrorKind kind, String says) throws Exception {
        byte[] away = FrameServer.frame(GOAWAY, 0, 0, bytes(0, 0, 0, 0, 0, 0, 0, code));
        byte[] greeting = FrameServer.frame(SETTINGS, 0, 0);
        byte[] both = Arrays.copyOf(greeting, greeting.length + away.length);
        System.arraycopy(away, 0, both, greeting.length, away.length);
        try (FrameServer server = new FrameServer(both, (number, stream, peer) -> {})) {
            Window window = FaultsTest.run(spec(server, 2).maxRequests(6).maxDuration(Duration.ofSeconds(20)));
            assertThat(window.errors()).containsOnlyKeys(kind);
            assertThat(window.errors().get(kind).example()).contains(says);
            assertThat(window.failed()).isEqualTo(6);
            assertThat(server.connections()).isLessThanOrEqualTo(7);
        }
    }

    @Test
    void serversThatAreNone() throws Exception {
        assertThat(greeted("220 smtp.example ESMTP\r\n").example())
                .startsWith("while connecting: no HTTP/2: the server begins with '220 smtp.'");
        assertThat(greeted("\0\0\10\6\0\0\0\0\0pingping").example()).contains("and not with its settings");
    }

    private static ErrorCount greeted(String bytes) throws Exception {
        try (FrameServer server = new FrameServer(bytes.getBytes(ISO_8859_1), (number, stream, peer) -> {})) {
            Window window = FaultsTest.run(spec(server, 1).maxRequests(1));
            assertThat(window.errors()).containsOnlyKeys(ErrorKind.MALFORMED);
            return window.errors().get(ErrorKind.MALFORMED);
        }
    }

    @Test
    void noSettings() throws Exception {
        try (FrameServer server = new FrameServer(new byte[0], (number, stream, peer) -> {})) {
            Window window = FaultsTest.run(spec(server, 1).maxRequests(1).connectTimeout(Duration.ofSeconds(1)));
            assertThat(window.errors().get(ErrorKind.CONNECT_TIMEOUT).example()).contains("no settings of the server");
        }
    }

    private static LoadSpecBuilder spec(FrameServer server, int streams) {
        return LoadSpec.builder(server.address(), RequestTemplate.get("/"))
                .wire(Wire.PLAIN.withProtocol(Protocol.HTTP_2).withInFlight(streams))
                .maxRequests(REQUESTS)
                .maxDuration(Duration.ofSeconds(60));
    }

    private static byte[] bytes(int... values) {
        byte[] bytes = new byte[values.length];
        for (int i = 0; i < values.length; i++) {
            bytes[i] = (byte) values[i];
        }
        return bytes;
    }

    private static Arguments malformed(String says, Fault fault) {
        return fault(ErrorKind.MALFORMED, says, fault);
    }

    private static Arguments fault(ErrorKind kind, String says, Fault fault) {
        return Arguments.of(Named.of(kind + ": " + says, kind), says, fault);
    }
}
