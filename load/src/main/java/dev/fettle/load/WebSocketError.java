package dev.fettle.load;

/** What ends a WebSocket, or keeps it from being opened. */
final class WebSocketError extends Exception {

    private static final long serialVersionUID = 1;

    private final int code;
    private final ErrorKind kind;

    /**
     * The server has broken a rule.
     *
     * @param code what the server is told, see {@link WebSocketCode}
     * @param message what the user is told
     */
    WebSocketError(int code, String message) {
        this(code, ErrorKind.MALFORMED, message);
    }

    /** @param kind what the messages under way failed by */
    WebSocketError(int code, ErrorKind kind, String message) {
        super(message);
        this.code = code;
        this.kind = kind;
    }

    int code() {
        return code;
    }

    ErrorKind kind() {
        return kind;
    }

    /** What the user is told. */
    String what() {
        return String.valueOf(getMessage());
    }
}
