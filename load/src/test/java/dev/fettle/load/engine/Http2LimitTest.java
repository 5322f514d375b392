package dev.fettle.load.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.load.LoadRun;
import dev.fettle.load.LoadSpec;
import dev.fettle.load.LoadSpecBuilder;
import dev.fettle.load.RequestTemplate;
import dev.fettle.load.Window;
import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.api.Protocol;
import dev.fettle.load.api.TransportKind;
import dev.fettle.load.api.Wire;
import dev.fettle.load.http2.Http2Frame;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A server that lets no stream open: what waits for one neither waits for ever nor goes uncounted. */
class Http2LimitTest {

    private static final byte[] NO_STREAMS = FrameServer.setting(Http2Frame.MAX_CONCURRENT_STREAMS, 0);
    private static final RequestTemplate GET = RequestTemplate.get("/");
    /** Long enough for a good answer. */
    private static final Duration TIME_OUT = Duration.ofMillis(2500);

    private record Outcome(Window window, List<String> notes) {}

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void thatItNeverDoesAndClosesIsCounted(boolean open) throws Exception {
        try (Closing server = new Closing()) {
            LoadSpecBuilder spec = spec(server.address(), GET, 2).maxRequests(3);
            Outcome outcome = run(open ? spec.arrivals(Arrivals.Open.constant(1000)) : spec);
            Window window = outcome.window();
            assertThat(window.errors()).containsOnlyKeys(ErrorKind.CLOSED_EARLY);
            assertThat(window.failed()).isEqualTo(3);
            assertThat(server.connections()).isBetween(1, 3);
            assertThat(outcome.notes())
                    .contains("the server takes 0 streams at once on a connection, not the 2 asked for");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3})
    void thatItStopsIsLateAndTheNextConnectionIsTried(int after) throws Exception {
        byte[] settings = FrameServer.frame(Http2Frame.SETTINGS, 0, 0);
        try (FrameServer server = new FrameServer(after == 0 ? NO_STREAMS : settings, (number, stream, peer) -> {
            if (number == after) {
                peer.write(NO_STREAMS);
            }
            peer.ok(stream);
        })) {
            Window window = run(spec(server.address(), GET, 1)
                            .responseTimeout(after == 0 ? Duration.ofMillis(100) : TIME_OUT)
                            .maxRequests(after + 1))
                    .window();
            assertThat(window.errors()).containsOnlyKeys(ErrorKind.READ_TIMEOUT);
            assertThat(window.errors().get(ErrorKind.READ_TIMEOUT).example()).contains("let no stream open");
            assertThat(window.failed()).isEqualTo(1);
            assertThat(window.responses()).isEqualTo(after);
            assertThat(server.objections()).isEmpty();
        }
    }

    /** The only stream's answer never ends: what waited for that stream is sent when the time-out has freed it. */
    @Test
    void whatWaitedForAStreamThatTimedOutIsSentThen() throws Exception {
        byte[] one = FrameServer.setting(Http2Frame.MAX_CONCURRENT_STREAMS, 1);
        try (FrameServer server = new FrameServer(one, (number, stream, peer) -> {
            if (number == 1) {
                LockSupport.parkNanos(TIME_OUT.toNanos() / 2);
                peer.frame(Http2Frame.HEADERS, Http2Frame.END_HEADERS, stream, new byte[] {(byte) 0x88});
            } else {
                peer.ok(stream);
            }
        })) {
            Window window = run(spec(server.address(), GET, 2)
                            .arrivals(Arrivals.Open.constant(1000))
                            .responseTimeout(TIME_OUT)
                            .maxRequests(2))
                    .window();
            assertThat(window.responses()).isEqualTo(1);
            assertThat(window.errors()).containsOnlyKeys(ErrorKind.READ_TIMEOUT);
            assertThat(window.errors().get(ErrorKind.READ_TIMEOUT).example()).doesNotContain("let no stream open");
        }
    }

    /** It takes a body, and then reads nothing more, although its pings say that it is there. */
    @ParameterizedTest
    @MethodSource("dev.fettle.load.engine.TransportKinds#usable")
    void aServerThatOnlyPingsIsLeft(TransportKind kind) throws Exception {
        byte[] wide = {1, 0, 0, 0};
        try (FrameServer server = new FrameServer((number, stream, peer) -> {
            if (number == 1) {
                peer.frame(Http2Frame.WINDOW_UPDATE, 0, 0, wide);
                peer.frame(Http2Frame.WINDOW_UPDATE, 0, stream, wide);
                while (true) {
                    peer.frame(Http2Frame.PING, 0, 0, new byte[8]);
                    LockSupport.parkNanos(20_000_000);
                }
            }
            peer.ok(stream);
        })) {
            RequestTemplate upload = RequestTemplate.builder("POST", "/")
                    .body(new byte[16 << 20])
                    .build();
            Window window = run(spec(server.address(), upload, 1)
                            .wire(h2(1).withTransport(kind))
                            .responseTimeout(TIME_OUT)
                            .maxRequests(3))
                    .window();
            assertThat(window.errors()).containsOnlyKeys(ErrorKind.READ_TIMEOUT);
            assertThat(window.responses()).isPositive();
            assertThat(window.responses() + window.failed()).isEqualTo(3);
        }
    }

    /** Going away in order, it still owes an answer: what waits for that is told. */
    @Test
    void thatRequestsWaitForAnOldOneIsNoted() throws Exception {
        try (FrameServer server = new FrameServer((number, stream, peer) -> {
            if (number == 2) {
                peer.frame(Http2Frame.GOAWAY, 0, 0, new byte[] {0, 0, 0, 1, 0, 0, 0, 0});
                peer.frame(Http2Frame.PING, 0, 0, new byte[8]);
                while (!peer.hasMore()) {
                    LockSupport.parkNanos(1_000_000);
                }
                peer.ok(1);
            } else if (number > 2) {
                peer.ok(stream);
            }
        })) {
            Outcome outcome = run(spec(server.address(), GET, 2).maxRequests(6));
            assertThat(outcome.window().errors()).isEmpty();
            assertThat(outcome.window().responses()).isEqualTo(6);
            assertThat(outcome.notes())
                    .filteredOn(note -> note.contains("GOAWAY"))
                    .hasSize(1);
        }
    }

    private static Wire h2(int streams) {
        return Wire.PLAIN.withProtocol(Protocol.HTTP_2).withInFlight(streams);
    }

    private static LoadSpecBuilder spec(InetSocketAddress address, RequestTemplate request, int streams) {
        return LoadSpec.builder(address, request).wire(h2(streams)).maxDuration(Duration.ofSeconds(30));
    }

    private static Outcome run(LoadSpecBuilder spec) throws InterruptedException {
        try (LoadRun run = LoadEngine.start(spec.build())) {
            assertThat(run.awaitDone(Duration.ofMinutes(2))).isTrue();
            assertThat(run.failure()).isEmpty();
            return new Outcome(run.takeWindow(), run.notes());
        }
    }

    /** Allows no streams, and closes. */
    private static final class Closing extends SocketServer {

        Closing() throws IOException {
            super(listener(100));
            start();
        }

        @Override
        void serve(Socket socket) throws IOException {
            socket.getOutputStream().write(NO_STREAMS);
            socket.shutdownOutput();
            socket.getInputStream().readAllBytes();
        }
    }
}
