package dev.fettle.model.plan;

import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.Protocol;
import dev.fettle.load.api.Tls;
import dev.fettle.model.knob.ServerKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.GridPoints.Parts;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.Secrets;
import dev.fettle.model.text.Units;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/** A property of the load, or of the backend, that a grid can vary. */
enum GridProperty {
    /** The server of a sample app or a WAR. */
    SERVER(ServerKind.CHOICE, (p, v) -> ServerKind.choice().canonical(v), GridProperty::server),
    /** Clients of a closed load, maximum connections of an open one: 1 to 60000. */
    CONNECTIONS(
            "load.connections", (p, v) -> p.integer(v, 60_000), load((l, v) -> l.withConnections(Integer.parseInt(v)))),
    KEEP_ALIVE(
            "load.keep-alive",
            (p, v) -> p.oneOf(v, "true", "false"),
            load((l, v) -> l.withKeepAlive(Boolean.parseBoolean(v)))),
    PATH("load.path", GridProperty::path, load(Load::withPath)),
    /** A client's pause between an answer and its next request, at most 1 h. */
    THINK("load.think", (p, v) -> p.duration(v, Duration.ofHours(1)), load(GridProperty::think)),
    /** Arrivals per second of an open load. */
    RATE(
            "load.rate",
            (p, v) -> BigDecimal.valueOf(Units.rate(v)).stripTrailingZeros().toPlainString() + "/s",
            load(GridProperty::rate)),
    /** Requests in flight on a connection: 1 to 10000. */
    IN_FLIGHT(
            "load.in-flight",
            (p, v) -> p.integer(v, 10_000),
            load((l, v) -> l.withWire(l.wire().withInFlight(Integer.parseInt(v))))),
    PROTOCOL("load.protocol", (p, v) -> p.oneOf(v, "http/1.1", "h2"), load(GridProperty::protocol)),
    /** Plain text; TLS in which a new connection resumes an earlier session; or TLS with a full handshake each. */
    TLS("load.tls", (p, v) -> p.oneOf(v, "none", "resumed", "full"), load(GridProperty::tls)),
    /** Bytes of the request's body, at most 1 MiB; it consists of letters. */
    BODY("load.request-bytes", (p, v) -> p.bytes(v, 1L << 20), load(GridProperty::body)),
    /** Response time of the backend, at most 1 min. */
    BACKEND_DELAY(
            "backend.delay",
            (p, v) -> p.duration(v, Duration.ofMinutes(1)),
            backend((b, v) -> new Target.Backend(Units.duration(v), b.bytes()))),
    /** Bytes of the backend's answer, at most 64 MiB. */
    BACKEND_BYTES(
            "backend.bytes",
            (p, v) -> p.bytes(v, 64L << 20),
            backend((b, v) -> new Target.Backend(b.delay(), Integer.parseInt(v))));

    private final String dimension;
    private final BiFunction<GridProperty, String, String> canonical;
    private final BiFunction<Parts, String, Parts> change;

    GridProperty(
            String dimension,
            BiFunction<GridProperty, String, String> canonical,
            BiFunction<Parts, String, Parts> change) {
        this.dimension = dimension;
        this.canonical = canonical;
        this.change = change;
    }

    String dimension() {
        return dimension;
    }

    /**
     * Changes it to a canonical value.
     *
     * @throws IllegalArgumentException if the load or the target has no such property
     */
    Parts apply(String value, Parts parts) {
        return change.apply(parts, value);
    }

    /** The value in the canonical form that names a cell, for a target that has this property. */
    String canonical(String value, Target target) {
        if (ofBackend()) {
            backend(target);
        }
        if (this == TLS && !target.hasConnector()) {
            throw new IllegalArgumentException(
                    "load.tls can vary only where Fettle configures the server: embedded, a WAR, a distribution, a Spring Boot jar");
        }
        return canonical.apply(this, value);
    }

    /** The dimensions that a target has. */
    static List<String> names(Target target) {
        return Arrays.stream(values())
                .filter(p -> !p.ofBackend() || target.backend().isPresent())
                .filter(p -> p != TLS || target.hasConnector())
                .filter(p -> p != SERVER || target.movable())
                .map(GridProperty::dimension)
                .toList();
    }

    private boolean ofBackend() {
        return this == BACKEND_DELAY || this == BACKEND_BYTES;
    }

    static Optional<GridProperty> of(String dimension) {
        return Arrays.stream(values())
                .filter(p -> p.dimension.equals(dimension))
                .findFirst();
    }

