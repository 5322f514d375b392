package dev.fettle.load.engine;

import static dev.fettle.load.engine.FaultsTest.run;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.load.Expectation;
import dev.fettle.load.LoadSpec;
import dev.fettle.load.RequestTemplate;
import dev.fettle.load.Window;
import dev.fettle.load.api.TransportKind;
import dev.fettle.load.api.Wire;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Odd but right answers, over a real socket: no error, and the connection is used again when it may be. */
class FramingTest {

    private static final int REQUESTS = 20;

    /**
     * @param method of the request
     * @param reused whether the connection can be used again; if not, the server closes it
     */
    record Answer(String name, String bytes, String method, int status, int length, boolean reused) {
        @Override
        public String toString() {
            return name;
        }
    }

    static Stream<Arguments> answers() {
        String head = "HTTP/1.1 200 OK\r\n";
        String chunked = head + "Transfer-Encoding: chunked\r\n\r\n";
        return Stream.of(
                        kept("plain", ScriptedServer.OK),
                        kept("LF only", "HTTP/1.1 200 OK\nContent-Length: 5\n\nhello"),
                        kept("LF only, chunked", "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n5\nhello\n0\n\n"),
                        kept("no reason", "HTTP/1.1 200\r\nContent-Length: 5\r\n\r\nhello"),
                        kept("any bytes as reason", "HTTP/1.1 200 \u00e4\u00f6\0: x\r\nContent-Length: 5\r\n\r\nhello"),
                        kept("any bytes as value", head + "X: \0\u0001\u00ff\r\nContent-Length: 5\r\n\r\nhello"),
                        kept("no value", head + "X:\r\nContent-Length: 5\r\n\r\nhello"),
                        kept("folded, harmless", head + "X: a\r\n b\r\n\tc: d\r\nContent-Length: 5\r\n\r\nhello"),
                        kept("length twice", head + "Content-Length: 5\r\ncontent-length:5\r\n\r\nhello"),
                        kept("blanks about the length", head + "Content-Length:\t 5 \t\r\n\r\nhello"),
                        kept("zeros before the length", head + "Content-Length: 0000005\r\n\r\nhello"),
                        kept(
                                "extensions and trailers",
                                chunked + "2;a=b\r\nhe\r\n3 ; c=\"d;\"\r\nllo\r\n0;z\r\nT: 1\r\nU: 2\r\n\r\n"),
                        kept("zeros before chunk sizes", chunked + "000005\r\nhello\r\n0000\r\n\r\n"),
                        kept("a byte a chunk", chunked + "1\r\nh\r\n1\r\ne\r\n1\r\nl\r\n1\r\nl\r\n1\r\no\r\n0\r\n\r\n"),
                        kept(
                                "codings in a list",
                                head + "Transfer-Encoding: gzip, Chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"),
                        kept("interim", "HTTP/1.1 100 C\r\n\r\nHTTP/1.1 103 E\r\nLink: x\r\n\r\n" + ScriptedServer.OK),
                        kept("many interims", "HTTP/1.1 102 Processing\r\n\r\n".repeat(500) + ScriptedServer.OK),
                        kept(
                                "interim with a length",
                                "HTTP/1.1 100 C\r\nContent-Length: 9\r\n\r\n" + ScriptedServer.OK),
                        bodiless("204", "HTTP/1.1 204 No Content\r\n\r\n", "GET", 204, 0),
                        bodiless("204 with length", "HTTP/1.1 204 No\r\nContent-Length: 0\r\n\r\n", "GET", 204, 0),
                        bodiless(
                                "204 with false length", "HTTP/1.1 204 No\r\nContent-Length: 9\r\n\r\n", "GET", 204, 0),
                        bodiless("304", "HTTP/1.1 304 Not Modified\r\n\r\n", "GET", 304, 0),
                        bodiless("304 with length", "HTTP/1.1 304 N\r\nContent-Length: 77\r\n\r\n", "GET", 304, 0),
                        bodiless("304 chunked", "HTTP/1.1 304 N\r\nTransfer-Encoding: chunked\r\n\r\n", "GET", 304, 0),
                        bodiless("HEAD", head + "Content-Length: 1234\r\n\r\n", "HEAD", 200, 1234),
                        bodiless("HEAD without length", head + "\r\n", "HEAD", 200, 0),
                        bodiless("HEAD chunked", chunked, "HEAD", 200, 0),
                        kept(
                                "huge headers",
                                head + ("X: " + "x".repeat(30_000) + "\r\n").repeat(5)
                                        + "Content-Length: 5\r\n\r\nhello"),
                        kept(
                                "HTTP/1.0, kept",
                                "HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 5\r\n\r\nhello"),
                        closed("announced close", head + "Connection: close\r\nContent-Length: 5\r\n\r\nhello"),
                        closed(
                                "close in a list",
                                head
                                        + "Connection: x , Close\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"),
                        closed("HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello"),
                        closed("body to the close", head + "\r\nhello"),
                        closed("unknown coding to the close", head + "Transfer-Encoding: gzip\r\n\r\nhello"))
                .flatMap(answer -> TransportKinds.usable().stream().map(kind -> Arguments.of(answer, kind)));
    }

