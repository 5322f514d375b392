package dev.fettle.load.engine;

import dev.fettle.load.LoadSpec;
import dev.fettle.load.bytes.Budget;
import dev.fettle.load.http1.Http1Connection;
import dev.fettle.load.http1.Http1Head;
import dev.fettle.load.http1.RepeatedRequest;
import dev.fettle.load.http2.Http2Connection;
import dev.fettle.load.http2.Http2Head;
import dev.fettle.load.scenario.ScenarioScripts;
import dev.fettle.load.script.FixedScript;
import dev.fettle.load.script.HeadFormat;
import dev.fettle.load.script.ScriptFactory;
import dev.fettle.load.transport.RawTransports;
import dev.fettle.load.transport.TransportFactory;
import dev.fettle.load.transport.tls.TlsSetup;
import dev.fettle.load.transport.tls.TlsTransports;
import dev.fettle.load.websocket.MessageHead;
import dev.fettle.load.websocket.WebSocketConnection;
import dev.fettle.load.websocket.WebSocketOpening;
import java.io.IOException;

/** Chooses the engine's parts for a load. */
final class Wiring {

    private Wiring() {}

    /** The scripts that produce the load's requests. */
    static ScriptFactory scripts(LoadSpec spec) {
        return spec.scenario().isPresent()
                ? new ScenarioScripts(spec.scenario().get(), spec, heads(spec))
                : FixedScript.of(spec, heads(spec));
    }

    /** The format of the requests' heads. */
    static HeadFormat heads(LoadSpec spec) {
        return switch (spec.wire().protocol()) {
            case HTTP_1_1 -> new Http1Head();
            case HTTP_2 -> new Http2Head(spec.wire().tls().isPresent());
            case WEB_SOCKET_TEXT, WEB_SOCKET_BINARY -> new MessageHead();
        };
    }

    /**
     * The factory for the load's transport.
     *
     * @throws IllegalArgumentException if the trusted certificates cannot be read
     * @throws IOException if the load insists on io_uring, and it is not available
     */
    static TransportFactory transports(LoadSpec spec) throws IOException {
        TransportFactory raw = RawTransports.of(spec);
        if (spec.wire().tls().isEmpty()) {
            return raw;
        }
        TlsSetup setup = TlsSetup.of(
                spec.wire().tls().get(),
                spec.serverName(),
                spec.wire().protocol(),
                spec.address().getPort());
        return new TlsTransports(raw, setup);
    }

    /** The factory for the protocol's peers, for one engine thread. */
    static PeerFactory peers(LoadSpec spec, ScriptFactory scripts) {
        return switch (spec.wire().protocol()) {
            case HTTP_1_1 -> {
                int inFlight = spec.wire().inFlight();
                RepeatedRequest repeated = inFlight == 1
                        ? null
                        : RepeatedRequest.of(scripts.script(0, new Budget(0)).request(), inFlight);
                yield (loop, number) -> new Http1Connection(loop, scripts, number, repeated);
            }
            case HTTP_2 -> (loop, number) -> new Http2Connection(loop, scripts, number);
            case WEB_SOCKET_TEXT, WEB_SOCKET_BINARY -> {
                WebSocketOpening opening = WebSocketOpening.of(spec);
                yield (loop, number) -> new WebSocketConnection(loop, scripts, number, opening);
            }
        };
    }
}
