package dev.fettle.model.read;

import dev.fettle.load.api.Protocol;
import dev.fettle.load.api.Tls;
import dev.fettle.load.api.TransportKind;
import dev.fettle.load.api.Wire;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SequencedMap;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** Reads the protocol and transport keys of {@code load}. */
final class WireReader {
    private static final SequencedMap<String, Protocol> PROTOCOLS = new LinkedHashMap<>();

    static {
        PROTOCOLS.put("http/1.1", Protocol.HTTP_1_1);
        PROTOCOLS.put("h2", Protocol.HTTP_2);
        PROTOCOLS.put("websocket", Protocol.WEB_SOCKET_TEXT);
        PROTOCOLS.put("websocket-binary", Protocol.WEB_SOCKET_BINARY);
    }

    private final Problems problems;
    private final Scalars scalars;
    private final Path folder;

    /** @param folder of the plan's file, the base of relative paths */
    WireReader(Problems problems, Path folder) {
        this.problems = problems;
        this.scalars = new Scalars(problems);
        this.folder = folder;
    }

    Wire read(YamlFields load, boolean keepAlive) {
        Protocol protocol = load.get("protocol")
                .flatMap(n -> scalars.oneOf(n, "protocol", List.copyOf(PROTOCOLS.keySet())))
                .map(p -> PROTOCOLS.getOrDefault(p, Protocol.HTTP_1_1))
                .orElse(Protocol.HTTP_1_1);
        int inFlight = load.get("in-flight")
                .flatMap(n -> scalars.integer(n, "in-flight", 1, 10_000))
                .orElse(1);
        if (inFlight > 1 && !keepAlive) {
            problems.add(load.at("in-flight"), "several requests in flight on one connection need keep-alive: true");
        }
        if (protocol == Protocol.HTTP_2 && !keepAlive) {
            problems.add(load.at("protocol"), "h2 carries all requests over one connection: keep-alive: true");
        }
        if (protocol.isWebSocket() && !keepAlive) {
            problems.add(load.at("protocol"), "a WebSocket carries message after message: keep-alive: true");
        }
        TransportKind transport = load.get("transport")
                .flatMap(n -> scalars.oneOf(n, "transport", List.of("auto", "nio", "io_uring")))
                .map(t -> TransportKind.valueOf(t.toUpperCase(Locale.ROOT)))
                .orElse(TransportKind.AUTO);
        Optional<Tls> tls = load.get("tls").flatMap(this::tls);
        List<String> sources = load.get("sources").map(this::sources).orElse(List.of());
        return new Wire(protocol, inFlight, tls, transport, sources);
    }

    private Optional<Tls> tls(Node node) {
        if (node instanceof ScalarNode) {
            return scalars.bool(node, "tls").filter(on -> on).map(on -> new Tls(Optional.empty(), false, true));
        }
        YamlFields f = YamlFields.closed(node, "tls", PlanKeys.TLS.keys(), problems);
        Optional<String> ca = f.get("ca").flatMap(this::file);
        boolean insecure =
                f.get("insecure").flatMap(n -> scalars.bool(n, "insecure")).orElse(false);
        boolean resume = f.get("resume").flatMap(n -> scalars.bool(n, "resume")).orElse(true);
        if (insecure && f.has("ca")) {
            problems.add(f.at("ca"), "with insecure: true every certificate is accepted, so 'ca' has no effect");
        }
        return Optional.of(new Tls(ca, insecure, resume));
    }

    private Optional<String> file(Node node) {
        return scalars.path(node, "ca", folder).flatMap(path -> {
            if (!Files.isRegularFile(path)) {
                problems.add(node, "ca: no such file: " + path);
                return Optional.empty();
            }
            return Optional.of(path.toString());
        });
    }

    private List<String> sources(Node node) {
        var out = new ArrayList<String>();
        for (Node item : scalars.list(node, "sources")) {
            scalars.text(item, "a source").ifPresent(text -> {
                if (!isLoopback(text)) {
                    problems.add(
                            item,
                            "sources are addresses of this machine's loopback, such as 127.0.0.2, not '%s'"
                                    .formatted(text));
                } else if (out.contains(text)) {
                    problems.add(item, "%s is listed twice".formatted(text));
                }
                out.add(text);
            });
        }
        return out;
    }

    private static boolean isLoopback(String text) {
        try {
            return text.matches("127(\\.[0-9]{1,3}){3}|::1")
                    && InetAddress.ofLiteral(text).isLoopbackAddress();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
