package dev.fettle.model.plan;

import dev.fettle.model.load.Arrivals;
import dev.fettle.model.load.Load;
import dev.fettle.model.load.Wire;
import dev.fettle.model.load.Wire.Protocol;
import dev.fettle.model.plan.GridPoints.Parts;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.Units;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A property of the load, or of the backend, that a grid can vary. */
enum GridProperty {
    /** Clients of a closed load, maximum connections of an open one: 1 to 60000. */
    CONNECTIONS("load.connections") {
        @Override
        String canonical(String value) {
            return integer(value, 60_000);
        }

        @Override
        Parts apply(String v, Parts parts) {
            return parts.with(parts.load().withConnections(Integer.parseInt(v)));
        }
    },
    KEEP_ALIVE("load.keep-alive") {
        @Override
        String canonical(String value) {
            if (!value.equals("true") && !value.equals("false")) {
                throw wrong("true or false", value);
            }
            return value;
        }

        @Override
        Parts apply(String v, Parts parts) {
            return parts.with(parts.load().withKeepAlive(Boolean.parseBoolean(v)));
        }
    },
    PATH("load.path") {
        @Override
        String canonical(String value) {
            if (!value.matches("/[!-~]*")) {
                throw new IllegalArgumentException("a path starts with '/' and holds no blanks: '%s'".formatted(value));
            }
            return value;
        }

        @Override
        Parts apply(String v, Parts parts) {
            return parts.with(parts.load().withPath(v));
        }
    },
    /** A client's pause between an answer and its next request, at most 1 h. */
    THINK("load.think") {
        @Override
        String canonical(String value) {
            return duration(value, Duration.ofHours(1));
        }

        @Override
        Parts apply(String v, Parts parts) {
            if (!(parts.load().arrivals() instanceof Arrivals.Closed)) {
                throw new IllegalArgumentException(
                        "load.think: an open load sends on its schedule, so there is no think time; leave out the rate");
            }
            return parts.with(parts.load().withArrivals(new Arrivals.Closed(Units.duration(v))));
        }
    },
    /** Arrivals per second of an open load. */
    RATE("load.rate") {
        @Override
        String canonical(String value) {
            return BigDecimal.valueOf(Units.rate(value)).stripTrailingZeros().toPlainString() + "/s";
        }

        @Override
        Parts apply(String v, Parts parts) {
            if (!(parts.load().arrivals() instanceof Arrivals.Open open)) {
                throw new IllegalArgumentException(
                        "load.rate varies the rate of an open load, and this one is closed: give 'load' a rate, too");
            }
            double rate = Units.rate(v);
            var stage = open.stages().getFirst();
            var constant = new Arrivals.Stage(rate, rate, stage.length(), stage.burst());
            return parts.with(
                    parts.load().withArrivals(new Arrivals.Open(List.of(constant), open.poisson(), open.seed())));
        }
    },
    /** Requests in flight on a connection: 1 to 10000. */
    IN_FLIGHT("load.in-flight") {
        @Override
        String canonical(String value) {
            return integer(value, 10_000);
        }

        @Override
        Parts apply(String v, Parts parts) {
            Wire w = parts.load().wire();
            return parts.with(parts.load()
                    .withWire(new Wire(w.protocol(), Integer.parseInt(v), w.tls(), w.transport(), w.sources())));
        }
    },
    PROTOCOL("load.protocol") {
        @Override
        String canonical(String value) {
            if (!value.equals(H1) && !value.equals(H2)) {
                throw wrong(H1 + " or " + H2, value);
            }
            return value;
        }

        @Override
        Parts apply(String v, Parts parts) {
            Wire w = parts.load().wire();
            Protocol protocol = v.equals(H2) ? Protocol.HTTP_2 : Protocol.HTTP_1_1;
            return parts.with(
                    parts.load().withWire(new Wire(protocol, w.inFlight(), w.tls(), w.transport(), w.sources())));
        }
    },
    /** Plain text; TLS in which a new connection resumes an earlier session; or TLS with a full handshake each. */
    TLS("load.tls") {
        @Override
        String canonical(String value) {
            if (!value.equals(PLAIN) && !value.equals(RESUMED) && !value.equals(FULL)) {
                throw wrong(PLAIN + ", " + RESUMED + " or " + FULL, value);
            }
            return value;
        }

        @Override
        Parts apply(String v, Parts parts) {
            Wire w = parts.load().wire();
            Optional<Wire.Tls> tls = v.equals(PLAIN)
                    ? Optional.empty()
                    : Optional.of(new Wire.Tls(Optional.empty(), false, v.equals(RESUMED)));
            return parts.with(
                    parts.load().withWire(new Wire(w.protocol(), w.inFlight(), tls, w.transport(), w.sources())));
        }
    },
    /** Bytes of the request's body, at most 1 MiB; it consists of letters. */
    BODY("load.request-bytes") {
        @Override
        String canonical(String value) {
            return bytes(value, 1L << 20);
        }

        @Override
        Parts apply(String v, Parts parts) {
            Load.Request r = parts.load().request();
            if (!List.of("POST", "PUT", "PATCH").contains(r.method())) {
                throw new IllegalArgumentException(
                        "load.request-bytes: a %s request has no body; use method: POST, PUT or PATCH"
                                .formatted(r.method()));
            }
            var body =
                    new Load.Request(r.method(), r.path(), r.headers(), Optional.of("x".repeat(Integer.parseInt(v))));
            return parts.with(parts.load().withRequest(body));
        }
    },
    /** Response time of the backend, at most 1 min. */
    BACKEND_DELAY("backend.delay") {
        @Override
        String canonical(String value) {
            return duration(value, Duration.ofMinutes(1));
        }

        @Override
        Parts apply(String v, Parts parts) {
            return backend(parts, b -> new Target.Backend(Units.duration(v), b.bytes()));
        }
    },
    /** Bytes of the backend's answer, at most 64 MiB. */
    BACKEND_BYTES("backend.bytes") {
        @Override
        String canonical(String value) {
            return bytes(value, 64L << 20);
        }

        @Override
        Parts apply(String v, Parts parts) {
            return backend(parts, b -> new Target.Backend(b.delay(), Integer.parseInt(v)));
        }
    };

