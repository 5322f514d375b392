package dev.fettle.model.read;

import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.Protocol;
import dev.fettle.load.api.Wire;
import dev.fettle.model.load.Load;
import dev.fettle.model.load.Load.Expect;
import dev.fettle.model.load.Load.Request;
import dev.fettle.model.load.Scenario;
import dev.fettle.model.text.Secrets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.yaml.snakeyaml.nodes.Node;

/** Reads {@code load}. */
final class LoadReader {
    private final Problems problems;
    private final Scalars scalars;

    private final Path folder;
    private final int openConnections;

    /**
     * A reader.
     *
     * @param folder of the plan's file, the base of relative paths
     * @param openConnections how many connections an open load may open that does not say it
     */
    LoadReader(Problems problems, Path folder, int openConnections) {
        this.openConnections = openConnections;
        this.problems = problems;
        this.scalars = new Scalars(problems);
        this.folder = folder;
    }

    Optional<Load> read(Node node) {
        YamlFields f = YamlFields.closed(node, "load", PlanKeys.LOAD.keys(), problems);
        boolean open = f.has("rate") || f.has("stages");
        Optional<Integer> connections = open && !f.has("connections")
                ? Optional.of(openConnections)
                : f.require("connections", "100").flatMap(n -> scalars.integer(n, "connections", 1, 60_000));
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
        Optional<Scenario> scenario = f.get("scenario").flatMap(new ScenarioReader(problems, folder)::read);
        scenario.ifPresent(s -> alone(f, wire, s));
        messages(f, wire, request, expect);
        return connections.map(c -> {
            var load = new Load(
                    c, keepAlive, request, expect, timeout, warmUp, measure, threads, arrivals, wire, Optional.empty());
            return scenario.map(s -> opening(s, load).withScenario(s)).orElse(load);
        });
    }

    /** Reports keys that don't go with a WebSocket, or only with one. */
    private void messages(YamlFields f, Wire wire, Request request, Expect expect) {
        if (!wire.protocol().isWebSocket()) {
            if (expect.echo()) {
                problems.add(f.at("expect"), "expect.echo is of WebSockets: protocol: websocket");
            }
            return;
        }
        if (f.has("scenario")) {
            if (request.body().isPresent()) {
                problems.add(f.at("request"), "the steps of the scenario send the messages: leave 'body' out");
            }
        } else if (request.body().isEmpty()) {
            problems.add(f.at("protocol"), "a WebSocket needs a message to send: request: {path: /echo, body: hello}");
        }
        if (!request.method().equals("GET")) {
            problems.add(f.at("request"), "a WebSocket is opened by GET: leave 'method' out");
        }
    }

    /** Reports keys that can't be combined with a scenario. */
    private void alone(YamlFields f, Wire wire, Scenario scenario) {
        boolean messages = wire.protocol().isWebSocket();
        for (Scenario.Flow flow : scenario.flows()) {
            for (Scenario.Step step : flow.steps()) {
                if (step.isMessage() != messages) {
                    problems.add(
                            f.at("scenario"),
                            messages
                                    ? "over a WebSocket a step sends a message: step '%s' needs 'send: TEXT' instead of 'path'"
                                            .formatted(step.name())
                                    : "step '%s' sends a message, which needs protocol: websocket"
                                            .formatted(step.name()));
                }
            }
        }
        for (String key : messages ? List.of("expect") : List.of("request", "expect")) {
            if (f.has(key)) {
                problems.add(
                        f.at(key), "a load has either 'scenario' or '%s': each step says it itself".formatted(key));
            }
        }
        if (wire.protocol() == Protocol.HTTP_1_1 && wire.inFlight() > 1) {
            problems.add(f.at("in-flight"), "a user of a scenario waits for each answer: with http/1.1 in-flight is 1");
        }
    }

    /** The load with the first step as its readiness request, sent until the target answers. */
    private static Load opening(Scenario scenario, Load load) {
        return scenario.opening()
                .map(s -> load.withRequest(new Request("GET", s.path(), s.headers(), Optional.empty()))
                        .withExpect(new Expect(
                                s.statuses().stream().findFirst().orElse(200), OptionalInt.empty(), Optional.empty())))
                .orElse(load);
    }

    private Duration duration(YamlFields f, String key, Duration min, Duration max, Duration otherwise) {
        return f.get(key).flatMap(n -> scalars.duration(n, key, min, max)).orElse(otherwise);
    }

    private Request request(Node node) {
        YamlFields f = YamlFields.closed(node, "request", PlanKeys.REQUEST.keys(), problems);
        String method = f.get("method")
                .flatMap(n -> scalars.oneOf(n, "method", Request.METHODS))
                .orElse("GET");
        String path = f.get("path").flatMap(this::path).orElse("/");
        Map<String, String> headers = f.get("headers")
                .map(n -> new Headers(problems).read(n, (at, value) -> {}))
                .orElse(Map.of());
        Optional<String> body = f.get("body").flatMap(n -> scalars.text(n, "body"));
        return new Request(method, path, headers, body);
    }

    private Optional<String> path(Node node) {
        Optional<String> path = scalars.text(node, "path");
        if (path.isPresent() && !path.get().matches("/[!-~]*")) {
            problems.add(
                    node, "a path starts with '/' and holds no blanks: '%s'".formatted(Secrets.redactUrl(path.get())));
            return Optional.empty();
        }
        return path;
    }

    Expect expect(Node node) {
        YamlFields f = YamlFields.closed(node, "expect", PlanKeys.EXPECT.keys(), problems);
        int status = f.get("status")
                .flatMap(n -> scalars.integer(n, "status", 200, 599))
                .orElse(200);
        Optional<Integer> length = f.get("length").flatMap(n -> scalars.integer(n, "length", 0, Integer.MAX_VALUE));
        Optional<String> contains = f.get("contains").flatMap(n -> scalars.text(n, "contains"));
        boolean echo = f.get("echo").flatMap(n -> scalars.bool(n, "echo")).orElse(false);
        if (echo && contains.isPresent()) {
            problems.add(f.at("echo"), "echo wants the whole answer: leave it out, or 'contains'");
        }
        return new Expect(status, length.map(OptionalInt::of).orElse(OptionalInt.empty()), contains, echo);
    }
}
