package dev.fettle.load;

/** What ends a connection that speaks HTTP/2: mostly that the server has broken a rule; RFC 9113, 5.4.1. */
final class Http2Error extends Exception {

    private static final long serialVersionUID = 1;

    private final int code;
    private final ErrorKind kind;

    /**
     * The server has broken a rule.
     *
     * @param code what the server is told, see {@link Http2Code}
     * @param message what the user is told
     */
    Http2Error(int code, String message) {
        this(code, ErrorKind.MALFORMED, message);
    }

    /** @param kind what the streams' requests failed by */
    Http2Error(int code, ErrorKind kind, String message) {
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
