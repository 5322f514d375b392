package dev.fettle.load.websocket;

import dev.fettle.load.LoadSpec;
import dev.fettle.load.RequestTemplate;
import dev.fettle.load.api.Protocol;
import dev.fettle.load.bytes.Budget;
import dev.fettle.load.http1.Http1Head;
import dev.fettle.load.script.FixedHead;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.random.RandomGenerator;

/** How the WebSockets of a load are opened. */
public final class WebSocketOpening {

    private static final String SUBPROTOCOL = "sec-websocket-protocol";

    private final RequestTemplate request;
    private final String host;
    private final List<String> offered;
    private final int opcode;

    private WebSocketOpening(RequestTemplate request, String host, List<String> offered, int opcode) {
        this.request = request;
        this.host = host;
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
                spec.request(), spec.hostHeader(), offered, text ? WebSocketFrame.TEXT : WebSocketFrame.BINARY);
    }

    /** The opcode of messages. */
    int opcode() {
        return opcode;
    }

    /** Begins the opening of one WebSocket, with a key of its own. */
    WebSocketHandshake begin(RandomGenerator random, Budget budget) {
        byte[] nonce = new byte[16];
        random.nextBytes(nonce);
        String key = Base64.getEncoder().encodeToString(nonce);
        byte[] head = new FixedHead(request, host, new Http1Head())
                .field("Connection", "Upgrade")
                .field("Upgrade", "websocket")
                .field("Sec-WebSocket-Version", "13")
                .field("Sec-WebSocket-Key", key)
                .end();
        return new WebSocketHandshake(head, offered, key, budget);
    }
}
