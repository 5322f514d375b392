package dev.fettle.lab;

import dev.fettle.load.Expectation;
import dev.fettle.load.LoadSpec;
import dev.fettle.load.RequestTemplate;
import dev.fettle.model.Load;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Translates the plan's words for a load into the engine's. */
final class Loads {
    private Loads() {}

    /** @throws IllegalArgumentException if the engine can't send such a request; the message says why */
    static LoadSpec spec(
            Load load, InetSocketAddress address, OptionalLong requests, Duration atMost, Set<Integer> cpus) {
        var request =
                RequestTemplate.builder(load.request().method(), load.request().path());
        load.request().headers().forEach(request::header);
        load.request().body().ifPresent(b -> request.body(b.getBytes(StandardCharsets.UTF_8)));
        var spec = LoadSpec.builder(address, request.build())
                .connections(load.connections())
                .keepAlive(load.keepAlive())
                .threads(Math.min(load.threads(), load.connections()))
                .maxDuration(atMost)
                .drain(Duration.ZERO)
                .connectTimeout(load.timeout())
                .responseTimeout(load.timeout())
                .expect(expectation(load.expect()))
                .cpus(cpus);
        requests.ifPresent(spec::maxRequests);
        return spec.build();
    }

    private static Expectation expectation(Load.Expect expect) {
        Optional<String> contains = expect.contains();
        return new Expectation(
                Set.of(expect.status()),
                expect.length().isPresent() ? OptionalLong.of(expect.length().getAsInt()) : OptionalLong.empty(),
                contains);
    }
}
