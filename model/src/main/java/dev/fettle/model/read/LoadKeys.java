package dev.fettle.model.read;

import static dev.fettle.model.key.Rule.Kind.NEEDS;
import static dev.fettle.model.key.Rule.Kind.NOT_BOTH;
import static dev.fettle.model.key.Rule.Kind.SOME;

import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.Arrivals.Stage;
import dev.fettle.load.api.Protocol;
import dev.fettle.load.api.Tls;
import dev.fettle.load.api.TransportKind;
import dev.fettle.load.api.Wire;
import dev.fettle.model.key.Choice;
import dev.fettle.model.key.Default;
import dev.fettle.model.key.Form;
import dev.fettle.model.key.Key;
import dev.fettle.model.key.Matches;
import dev.fettle.model.key.Range;
import dev.fettle.model.key.Rule;
import dev.fettle.model.key.Section;
import dev.fettle.model.load.Load;
import dev.fettle.model.load.Load.Expect;
import dev.fettle.model.load.Load.Request;
import dev.fettle.model.load.Scenario;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.yaml.snakeyaml.nodes.ScalarNode;

/** The keys of {@code load}. */
@Section(
        value = "load",
        doc =
                "How requests are offered: closed (each connection waits for its answer before the next request) or open (on a schedule).")
@Rule(kind = SOME, keys = "connections rate stages", says = "load needs 'connections', for example connections: 100")
@Rule(kind = NOT_BOTH, keys = "rate stages", says = "a load has either 'rate' or 'stages', not both")
@Rule(kind = NOT_BOTH, keys = "rate think", says = LoadKeys.NO_THINK)
@Rule(kind = NOT_BOTH, keys = "stages think", says = LoadKeys.NO_THINK)
@Rule(
        kind = NEEDS,
        keys = "arrivals rate stages",
        says = "'arrivals' belongs to an open load: give it a 'rate' or 'stages'")
@Rule(kind = NEEDS, keys = "seed rate stages", says = "'seed' belongs to an open load: give it a 'rate' or 'stages'")
@Rule(kind = NOT_BOTH, keys = "scenario request", unless = "protocol", says = LoadKeys.NO_REQUEST)
@Rule(
        kind = NOT_BOTH,
        keys = "scenario expect",
        says = "a load has either 'scenario' or 'expect': each step says it itself")
