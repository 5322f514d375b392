package dev.fettle.lab.engine;

import dev.fettle.lab.port.LoadPort;
import dev.fettle.load.Arrivals;
import dev.fettle.load.Expectation;
import dev.fettle.load.LoadSpec;
import dev.fettle.load.Protocol;
import dev.fettle.load.RequestTemplate;
import dev.fettle.load.Tls;
import dev.fettle.load.TransportKind;
import dev.fettle.load.Wire;
import dev.fettle.load.engine.LoadEngine;
import dev.fettle.model.load.Load;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Translates a plan's load into the engine's terms. */
public final class Loads {
    private Loads() {}

    /**
     * What is to be sent.
     *
     * @throws IllegalArgumentException if the engine can't send such a request; the message says why
     */
    public static LoadSpec spec(LoadPort.Order order) {
        Load load = order.load();
        InetSocketAddress address = order.address();
        var spec = load.scenario()
                .map(s -> load.wire().protocol().isWebSocket()
                        ? LoadSpec.builder(address, request(load.request()), Scenarios.of(s))
                        : LoadSpec.builder(address, Scenarios.of(s)))
                .orElseGet(() -> LoadSpec.builder(address, request(load.request())))
                .connections(load.connections())
                .keepAlive(load.keepAlive())
                .threads(Math.min(load.threads(), load.connections()))
                .maxDuration(order.atMost())
                .drain(order.drain())
                .connectTimeout(load.timeout())
                .responseTimeout(load.timeout())
                .expect(expectation(load.expect()))
                .arrivals(arrivals(load.arrivals()))
                .wire(wire(load.wire(), address))
                .cpus(order.cpus());
        order.requests().ifPresent(spec::maxRequests);
        LoadSpec built = spec.build();
        LoadEngine.check(built);
        return built;
    }

    private static RequestTemplate request(Load.Request request) {
        var template = RequestTemplate.builder(request.method(), request.path());
        request.headers().forEach(template::header);
        request.body().ifPresent(b -> template.body(b.getBytes(StandardCharsets.UTF_8)));
        return template.build();
    }

    private static Arrivals arrivals(dev.fettle.model.load.Arrivals when) {
        return switch (when) {
            case dev.fettle.model.load.Arrivals.Closed(var think) -> new Arrivals.Closed(think);
            case dev.fettle.model.load.Arrivals.Open open ->
                new Arrivals.Open(
                        stages(open.stages()),
                        open.poisson() ? Arrivals.Spacing.POISSON : Arrivals.Spacing.EVEN,
                        open.seed());
        };
    }

    /** The engine stops after the last stage, while a plan's last rate goes on. */
    private static List<Arrivals.Stage> stages(List<dev.fettle.model.load.Arrivals.Stage> stages) {
        var out = new ArrayList<Arrivals.Stage>();
        stages.forEach(s -> out.add(new Arrivals.Stage(s.from(), s.to(), s.length(), s.burst())));
        var last = stages.getLast();
        out.add(new Arrivals.Stage(last.to(), last.to(), Duration.ofDays(7), last.burst()));
        return out;
    }

    private static Wire wire(dev.fettle.model.load.Wire how, InetSocketAddress address) {
        return new Wire(
                Protocol.valueOf(how.protocol().name()),
                how.inFlight(),
                tls(how, address),
                TransportKind.valueOf(how.transport().name()),
                how.sources().stream().map(Loads::address).toList());
    }

    /** TLS settings for the server at this address; empty for plain text. */
    public static Optional<Tls> tls(dev.fettle.model.load.Wire how, InetSocketAddress address) {
        return how.tls()
                .map(t -> new Tls(address.getHostString(), t.authorities().map(Path::of), t.insecure(), t.resume()));
    }

    private static InetAddress address(String literal) {
        try {
            return InetAddress.ofLiteral(literal);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("'" + literal + "' is no IP address to connect from", e);
        }
    }

    private static Expectation expectation(Load.Expect expect) {
        Optional<String> contains = expect.contains();
        return new Expectation(
                Set.of(expect.status()),
                expect.length().isPresent() ? OptionalLong.of(expect.length().getAsInt()) : OptionalLong.empty(),
                contains,
                expect.echo());
    }
}