    /** @throws IllegalArgumentException if no connection can carry this load */
    static void check(Load load) {
        if (!load.keepAlive() && load.wire().inFlight() > 1) {
            throw new IllegalArgumentException(
                    "several requests in flight on one connection (load.in-flight) need load.keep-alive: true");
        }
        if (!load.keepAlive() && load.wire().protocol() == Protocol.HTTP_2) {
            throw new IllegalArgumentException(
                    "load.protocol: h2 carries all requests over one connection, and needs load.keep-alive: true");
        }
        if (load.scenario().isPresent()
                && load.wire().protocol() == Protocol.HTTP_1_1
                && load.wire().inFlight() > 1) {
            throw new IllegalArgumentException(
                    "a user of a scenario waits for each answer: with http/1.1 load.in-flight is 1");
        }
    }

    private static Parts server(Parts parts, String value) {
        if (!parts.target().movable()) {
            throw new IllegalArgumentException(
                    "server can vary only where Fettle deploys a sample app or a WAR: %s is neither"
                            .formatted(parts.target().label()));
        }
        return parts.with(parts.target().under(Setting.of(ServerKind.CHOICE, value)));
    }

    private static BiFunction<Parts, String, Parts> load(BiFunction<Load, String, Load> change) {
        return (parts, value) -> parts.with(change.apply(parts.load(), value));
    }

    private static BiFunction<Parts, String, Parts> backend(BiFunction<Target.Backend, String, Target.Backend> change) {
        return (parts, value) -> {
            Target target = parts.target();
            return parts.with(target.calling(change.apply(backend(target), value)));
        };
    }

    private static Target.Backend backend(Target target) {
        return target.backend()
                .orElseThrow(() -> new IllegalArgumentException(
                        "no backend to vary: only the login app of an embedded target calls one"));
    }

    private static String path(GridProperty p, String value) {
        if (!value.matches("/[!-~]*")) {
            throw new IllegalArgumentException(
                    "a path starts with '/' and holds no blanks: '%s'".formatted(Secrets.redactUrl(value)));
        }
        return value;
    }

    private static Load think(Load load, String value) {
        if (!(load.arrivals() instanceof Arrivals.Closed)) {
            throw new IllegalArgumentException(
                    "load.think: an open load sends on its schedule, so there is no think time; leave out the rate");
        }
        return load.withArrivals(new Arrivals.Closed(Units.duration(value)));
    }

    private static Load rate(Load load, String value) {
        if (!(load.arrivals() instanceof Arrivals.Open open)) {
            throw new IllegalArgumentException(
                    "load.rate varies the rate of an open load, and this one is closed: give 'load' a rate, too");
        }
        double rate = Units.rate(value);
        var stage = open.stages().getFirst();
        var constant = new Arrivals.Stage(rate, rate, stage.length(), stage.burst());
        return load.withArrivals(new Arrivals.Open(List.of(constant), open.poisson(), open.seed()));
    }

    private static Load protocol(Load load, String value) {
        Protocol protocol = value.equals("h2") ? Protocol.HTTP_2 : Protocol.HTTP_1_1;
        return load.withWire(load.wire().withProtocol(protocol));
    }

    private static Load tls(Load load, String value) {
        Optional<Tls> tls = value.equals("none")
                ? Optional.empty()
                : Optional.of(new Tls(Optional.empty(), false, value.equals("resumed")));
        return load.withWire(load.wire().withTls(tls));
    }

    private static Load body(Load load, String value) {
        Load.Request r = load.request();
        if (!List.of("POST", "PUT", "PATCH").contains(r.method())) {
            throw new IllegalArgumentException(
                    "load.request-bytes: a %s request has no body; use method: POST, PUT or PATCH"
                            .formatted(r.method()));
        }
        return load.withRequest(r.withBody(Optional.of("x".repeat(Integer.parseInt(value)))));
    }

    private String oneOf(String value, String... right) {
        if (!List.of(right).contains(value)) {
            throw wrong(Format.list(List.of(right), "or"), value);
        }
        return value;
    }

    private IllegalArgumentException wrong(String right, String value) {
        return new IllegalArgumentException("%s is %s, not '%s'".formatted(dimension, right, value));
    }

    private String integer(String value, int most) {
        if (!value.matches("[0-9]{1,5}") || Integer.parseInt(value) < 1 || Integer.parseInt(value) > most) {
            throw wrong("a whole number from 1 to " + most, value);
        }
        return Integer.toString(Integer.parseInt(value));
    }

    private String duration(String value, Duration most) {
        Duration d = Units.duration(value);
        if (d.compareTo(most) > 0) {
            throw wrong("at most " + Units.text(most), value);
        }
        return Units.shortest(d);
    }

    private String bytes(String value, long most) {
        long bytes = Units.size(value);
        if (bytes > most) {
            throw wrong("at most " + Units.sizeText(most), value);
        }
        return Long.toString(bytes);
    }
}
