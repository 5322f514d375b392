package dev.fettle.load.client;

import dev.fettle.load.ErrorKind;
import dev.fettle.load.http2.Http2Code;
import dev.fettle.load.websocket.WebSocketCode;

/**
 * What ends a connection of a protocol with frames, HTTP/2 or WebSocket, or keeps it from being opened: mostly that the server has
 * broken a rule (RFC 9113, 5.4.1; RFC 6455, 7.1.7).
 */
public final class ProtocolError extends Exception {

    private static final long serialVersionUID = 1;

    private final int code;
    private final ErrorKind kind;

    /**
     * The server has broken a rule.
     *
     * @param code what the server is told, see {@link Http2Code} and {@link WebSocketCode}
     * @param message what the user is told
     */
    public ProtocolError(int code, String message) {
        this(code, ErrorKind.MALFORMED, message);
    }

    /** @param kind what was under way failed by */
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

    /** What the user is told. */
    public String what() {
        return String.valueOf(getMessage());
    }
}
