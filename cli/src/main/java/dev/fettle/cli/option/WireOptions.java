package dev.fettle.cli.option;

import dev.fettle.load.api.Protocol;
import dev.fettle.load.api.Tls;
import dev.fettle.load.api.TransportKind;
import dev.fettle.load.api.Wire;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How requests travel. */
final class WireOptions {
    @Option(names = "--no-keep-alive", description = "Open a new connection for each request.")
    boolean noKeepAlive;

    @Option(
            names = "--pipeline",
            paramLabel = "N",
            description = "HTTP/1.1 requests or WebSocket messages in flight per connection. Default: 1")
    @Range(least = "1", most = "10000")
    private @Nullable Integer pipeline;

    @Option(names = "--http2", description = "Use HTTP/2: over TLS for https, otherwise in clear text (h2c).")
    private boolean http2;

    @Option(names = "--streams", paramLabel = "N", description = "HTTP/2 requests in flight per connection. Default: 1")
    @Range(least = "1", most = "10000")
    private @Nullable Integer streams;

    @Option(names = "--insecure", description = "Accept any server certificate.")
    private boolean insecure;

    @Option(
            names = "--cacert",
            paramLabel = "FILE",
            description = "PEM file with the certificates to trust. Default: the JDK's")
    private @Nullable Path authorities;

    @Option(names = "--no-resume", description = "Do a full TLS handshake on each connection.")
    private boolean noResume;

    @Option(
            names = "--transport",
            paramLabel = "auto|nio|io_uring",
            description = "Which kernel interface moves the bytes. Default: auto")
    private TransportKind transport = TransportKind.AUTO;

    @Option(
            names = "--traceparent",
            paramLabel = "SHARE",
            converter = Converters.Share.class,
            description =
                    "So many of the requests name themselves to the server's tracing (a W3C traceparent): 1%%. The"
                            + " slowest of them are reported by their ids.")
    private @Nullable Double traced;

    @Option(
            names = "--source",
            paramLabel = "ADDRESS",
            split = ",",
            description = "Loopback addresses to connect from in turn, needed for more than 28,000 connections:"
                    + " 127.0.0.2,127.0.0.3")
    private List<String> sources = List.of();

    /** The wire for HTTP. */
    Wire wire(boolean secure) {
        return wire(http2 ? Protocol.HTTP_2 : Protocol.HTTP_1_1, secure);
    }

    Wire webSocket(Protocol messages, boolean secure) {
        if (http2) {
            throw Parse.usage("--http2: a WebSocket is opened over HTTP/1.1; leave it out");
        }
        return wire(messages, secure);
    }

    private Wire wire(Protocol protocol, boolean secure) {
        return new Wire(protocol, inFlight(), tls(secure), transport, sources(), traced(protocol));
    }

    private double traced(Protocol protocol) {
        if (traced == null) {
            return 0;
        }
        if (protocol.isWebSocket() || protocol == Protocol.HTTP_1_1 && inFlight() > 1) {
            throw Parse.usage(
                    "--traceparent is of plain HTTP: messages have no headers, and pipelined requests are all the same");
        }
        return traced;
    }

    private int inFlight() {
        if (http2 && pipeline != null) {
            throw Parse.usage("--pipeline is of HTTP/1.1: with --http2 say --streams");
        }
        if (!http2 && streams != null) {
            throw Parse.usage("--streams is of HTTP/2: add --http2, or say --pipeline");
        }
        if (http2 && noKeepAlive) {
            throw Parse.usage("HTTP/2 carries all requests over its connections: leave out --no-keep-alive");
        }
        Integer n = http2 ? streams : pipeline;
        if (n == null) {
            return 1;
        }
        if (n > 1 && noKeepAlive) {
            throw Parse.usage("several requests in flight on one connection need it: leave out --no-keep-alive");
        }
        return n;
    }

    private Optional<Tls> tls(boolean secure) {
        if (!secure) {
            if (insecure || authorities != null || noResume) {
                throw Parse.usage("--insecure, --cacert and --no-resume are of TLS: the URL must begin with https:// or"
                        + " wss://");
            }
            return Optional.empty();
        }
        if (insecure && authorities != null) {
            throw Parse.usage("with --insecure every certificate is taken: leave it out, or --cacert");
        }
        if (authorities != null && !(Files.isRegularFile(authorities) && Files.isReadable(authorities))) {
            throw Parse.usage("--cacert " + authorities + ": the file can't be read");
        }
        return Optional.of(new Tls(Optional.ofNullable(authorities).map(Path::toString), insecure, !noResume));
    }

    private List<String> sources() {
        Set<String> seen = new HashSet<>();
        for (String source : sources) {
            if (!loopback(source)) {
                throw Parse.usage("--source " + source + ": an address of this machine's loopback is wanted, such as"
                        + " 127.0.0.2");
            }
            if (!seen.add(source)) {
                throw Parse.usage("--source " + source + ": it is there twice");
            }
        }
        return sources;
    }

    private static boolean loopback(String text) {
        try {
            return InetAddress.ofLiteral(text).isLoopbackAddress();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
