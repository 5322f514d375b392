package dev.fettle.model.plan;

import dev.fettle.model.Arrivals;
import dev.fettle.model.Load;
import dev.fettle.model.Load.Expect;
import dev.fettle.model.Load.Request;
import dev.fettle.model.Wire;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.yaml.snakeyaml.nodes.Node;

/** Reads {@code load}. */
final class LoadReader {
    static final List<String> METHODS = List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

    private static final Map<String, String> OURS = Map.of(
            "connection", "use load.keep-alive",
            "content-length", "it follows from load.request.body",
            "transfer-encoding", "it follows from load.request.body");

    private final Problems problems;
    private final Scalars scalars;

    private final Path folder;

    /** @param folder of the plan's file; other files are found from there */
    LoadReader(Problems problems, Path folder) {
        this.problems = problems;
        this.scalars = new Scalars(problems);
        this.folder = folder;
    }

    Optional<Load> read(Node node) {
        Fields f = Fields.closed(node, "load", Keys.of(Keys.LOAD), problems);
        Optional<Integer> connections =
                f.require("connections", "100").flatMap(n -> scalars.integer(n, "connections", 1, 60_000));
        boolean keepAlive =
                f.get("keep-alive").flatMap(n -> scalars.bool(n, "keep-alive")).orElse(true);
        Request request = f.get("request").map(this::request).orElse(Request.get("/"));
        Expect expect = f.get("expect").map(this::expect).orElse(Expect.OK);
        Duration timeout = duration(f, "timeout", Duration.ofMillis(1), Duration.ofMinutes(10), Duration.ofSeconds(10));
        Duration warmUp = duration(f, "warm-up", Duration.ZERO, Duration.ofHours(1), Duration.ofSeconds(20));
        Duration measure = duration(f, "measure", Duration.ofMillis(100), Duration.ofHours(1), Duration.ofSeconds(5));
        int threads = f.get("threads")
                .flatMap(n -> scalars.integer(n, "threads", 1, 1024))
                .orElse(1);
        if (connections.isPresent() && threads > connections.get()) {
            problems.add(f.at("threads"), "threads: %d for %d connections".formatted(threads, connections.get()));
        }
        Arrivals arrivals = new ArrivalsReader(problems).read(f);
        Wire wire = new WireReader(problems, folder).read(f, keepAlive);
        return connections.map(
                c -> new Load(c, keepAlive, request, expect, timeout, warmUp, measure, threads, arrivals, wire));
    }

    private Duration duration(Fields f, String key, Duration min, Duration max, Duration otherwise) {
        return f.get(key).flatMap(n -> scalars.duration(n, key, min, max)).orElse(otherwise);
    }

    private Request request(Node node) {
        Fields f = Fields.closed(node, "request", Keys.of(Keys.REQUEST), problems);
        String method = f.get("method")
                .flatMap(n -> scalars.oneOf(n, "method", METHODS))
                .orElse("GET");
        String path = f.get("path").flatMap(this::path).orElse("/");
        var headers = new LinkedHashMap<String, String>();
        f.get("headers")
                .ifPresent(n -> Fields.open(n, "headers", problems).all().forEach(e -> header(e, headers)));
        Optional<String> body = f.get("body").flatMap(n -> scalars.text(n, "body"));
        return new Request(method, path, headers, body);
    }

    private Optional<String> path(Node node) {
        Optional<String> path = scalars.text(node, "path");
        if (path.isPresent() && !path.get().matches("/[!-~]*")) {
            problems.add(node, "a path starts with '/' and holds no blanks: '%s'".formatted(path.get()));
            return Optional.empty();
        }
        return path;
    }

    private void header(Fields.Entry e, Map<String, String> headers) {
        Optional<String> value = scalars.text(e.value(), e.key());
        String instead = OURS.get(e.key().toLowerCase(Locale.ROOT));
        if (!e.key().matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+")) {
            problems.add(e.keyNode(), "'%s' is not a header name".formatted(e.key()));
        } else if (instead != null) {
            problems.add(e.keyNode(), "header %s is set by Fettle: %s".formatted(e.key(), instead));
        } else if (value.isPresent() && value.get().chars().anyMatch(c -> c < ' ' || c == 127)) {
            problems.add(e.value(), "header %s: no line breaks or control characters".formatted(e.key()));
        } else {
            value.ifPresent(v -> headers.put(e.key(), v));
        }
    }

    private Expect expect(Node node) {
        Fields f = Fields.closed(node, "expect", Keys.of(Keys.EXPECT), problems);
        int status = f.get("status")
                .flatMap(n -> scalars.integer(n, "status", 200, 599))
                .orElse(200);
        Optional<Integer> length = f.get("length").flatMap(n -> scalars.integer(n, "length", 0, Integer.MAX_VALUE));
        Optional<String> contains = f.get("contains").flatMap(n -> scalars.text(n, "contains"));
        return new Expect(status, length.map(OptionalInt::of).orElse(OptionalInt.empty()), contains);
    }
}
