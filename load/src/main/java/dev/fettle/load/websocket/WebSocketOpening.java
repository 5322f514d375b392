package dev.fettle.load.websocket;

import dev.fettle.load.LoadSpec;
import dev.fettle.load.Protocol;
import dev.fettle.load.RequestTemplate;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;

/** How the WebSockets of a load are opened. */
public final class WebSocketOpening {

    private static final String PREFIX = "sec-websocket-";
    /** The only one of the protocol's headers that a user has a say in. */
    private static final String SUBPROTOCOL = PREFIX + "protocol";

    private static final int MOST_MESSAGE = 16 * 1024 * 1024;

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

    /**
     * Checks what can be opened, and the message.
     *
     * @throws IllegalArgumentException if the request is none that opens a WebSocket, or the message can't be sent
     */
    public static void check(RequestTemplate request, Protocol protocol) {
        if (!request.method().equals("GET")) {
            throw new IllegalArgumentException("a WebSocket is opened by GET, not " + request.method());
        }
        for (RequestTemplate.Header header : request.headers()) {
            String name = header.name().toLowerCase(Locale.ROOT);
            if (name.startsWith(PREFIX) && !name.equals(SUBPROTOCOL)) {
                throw new IllegalArgumentException(
                        header.name() + " follows from the opening of a WebSocket, so it cannot be given");
            }
        }
        byte[] message = request.body();
        if (message.length > MOST_MESSAGE) {
            throw new IllegalArgumentException(
                    "a message of " + message.length + " bytes: at most " + MOST_MESSAGE + " are possible");
        }
        if (protocol == Protocol.WEB_SOCKET_TEXT) {
            try {
                StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(message));
            } catch (CharacterCodingException e) {
                throw new IllegalArgumentException("a text message must be UTF-8: send it as binary", e);
            }
        }
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
