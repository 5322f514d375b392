package dev.fettle.report.audit;

import dev.fettle.insight.audit.Audit;
import dev.fettle.insight.audit.AuditFinding;
import dev.fettle.model.audit.AuditRule;
import dev.fettle.model.audit.AuditVerdict;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.ServerKind;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The comparison that would settle the most important finding: the setting as found against the default. */
public final class AuditPlan {
    /** Knobs by how much of a server's capacity they can decide, the most important first. */
    private static final List<String> MATTERS = List.of("""
            threads.max threads.virtual keepalive.requests connections.max jvm.heap jvm.gc jvm.heap.percent backlog
            threads.queue threads.min compression jvm.heap.young jvm.gc.pause threads.selectors threads.acceptors
            jvm.gc.threads jvm.heap.pretouch""".split("\\s+"));

    private AuditPlan() {}

    private record Row(AuditFinding finding, Knob knob, String value, ServerKind server) {}

    /** The plan; empty if no setting that was found can be tried as a knob. */
    public static Optional<String> of(Audit audit) {
        return first(audit).map(AuditPlan::plan);
    }

    /** The settings that the plan would decide: {@code Connector.maxThreads=800 (server.xml:7)}. */
    static Optional<String> subject(Audit audit) {
        return first(audit)
                .map(r -> r.finding().found().written() + " ("
                        + r.finding().found().place() + ")");
    }

    private static Optional<Row> first(Audit audit) {
        return audit.findings().stream()
                .flatMap(f -> row(f).stream())
                .min(Comparator.comparingInt(r -> MATTERS.indexOf(r.knob().name())));
    }

    private static Optional<Row> row(AuditFinding f) {
        boolean open = f.verdict() == AuditVerdict.SITUATIONAL
                || f.verdict() == AuditVerdict.DANGEROUS
                || f.verdict() == AuditVerdict.LOWERS
                || f.verdict() == AuditVerdict.VALID;
        Optional<Knob> knob = f.rule().flatMap(AuditRule::knob).flatMap(Knobs::find);
        if (!open
                || knob.isEmpty()
                || f.found().value().isEmpty()
                || !MATTERS.contains(knob.get().name())) {
            return Optional.empty();
        }
        ServerKind server = server(f);
        String value = f.found().value();
        if (f.found().name().equals("-XX:UseZGC")) {
            value = "z";
        } else if (f.found().name().startsWith("-XX:Use") && f.found().name().endsWith("GC")) {
            value = f.found()
                    .name()
                    .substring("-XX:Use".length(), f.found().name().length() - 2)
                    .toLowerCase(java.util.Locale.ROOT);
        }
        try {
            String canonical = knob.get().canonical(value);
            return knob.get().on(server).applies()
                    ? Optional.of(new Row(f, knob.get(), canonical, server))
                    : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty(); // outside the knob's range
        }
    }

    /** The server whose setting it is, by its kind or as a property of Spring Boot; any other is tried on Tomcat. */
    private static ServerKind server(AuditFinding f) {
        return f.found()
                .kind()
                .server()
                .or(() -> Arrays.stream(ServerKind.values())
                        .filter(s -> f.found().name().startsWith("server." + s.id() + "."))
                        .findFirst())
                .orElse(ServerKind.TOMCAT);
    }

    private static String plan(Row r) {
        boolean threads = r.knob().name().startsWith("threads.");
        String hold = r.knob().name().equals("backlog") ? "" : "hold:\n  backlog: 1024\n\n";
        return """
                # Settles %s (%s, %s).
                # %s
                # The target is the bundled login page, which waits 50 ms for a backend; put your own in its place.
                #
                #   fettle compare PLAN

                name: audit-%s
                about: %s as it was found, against the default

                target:
                  server: %s
                  app: login
                  options: {cpu: 0.05ms}
                  backend: {delay: 50ms, bytes: 200}

                load:
                  connections: %d
                  keep-alive: true
                  request: {method: GET, path: /}
                  expect: {status: 200, contains: "Sign in"}
                  timeout: 10s
                  warm-up: 16s
                  measure: 4s

                %scompare:
                  variants:
                    default: {set: {}}
                    found: {set: {%s: %s}}

                objective:
                  maximize: throughput
                """.formatted(
                        r.finding().found().written(),
                        r.finding().found().place(),
                        r.finding().verdict().words(),
                        r.finding().why(),
                        r.knob().name().replace('.', '-'),
                        r.knob().name(),
                        r.server().id(),
                        threads ? 300 : 100,
                        hold,
                        r.knob().name(),
                        r.value());
    }
}
