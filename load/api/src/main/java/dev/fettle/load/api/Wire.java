package dev.fettle.load.api;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Optional;

/**
 * How requests are sent: protocol, pipelining, TLS, transport, and whether some name themselves to the server.
 *
 * @param inFlight concurrent requests per connection: HTTP/1.1 pipelining depth, HTTP/2 streams, or unanswered messages; 1 to
 *     10,000
 * @param tls empty: without TLS (for a URL target, {@code https} turns it on too)
 * @param sources local addresses (literals) to connect from, in turn, each good for about 28,000 connections to one port; empty: the
 *     kernel chooses
 * @param traced share of the requests with a {@code traceparent} field of their own, 0 to 1; 0: none
 */
@RecordBuilder
public record Wire(
        Protocol protocol,
        int inFlight,
        Optional<Tls> tls,
        TransportKind transport,
        List<String> sources,
        double traced)
        implements WireBuilder.With {

    /** HTTP/1.1 without TLS, one request at a time, the better transport. */
    public static final Wire PLAIN = new Wire(Protocol.HTTP_1_1, 1, Optional.empty(), TransportKind.AUTO, List.of());

    /** Without traces. */
    public Wire(Protocol protocol, int inFlight, Optional<Tls> tls, TransportKind transport, List<String> sources) {
        this(protocol, inFlight, tls, transport, sources, 0);
    }

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if one is out of the range given above
     */
    public Wire {
        Ranges.range("requests in flight on a connection", inFlight, 1, 10_000);
        if (!(traced >= 0 && traced <= 1)) {
            throw new IllegalArgumentException("the share of traced requests is 0 to 1, not " + traced);
        }
        sources = List.copyOf(sources);
    }

    /**
     * Whether a connect's time is TCP's alone. Else it goes on to the end of the TLS handshake, to HTTP/2's settings, or to the answer
     * that opens a WebSocket.
     */
    public boolean connectsByTcpAlone() {
        return tls.isEmpty() && protocol == Protocol.HTTP_1_1;
    }

    /** A copy over TLS. */
    public Wire with(Tls how) {
        return withTls(Optional.of(how));
    }
}
