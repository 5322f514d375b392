package dev.fettle.lab.engine;

import dev.fettle.lab.port.LoadPort;
import dev.fettle.load.Expectation;
import dev.fettle.load.LoadSpec;
import dev.fettle.load.RequestTemplate;
import dev.fettle.load.api.Arrivals;
import dev.fettle.load.engine.LoadEngine;
import dev.fettle.model.load.Load;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
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
                .threads(threads(order))
                .maxDuration(order.atMost())
                .drain(order.drain())
                .connectTimeout(load.timeout())
                .responseTimeout(load.timeout())
                .expect(expectation(load.expect()))
                .arrivals(arrivals(load.arrivals()))
                .wire(load.wire())
                .cpus(order.cpus())
                .part(order.part());
        order.requests().ifPresent(spec::maxRequests);
        LoadSpec built = spec.build();
        LoadEngine.check(built);
        return built;
    }

    /** On how many threads a part of a load is sent. */
    public static int threads(LoadPort.Order order) {
        Load load = order.load();
        return Math.min(
                load.threads(), Math.max(1, load.connections() / order.part().of()));
    }

    private static RequestTemplate request(Load.Request request) {
        var template = RequestTemplate.builder(request.method(), request.path());
        request.headers().forEach(template::header);
        request.body().ifPresent(b -> template.body(b.getBytes(StandardCharsets.UTF_8)));
        return template.build();
    }

    /** The engine stops after the last stage, while a plan's last rate goes on. */
    private static Arrivals arrivals(Arrivals when) {
        return when instanceof Arrivals.Open open ? open.goingOn() : when;
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
