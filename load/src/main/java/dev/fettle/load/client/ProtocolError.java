package dev.fettle.load.client;

import dev.fettle.load.api.ErrorKind;

/**
 * Ends a connection of a protocol with frames (HTTP/2, WebSocket), or prevents it from opening: usually the server has broken a
 * rule (RFC 9113, 5.4.1; RFC 6455, 7.1.7).
 */
public final class ProtocolError extends Exception {

    private final int code;
    private final ErrorKind kind;

    /**
     * The server has broken a rule.
     *
     * @param code the code sent to the server, see {@code Http2Code} and {@code WebSocketCode}
     * @param message shown to the user
     */
    public ProtocolError(int code, String message) {
        this(code, ErrorKind.MALFORMED, message);
    }

    /** @param kind how requests under way failed */
    public ProtocolError(int code, ErrorKind kind, String message) {
        super(message);
        this.code = code;
        this.kind = kind;
    }

    public int code() {
        return code;
    }

    public ErrorKind kind() {
        return kind;
    }

    /** Shown to the user. */
    public String what() {
        return String.valueOf(getMessage());
    }
}
