package dev.fettle.load;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/**
 * How requests travel.
 *
 * @param inFlight requests in flight on one connection, 1 to 10,000: the pipelining depth of HTTP/1.1, the streams
 *     of HTTP/2, messages waiting for their answer
 * @param tls empty: plain text
 * @param sources local addresses to connect from, in turn, each good for about 28,000 connections to one port;
 *     empty: the kernel chooses
 */
@RecordBuilder
public record Wire(
        Protocol protocol, int inFlight, Optional<Tls> tls, TransportKind transport, List<InetAddress> sources)
        implements WireBuilder.With {

    /** HTTP/1.1 in plain text, one request at a time, over the better transport. */
    public static final Wire PLAIN = new Wire(Protocol.HTTP_1_1, 1, Optional.empty(), TransportKind.AUTO, List.of());

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a component is out of the range given above
     */
    public Wire {
        Ranges.range("requests in flight on a connection", inFlight, 1, 10_000);
        sources = List.copyOf(sources);
    }

    /** A copy over TLS. */
    public Wire withTls(Tls how) {
        return withTls(Optional.of(how));
    }
}
