package dev.fettle.load;

import dev.fettle.load.api.Protocol;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Checks a request that is to open a WebSocket, and its message. */
final class WebSocketRequest {

    private static final String PREFIX = "sec-websocket-";
    /** The only one of the protocol's headers that a user may set. */
    private static final String SUBPROTOCOL = PREFIX + "protocol";

    private static final int MOST_MESSAGE = 16 * 1024 * 1024;

    private WebSocketRequest() {}

    /** @throws IllegalArgumentException if the request can't open a WebSocket, or the message can't be sent */
    static void check(RequestTemplate request, Protocol protocol) {
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
}
