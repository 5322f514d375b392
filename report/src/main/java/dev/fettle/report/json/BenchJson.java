package dev.fettle.report.json;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fettle.model.load.Arrivals;
import dev.fettle.model.load.Load;
import dev.fettle.model.load.Wire;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Measurement;
import dev.fettle.report.BenchReport;
import dev.fettle.report.ErrorAdvice;
import java.util.Locale;
import java.util.Optional;

/** The document of a bench, but for what it has in common with a trial's; its schema is {@code bench.schema.json}. */
final class BenchJson {
    private final ObjectMapper mapper;
    private final JsonReport common;

    BenchJson(ObjectMapper mapper, JsonReport common) {
        this.mapper = mapper;
        this.common = common;
    }

    ObjectNode node(BenchReport r) {
        Measurement m = r.measurement();
        var root = mapper.createObjectNode();
        root.put("schema", JsonReport.BENCH_SCHEMA);
        root.put("started", r.started().toString());
        load(root, r.target(), r.load());
        root.setAll(common.measurement(m));
        detail(root, m);
        errors(root, m);
        evidence(root, r.evidence());
        process(root, r.evidence());
        root.put("valid", r.valid());
        root.set("voidReasons", common.reasons(r.verdict()));
        root.set("advisories", common.advisories(r.verdict()));
        checks(root, r);
        series(root, m);
        if (!m.histogram().isBlank()) {
            root.put("histogramHdrV2Base64", m.histogram());
        }
        if (!m.detail().serviceHistogram().isBlank()) {
            root.put("serviceHistogramHdrV2Base64", m.detail().serviceHistogram());
        }
        return root;
    }

    private static void load(ObjectNode root, String target, Load load) {
        root.put("target", target);
        root.put("method", load.request().method());
        root.put("path", load.request().path());
        root.put("connections", load.connections());
        root.put("keepAlive", load.keepAlive());
        root.put("generatorThreads", load.threads());
        root.put("warmUpSeconds", load.warmUpAtMost().toNanos() / 1e9);
        var wire = load.wire();
        root.put(
                "protocol",
                switch (wire.protocol()) {
                    case HTTP_1_1 -> "http/1.1";
                    case HTTP_2 -> "h2";
                    case WEB_SOCKET_TEXT, WEB_SOCKET_BINARY -> "websocket";
                });
        if (wire.protocol().isWebSocket()) {
            root.putObject("message")
                    .put("type", wire.protocol() == Wire.Protocol.WEB_SOCKET_TEXT ? "text" : "binary")
                    .put("echoExpected", load.expect().echo());
        }
        root.put("tls", wire.tls().isPresent());
        root.put("inFlightPerConnection", wire.inFlight());
        root.put("transport", wire.transport().name().toLowerCase(Locale.ROOT));
        var arrivals = root.putObject("arrivals");
        switch (load.arrivals()) {
            case Arrivals.Closed(var think) ->
                arrivals.put("model", "closed").put("thinkMillis", think.toNanos() / 1e6);
            case Arrivals.Open open -> {
                arrivals.put("model", "open").put("spacing", open.poisson() ? "poisson" : "even");
                var stages = arrivals.putArray("stages");
                open.stages()
                        .forEach(s -> stages.addObject()
                                .put("fromPerSecond", s.from())
                                .put("toPerSecond", s.to())
                                .put("seconds", s.length().toNanos() / 1e9)
                                .put("burst", s.burst()));
            }
        }
    }

    private void detail(ObjectNode root, Measurement m) {
        var d = m.detail();
        root.set("service", common.latency(d.service()));
        root.set("firstByte", common.latency(d.firstByte()));
        root.set("sendLag", common.latency(d.sendLag()));
        root.put("abandoned", d.abandoned());
        root.put("bytesWritten", d.bytesWritten());
        d.offered()
                .ifPresent(o -> root.putObject("offered")
                        .put("perSecond", m.offeredPerSecond())
                        .put("due", o.due())
                        .put("held", o.held())
                        .put("unsent", o.unsent())
                        .put("achievedShare", o.due() == 0 ? 0 : (double) m.responses() / o.due()));
        if (!d.steps().isEmpty()) {
            var steps = root.putArray("steps");
            d.steps()
                    .forEach(s -> steps.addObject()
                            .put("name", s.name())
                            .put("failed", s.failed())
                            .set("latency", common.latency(s.latency())));
        }
        var notes = root.putArray("notes");
        d.notes().forEach(notes::add);
    }

    private static void errors(ObjectNode root, Measurement m) {
        var examples = root.putObject("errorExamples");
        m.errorExamples().forEach((kind, text) -> examples.put(kind.name(), text));
        var details = root.putArray("errorDetails");
        m.errors()
                .forEach((kind, n) -> details.addObject()
                        .put("kind", kind.name())
                        .put("phase", ErrorAdvice.of(kind).phase())
                        .put("count", n)
                        .put("example", m.errorExamples().getOrDefault(kind, ""))
                        .put("advice", ErrorAdvice.of(kind).advice()));
    }

    private static void evidence(ObjectNode root, Evidence e) {
        JsonReport.put(root, "generatorCpuShare", e.generatorCpuShare());
        JsonReport.put(root, "sendLagP99Millis", e.sendLagP99Millis());
        JsonReport.put(root, "listenOverflows", e.listenOverflows());
        JsonReport.put(root, "synRetransmits", e.synRetransmits());
        JsonReport.put(root, "stealShare", e.steal());
    }

    /** The process that was watched, if one was. */
    private static void process(ObjectNode root, Evidence seen) {
        String pid = seen.facts().get("pid");
        if (pid == null) {
            return;
        }
        ObjectNode process = root.putObject("process").put("pid", Long.parseLong(pid));
        Optional.ofNullable(seen.facts().get("server")).ifPresent(s -> process.put("server", s));
        process.put("cpus", seen.serverCpus());
        JsonReport.put(process, "cpuSeconds", seen.serverCpuSeconds());
        JsonReport.put(process, "busyWorkers", seen.busyWorkers());
        JsonReport.put(process, "busyWorkersMax", seen.busyWorkersMax());
        JsonReport.put(process, "workers", seen.workers());
        JsonReport.put(process, "queued", seen.queued());
        JsonReport.put(process, "gcMillis", seen.gcMillis());
        seen.acceptQueueLimit().ifPresent(n -> process.put("acceptQueueLimit", n));
        ObjectNode effective = process.putObject("effective");
        seen.effective().forEach(effective::put);
    }

    private static void checks(ObjectNode root, BenchReport r) {
        var checks = root.putArray("failIf");
        r.checks().forEach(c -> {
            var check = checks.addObject()
                    .put("condition", c.condition().toString())
                    .put("met", c.met());
            JsonReport.put(check, "value", c.value());
        });
    }

    private static void series(ObjectNode root, Measurement m) {
        var series = root.putArray("series");
        for (Measurement.Window w : m.windows()) {
            var point = series.addObject()
                    .put("atSeconds", w.at())
                    .put("seconds", w.seconds())
                    .put("measured", w.measured())
                    .put("responses", w.responses())
                    .put("failed", w.failed());
            if (w.responses() > 0) {
                point.put("p50Millis", w.p50() / 1e6)
                        .put("p90Millis", w.p90() / 1e6)
                        .put("p99Millis", w.p99() / 1e6)
                        .put("maxMillis", w.max() / 1e6);
            }
        }
    }
}
