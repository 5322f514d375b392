package dev.fettle.model.load;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Optional;

/**
 * How requests are sent: protocol, pipelining, TLS, transport.
 *
 * @param inFlight concurrent requests per connection: HTTP/1.1 pipelining depth, HTTP/2 streams, or unanswered messages; 1 to
 *     10,000
 * @param tls empty: without TLS (for a URL target, {@code https} turns it on too)
 * @param sources local addresses to connect from, in turn; empty: the kernel chooses
 */
@RecordBuilder
public record Wire(Protocol protocol, int inFlight, Optional<Tls> tls, Transport transport, List<String> sources)
        implements WireBuilder.With {

    /** HTTP/1.1 without TLS, one request at a time, the better transport. */
    public static final Wire PLAIN = new Wire(Protocol.HTTP_1_1, 1, Optional.empty(), Transport.AUTO, List.of());

    /** The protocol. */
    public enum Protocol {
        HTTP_1_1,
        HTTP_2,
        /** The request opens a WebSocket; its body is the message sent repeatedly, as text. */
        WEB_SOCKET_TEXT,
        /** The same with a binary message. */
        WEB_SOCKET_BINARY;

        /** Whether messages are sent instead of requests. */
        public boolean isWebSocket() {
            return this == WEB_SOCKET_TEXT || this == WEB_SOCKET_BINARY;
        }
    }

    /** The kernel interface used for I/O. */
    public enum Transport {
        AUTO,
        NIO,
        IO_URING
    }

    /**
     * How connections are secured.
     *
     * @param authorities PEM file of the certificates to trust; empty: those the JDK trusts
     * @param insecure whether any certificate is accepted
     * @param resume whether a new connection may resume an earlier session
     */
    public record Tls(Optional<String> authorities, boolean insecure, boolean resume) {}

    public Wire {
        sources = List.copyOf(sources);
    }

    /**
     * Whether a connect's time is TCP's alone. Else it goes on to the end of the TLS handshake, to HTTP/2's settings, or to the answer
     * that opens a WebSocket.
     */
    public boolean connectsByTcpAlone() {
        return tls.isEmpty() && protocol == Protocol.HTTP_1_1;
    }

    public Wire with(Tls how) {
        return withTls(Optional.of(how));
    }
}
