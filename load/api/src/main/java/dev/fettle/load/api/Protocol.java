package dev.fettle.load.api;

/** The protocol spoken over a connection. */
public enum Protocol {
    HTTP_1_1,
    /** Over TLS by ALPN, without TLS by prior knowledge (h2c); RFC 9113, 3.2 and 3.3. */
    HTTP_2,
    /**
     * A WebSocket (RFC 6455), opened by the load's request. The request's body is the message that is sent again and
     * again, as text; the next message received is the answer.
     */
    WEB_SOCKET_TEXT,
    /** As {@link #WEB_SOCKET_TEXT}, but the message is sent as binary. */
    WEB_SOCKET_BINARY;

    /** Whether messages are sent instead of requests. */
    public boolean isWebSocket() {
        return this == WEB_SOCKET_TEXT || this == WEB_SOCKET_BINARY;
    }
}
