package dev.fettle.load.http1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.load.bytes.Budget;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResponseParserTest {

    /** Streams and what they are: the responses, then what the end of the stream finds. Also used by the split tests. */
    static Stream<Arguments> streams() {
        return Stream.of(
                ok("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "200 5 keep"),
                ok("HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", "200 0 keep"),
                ok("HTTP/1.1 200 \r\ncontent-length:0\r\n\r\n", "200 0 keep"),
                ok("HTTP/1.1 200 OK\nCONTENT-LENGTH: 2\n\nhi", "200 2 keep"),
                ok("HTTP/1.1 200 OK\r\nContent-Length: \t 2 \t\r\n\r\nhi", "200 2 keep"),
                ok("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nhi", "200 2 keep"),
                ok("HTTP/1.1 200 OK\r\nContent-Length: 14\r\n\r\na needle there", "200 14 found keep"),
                ok("HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nneneedle", "200 8 found keep"),
                // merged
                ok(
                        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\naHTTP/1.1 404 No\r\nContent-Length: 2\r\n\r\nbb",
                        "200 1 keep",
                        "404 2 keep"),
                // who closes
                ok("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 1\r\n\r\na", "200 1 close"),
                ok("HTTP/1.1 200 OK\r\nConnection: foo , Close\r\nContent-Length: 1\r\n\r\na", "200 1 close"),
                ok("HTTP/1.1 200 OK\r\nConnection: close, keep-alive\r\nContent-Length: 0\r\n\r\n", "200 0 close"),
                ok("HTTP/1.1 200 OK\r\nConnection: closed\r\nContent-Length: 1\r\n\r\na", "200 1 keep"),
                ok("HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\na", "200 1 close"),
                ok("HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 1\r\n\r\na", "200 1 keep"),
                // chunked
                ok("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "200 0 keep"),
                ok("HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", "200 5 keep"),
                ok("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n", "200 1 keep"),
                ok(
                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                        "200 0 keep"),
                ok("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n1\nx\n0\n\n", "200 1 keep"),
                ok(
                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nnee\r\n3\r\ndle\r\n0\r\n\r\n",
                        "200 6 found keep"),
                ok(
                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n00A;a=\"b\";c\r\n0123456789\r\n0 ;x\r\n\r\n",
                        "200 10 keep"),
                ok(
                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nA: b\r\nC: d\r\n\r\n",
                        "200 1 keep"),
                ok("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked ,, \t,\r\n\r\n1\r\nx\r\n0\r\n\r\n", "200 1 keep"),
                ok("HTTP/1.1 200 OK\r\nTransfer-Encoding: ,chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n", "200 1 keep"),
                // no body, whatever is announced
                ok(
                        "HTTP/1.1 204 No Content\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
                        "204 0 keep",
                        "200 0 keep"),
                ok("HTTP/1.1 204 No Content\r\nContent-Length: 9\r\n\r\n", "204 0 keep"),
                ok("HTTP/1.1 304 Not Modified\r\n\r\n", "304 0 keep"),
                ok("HTTP/1.1 304 Not Modified\r\nContent-Length: 1000\r\n\r\n", "304 0 keep"),
                ok("HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n", "304 0 keep"),
                // interim
                ok("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na", "200 1 keep"),
                ok(
                        "HTTP/1.1 103 E\r\nLink: </a>\r\nContent-Length: 7\r\n\r\nHTTP/1.1 102 P\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na",
                        "200 1 keep"),
                // folded, harmless
                ok("HTTP/1.1 200 OK\r\nX: a\r\n b: c\r\n\td\r\nContent-Length: 1\r\n\r\na", "200 1 keep"),
                // names which only look like ours
                ok(
                        "HTTP/1.1 200 OK\r\ncontent\rlength: 9\r\ntransfer\rencoding: chunked\r\nContent-Length: 0\r\n\r\n",
                        "200 0 keep"),
                ok(
                        "HTTP/1.1 200 OK\r\nContent-Lengthy: 9\r\nConnectiom: close\r\nTransfer-Encodinh: chunked\r\nContent-Length: 0\r\n\r\n",
                        "200 0 keep"),
                ok("HTTP/1.1 200 OK\r\nX: " + "x".repeat(60_000) + "\r\nContent-Length: 1\r\n\r\na", "200 1 keep"),
                ends("HTTP/1.1 200 OK\r\n\r\nall the rest", "200 12 at end"),
                ends("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nneedle", "200 6 found at end"),
                ends("HTTP/1.1 200 OK\r\nTransfer-Encoding: ,\r\n\r\nx", "200 1 at end"),
                ends("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, gzip\r\n\r\nx", "200 1 at end"),
                ends("HTTP/1.0 200 OK\r\n\r\n", "200 0 at end"),
                ends("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell", "TORN"),
                ends("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n", "TORN"),
                ends("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n", "TORN"),
                ends("HTTP/1.1 100 Continue\r\n\r\n", "TORN"),
                ends("H", "TORN"),
                bad("SSH-2.0-OpenSSH_9.6\r\n"),
                bad("garbage"),
                bad("\0\0\u0012\4\0\0\0\0\0\0\3\0\0"), // an HTTP/2 server's first frame
                bad("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
                bad("HTTP/2 200\r\n\r\n"),
                bad("HTTP/1.2 200 OK\r\n\r\n"),
                bad("HTTP/1.1200 OK\r\n\r\n"),
                bad("HTTP/1.1 20 OK\r\n\r\n"),
                bad("HTTP/1.1 2000 OK\r\n\r\n"),
                bad("HTTP/1.1 099 OK\r\n\r\n"),
                bad("HTTP/1.1 600 OK\r\n\r\n"),
                bad("HTTP/1.1 2x0 OK\r\n\r\n"),
                bad("\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
                bad("HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n"),
                bad("HTTP/1.1 200 OK\r\nno colon here\r\n\r\n"),
                bad("HTTP/1.1 200 OK\r\n: no name\r\n\r\n"),
                bad("HTTP/1.1 200 OK\r\nContent-Length : 5\r\n\r\nhello"),
                bad("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello"),
                bad("HTTP/1.1 200 OK\r\nContent-Length: +5\r\n\r\nhello"),
                bad("HTTP/1.1 200 OK\r\nContent-Length: \r\n\r\n"),
                bad("HTTP/1.1 200 OK\r\nContent-Length: 5 5\r\n\r\n"),
                bad("HTTP/1.1 200 OK\r\nContent-Length: 0x5\r\n\r\n"),
                bad("HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775808\r\n\r\n"),
                bad("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999999\r\n\r\n"),
                bad("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello"),
                bad("HTTP/1.1 200 OK\r\nContent-Length:\r\n 5\r\n\r\nhello"),
                bad("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n 5\r\n\r\nhello"),
                bad("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\0\r\n\r\n0\r\n\r\n"),
                bad("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\r\n\r\n0\r\n\r\n"),
                bad("HTTP/1.1 200 OK\r\nConnection: close\r\r\nContent-Length: 0\r\n\r\n"),
                bad("HTTP/1.1 200 OK\r\nConnection:\r\n close\r\nContent-Length: 0\r\n\r\n"),
                bad("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
                bad("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n"),
                bad("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: gzip\r\n\r\n0\r\n\r\n"),
                bad("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nhello\r\n"),
                bad("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n"),
                bad("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\r\n"),
                bad("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5 x\r\nhello\r\n"),
                bad("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n"),
                bad("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhelloX\r\n0\r\n\r\n"),
                bad("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\rX"),
                bad("HTTP/1.1 200 OK\r\nX: " + "x".repeat(70_000) + "\r\nContent-Length: 0\r\n\r\n"),
                bad("HTTP/1.1 200 OK\r\n" + ("X: " + "x".repeat(10_000) + "\r\n").repeat(110)
                        + "Content-Length: 0\r\n\r\n"));
    }

    @ParameterizedTest
    @MethodSource("streams")
    void readsWhole(String stream, Parsed expected) {
        assertThat(Parsed.whole(stream, false)).isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("streams")
    void readsByteByByte(String stream, Parsed expected) {
        List<Integer> ones = Collections.nCopies(stream.length(), 1);
        assertThat(Parsed.pieces(stream, false, ones)).isEqualTo(expected);
    }

    @ParameterizedTest
    @MethodSource("streams")
    void readsCutAnywhere(String stream, Parsed expected) {
        int step = Math.max(1, stream.length() / 500);
        for (int cut = 1; cut < stream.length(); cut += step) {
            assertThat(Parsed.pieces(stream, false, List.of(cut)))
                    .as("cut at %d", cut)
                    .isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 5\r\n", "Transfer-Encoding: chunked\r\n", "", "Content-Length: 0\r\n"})
    void headHasNoBodyWhateverIsAnnounced(String framing) {
        String one = "HTTP/1.1 200 OK\r\n" + framing + "\r\n";
        String expected = "200 " + (framing.contains("5") ? 5 : 0) + " keep";
        assertThat(Parsed.whole(one + one, true)).isEqualTo(new Parsed(List.of(expected, expected), ""));
    }

    /** When a response is the final one is not known from its first byte: an interim one may be torn anywhere. */
    @Test
    void anInterimResponseIsNotTheBeginningOfTheFinalOne() {
        String interim = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n";
        String last = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n";
        byte[] bytes = (interim + last).getBytes(StandardCharsets.ISO_8859_1);
        int known = interim.length() + last.indexOf('\n') + 1;
        ResponseParser parser = new ResponseParser(new Budget(1 << 20));
        parser.begin(false, null);
        for (int i = 0; i < bytes.length; i++) {
            ByteBuffer one = ByteBuffer.allocateDirect(1)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .put(bytes[i])
                    .flip();
            parser.feed(one);
            assertThat(parser.finalBegun()).as("after byte %d", i + 1).isEqualTo(i + 1 >= known);
        }
    }

    @Test
    void leavesWhatComesAfterTheResponse() {
        byte[] bytes = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nabc".getBytes(StandardCharsets.ISO_8859_1);
        ByteBuffer in = ByteBuffer.allocateDirect(bytes.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(bytes)
                .flip();
        ResponseParser parser = new ResponseParser(new Budget(1 << 20));
        assertThat(parser.feed(in)).isEqualTo(ResponseParser.DONE);
        assertThat(in.remaining()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SSH-2.0-x\r\n|no HTTP/1.x status line: 'SSH-2.0-x' (an SSH server)",
                "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n|Content-Length is no length: '-1'",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n|no chunk size: 'zz'",
                "\1\2\3|no HTTP/1.x status line: '...'"
            })
    void saysWhatWasWrong(String streamAndProblem) {
        String[] parts = streamAndProblem.split("\\|");
        byte[] bytes = parts[0].getBytes(StandardCharsets.ISO_8859_1);
        ByteBuffer in = ByteBuffer.allocateDirect(bytes.length)
                .order(ByteOrder.LITTLE_ENDIAN)
                .put(bytes)
                .flip();
        ResponseParser parser = new ResponseParser(new Budget(1 << 20));
        assertThat(parser.feed(in)).isEqualTo(ResponseParser.BAD);
        assertThat(parser.problem()).isEqualTo(parts[1]);
    }

    private static Arguments ok(String stream, String... responses) {
        return Arguments.of(stream, new Parsed(Arrays.asList(responses), ""));
    }

    private static Arguments ends(String stream, String end) {
        return Arguments.of(stream, new Parsed(List.of(), end));
    }

    private static Arguments bad(String stream) {
        return Arguments.of(stream, new Parsed(List.of(), "BAD"));
    }
}