    private static final String PLAIN = "none";
    private static final String RESUMED = "resumed";
    private static final String FULL = "full";
    private static final String H1 = "http/1.1";
    private static final String H2 = "h2";

    private final String dimension;

    GridProperty(String dimension) {
        this.dimension = dimension;
    }

    String dimension() {
        return dimension;
    }

    /** The value in the canonical form that names a cell. */
    abstract String canonical(String value);

    /** @throws IllegalArgumentException if the load or the target has no such property */
    abstract Parts apply(String canonical, Parts parts);

    /** As {@link #canonical(String)}, for a target that has this property. */
    String canonical(String value, Target target) {
        if (ofBackend()) {
            backend(target);
        }
        if (this == TLS && !isConfigured(target)) {
            throw new IllegalArgumentException(
                    "load.tls can vary only where Fettle configures the server: embedded, a WAR, a distribution, a Spring Boot jar");
        }
        return canonical(value);
    }

    /** The dimensions that a target has. */
    static List<String> names(Target target) {
        return Arrays.stream(values())
                .filter(p -> !p.ofBackend() || hasBackend(target))
                .filter(p -> p != TLS || isConfigured(target))
                .map(GridProperty::dimension)
                .toList();
    }

    private boolean ofBackend() {
        return this == BACKEND_DELAY || this == BACKEND_BYTES;
    }

    /** Whether Fettle configures the server's connector, and so can give it a key. */
    private static boolean isConfigured(Target target) {
        return target instanceof Target.Embedded
                || target instanceof Target.War
                || target instanceof Target.Standalone
                || target instanceof Target.Boot;
    }

    private static boolean hasBackend(Target target) {
        return target instanceof Target.Embedded e && e.backend().isPresent();
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

    private interface Change {
        Target.Backend of(Target.Backend backend);
    }

    private static Parts backend(Parts parts, Change change) {
        Target.Embedded e = backend(parts.target());
        return parts.with(new Target.Embedded(
                e.server(), e.app(), e.options(), e.backend().map(change::of), e.jvm()));
    }

    private static Target.Embedded backend(Target target) {
        if (target instanceof Target.Embedded e && e.backend().isPresent()) {
            return e;
        }
        throw new IllegalArgumentException("no backend to vary: only the login app of an embedded target calls one");
    }

    IllegalArgumentException wrong(String right, String value) {
        return new IllegalArgumentException("%s is %s, not '%s'".formatted(dimension, right, value));
    }

    String integer(String value, int most) {
        if (!value.matches("[0-9]{1,5}") || Integer.parseInt(value) < 1 || Integer.parseInt(value) > most) {
            throw wrong("a whole number from 1 to " + most, value);
        }
        return Integer.toString(Integer.parseInt(value));
    }

    String duration(String value, Duration most) {
        Duration d = Units.duration(value);
        if (d.compareTo(most) > 0) {
            throw wrong("at most " + Units.text(most), value);
        }
        return Units.shortest(d);
    }

    String bytes(String value, long most) {
        long bytes = Units.size(value);
        if (bytes > most) {
            throw wrong("at most " + Units.sizeText(most), value);
        }
        return Long.toString(bytes);
    }
}
