package dev.fettle.model.load;

import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.Protocol;
import dev.fettle.load.api.Wire;
import dev.fettle.model.key.Checked;
import dev.fettle.model.key.Choice;
import dev.fettle.model.key.Default;
import dev.fettle.model.key.Form;
import dev.fettle.model.key.Key;
import dev.fettle.model.key.Range;
import dev.fettle.model.key.Section;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The load: closed ({@code connections} clients, each waits for its answer before the next request) or open (on a schedule,
 * whatever the server does).
 *
 * @param connections number of connections held open at once, 1 to 60000; in the open model the maximum, opened as the schedule
 *     needs them
 * @param keepAlive whether connections are reused; if not, each request opens its own
 * @param timeout longest wait for a response, after which it counts as an error
 * @param warmUpAtMost bound on the warm-up; a target that is still getting faster by then gets a void trial
 * @param measure length of the measuring phase, after the warm-up
 * @param threads generator threads, 1 or more
 * @param arrivals when requests are due
 * @param wire protocol and transport
 * @param scenario what users do instead of repeating the request; {@code request} and {@code expect} then only serve to check
 *     that the target is ready
 */
@RecordBuilder
public record Load(
        int connections,
        boolean keepAlive,
        Request request,
        Expect expect,
        Duration timeout,
        Duration warmUpAtMost,
        Duration measure,
        int threads,
        Arrivals arrivals,
        Wire wire,
        Optional<Scenario> scenario)
        implements LoadBuilder.With {

    /**
     * How many connections an open load may open if nobody says: as many as it takes, up to this. Fewer would make the generator wait
     * for the server's answers, and then it is no open load any more.
     */
    public static final int OPEN_CONNECTIONS = 1_000;

    /** The default message over a WebSocket: not a secret. */
    public static final String USUAL_MESSAGE = "hello";

    /** The request that every client repeats. Header values may be secret: they are never journalled (see Secrets). */
    @RecordBuilder
    @Section(value = "request", doc = "One HTTP request.")
    public record Request(
            @Key("HTTP method.") @Choice({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}) @Default("GET")
            String method,

            @Key(value = "Path and query.", form = Form.PAGE) @Default("/")
            String path,

            @Key(value = "Headers; their values are kept out of journals and reports.", form = Form.HEADERS)
            Map<String, String> headers,

            @Key("Request body; kept out of journals and reports.")
            Optional<String> body)
            implements LoadRequestBuilder.With {
        public Request {
            headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
        }

        /** The methods that can be sent. */
        public static final List<String> METHODS = List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

        /** What a header's name looks like. */
        public static final String HEADER_NAME = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";

        /** Whether this is a valid name of a header. */
        public static boolean isHeaderName(String name) {
            return name.matches(HEADER_NAME);
        }

        /** A GET without extra headers. */
        public static Request get(String path) {
            return new Request("GET", path, Map.of(), Optional.empty());
        }
    }

    /**
     * What a right answer looks like; anything else is an error.
     *
     * @param status the one expected status
     * @param length exact body length in bytes, if fixed
     * @param contains text that the body must contain
     * @param echo whether it must equal the message sent; WebSocket only
     */
    @RecordBuilder
    @Section(value = "expect", doc = "A right answer.")
    public record Expect(
            @Key("The one right status.") @Range(from = "200", to = "599") @Default("200")
            int status,

            @Key("Exact length of the body in bytes.") @Range(from = "0", to = "2147483647")
            OptionalInt length,

            @Key("Text that the body must contain.") Optional<String> contains,

            @Key("WebSocket: every answer must be the message that was sent.") @Default("false")
            boolean echo)
            implements LoadExpectBuilder.With, Checked {
        public static final Expect OK = new Expect(200, OptionalInt.empty(), Optional.empty());

        /** Without echo. */
        public Expect(int status, OptionalInt length, Optional<String> contains) {
            this(status, length, contains, false);
        }

        @Override
        public Optional<Wrong> wrong() {
            return echo && contains.isPresent()
                    ? Optional.of(new Wrong("echo", "echo wants the whole answer: leave it out, or 'contains'"))
                    : Optional.empty();
        }
    }

    /** Number of clients: {@code connections} times the requests in flight on each. In the open model, the maximum. */
    public int clients() {
        return connections * wire.inFlight();
    }

    /**
     * How many requests a server can work on at once. Servers handle pipelined HTTP/1.1 requests one after the other, in order:
     * a connection keeps one worker busy, whatever the depth.
     */
    public int atOnce() {
        return wire.protocol() == Protocol.HTTP_1_1 ? connections : clients();
    }

    /**
     * Z of N = X·(R + Z): the mean pause of a client between an answer and its next request, in seconds; over a scenario,
     * that of all its flows by weight. 0 in the open model, where pauses don't delay requests.
     */
    public double thinkSeconds() {
        return arrivals instanceof Arrivals.Closed closed
                ? scenario.map(s -> s.thinkSeconds(closed.think()))
                        .orElse(closed.think().toNanos() / 1e9)
                : 0;
    }

    /** The requests that one arrival of an open load makes on average: those of a scenario, else one. */
    public double requestsOnAverage() {
        return scenario.map(Scenario::requests).orElse(1.0);
    }

    /** The most requests that one arrival of an open load makes: those of a scenario's longest flow, else one. */
    public int requestsAtMost() {
        return scenario.map(Scenario::requestsAtMost).orElse(1);
    }

    /** Whether its rate changes: then it is offered once, from its beginning, to a target that is warm. */
    public boolean hasStages() {
        return arrivals instanceof Arrivals.Open open
                && open.stages().stream()
                        .anyMatch(s -> s.from() != s.to()
                                || s.from() != open.stages().getFirst().from());
    }

    /** An open load at the rate with which this one begins; closed loads stay as they are. */
    public Load atFirstRate() {
        return arrivals instanceof Arrivals.Open open
                ? withArrivals(Arrivals.Open.constant(open.stages().getFirst().from()))
                : this;
    }

    /** This load with another path. */
    public Load withPath(String path) {
        return withRequest(request.withPath(path));
    }

    public Load withScenario(Scenario followed) {
        return withScenario(Optional.of(followed));
    }
}