record LoadKeys(
        YamlFields at,

        @Key(
                "Connections held open at once; of a load with a rate or stages the most that are opened, 1000 by default.")
        @Range(from = "1", to = "60000")
        Optional<Integer> connections,

        @Key("Whether a connection carries many requests.") @Default("true")
        boolean keepAlive,

        @Key("The request that every connection repeats.") Optional<Request> request,

        @Key("What a right answer looks like; anything else is an error.")
        Optional<Expect> expect,

        @Key("Longest wait for one answer.") @Range(from = "1ms", to = "10m") @Default("10s")
        Duration timeout,

        @Key("Longest warm-up; measuring starts as soon as the target is steady.")
        @Range(from = "0s", to = "1h")
        @Default("20s")
        Duration warmUp,

        @Key("How long is measured.") @Range(from = "100ms", to = "1h") @Default("5s")
        Duration measure,

        @Key("Generator threads; where several hosts send it, on each.") @Range(from = "1", to = "1024") @Default("1")
        int threads,

        @Key(
                value =
                        "Which of the plan's hosts send it, each a part; without it, this machine sends all. The target is then a URL.",
                item = "a host",
                distinct = true)
        List<String> from,

        @Key("Closed load: pause of a client between an answer and its next request.")
        @Range(from = "0s", to = "1h")
        @Default("0s")
        Duration think,

        @Key(value = "Open load: so many arrivals a second, whatever the server does.", form = Form.RATE)
        Optional<Double> rate,

        @Key("Open load: evenly spaced, or independent of each other as from many users.")
        @Choice({"even", "poisson"})
        @Default("even")
        String arrivals,

        @Key(value = "Open load: rates one after the other; the last one's final rate goes on.", of = StageKeys.class)
        List<Stage> stages,

        @Key("Seed of Poisson arrivals.") @Range(from = "0") @Default("1")
        long seed,

        @Key("What is spoken; over a WebSocket, request.body is the message that each connection sends.")
        @Choice({"http/1.1", "h2", "websocket", "websocket-binary"})
        @Default("http/1.1")
        String protocol,

        @Key("Requests under way on one connection at once: pipelining depth, or streams of h2.")
        @Range(from = "1", to = "10000")
        @Default("1")
        int inFlight,

        @Key(value = "Whether and how connections are secured.", of = TlsKeys.class)
        Optional<Tls> tls,

        @Key("The kernel's interface that moves the bytes.") @Choice({"auto", "nio", "io_uring"}) @Default("auto")
        TransportKind transport,

        @Key(
                value =
                        "Share of the requests that name themselves to the server's tracing (a W3C traceparent); the slowest"
                                + " of them are reported by their ids.",
                form = Form.SHARE)
        @Default("0")
        double trace,

        @Key(
                value = "Loopback addresses to connect from, in turn; each is good for some 28,000 connections.",
                item = "a source",
                distinct = true)
        @Matches(
                value = "127(\\.(25[0-5]|2[0-4][0-9]|1?[0-9]{1,2})){3}|::1",
                says = "sources are addresses of this machine's loopback, such as 127.0.0.2, not '%s'")
        List<String> sources,

        @Key(
                value = "What users do instead of repeating one request; or the name of a file that says it.",
                of = ScenarioKeys.class)
        Optional<Scenario> scenario)
        implements Written<Load> {
    static final String NO_THINK =
            "an open load sends on its schedule, so there is no think time: leave out 'think' or the rate";
    private static final String NO_TRACE =
            "traces are of a plain load over HTTP: without scenario, WebSocket and pipelining";
    static final String NO_REQUEST = "a load has either 'scenario' or 'request': each step says it itself";
    private static final Duration LONGEST = Duration.ofDays(7);

    @Override
    public Optional<Load> value(Reading reading) {
        boolean open = at.has("rate") || at.has("stages");
        reading.sentFrom(at, from);
        Wire wire = wire();
        Arrivals due = open ? open(reading.problems()) : new Arrivals.Closed(think);
        if (connections.isPresent() && threads > connections.get()) {
            at.wrong("threads", "threads: %d for %d connections".formatted(threads, connections.get()));
        }
        scenario.ifPresent(s -> steps(s, wire));
        messages(wire);
        Optional<Integer> most = open && !at.has("connections") ? Optional.of(reading.openConnections()) : connections;
        return most.map(c -> {
            var load = new Load(
                    c,
                    keepAlive,
                    request.orElse(Request.get("/")),
                    expect.orElse(Expect.OK),
                    timeout,
                    warmUp,
                    measure,
                    threads,
                    due,
                    wire,
                    Optional.empty());
            return scenario.map(s -> opening(s, load).withScenario(s)).orElse(load);
        });
    }

    private Arrivals open(Problems problems) {
        boolean poisson = arrivals.equals("poisson");
        if (at.has("seed") && !poisson) {
            at.wrong("seed", "'seed' is of use only with arrivals: poisson");
        }
        if (problems.none() && at.has("stages") && stages.stream().allMatch(s -> s.from() == 0 && s.to() == 0)) {
            problems.add(at.get("stages").orElseThrow(), "no stage has a rate above 0, so nothing would be sent");
        }
        List<Stage> all = rate.map(r -> List.of(new Stage(r, r, LONGEST, 1))).orElse(stages);
        return all.isEmpty() ? Arrivals.Closed.BACK_TO_BACK : new Arrivals.Open(all, poisson, seed);
    }

    private Wire wire() {
        Protocol spoken = switch (protocol) {
            case "h2" -> Protocol.HTTP_2;
            case "websocket" -> Protocol.WEB_SOCKET_TEXT;
            case "websocket-binary" -> Protocol.WEB_SOCKET_BINARY;
            default -> Protocol.HTTP_1_1;
        };
        if (inFlight > 1 && !keepAlive) {
            at.wrong("in-flight", "several requests in flight on one connection need keep-alive: true");
        }
        if (spoken == Protocol.HTTP_2 && !keepAlive) {
            at.wrong("protocol", "h2 carries all requests over one connection: keep-alive: true");
        }
        if (spoken.isWebSocket() && !keepAlive) {
            at.wrong("protocol", "a WebSocket carries message after message: keep-alive: true");
        }
        if (trace > 0 && (spoken.isWebSocket() || spoken == Protocol.HTTP_1_1 && inFlight > 1 || at.has("scenario"))) {
            at.wrong("trace", NO_TRACE);
        }
        return new Wire(spoken, inFlight, tls, transport, sources, trace);
    }

    /** Reports keys that don't go with a WebSocket, or only with one. */
    private void messages(Wire wire) {
        if (!wire.protocol().isWebSocket()) {
            if (expect.filter(Expect::echo).isPresent()) {
                at.wrong("expect", "expect.echo is of WebSockets: protocol: websocket");
            }
            return;
        }
        boolean body = request.flatMap(Request::body).isPresent();
        if (at.has("scenario") && body) {
            at.wrong("request", "the steps of the scenario send the messages: leave 'body' out");
        } else if (!at.has("scenario") && !body) {
            at.wrong("protocol", "a WebSocket needs a message to send: request: {path: /echo, body: hello}");
        }
        if (request.filter(r -> !r.method().equals("GET")).isPresent()) {
            at.wrong("request", "a WebSocket is opened by GET: leave 'method' out");
        }
    }

    /** Reports keys that can't be combined with a scenario. */
    private void steps(Scenario scenario, Wire wire) {
        boolean messages = wire.protocol().isWebSocket();
        scenario.flows().stream()
                .flatMap(f -> f.steps().stream())
                .filter(s -> s.isMessage() != messages)
                .forEach(s -> at.wrong(
                        "scenario",
                        (messages
                                        ? "over a WebSocket a step sends a message: step '%s' needs 'send: TEXT' instead of 'path'"
                                        : "step '%s' sends a message, which needs protocol: websocket")
                                .formatted(s.name())));
        if (!messages && at.has("request")) {
            at.wrong("request", NO_REQUEST);
        }
        if (wire.protocol() == Protocol.HTTP_1_1 && wire.inFlight() > 1) {
            at.wrong("in-flight", "a user of a scenario waits for each answer: with http/1.1 in-flight is 1");
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

    /** A stretch of time of an open load. */
    @Section(
            value = "stage",
            what = "a stage",
            doc = "A stretch of time with one rate, or with a rate that changes linearly.")
    @Rule(kind = SOME, keys = "rate from to", says = "a stage needs 'rate', for example rate: 100/s")
    @Rule(kind = NOT_BOTH, keys = "from rate", says = StageKeys.EITHER)
    @Rule(kind = NOT_BOTH, keys = "to rate", says = StageKeys.EITHER)
    @Rule(kind = NEEDS, keys = "from to rate", says = "a stage needs 'to', for example to: 2000/s", whole = true)
    @Rule(kind = NEEDS, keys = "to from rate", says = "a stage needs 'from', for example from: 100/s", whole = true)
    record StageKeys(
            YamlFields at,

            @Key(value = "The rate from beginning to end.", form = Form.RATE_OR_ZERO)
            Optional<Double> rate,

            @Key(value = "The rate at the beginning.", form = Form.RATE_OR_ZERO)
            Optional<Double> from,

            @Key(value = "The rate at the end.", form = Form.RATE_OR_ZERO)
            Optional<Double> to,

            @Key(value = "How long.", name = "for", required = "10s") @Range(from = "1ms", to = "168h")
            Optional<Duration> length,

            @Key("How many arrive at once; the rate counts each of them.")
            @Range(from = "1", to = "1000000")
            @Default("1")
            int burst)
            implements Written<Stage> {
        static final String EITHER = "a stage has either 'rate', or 'from' and 'to'";

        @Override
        public Optional<Stage> value(Reading reading) {
            Optional<Double> first = rate.or(() -> from);
            Optional<Double> last = rate.or(() -> to);
            return first.flatMap(f -> last.flatMap(l -> length.map(d -> new Stage(f, l, d, burst))));
        }
    }

    /** How connections are secured. */
    @Section(value = "tls", doc = "How connections are secured.")
    record TlsKeys(
            YamlFields at,
            @Key(value = "Whether they are.", alone = true) Optional<Boolean> on,

            @Key("PEM file of the certificates to trust, from the plan's folder.")
            Optional<Placed<Path>> ca,

            @Key("Take any certificate.") @Default("false") boolean insecure,

            @Key("Whether a new connection may resume an earlier session.") @Default("true")
            boolean resume)
            implements Written<Tls> {
        @Override
        public Optional<Tls> value(Reading reading) {
            if (insecure && at.has("ca")) {
                at.wrong("ca", "with insecure: true every certificate is accepted, so 'ca' has no effect");
            }
            Optional<Placed<Path>> missing = ca.filter(c -> !Files.isRegularFile(c.value()));
            missing.ifPresent(c -> reading.problems().add(c.at(), "ca: no such file: " + c.value()));
            return missing.isEmpty() && on.orElse(!(at.node() instanceof ScalarNode))
                    ? Optional.of(new Tls(ca.map(c -> c.value().toString()), insecure, resume))
                    : Optional.empty();
        }
    }
}
