package dev.fettle.load.engine;

import dev.fettle.load.LoadSpec;
import dev.fettle.load.client.Peer;
import dev.fettle.load.http1.Http1Connection;
import dev.fettle.load.http2.Http2Connection;
import dev.fettle.load.script.ScriptFactory;
import dev.fettle.load.websocket.WebSocketConnection;
import dev.fettle.load.websocket.WebSocketOpening;

/** Makes the peers of an engine loop: those that speak what its load speaks. */
interface PeerFactory {

    /** @param number over all engine threads, from 0 */
    Peer peer(EngineLoop loop, int number);

    /** The factory for what the spec wants spoken. */
    static PeerFactory of(LoadSpec spec, ScriptFactory scripts) {
        return switch (spec.wire().protocol()) {
            case HTTP_1_1 -> (loop, number) -> new Http1Connection(loop, scripts, number);
            case HTTP_2 -> {
                boolean secure = spec.wire().tls().isPresent();
                yield (loop, number) -> new Http2Connection(loop, scripts, number, secure);
            }
            case WEB_SOCKET_TEXT, WEB_SOCKET_BINARY -> {
                WebSocketOpening opening = WebSocketOpening.of(spec);
                yield (loop, number) -> new WebSocketConnection(loop, scripts, number, opening);
            }
        };
    }
}
