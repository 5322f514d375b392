package dev.fettle.load.engine;

import static dev.fettle.load.http2.Http2Frame.CONTINUATION;
import static dev.fettle.load.http2.Http2Frame.DATA;
import static dev.fettle.load.http2.Http2Frame.END_HEADERS;
import static dev.fettle.load.http2.Http2Frame.END_STREAM;
import static dev.fettle.load.http2.Http2Frame.GOAWAY;
import static dev.fettle.load.http2.Http2Frame.HEADERS;
import static dev.fettle.load.http2.Http2Frame.RST_STREAM;
import static dev.fettle.load.http2.Http2Frame.SETTINGS;
import static dev.fettle.load.http2.Http2Frame.WINDOW_UPDATE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.fettle.load.LoadSpec;
import dev.fettle.load.RequestTemplate;
import dev.fettle.load.Window;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.load.api.Protocol;
import dev.fettle.load.api.TransportKind;
import dev.fettle.load.api.Wire;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The frames of a connection leave in an order to which no server can object. */
class Http2OrderTest {

    private static final int REQUESTS = 600;
    /** The last stream that the server takes on a connection. */
    private static final int LAST = 99;

    /**
     * Streams side by side, bodies over the server's window, answers before the body is out, streams reset, requests
     * sent again on the next connection: all that could mix up the order.
     */
    @ParameterizedTest
    @MethodSource("dev.fettle.load.engine.TransportKinds#usable")
    void whateverTheServerDoes(TransportKind transport) throws Exception {
        AtomicInteger resets = new AtomicInteger();
        try (FrameServer server = new FrameServer((number, stream, peer) -> {
            if (stream > LAST) {
                return; // sent before the client knew of the GOAWAY
            }
            if (stream % 16 == 5) {
                resets.incrementAndGet();
                peer.frame(RST_STREAM, 0, stream, new byte[] {0, 0, 0, 2});
            } else {
                peer.ok(stream);
            }
            if (stream == LAST) {
                peer.frame(GOAWAY, 0, 0, new byte[] {0, 0, 0, LAST, 0, 0, 0, 0});
            }
        })) {
            RequestTemplate request =
                    RequestTemplate.builder("POST", "/").body(new byte[20_000]).build();
            Window window = FaultsTest.run(LoadSpec.builder(server.address(), request)
                    .wire(Wire.PLAIN
                            .withProtocol(Protocol.HTTP_2)
                            .withInFlight(8)
                            .withTransport(transport))
                    .connections(2)
                    .maxRequests(REQUESTS)
                    .maxDuration(Duration.ofSeconds(60)));
            assertThat(server.objections()).isEmpty();
            assertThat(window.errors()).containsOnlyKeys(ErrorKind.RESET);
            assertThat(window.errors().get(ErrorKind.RESET).count()).isEqualTo(resets.get());
            assertThat(window.responses()).isEqualTo(REQUESTS - resets.get());
            // a connection takes 50 requests
            assertThat(server.connections()).isGreaterThanOrEqualTo(REQUESTS / 50);
        }
    }

    /** The server of the other test is strict. */
    @Test
    void whatAServerObjectsTo() {
        FrameOrder order = new FrameOrder();
        assertThat(order.objection(SETTINGS, 0, 0)).isEmpty();
        assertThat(order.objection(WINDOW_UPDATE, 0, 0)).isEmpty();
        assertThat(order.objection(HEADERS, END_HEADERS | END_STREAM, 1)).isEmpty();
        assertThat(order.objection(HEADERS, END_HEADERS, 21)).isEmpty();
        assertThat(order.objection(DATA, 0, 21)).isEmpty();
        assertThat(order.objection(DATA, END_STREAM, 21)).isEmpty();
        assertThat(order.objection(WINDOW_UPDATE, 0, 21)).isEmpty();
        assertThat(order.objection(RST_STREAM, 0, 9)).isEmpty();

        assertThat(order.objection(HEADERS, END_HEADERS | END_STREAM, 9))
                .contains("type 1 on stream 9, the newest being 21");
        assertThat(order.objection(HEADERS, END_HEADERS | END_STREAM, 21)).isPresent();
        assertThat(order.objection(HEADERS, END_HEADERS | END_STREAM, 22)).isPresent();
        assertThat(order.objection(DATA, 0, 21)).isPresent();
        assertThat(order.objection(DATA, END_STREAM, 1)).isPresent();
        assertThat(order.objection(RST_STREAM, 0, 31)).isPresent();
        assertThat(order.objection(WINDOW_UPDATE, 0, 31)).isPresent();
        assertThat(order.objection(SETTINGS, 0, 21)).isPresent();
        assertThat(order.objection(CONTINUATION, END_HEADERS, 21)).isPresent();
    }

    @Test
    void aHeaderBlockInPieces() {
        FrameOrder order = new FrameOrder();
        assertThat(order.objection(HEADERS, END_STREAM, 1)).isEmpty();
        assertThat(order.objection(CONTINUATION, 0, 1)).isEmpty();
        assertThat(order.objection(HEADERS, END_HEADERS, 3)).contains("type 1 within the header block of stream 1");
        assertThat(order.objection(CONTINUATION, END_HEADERS, 1)).isEmpty();
        assertThat(order.objection(HEADERS, END_HEADERS, 3)).isEmpty();
    }
}
