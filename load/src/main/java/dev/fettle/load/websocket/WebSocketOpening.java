package dev.fettle.load.websocket;

import dev.fettle.load.LoadSpec;
import dev.fettle.load.Protocol;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/** How the WebSockets of a load are opened. */
public final class WebSocketOpening {

    private static final String SUBPROTOCOL = "sec-websocket-protocol";

    private final byte[] request;
    private final List<String> offered;
    private final int opcode;

    private WebSocketOpening(byte[] request, List<String> offered, int opcode) {
        this.request = request;
        this.offered = offered;
        this.opcode = opcode;
    }

    public static WebSocketOpening of(LoadSpec spec) {
        List<String> offered = spec.request().headers().stream()
                .filter(header -> header.name().equalsIgnoreCase(SUBPROTOCOL))
                .flatMap(header -> Arrays.stream(header.value().split(",")))
                .map(String::strip)
                .toList();
        boolean text = spec.wire().protocol() == Protocol.WEB_SOCKET_TEXT;
        return new WebSocketOpening(
                spec.request().encodeOpening(spec.hostHeader()),
                offered,
                text ? WebSocketFrame.TEXT : WebSocketFrame.BINARY);
    }

    /** Of messages. */
    int opcode() {
        return opcode;
    }

    /** Opens one, with a key of its own. */
    WebSocketHandshake begin(RandomGenerator random) {
        byte[] nonce = new byte[16];
        random.nextBytes(nonce);
        return new WebSocketHandshake(request, offered, nonce);
    }
}
