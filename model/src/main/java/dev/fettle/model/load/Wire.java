package dev.fettle.model.load;

import java.util.List;
import java.util.Optional;

/**
 * How requests travel.
 *
 * @param inFlight requests under way on one connection at once: the pipelining depth of HTTP/1.1, the streams of HTTP/2,
 *     messages that wait for their answer; 1 to 10,000
 * @param tls empty: in the clear (for a target that is a URL, {@code https} says so too)
 * @param sources local addresses to connect from, in turn; empty: the kernel chooses
 */
public record Wire(Protocol protocol, int inFlight, Optional<Tls> tls, Transport transport, List<String> sources) {

    /** HTTP/1.1 in the clear, one request at a time, the better transport. */
    public static final Wire PLAIN = new Wire(Protocol.HTTP_1_1, 1, Optional.empty(), Transport.AUTO, List.of());

    /** What is spoken. */
    public enum Protocol {
        HTTP_1_1,
        HTTP_2,
        /** The request opens a WebSocket; its body is the message that is sent again and again, as text. */
        WEB_SOCKET_TEXT,
        /** The same, the message sent as binary. */
        WEB_SOCKET_BINARY;

        /** Whether messages are sent instead of requests. */
        public boolean isWebSocket() {
            return this == WEB_SOCKET_TEXT || this == WEB_SOCKET_BINARY;
        }
    }

    /** Which of the kernel's interfaces moves the bytes. */
    public enum Transport {
        AUTO,
        NIO,
        IO_URING
    }

    /**
     * How connections are secured.
     *
     * @param authorities PEM file of the certificates to trust; empty: those that the JDK trusts
     * @param insecure whether any certificate is taken
     * @param resume whether a new connection may resume an earlier session
     */
    public record Tls(Optional<String> authorities, boolean insecure, boolean resume) {}

    public Wire {
        sources = List.copyOf(sources);
    }

    /** This, secured. */
    public Wire with(Tls how) {
        return new Wire(protocol, inFlight, Optional.of(how), transport, sources);
    }
}
