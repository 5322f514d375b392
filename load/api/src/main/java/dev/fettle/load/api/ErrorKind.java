package dev.fettle.load;

/** Why an attempt did not end in a valid response. Each failed attempt has exactly one kind. */
public enum ErrorKind {
    /** The connect was refused: nobody listens on the port. */
    REFUSED,
    /** The connect did not finish within {@link LoadSpec#connectTimeout()} (a full backlog, a dropped SYN). */
    CONNECT_TIMEOUT,
    /**
     * TLS failed. Usually the handshake: the certificate is not trusted or not valid for this name, or the server does
     * not speak TLS, or not the wanted protocol over it. Later: broken records.
     */
    TLS,
    /** The peer reset an established connection. */
    RESET,
    /** The peer closed the connection before the response was complete. */
    CLOSED_EARLY,
    /** The response was not complete within {@link LoadSpec#responseTimeout()} of the send. */
    READ_TIMEOUT,
    /** The bytes received break the protocol, contradict themselves in their framing, or answer no request. */
    MALFORMED,
    /**
     * A complete response with a status outside {@link Expectation#statuses()}, or a status that opens no WebSocket.
     */
    STATUS,
    /** A complete response whose body is not {@link Expectation#bodyLength()} bytes long. */
    LENGTH,
    /** A complete response whose body lacks {@link Expectation#bodyContains()}, or is not {@link Expectation#echo()}. */
    BODY,
    /** A complete response that fails a check of its scenario's step, or from which a value could not be extracted. */
    CHECK,
    /** A problem on the generator's own host: no file descriptor, no free local port, no route. */
    OTHER
}
