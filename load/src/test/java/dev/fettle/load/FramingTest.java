package dev.fettle.load;

import static dev.fettle.load.FaultsTest.run;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Odd but right answers, over a real socket: no error, and the connection is used again when it may be. */
class FramingTest {

    private static final int REQUESTS = 50;

    static Stream<Arguments> answers() {
        return Stream.of(
                Arguments.of("plain", ScriptedServer.OK, "GET", 200, 5, true),
                Arguments.of("LF only", "HTTP/1.1 200 OK\nContent-Length: 5\n\nhello", "GET", 200, 5, true),
                Arguments.of(
                        "extensions and trailers",
                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;a=b\r\nhe\r\n3\r\nllo\r\n0;z\r\nT: 1\r\nU: 2\r\n\r\n",
                        "GET",
                        200,
                        5,
                        true),
                Arguments.of(
                        "interim",
                        "HTTP/1.1 100 C\r\n\r\nHTTP/1.1 103 E\r\nLink: x\r\n\r\n" + ScriptedServer.OK,
                        "GET",
                        200,
                        5,
                        true),
                Arguments.of("204", "HTTP/1.1 204 No Content\r\n\r\n", "GET", 204, 0, true),
                Arguments.of(
                        "204 with length", "HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n", "GET", 204, 0, true),
                Arguments.of("304", "HTTP/1.1 304 Not Modified\r\n\r\n", "GET", 304, 0, true),
                Arguments.of(
                        "304 with length",
                        "HTTP/1.1 304 Not Modified\r\nContent-Length: 77\r\n\r\n",
                        "GET",
                        304,
                        0,
                        true),
                Arguments.of("HEAD", "HTTP/1.1 200 OK\r\nContent-Length: 1234\r\n\r\n", "HEAD", 200, 1234, true),
                Arguments.of(
                        "huge headers",
                        "HTTP/1.1 200 OK\r\n" + ("X: " + "x".repeat(30_000) + "\r\n").repeat(5)
                                + "Content-Length: 5\r\n\r\nhello",
                        "GET",
                        200,
                        5,
                        true),
                Arguments.of(
                        "announced close",
                        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello",
                        "GET",
                        200,
                        5,
                        false),
                Arguments.of("HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 5\r\n\r\nhello", "GET", 200, 5, false),
                Arguments.of("body to the close", "HTTP/1.1 200 OK\r\n\r\nhello", "GET", 200, 5, false));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("answers")
    void isRightAtOnce(String name, String answer, String method, int status, int length, boolean reused)
            throws Exception {
        check(answer, method, status, length, reused, false);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("answers")
    void isRightSplitAtEveryByte(String name, String answer, String method, int status, int length, boolean reused)
            throws Exception {
        if (answer.length() < 1000) {
            check(answer, method, status, length, reused, true);
        }
    }

    private static void check(String answer, String method, int status, int length, boolean reused, boolean drip)
            throws Exception {
        ScriptedServer.Script script = (number, peer) -> {
            if (drip) {
                peer.drip(answer);
            } else {
                peer.write(answer);
            }
            if (!reused) {
                peer.closeInOrder();
            }
        };
        try (ScriptedServer server = new ScriptedServer(script)) {
            Window window = run(LoadSpec.builder(
                            server.address(),
                            RequestTemplate.builder(method, "/").build())
                    .expect(Expectation.status(status).withBodyLength(length))
                    .maxDuration(Duration.ofSeconds(60))
                    .maxRequests(REQUESTS));
            assertThat(window.errors()).isEmpty();
            assertThat(window.responses()).isEqualTo(REQUESTS);
            assertThat(window.statuses()).containsOnlyKeys(status);
            assertThat(window.bytesRead()).isEqualTo((long) REQUESTS * answer.length());
            assertThat(server.requests()).isEqualTo(REQUESTS);
            assertThat(server.connections()).isEqualTo(reused ? 1 : REQUESTS);
            assertThat(window.reconnects()).isEqualTo(reused ? 0 : REQUESTS - 1);
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
