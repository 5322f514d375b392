package dev.fettle.load;

import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.Protocol;
import dev.fettle.load.api.Ranges;
import dev.fettle.load.api.Wire;
import dev.fettle.load.os.CpuPin;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A load: what is sent, when, over how many connections, and what is expected.
 *
 * @param address where to send; already resolved, so that no name look-up happens in a run
 * @param request what to send; not used with a scenario. Over a WebSocket it opens each connection, with GET, and
 *     its body, of up to 16 MiB, is the message that is sent again and again
 * @param scenario what users do instead of repeating the request; empty: they repeat it
 * @param connections how many at once, 1 to 1,000,000; in the open model the maximum, opened as the schedule needs
 *     them
 * @param arrivals when requests are due
 * @param wire how they travel
 * @param serverName sent by TLS (SNI) and checked against the certificate
 * @param keepAlive whether a connection is reused; if not, each request opens its own, sends {@code Connection:
 *     close}, and its latency counts from the start of the connect
 * @param threads engine threads, 1 to the connections of this part; each has its own share of the connections and of the
 *     arrivals
 * @param maxRequests most attempts, at least 1, including failed ones; with a scenario most runs through it
 *     (iterations), each with all its requests; empty: only time limits
 * @param maxDuration nothing more is started after this long, over 0 and up to 7 days, without pauses ({@link
 *     LoadRun#pause()}); always a limit. An open load ends with its last stage if that is earlier. Requests that were
 *     due by then and found no connection are {@link Window#unsent()}
 * @param drain how long to wait for requests in flight after the load's end, 0 to 10 minutes; those still
 *     unanswered then are counted as {@link Window#abandoned()}
 * @param connectTimeout 1 ms to 10 minutes
 * @param responseTimeout from send to the end of the response, 1 ms to 10 minutes
 * @param expect what makes a response valid; not used with a scenario, whose steps define it
 * @param cpus CPU numbers to pin engine threads to, one each in ascending order, round-robin; empty: not pinned
 * @param part which part of it is sent here: all else says what the whole is, and {@code threads} how many each part has
 */
@RecordBuilder
@RecordBuilder.Options(addConcreteSettersForOptional = RecordBuilder.ConcreteSettersForOptionalMode.ENABLED)
public record LoadSpec(
        InetSocketAddress address,
        RequestTemplate request,
        Optional<Scenario> scenario,
        int connections,
        Arrivals arrivals,
        Wire wire,
        String serverName,
        boolean keepAlive,
        int threads,
        OptionalLong maxRequests,
        Duration maxDuration,
        Duration drain,
        Duration connectTimeout,
        Duration responseTimeout,
        Expectation expect,
        Set<Integer> cpus,
        Part part)
        implements LoadSpecBuilder.With {

    /** Bytes of bodies that are copied so that requests can name themselves. */
    private static final long MOST_TRACED = 256L << 20;

    private static final Duration LONGEST_WAIT = Duration.ofMinutes(10);

    /**
     * Checks the ranges.
     *
     * @throws IllegalArgumentException if a component is out of the range given above
     */
    public LoadSpec {
        if (address.isUnresolved()) {
            throw new IllegalArgumentException("address must be resolved before the run: " + address.getHostString());
        }
        Ranges.range("port", address.getPort(), 1, 65_535);
        Ranges.range("connections", connections, 1, 1_000_000);
        if (connections < part.of()) {
            throw new IllegalArgumentException(
                    "fewer connections (" + connections + ") than hosts that send the load (" + part.of() + ")");
        }
        Ranges.range("threads", threads, 1, Math.toIntExact(part.share(connections)));
        if (maxRequests.isPresent()) {
            Ranges.range("max requests", maxRequests.getAsLong(), 1, Long.MAX_VALUE);
        }
        Ranges.range("max duration", maxDuration, Duration.ofNanos(1), Duration.ofDays(7));
        Ranges.range("drain", drain, Duration.ZERO, LONGEST_WAIT);
        Ranges.range("connect timeout", connectTimeout, Duration.ofMillis(1), LONGEST_WAIT);
        Ranges.range("response timeout", responseTimeout, Duration.ofMillis(1), LONGEST_WAIT);
        if (request.isHead() && expect.bodyContains().isPresent()) {
            throw new IllegalArgumentException("a HEAD request has no body in which to find text");
        }
        if (wire.inFlight() > 1 && !keepAlive) {
            throw new IllegalArgumentException("several requests in flight on one connection need keep-alive");
        }
        if (scenario.isPresent()) {
            check(scenario.get(), wire);
        }
        if (wire.protocol().isWebSocket()) {
            WebSocketRequest.check(request, wire.protocol());
        } else if (expect.echo()) {
            throw new IllegalArgumentException("an echo is expected of messages only: over a WebSocket");
        }
        if (wire.traced() > 0) {
            checkTraced(request, scenario.isPresent(), connections, wire);
        }
        for (InetAddress source : addresses(wire.sources())) {
            if (source.getClass() != address.getAddress().getClass()) {
                throw new IllegalArgumentException("cannot connect from " + source.getHostAddress() + " to "
                        + address.getAddress().getHostAddress() + ": one is IPv4, the other IPv6");
            }
        }
        for (int cpu : cpus) {
            Ranges.range("cpu", cpu, 0, CpuPin.MAX_CPU);
        }
        cpus = Set.copyOf(cpus);
    }

    /** Connections of this part. */
    public int ownConnections() {
        return Math.toIntExact(part.share(connections));
    }

    private static void checkTraced(RequestTemplate request, boolean scenario, int connections, Wire wire) {
        if (scenario || wire.protocol().isWebSocket() || wire.protocol() == Protocol.HTTP_1_1 && wire.inFlight() > 1) {
            throw new IllegalArgumentException(
                    "traces are of a plain load over HTTP: no scenario, no messages, no pipelining");
        }
        if (request.headers().stream().anyMatch(h -> h.name().equalsIgnoreCase("traceparent"))) {
            throw new IllegalArgumentException("the request has a traceparent already");
        }
        if ((long) connections * wire.inFlight() * request.body().length > MOST_TRACED) {
            throw new IllegalArgumentException(
                    "traces need a copy of the body for each client, which is too much here");
        }
    }

    /** The wire's local addresses to connect from. */
    public List<InetAddress> sources() {
        return addresses(wire.sources());
    }

    private static List<InetAddress> addresses(List<String> literals) {
        return literals.stream().map(LoadSpec::address).toList();
    }

    private static InetAddress address(String literal) {
        try {
            return InetAddress.ofLiteral(literal);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + literal + "' is no IP address to connect from", e);
        }
    }

    private static void check(Scenario scenario, Wire wire) {
        boolean messages = wire.protocol().isWebSocket();
        for (Scenario.Flow flow : scenario.flows()) {
            for (Scenario.Step step : flow.steps()) {
                if (step.isMessage() != messages) {
                    throw new IllegalArgumentException("step '" + step.name() + "': "
                            + (messages
                                    ? "over a WebSocket a step sends a message"
                                    : "a message is sent over a WebSocket only"));
                }
            }
        }
        if (wire.protocol() == Protocol.HTTP_1_1 && wire.inFlight() > 1) {
            throw new IllegalArgumentException(
                    "a user of a scenario waits for each answer, so in HTTP/1.1 one request is"
                            + " in flight on a connection");
        }
    }

    /**
     * Starts a spec for a scenario, with the defaults of {@link #builder(InetSocketAddress, RequestTemplate)}. Mistakes
     * in the scenario itself are reported by {@code LoadEngine.check}.
     */
    public static LoadSpecBuilder builder(InetSocketAddress address, Scenario scenario) {
        return builder(address, RequestTemplate.get("/"), scenario);
    }

    /** Starts a spec for a scenario over a WebSocket, which this request opens. */
    public static LoadSpecBuilder builder(InetSocketAddress address, RequestTemplate opening, Scenario scenario) {
        return builder(address, opening).scenario(scenario);
    }

    /**
     * Starts a spec with these defaults: the closed model without think time, {@link Wire#PLAIN}, 1 connection, kept alive,
     * 1 thread, 10 s, drain 1 s, connect time-out 5 s, response time-out 10 s, any 2xx, not pinned.
     */
    public static LoadSpecBuilder builder(InetSocketAddress address, RequestTemplate request) {
        return LoadSpecBuilder.builder()
                .address(address)
                .request(request)
                .connections(1)
                .arrivals(Arrivals.Closed.BACK_TO_BACK)
                .wire(Wire.PLAIN)
                .serverName(address.getHostString())
                .keepAlive(true)
                .threads(1)
                .maxDuration(Duration.ofSeconds(10))
                .drain(Duration.ofSeconds(1))
                .connectTimeout(Duration.ofSeconds(5))
                .responseTimeout(Duration.ofSeconds(10))
                .expect(Expectation.SUCCESS)
                .cpus(Set.of())
                .part(Part.WHOLE);
    }

    /**
     * The {@code Host} header for the address: {@code name:port}, without the scheme's default port, IPv6 in brackets.
     */
    public String hostHeader() {
        String host = address.getHostString();
        if (host.indexOf(':') >= 0) {
            int zone = host.indexOf('%');
            host = "[" + (zone < 0 ? host : host.substring(0, zone)) + "]";
        }
        return address.getPort() == (wire.tls().isPresent() ? 443 : 80) ? host : host + ":" + address.getPort();
    }
}