    private static Answer kept(String name, String bytes) {
        return new Answer(name, bytes, "GET", 200, 5, true);
    }

    private static Answer closed(String name, String bytes) {
        return new Answer(name, bytes, "GET", 200, 5, false);
    }

    private static Answer bodiless(String name, String bytes, String method, int status, int length) {
        return new Answer(name, bytes, method, status, length, true);
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("answers")
    void isRightAtOnce(Answer answer, TransportKind transport) throws Exception {
        check(answer, transport, false);
    }

    @ParameterizedTest(name = "{0}, {1}")
    @MethodSource("answers")
    void isRightSplitAtEveryByte(Answer answer, TransportKind transport) throws Exception {
        if (answer.bytes().length() < 1000) {
            check(answer, transport, true);
        }
    }

    private static void check(Answer answer, TransportKind transport, boolean drip) throws Exception {
        ScriptedServer.Script script = (number, peer) -> {
            if (drip) {
                peer.drip(answer.bytes());
            } else {
                peer.write(answer.bytes());
            }
            if (!answer.reused()) {
                peer.closeInOrder();
            }
        };
        try (ScriptedServer server = new ScriptedServer(script)) {
            Window window = run(LoadSpec.builder(
                            server.address(),
                            RequestTemplate.builder(answer.method(), "/").build())
                    .wire(Wire.PLAIN.withTransport(transport))
                    .expect(Expectation.status(answer.status()).withBodyLength(answer.length()))
                    .maxDuration(Duration.ofSeconds(60))
                    .maxRequests(REQUESTS));
            assertThat(window.errors()).isEmpty();
            assertThat(window.responses()).isEqualTo(REQUESTS);
            assertThat(window.statuses()).containsOnlyKeys(answer.status());
            assertThat(window.bytesRead())
                    .isEqualTo((long) REQUESTS * answer.bytes().length());
            assertThat(server.requests()).isEqualTo(REQUESTS);
            assertThat(server.connections()).isEqualTo(answer.reused() ? 1 : REQUESTS);
            assertThat(window.reconnects()).isEqualTo(answer.reused() ? 0 : REQUESTS - 1);
        }
    }

    @Test
    void aRequestLargerThanTheSocketBufferGoesOutWhole() throws Exception {
        byte[] body = new byte[8 * 1024 * 1024];
        Arrays.fill(body, (byte) 'b');
        try (ScriptedServer server = new ScriptedServer((number, peer) -> {
            peer.readBody(body.length);
            peer.write(ScriptedServer.OK);
        })) {
            Window window = run(LoadSpec.builder(
                            server.address(),
                            RequestTemplate.builder("POST", "/in").body(body).build())
                    .maxDuration(Duration.ofSeconds(60))
                    .maxRequests(5));
            assertThat(window.errors()).isEmpty();
            assertThat(window.responses()).isEqualTo(5);
            assertThat(window.bytesWritten()).isGreaterThan(5L * body.length);
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    @Test
    void anAnswerBeforeTheRequestIsOutEndsTheConnection() throws Exception {
        byte[] body = new byte[8 * 1024 * 1024];
        try (ScriptedServer server = new ScriptedServer((number, peer) -> {
            peer.write(ScriptedServer.OK);
            peer.hang(); // and never reads the rest
        })) {
            Window window = run(LoadSpec.builder(
                            server.address(),
                            RequestTemplate.builder("POST", "/in").body(body).build())
                    .maxDuration(Duration.ofSeconds(60))
                    .maxRequests(3));
            assertThat(window.responses()).isEqualTo(3);
            assertThat(server.connections()).isEqualTo(3);
        }
    }
}
