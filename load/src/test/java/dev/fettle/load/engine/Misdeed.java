package dev.fettle.load.engine;

import dev.fettle.load.api.ErrorKind;
import java.io.IOException;
import java.util.stream.Stream;

/**
 * One way in which a server gets an answer wrong, told as bytes.
 *
 * @param kind what it is to be counted as
 * @param says part of what the user is told
 * @param bytes what the server sends in answer to one request
 * @param then what it does after them
 */
record Misdeed(String name, ErrorKind kind, String says, String bytes, Then then) {

    /** After the bytes. */
    enum Then {
        /** As if all was well: waits for the next request. */
        GO_ON,
        CLOSE,
        RESET,
        /** Says nothing more, and keeps the connection. */
        HANG,
        /** Sends one chunk after the other. */
        REPEAT,
        /** Sends a byte now and then. */
        DRIP
    }

    private static final String HEAD = "HTTP/1.1 200 OK\r\n";
    private static final String CHUNKED = HEAD + "Transfer-Encoding: chunked\r\n\r\n";
    private static final String FIVE = HEAD + "Content-Length: 5\r\n\r\n";
    private static final String CHUNK = "5\r\nhello\r\n";
    private static final String TWENTY_DIGITS = "18446744073709551621";

    /** Those which are found out at once, however they are cut. */
    static Stream<Misdeed> prompt() {
        return Stream.of(otherProtocols(), heads(), lengths(), chunks(), ends(), wrongAnswers())
                .flatMap(some -> some);
    }

