package dev.fettle.load.api;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Optional;

/**
 * How requests are sent: protocol, pipelining, TLS, transport.
 *
 * @param inFlight concurrent requests per connection: HTTP/1.1 pipelining depth, HTTP/2 streams, or unanswered messages; 1 to
 *     10,000
 * @param tls empty: without TLS (for a URL target, {@code https} turns it on too)
 * @param sources local addresses (literals) to connect from, in turn, each good for about 28,000 connections to one port; empty: the
 *     kernel chooses
 */
@RecordBuilder
public record Wire(Protocol protocol, int inFlight, Optional<Tls> tls, TransportKind transport, List<String> sources)
        implements WireBuilder.With {

    /** HTTP/1.1 without TLS, one request at a time, the better transport. */
    public static final Wire PLAIN = new Wire(Protocol.HTTP_1_1, 1, Optional.empty(), TransportKind.AUTO, List.of());

    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException if it is out of the range given above
     */
    public Wire {
        Ranges.range("requests in flight on a connection", inFlight, 1, 10_000);
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
