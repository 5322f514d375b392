package dev.fettle.load.engine;

import static dev.fettle.load.engine.FaultsTest.run;
import static dev.fettle.load.engine.FaultsTest.spec;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.load.Expectation;
import dev.fettle.load.Window;
import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.api.TransportKind;
import dev.fettle.load.api.Wire;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Several requests under way on one connection. */
class PipeliningTest {

    private static final int DEPTH = 8;
    private static final String LAST = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nhello";

    @Test
    void aClosedLoadKeepsTheDepthUnderWay() throws Exception {
        // answers only when it has as many requests as may be under way
        ScriptedServer.Script inEights = (number, peer) -> {
            if (number % DEPTH == 0) {
                peer.write(ScriptedServer.OK.repeat(DEPTH));
            }
        };
        try (ScriptedServer server = new ScriptedServer(inEights)) {
            Window window = run(spec(server.address()).wire(wire(DEPTH)).maxRequests(50 * DEPTH));
            assertThat(window.errors()).isEmpty();
            assertThat(window.responses()).isEqualTo(50 * DEPTH);
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @MethodSource("loads")
    void eachRequestIsAnsweredOnce(int connections, int threads, int depth) throws Exception {
        try (TinyServer server = TinyServer.ok()) {
            Window window = run(spec(server.address())
                    .wire(wire(depth))
                    .connections(connections)
                    .threads(threads)
                    .expect(Expectation.status(200).withBodyLength(5).withBodyContaining("hello"))
                    .maxRequests(20_001));
            assertThat(window.errors()).isEmpty();
            assertThat(window.responses()).isEqualTo(20_001);
            assertThat(server.requests()).isEqualTo(20_001);
            assertThat(window.latency().getTotalCount()).isEqualTo(20_001);
        }
    }

    static Stream<Arguments> loads() {
        return Stream.of(
                Arguments.of(1, 1, 2), Arguments.of(1, 1, 300), Arguments.of(5, 2, 16), Arguments.of(1, 1, 10_000));
    }

    @Test
    void anOpenLoadFillsTheDepthBeforeItOpensMore() throws Exception {
        ScriptedServer.Script onceAllAreThere = (number, peer) -> {
            if (number % DEPTH == 0) {
                peer.write(ScriptedServer.OK.repeat(DEPTH));
            }
        };
        try (ScriptedServer server = new ScriptedServer(onceAllAreThere)) {
            Window window = run(spec(server.address())
                    .arrivals(new Arrivals.Open(
                            List.of(new Arrivals.Stage(100, 100, Duration.ofMinutes(1), DEPTH)), false, 1))
                    .wire(wire(DEPTH))
                    .connections(10)
                    .maxRequests(3 * DEPTH));
            assertThat(window.responses()).isEqualTo(3 * DEPTH);
            assertThat(server.connections()).isEqualTo(1);
        }
    }

    @Test
    void aBytestreamInPiecesOfAnySizeIsCutRight() throws Exception {
        try (ScriptedServer server = new ScriptedServer((number, peer) -> {
            if (number % DEPTH == 0) {
                peer.drip(ScriptedServer.OK.repeat(DEPTH));
            }
        })) {
            Window window = run(spec(server.address()).wire(wire(DEPTH)).maxRequests(4 * DEPTH));
            assertThat(window.errors()).isEmpty();
            assertThat(window.responses()).isEqualTo(4 * DEPTH);
        }
    }

    /** What a server does when it has eight requests, and how many of the eight are then valid or fail as this kind. */
    static Stream<Arguments> breaks() {
        String three = ScriptedServer.OK.repeat(3);
        return Stream.of(
                Arguments.of(ErrorKind.CLOSED_EARLY, 3, Named.of("close after three", (Deed) peer -> {
                    peer.write(three);
                    peer.closeInOrder();
                })),
                Arguments.of(ErrorKind.MALFORMED, 3, Named.of("nonsense after three", (Deed)
                        peer -> peer.write(three + "nonsense\r\n\r\n"))),
                Arguments.of(ErrorKind.MALFORMED, 7, Named.of("one answer too many", (Deed)
                        peer -> peer.write(ScriptedServer.OK.repeat(DEPTH + 1)))),
                Arguments.of(ErrorKind.MALFORMED, 3, Named.of("bytes behind the last answer of a connection", (Deed)
                        peer -> peer.write(three + LAST + ScriptedServer.OK))),
                Arguments.of(ErrorKind.RESET, 0, Named.of("reset", (Deed) ScriptedServer.Peer::reset)),
                Arguments.of(ErrorKind.READ_TIMEOUT, 3, Named.of("silence after three", (Deed) peer -> {
                    peer.write(three);
                    peer.hang();
                })));
    }

    @ParameterizedTest
    @MethodSource("breaks")
    void allThatIsUnderWayFailsWithTheConnection(ErrorKind kind, int valid, Deed deed) throws Exception {
        ScriptedServer.Script script = (number, peer) -> {
            if (number == DEPTH) {
                deed.on(peer);
            } else if (number > DEPTH) {
                peer.write(ScriptedServer.OK);
            }
        };
        try (ScriptedServer server = new ScriptedServer(script)) {
            Window window = run(spec(server.address())
                    .wire(wire(DEPTH))
                    .maxRequests(DEPTH)
                    .responseTimeout(Duration.ofSeconds(kind == ErrorKind.READ_TIMEOUT ? 2 : 60)));
            assertThat(window.errors()).containsOnlyKeys(kind);
            assertThat(window.failed()).isEqualTo(DEPTH - valid);
            assertThat(window.responses()).isEqualTo(valid);
        }
    }

    @Test
    void whatAnOrderlyCloseLeavesUnprocessedIsSentAgain() throws Exception {
        ScriptedServer.Script script = (number, peer) -> {
            if (number == DEPTH) {
                peer.write(ScriptedServer.OK.repeat(2) + LAST);
                peer.closeInOrder();
            } else if (number > DEPTH) {
                peer.write(ScriptedServer.OK);
            }
        };
        try (ScriptedServer server = new ScriptedServer(script)) {
            Window window = run(spec(server.address()).wire(wire(DEPTH)).maxRequests(20));
            assertThat(window.errors()).isEmpty();
            assertThat(window.responses()).isEqualTo(20);
            assertThat(window.reconnects()).isEqualTo(1);
            assertThat(server.connections()).isEqualTo(2);
        }
    }

    private static Wire wire(int depth) {
        return Wire.PLAIN.withTransport(TransportKind.NIO).withInFlight(depth);
    }

    interface Deed {
        void on(ScriptedServer.Peer peer) throws IOException, InterruptedException;
    }
}