    private static Stream<Misdeed> otherProtocols() {
        return Stream.of(
                bad("TLS alert", "TLS", "\u0015\3\1\0\2\2\50"),
                bad("TLS handshake", "TLS", "\u0016\3\3\0\72\2\0\0\66\3\3"),
                bad("HTTP/2 settings frame", "HTTP/2", "\0\0\u0012\4\0\0\0\0\0\0\3\0\0\0\144"),
                bad("HTTP/2 goaway frame", "HTTP/2", "\0\0\10\7\0\0\0\0\0\0\0\0\0\0\0\0\1"),
                bad("HTTP/2 preface", "HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
                bad("HTTP/2 as text", "HTTP/2", "HTTP/2 200 OK\r\nContent-Length: 5\r\n\r\nhello"),
                bad("SSH banner", "SSH", "SSH-2.0-OpenSSH_9.6\r\n"),
                bad("mail server", "FTP or mail", "220 smtp.example ESMTP\r\n"),
                bad("HTTP/0.9", "HTTP/0.9", "<html>hello</html>\r\n"),
                bad("ICY", "SHOUTcast", "ICY 200 OK\r\nicy-name: x\r\n\r\n"),
                bad("a request", "'GET / HTTP/1.1'", "GET / HTTP/1.1\r\nHost: x\r\n\r\n"),
                bad("NUL bytes", "no HTTP/1.x status line", "\0".repeat(64)),
                bad("a byte order mark", "no HTTP/1.x status line", "\u00ef\u00bb\u00bf" + ScriptedServer.OK),
                bad("an empty line first", "an empty line", "\r\n" + ScriptedServer.OK),
                bad("the last body is too long", "'!HTTP/1.1 200 OK'", "!" + ScriptedServer.OK));
    }

    private static Stream<Misdeed> heads() {
        return Stream.of(
                bad("HTTP/1.2", "no HTTP/1.x status line", "HTTP/1.2 200 OK\r\n\r\n"),
                bad("small letters", "no HTTP/1.x status line", "http/1.1 200 OK\r\n\r\n"),
                bad("no status", "no HTTP/1.x status line: 'HTTP/1.1'", "HTTP/1.1\r\n\r\n"),
                bad("status 000", "100 to 599: 'HTTP/1.1 000", "HTTP/1.1 000 None\r\n\r\n"),
                bad("status 999", "100 to 599: 'HTTP/1.1 999", "HTTP/1.1 999 Many\r\n\r\n"),
                bad("status of two digits", "no HTTP/1.x status line", "HTTP/1.1 20\r\n\r\n"),
                bad("status of four digits", "100 to 599", "HTTP/1.1 2000 OK\r\n\r\n"),
                bad("status in words", "100 to 599", "HTTP/1.1 Two Hundred\r\n\r\n"),
                bad("NUL in the status", "100 to 599", "HTTP/1.1 2\0000 OK\r\n\r\n"),
                bad("no colon", "no header line: 'foo'", HEAD + "foo\r\n\r\n"),
                bad("no name", "no header line: ': foo'", HEAD + ": foo\r\n\r\n"),
                bad("blank before the colon", "no header line", HEAD + "Content-Length : 5\r\n\r\nhello"),
                bad("no empty line after the head", "no header line: 'hello'", HEAD + "Content-Length: 5\r\nhello\r\n"),
                bad("switching unasked", "switches protocols", "HTTP/1.1 101 Switching\r\nUpgrade: h2c\r\n\r\n"),
                bad("folded length", "folded", HEAD + "Content-Length: 5\r\n 5\r\n\r\nhello"),
                bad("length on the next line", "no length: ''", HEAD + "Content-Length:\r\n 5\r\n\r\nhello"),
                bad("folded coding", "folded", HEAD + "Transfer-Encoding:\r\n\tchunked\r\n\r\n0\r\n\r\n"),
                bad("line without end", "a line longer than", HEAD + "X: " + "x".repeat(100_000)),
                bad("reason without end", "a line longer than", "HTTP/1.1 200 " + "O".repeat(100_000)),
                bad("head without end", "a head longer than", HEAD + ("X: " + "x".repeat(1000) + "\r\n").repeat(1100)),
                bad("interims without end", "a head longer than", "HTTP/1.1 100 Continue\r\n\r\n".repeat(50_000)));
    }

    private static Stream<Misdeed> lengths() {
        return Stream.of(
                bad("lengths differ", "differ: '", HEAD + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello"),
                bad("lengths in a list", "no length: '5, 5'", length("5, 5")),
                bad("negative length", "no length: '-5'", length("-5")),
                bad("length with a sign", "no length: '+5'", length("+5")),
                bad("hexadecimal length", "no length: '0x5'", length("0x5")),
                bad("length with a fraction", "no length: '5.0'", length("5.0")),
                bad("no length in the length", "no length: ''", length("")),
                bad("NUL in the length", "no length: '5.'", length("5\0")),
                bad("length beyond 64 bits", "no length: '" + TWENTY_DIGITS, length(TWENTY_DIGITS)),
                bad("length beyond 63 bits", "no length: '9223372036854775808'", length("9223372036854775808")),
                bad(
                        "length and chunks",
                        "both Transfer-Encoding and Content-Length",
                        HEAD + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n"),
                bad(
                        "chunks and length",
                        "both Transfer-Encoding and Content-Length",
                        HEAD + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n5\r\nhello\r\n0\r\n\r\n"),
                bad(
                        "chunked twice",
                        "after chunked",
                        HEAD + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
                bad(
                        "chunked, then something else",
                        "after chunked",
                        HEAD + "Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip\r\n\r\n0\r\n\r\n"));
    }

    private static Stream<Misdeed> chunks() {
        return Stream.of(
                bad("chunk size beyond 64 bits", "no chunk size", CHUNKED + "10000000000000005\r\nhello\r\n0\r\n\r\n"),
                bad("chunk size beyond 63 bits", "no chunk size", CHUNKED + "ffffffffffffffff\r\nhello\r\n0\r\n\r\n"),
                bad("negative chunk size", "no chunk size: '-5'", CHUNKED + "-5\r\nhello\r\n0\r\n\r\n"),
                bad("chunk size with a prefix", "no chunk size: '0x5'", CHUNKED + "0x5\r\nhello\r\n0\r\n\r\n"),
                bad("no chunk size", "no chunk size: ''", CHUNKED + "\r\nhello\r\n0\r\n\r\n"),
                bad("NUL in a chunk size", "no chunk size: '5.'", CHUNKED + "5\0\r\nhello\r\n0\r\n\r\n"),
                bad("a body which is not chunked", "no chunk size: 'hello'", CHUNKED + "hello\r\n"),
                bad("no line end after a chunk", "no line end after a chunk", CHUNKED + "5\r\nhello0\r\n\r\n"),
                bad("a chunk longer than it says", "no line end after a chunk", CHUNKED + "4\r\nhello\r\n0\r\n\r\n"),
                bad("extension without end", "a line longer than", CHUNKED + "5;" + "x".repeat(100_000)),
                bad("trailers without end", "a head longer than", CHUNKED + "0\r\n" + "T: t\r\n".repeat(200_000)));
    }

    /** A good answer and more. When the rest comes later, it is the next answer that is bad. */
    static Stream<Misdeed> tooMuch() {
        return Stream.of(
                bad("bytes nobody asked for", "4 bytes too many", ScriptedServer.OK + "more"),
                bad("a line end after the body", "2 bytes too many", ScriptedServer.OK + "\r\n"),
                bad("a second answer", "bytes too many", ScriptedServer.OK + ScriptedServer.OK),
                bad("204 with a body", "5 bytes too many", "HTTP/1.1 204 No\r\nContent-Length: 5\r\n\r\nhello"),
                bad("304 with a body", "5 bytes too many", "HTTP/1.1 304 No\r\nContent-Length: 5\r\n\r\nhello"),
                bad("chunks after the last", "bytes too many", CHUNKED + "5\r\nhello\r\n0\r\n\r\n5\r\nagain\r\n"));
    }

    private static Stream<Misdeed> ends() {
        return Stream.of(
                cut("before the answer", "before the first byte", ""),
                cut("in the status line", "within the status line", "HTTP/1.1 2"),
                cut("in the head", "within the head of a 200", HEAD + "Content-Le"),
                cut("after an interim", "within the status line", "HTTP/1.1 100 Continue\r\n\r\n"),
                cut("in the body", "after 3 of 5 body bytes", FIVE + "hel"),
                cut("in a chunk", "after 3 body bytes of a chunked", CHUNKED + "5\r\nhel"),
                cut("after a chunk", "without its last chunk", CHUNKED + "5\r\nhello\r\n"),
                cut("in the last chunk", "without its last chunk", CHUNKED + "5\r\nhello\r\n0\r\n"),
                cut("in the trailers", "without its last chunk", CHUNKED + "5\r\nhello\r\n0\r\nT: "),
                reset("before the answer", "before the first byte", ""),
                reset("in the head", "within the head of a 200", HEAD + "Content-Le"),
                reset("in the body", "after 3 of 5 body bytes", FIVE + "hel"),
                reset("in a chunk", "without its last chunk", CHUNKED + "5\r\nhel"),
                reset("of a body without length", "which only a close would end", HEAD + "\r\nhello"));
    }

    private static Stream<Misdeed> wrongAnswers() {
        String sorry = "Content-Length: 5\r\n\r\nsorry";
        return Stream.of(
                wrong("wrong status", ErrorKind.STATUS, "status 503", "HTTP/1.1 503 Busy\r\n" + sorry),
                wrong(
                        "wrong status and close",
                        ErrorKind.STATUS,
                        "status 503",
                        "HTTP/1.1 503 Busy\r\nConnection: close\r\n" + sorry),
                wrong("status 599", ErrorKind.STATUS, "status 599", "HTTP/1.1 599 Odd\r\n" + sorry),
                wrong(
                        "status 205 without body",
                        ErrorKind.STATUS,
                        "status 205",
                        "HTTP/1.1 205 R\r\nContent-Length: 0\r\n\r\n"),
                wrong("too short", ErrorKind.LENGTH, "4 body bytes", HEAD + "Content-Length: 4\r\n\r\nhell"),
                wrong("empty", ErrorKind.LENGTH, "0 body bytes", HEAD + "Content-Length: 0\r\n\r\n"),
                wrong("too long, chunked", ErrorKind.LENGTH, "6 body bytes", CHUNKED + "6\r\nhello!\r\n0\r\n\r\n"),
                new Misdeed(
                        "too short, to the close", ErrorKind.LENGTH, "4 body bytes", HEAD + "\r\nhell", Then.CLOSE));
    }

    /** Those which only the time-out ends. */
    static Stream<Misdeed> lasting() {
        return Stream.of(
                late("silence", "before the first byte", "", Then.HANG),
                late("part of the status line", "within the status line", "HTTP/1", Then.HANG),
                late("carriage returns only", "within the status line", "HTTP/1.1 200 OK\r\rhello", Then.HANG),
                late("part of the head", "within the head of a 200", HEAD + "Content-Length: 5\r\nX", Then.HANG),
                late("interim only", "within the status line", "HTTP/1.1 102 Processing\r\n\r\nHTTP", Then.HANG),
                late("part of the body", "after 3 of 5 body bytes", FIVE + "hel", Then.HANG),
                late("a larger length than body", "after 5 of 6", HEAD + "Content-Length: 6\r\n\r\nhello", Then.HANG),
                late(
                        "a huge length",
                        "of 999999999999999999 body bytes",
                        HEAD + "Content-Length: 999999999999999999\r\n\r\nhello",
                        Then.HANG),
                late("part of a chunk", "without its last chunk", CHUNKED + "5\r\nhel", Then.HANG),
                late("a huge chunk", "without its last chunk", CHUNKED + "fffffffffffffff\r\nhello", Then.HANG),
                late("no last chunk", "without its last chunk", CHUNKED + "5\r\nhello\r\n", Then.HANG),
                late("no end of the trailers", "without its last chunk", CHUNKED + "5\r\nhello\r\n0\r\n", Then.HANG),
                late("no length and no close", "which only a close would end", HEAD + "\r\nhello", Then.HANG),
                late(
                        "no line end after the status line",
                        "which only a close would end",
                        "HTTP/1.1 200 OKContent-Length: 5\r\n\r\nhello",
                        Then.HANG),
                late(
                        "a coding which has no end",
                        "which only a close would end",
                        HEAD + "Transfer-Encoding: gzip\r\n\r\nhello",
                        Then.HANG),
                late("a body without end", "which only a close would end", HEAD + "\r\n", Then.REPEAT),
                late("chunks without end", "without its last chunk", CHUNKED, Then.REPEAT),
                late("a slow head", "within the head of a 200", HEAD + "X: ", Then.DRIP),
                late("a slow body", "of 500 body bytes", HEAD + "Content-Length: 500\r\n\r\n", Then.DRIP));
    }

    /** Does it to a peer. */
    void commit(ScriptedServer.Peer peer, boolean split) throws IOException, InterruptedException {
        if (split) {
            peer.drip(bytes);
        } else {
            peer.write(bytes);
        }
        switch (then) {
            case GO_ON -> {}
            case CLOSE -> peer.closeInOrder();
            case RESET -> peer.reset();
            case HANG -> peer.hang();
            case REPEAT -> peer.repeat(CHUNK);
            case DRIP -> peer.dripSlowly("x".repeat(1000));
        }
    }

    @Override
    public String toString() {
        return name;
    }

    private static Misdeed bad(String name, String says, String bytes) {
        return wrong(name, ErrorKind.MALFORMED, says, bytes);
    }

    private static Misdeed wrong(String name, ErrorKind kind, String says, String bytes) {
        return new Misdeed(name, kind, says, bytes, Then.GO_ON);
    }

    private static Misdeed cut(String where, String says, String bytes) {
        return new Misdeed("closed " + where, ErrorKind.CLOSED_EARLY, says, bytes, Then.CLOSE);
    }

    private static Misdeed reset(String where, String says, String bytes) {
        return new Misdeed("reset " + where, ErrorKind.RESET, says, bytes, Then.RESET);
    }

    private static Misdeed late(String name, String says, String bytes, Then then) {
        return new Misdeed(name, ErrorKind.READ_TIMEOUT, says, bytes, then);
    }

    private static String length(String value) {
        return HEAD + "Content-Length: " + value + "\r\n\r\nhello";
    }
}
