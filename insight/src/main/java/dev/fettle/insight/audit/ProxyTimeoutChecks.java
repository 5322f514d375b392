package dev.fettle.insight.audit;

import dev.fettle.model.audit.Amounts;
import dev.fettle.model.audit.AuditVerdict;
import dev.fettle.model.audit.FoundSetting;
import dev.fettle.model.audit.SettingKind;
import dev.fettle.model.text.Format;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** A server together with the proxy in front of it and the database behind it, and settings that are made twice. */
record ProxyTimeoutChecks(ConflictChecks t) {
    static void of(ConflictChecks t) {
        var c = new ProxyTimeoutChecks(t);
        c.keepAlive();
        c.database();
        c.twice();
    }

    private void keepAlive() {
        if (t.all().stream()
                .noneMatch(f -> f.kind() == SettingKind.NGINX && f.name().equals("keepalive"))) {
            return;
        }
        double proxy = t.named("upstream.keepalive_timeout")
                .map(f -> Amounts.seconds(f.value(), 1))
                .filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble)
                .max()
                .orElse(60);
        Stream.concat(
                        Stream.of("Connector.keepAliveTimeout", "jetty.http.idleTimeout")
                                .flatMap(t::named)
                                .map(f -> Map.entry(f, 0.001)),
                        Stream.of("server.tomcat.keep-alive-timeout", "server.jetty.connection-idle-timeout")
                                .flatMap(t::named)
                                .map(f -> Map.entry(f, 0.001)))
                .forEach(e -> {
                    OptionalDouble own = Amounts.seconds(e.getKey().value(), e.getValue());
                    if (own.isPresent() && own.getAsDouble() >= 0 && own.getAsDouble() <= proxy) {
                        t.say(
                                "keepalive",
                                e.getKey(),
                                AuditVerdict.DANGEROUS,
                                "longer than " + Format.seconds(proxy)
                                        + ", or keepalive_timeout in the upstream shorter",
                                "nginx keeps idle connections %s and the server closes them after %s: some requests meet a"
                                        + " connection that is being closed, and clients get 502.",
                                Format.seconds(proxy),
                                Format.seconds(own.getAsDouble()));
                    }
                });
    }

    private void database() {
        OptionalDouble most = Stream.of("max_connections", "-c max_connections")
                .flatMap(t::named)
                .map(ConflictChecks::number)
                .filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble)
                .min();
        if (most.isPresent()) {
            t.named("spring.datasource.hikari.maximum-pool-size")
                    .filter(p -> ConflictChecks.number(p).orElse(0) >= most.getAsDouble())
                    .forEach(p -> t.say(
                            "database",
                            p,
                            AuditVerdict.WRONG,
                            "a pool that fits, with all instances together",
                            "The pool is as large as the database's max_connections of %s.",
                            Format.whole(most.getAsDouble())));
        }
    }

    private void twice() {
        var last = new LinkedHashMap<String, FoundSetting>();
        var told = new HashSet<String>();
        for (FoundSetting f : t.all()) {
            boolean single = f.kind() == SettingKind.SYSCTL || f.kind() == SettingKind.SPRING;
            if (!single || f.value().isEmpty() || f.scope().equals("text")) {
                continue;
            }
            String key = f.place().file() + " " + f.scope() + " " + f.name();
            FoundSetting before = last.put(key, f);
            if (before != null && !before.value().equals(f.value()) && told.add(key)) {
                t.say(
                        "twice",
                        before,
                        AuditVerdict.NO_EFFECT,
                        "one of the two lines",
                        "It is set again at %s, and the last one counts.",
                        f.place());
            }
        }
    }
}
