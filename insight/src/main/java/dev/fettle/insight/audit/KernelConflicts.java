package dev.fettle.insight.audit;

import dev.fettle.model.audit.Amounts;
import dev.fettle.model.audit.AuditVerdict;
import dev.fettle.model.audit.FoundSetting;
import dev.fettle.model.text.Format;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** The kernel's settings together with those of a server. */
record KernelConflicts(ConflictChecks t) {
    private static final List<String> BACKLOGS = List.of(
            "Connector.acceptCount",
            "jetty.http.acceptQueueSize",
            "acceptQueueSize",
            "server.tomcat.accept-count",
            "BACKLOG");

    /** Name under which the queue of a listening socket is found. */
    static final String SOCKET = "backlog of the socket";

    static void of(ConflictChecks t) {
        var c = new KernelConflicts(t);
        c.backlogs();
        c.sockets();
        c.ports();
    }

    private void backlogs() {
        Optional<FoundSetting> written = t.named("net.core.somaxconn").reduce((a, b) -> b);
        OptionalDouble cap = written.isPresent()
                ? ConflictChecks.number(written.get())
                : t.context().host("net.core.somaxconn").map(Amounts::of).orElse(OptionalDouble.empty());
        if (cap.isEmpty()) {
            return;
        }
        for (String name : BACKLOGS) {
            t.named(name)
                    .filter(f -> !asked(f)) // the kernel's own answer is better
                    .filter(f -> Bounds.cut(ConflictChecks.number(f).orElse(0), cap.getAsDouble()))
                    .forEach(f -> t.say(
                            "backlog",
                            f,
                            AuditVerdict.NO_EFFECT,
                            "net.core.somaxconn as large, or " + Math.round(cap.getAsDouble()),
                            "The kernel cuts it to net.core.somaxconn, which is %s %s.",
                            Format.whole(cap.getAsDouble()),
                            written.map(w -> "at " + w.place()).orElse("on this host")));
        }
    }

    /** Whether the kernel was asked for the queue length of the socket that has this setting. */
    private boolean asked(FoundSetting f) {
        return t.named(SOCKET).anyMatch(s -> s.place().file().equals(f.place().file()));
    }

    /** Compares the backlog that a server was told with what the kernel made of it. */
    private void sockets() {
        t.named(SOCKET)
                .forEach(socket -> BACKLOGS.stream()
                        .flatMap(t::named)
                        .filter(f -> f.place().file().equals(socket.place().file())
                                && ConflictChecks.number(f).orElse(0)
                                        > ConflictChecks.number(socket).orElse(0))
                        .forEach(f -> t.say(
                                "backlog",
                                f,
                                AuditVerdict.NO_EFFECT,
                                "net.core.somaxconn as large",
                                "The kernel says that the socket's queue holds %s.",
                                socket.value())));
    }

    private void ports() {
        Optional<FoundSetting> range = t.named("net.ipv4.ip_local_port_range").reduce((a, b) -> b);
        if (range.isEmpty()
                || t.named("net.ipv4.ip_local_reserved_ports").findAny().isPresent()) {
            return;
        }
        OptionalDouble low = Amounts.of(Amounts.field(range.get().value(), 1));
        OptionalDouble high = Amounts.of(Amounts.field(range.get().value(), 2));
        Stream.of("Connector.port", "Connector.redirectPort", "jetty.http.port", "server.port")
                .flatMap(t::named)
                .forEach(p -> {
                    OptionalDouble n = ConflictChecks.number(p);
                    if (n.isPresent()
                            && low.isPresent()
                            && high.isPresent()
                            && !p.name().endsWith("redirectPort")
                            && n.getAsDouble() >= low.getAsDouble()
                            && n.getAsDouble() <= high.getAsDouble()) {
                        t.say(
                                "port",
                                p,
                                AuditVerdict.SITUATIONAL,
                                "net.ipv4.ip_local_reserved_ports = " + p.value(),
                                "Port %s lies in the range for outgoing connections (%s): a restart fails while one of them has it.",
                                p.value(),
                                range.get().value());
                    }
                });
    }
}
