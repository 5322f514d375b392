package dev.fettle.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A server misbehaves on one request in the middle of a run: the right kind is counted, once, and the run goes on. */
class FaultsTest {

    private static final int REQUESTS = 20;
    private static final int FAULTY = 7;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    static Stream<Arguments> faults() {
        String chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
        return Stream.of(
                fault("close without answer", ErrorKind.CLOSED_EARLY, ScriptedServer.Peer::closeInOrder),
                fault("close in status line", ErrorKind.CLOSED_EARLY, thenClose("HTTP/1.1 2")),
                fault("close in head", ErrorKind.CLOSED_EARLY, thenClose("HTTP/1.1 200 OK\r\nContent-Le")),
                fault(
                        "close in body",
                        ErrorKind.CLOSED_EARLY,
                        thenClose("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel")),
                fault("close in chunks", ErrorKind.CLOSED_EARLY, thenClose(chunked + "5\r\nhello\r\n")),
                fault("close after interim", ErrorKind.CLOSED_EARLY, thenClose("HTTP/1.1 100 Continue\r\n\r\n")),
                fault("reset without answer", ErrorKind.RESET, ScriptedServer.Peer::reset),
                fault("greeting of another protocol", ErrorKind.MALFORMED, write("220 smtp.example ESMTP\r\n")),
                fault("HTTP/2 frames", ErrorKind.MALFORMED, write("\0\0\u0012\4\0\0\0\0\0\0\3\0\0")),
                fault("HTTP/2 preface", ErrorKind.MALFORMED, write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n")),
                fault("body without head", ErrorKind.MALFORMED, write("<html>hello</html>")),
                fault("no colon", ErrorKind.MALFORMED, write("HTTP/1.1 200 OK\r\nfoo\r\n\r\n")),
                fault(
                        "lengths differ",
                        ErrorKind.MALFORMED,
                        write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello")),
                fault(
                        "negative length",
                        ErrorKind.MALFORMED,
                        write("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\nhello")),
                fault(
                        "overflowing length",
                        ErrorKind.MALFORMED,
                        write("HTTP/1.1 200 OK\r\nContent-Length: 18446744073709551621\r\n\r\nhello")),
                fault("overflowing chunk", ErrorKind.MALFORMED, write(chunked + "10000000000000005\r\nhello\r\n")),
                fault("no line end after chunk", ErrorKind.MALFORMED, write(chunked + "5\r\nhello0\r\n\r\n")),
                fault("never-ending line", ErrorKind.MALFORMED, write("HTTP/1.1 200 OK\r\nX: " + "x".repeat(100_000))),
                fault(
                        "never-ending head",
                        ErrorKind.MALFORMED,
                        write("HTTP/1.1 200 OK\r\n" + ("X: " + "x".repeat(1000) + "\r\n").repeat(1100))),
                fault("bytes nobody asked for", ErrorKind.MALFORMED, write(ScriptedServer.OK + "more")),
                fault("a second answer", ErrorKind.MALFORMED, write(ScriptedServer.OK + "HTTP/1.1 200 OK\r\n")),
                fault("wrong status", ErrorKind.STATUS, write("HTTP/1.1 503 Busy\r\nContent-Length: 5\r\n\r\nsorry")),
                fault(
                        "wrong status and close",
                        ErrorKind.STATUS,
                        write("HTTP/1.1 503 Busy\r\nConnection: close\r\nContent-Length: 5\r\n\r\nsorry")),
                fault("too short", ErrorKind.LENGTH, write("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nhell")),
                fault("too long, chunked", ErrorKind.LENGTH, write(chunked + "6\r\nhello!\r\n0\r\n\r\n")));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("faults")
    void oneFaultIsCountedAndTheRunGoesOn(Fault fault, ErrorKind kind) throws Exception {
        ScriptedServer.Script script = (number, peer) -> {
            if (number == FAULTY) {
                fault.on(peer);
            } else {
                peer.write(ScriptedServer.OK);
            }
        };
        try (ScriptedServer server = new ScriptedServer(script)) {
            Window window = run(spec(server.address()).maxRequests(REQUESTS));
            assertThat(window.errors()).containsOnlyKeys(kind);
            assertThat(window.errors().get(kind).count()).isEqualTo(1);
            assertThat(window.errors().get(kind).example()).isNotBlank();
            assertThat(window.failed()).isEqualTo(1);
            assertThat(window.responses()).isEqualTo(REQUESTS - 1);
            assertThat(window.latency().getTotalCount()).isEqualTo(REQUESTS - 1);
            assertThat(window.failedLatency().getTotalCount()).isEqualTo(1);
        }
    }

    static Stream<Arguments> endless() {
        return Stream.of(
                fault("silence", ErrorKind.READ_TIMEOUT, ScriptedServer.Peer::hang),
                fault("slow drip", ErrorKind.READ_TIMEOUT, peer -> peer.dripSlowly(ScriptedServer.OK.repeat(100))),
                fault("half a body", ErrorKind.READ_TIMEOUT, peer -> {
                    peer.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhel");
                    peer.hang();
                }),
                fault("no length and no close", ErrorKind.READ_TIMEOUT, peer -> {
                    peer.write("HTTP/1.1 200 OK\r\n\r\nhello");
                    peer.hang();
                }),
                fault("never-ending body", ErrorKind.READ_TIMEOUT, peer -> {
                    peer.write("HTTP/1.1 200 OK\r\n\r\n");
                    while (true) {
                        peer.write("x".repeat(100_000));
                    }
                }));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("endless")
    void anAnswerWithoutEndTimesOutAndTheRunGoesOn(Fault fault, ErrorKind kind) throws Exception {
        ScriptedServer.Script script = (number, peer) -> {
            if (number == FAULTY) {
                fault.on(peer);
            } else {
                peer.write(ScriptedServer.OK);
            }
        };
        try (ScriptedServer server = new ScriptedServer(script)) {
            Window window = run(spec(server.address()).maxRequests(REQUESTS).responseTimeout(Duration.ofMillis(1500)));
            assertThat(window.errors()).containsOnlyKeys(kind);
            assertThat(window.failed()).isEqualTo(1);
            assertThat(window.responses()).isEqualTo(REQUESTS - 1);
            assertThat(window.failedLatency().getMinValue()).isGreaterThanOrEqualTo(1_490_000_000L);
        }
    }

    @Test
    void aGreetingBeforeTheRequestIsMalformed() throws Exception {
        try (ScriptedServer server = new ScriptedServer((number, peer) -> peer.hang(), "SSH-2.0-OpenSSH_9.6\r\n")) {
            Window window = run(spec(server.address()).maxRequests(3));
            assertThat(window.errors()).containsOnlyKeys(ErrorKind.MALFORMED);
            assertThat(window.errors().get(ErrorKind.MALFORMED).example()).contains("SSH-2.0");
            assertThat(window.failed()).isEqualTo(3);
        }
    }

    @Test
    void aRefusedPortIsRefusedAsOftenAsAsked() throws Exception {
        int port;
        try (ServerSocket gone = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = gone.getLocalPort();
        }
        for (boolean keepAlive : new boolean[] {true, false}) {
            InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
            Window window = run(spec(address).maxRequests(12).connections(3).keepAlive(keepAlive));
            assertThat(window.errors()).containsOnlyKeys(ErrorKind.REFUSED);
            assertThat(window.failed()).isEqualTo(12);
            assertThat(window.responses()).isZero();
        }
    }

    @Test
    void aDeadServerMakesNoBusyLoop() throws Exception {
        InetSocketAddress address;
        try (ServerSocket gone = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            address = new InetSocketAddress(gone.getInetAddress(), gone.getLocalPort());
        }
        Window window = run(spec(address).connections(4).maxDuration(Duration.ofSeconds(2)));
        // 10, 20, 40 … 500 ms: about nine tries a connection in two seconds
        assertThat(window.failed()).isBetween(4L, 60L);
    }

    @Test
    void aFullBacklogIsAConnectTimeout() throws Exception {
        List<SocketChannel> fill = new ArrayList<>();
        try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            InetSocketAddress address = new InetSocketAddress(full.getInetAddress(), full.getLocalPort());
            for (int i = 0; i < 8; i++) {
                SocketChannel channel = SocketChannel.open();
                channel.configureBlocking(false);
                channel.connect(address);
                fill.add(channel);
            }
            Window window = run(spec(address).maxRequests(2).connectTimeout(Duration.ofMillis(300)));
            assertThat(window.errors()).containsOnlyKeys(ErrorKind.CONNECT_TIMEOUT);
            assertThat(window.failed()).isEqualTo(2);
            assertThat(window.connect().getTotalCount()).isZero();
        } finally {
            for (SocketChannel channel : fill) {
                channel.close();
            }
        }
    }

    @Test
    void theFirstBodyOfAConnectionIsLookedAtAndThenOneInAThousand() throws Exception {
        // every answer has a wrong body
        try (ScriptedServer server = new ScriptedServer((number, peer) -> peer.write(ScriptedServer.OK))) {
            Window window = run(spec(server.address())
                    .expect(Expectation.SUCCESS.withBodyContaining("goodbye"))
                    .maxRequests(2001));
            assertThat(window.errors()).containsOnlyKeys(ErrorKind.BODY);
            assertThat(window.failed()).isEqualTo(3);
            assertThat(window.statuses()).containsEntry(200, 2001L);
        }
    }

    @Test
    void aServerWhichResetsEveryConnectionIsNotHammered() throws Exception {
        try (ScriptedServer server = new ScriptedServer((number, peer) -> peer.reset())) {
            Window window = run(spec(server.address()).maxRequests(6));
            assertThat(window.errors()).containsOnlyKeys(ErrorKind.RESET);
            assertThat(window.failed()).isEqualTo(6);
            assertThat(server.requests()).isEqualTo(6);
        }
    }

    static LoadSpec.Builder spec(InetSocketAddress address) {
        return LoadSpec.builder(address, RequestTemplate.get("/"))
                .expect(Expectation.status(200).withBodyLength(5))
                .maxDuration(PATIENCE);
    }

    static Window run(LoadSpec.Builder spec) throws InterruptedException {
        try (LoadRun run = LoadEngine.start(spec.build())) {
            assertThat(run.awaitDone(PATIENCE.multipliedBy(2))).isTrue();
            assertThat(run.notes()).isEmpty();
            return run.takeWindow();
        }
    }

    interface Fault {
        void on(ScriptedServer.Peer peer) throws IOException, InterruptedException;
    }

    private static Fault write(String bytes) {
        return peer -> peer.write(bytes);
    }

    private static Fault thenClose(String bytes) {
        return peer -> {
            peer.write(bytes);
            peer.closeInOrder();
        };
    }

    private static Arguments fault(String name, ErrorKind kind, Fault fault) {
        return Arguments.of(Named.of(name, fault), kind);
    }
}
