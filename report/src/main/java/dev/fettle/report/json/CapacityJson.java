package dev.fettle.report.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import dev.fettle.insight.CapacityResult;
import dev.fettle.insight.OverloadResult;
import dev.fettle.insight.capacity.Judged;
import dev.fettle.insight.capacity.Probe;
import dev.fettle.model.text.Json;
import dev.fettle.model.trial.ErrorKind;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Slice;
import dev.fettle.report.CapacityReport;
import java.util.Locale;
import java.util.Map;

/** A capacity search and the effect of a spike as JSON; documented in {@code docs/commands/capacity.md}. */
public final class CapacityJson {
    /** Value of {@code schema}. */
    public static final String SCHEMA = "fettle.capacity/1";

    private final ObjectMapper mapper = Json.mapper();

    /** The document; for an unfinished run, its probes so far. */
    public String text(CapacityReport r) {
        ObjectNode root = mapper.createObjectNode();
        root.put("schema", SCHEMA);
        root.put("runId", r.runId());
        root.put("started", r.started().toString());
        root.put("complete", r.found().isPresent());
        root.put("target", r.target());
        root.put("slo", r.slo().toString());
        r.found().ifPresent(f -> f.idleMillis().ifPresent(ms -> root.put("idleP50Millis", ms)));
        r.capacity().ifPresent(c -> capacity(root.putObject("capacity"), c, r));
        if (r.found().isEmpty()) {
            probes(root.putObject("capacity"), r);
        }
        r.found().filter(f -> !f.launches().isEmpty()).ifPresent(f -> {
            var launches = root.putArray("launches");
            for (CapacityResult c : f.launches()) {
                ObjectNode one =
                        launches.addObject().put("outcome", id(c.outcome())).put("ratePerSecond", c.rate());
                limit(one, c);
            }
        });
        r.overload().ifPresent(o -> overload(root.putObject("overload"), o));
        var all = root.putArray("notes");
        r.found().ifPresent(f -> f.notes().forEach(all::add));
        try {
            return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(root);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a tree can always be written", e);
        }
    }

    private static void limit(ObjectNode out, CapacityResult c) {
        c.limit()
                .ifPresent(i -> out.putObject("limit")
                        .put("medianPerSecond", i.estimate())
                        .put("lowPerSecond", i.low())
                        .put("highPerSecond", i.high())
                        .put("level", i.level()));
    }

    private void capacity(ObjectNode out, CapacityResult c, CapacityReport r) {
        out.put("outcome", id(c.outcome()));
        out.put("headline", c.headline());
        out.put("ratePerSecond", c.rate());
        out.put("confirmations", c.confirmations());
        limit(out, c);
        c.brokeFirst().ifPresent(b -> {
            ObjectNode first =
                    out.putObject("brokeFirst").put("ratePerSecond", b.rate()).put("what", b.what());
            b.server().ifPresent(w -> first.put("server", w));
        });
        out.put("throughputConditionsHold", c.atLeastShown());
        probes(out, r);
        var notes = out.putArray("notes");
        c.notes().forEach(notes::add);
    }

    private static void probes(ObjectNode out, CapacityReport r) {
        var probes = out.putArray("probes");
        for (Judged j : r.probes()) {
            Probe p = j.probe();
            ObjectNode probe = probes.addObject()
                    .put("phase", id(p.phase()))
                    .put("ratePerSecond", p.rate())
                    .put("seconds", p.seconds())
                    .put("achievedPerSecond", p.throughput())
                    .put("responses", p.responses())
                    .put("failed", p.failed())
                    .put("lost", p.lost())
                    .put("held", p.held())
                    .put("errorShare", p.errorShare())
                    .put("generatorCpuShare", p.generatorCpu());
            if (r.processes()) {
                probe.put("process", j.process() + 1);
            }
            p.sendLagP99Millis().ifPresent(lag -> probe.put("sendLagP99Millis", lag));
            latency(probe, p.latency());
            errors(probe, p.errors());
            probe.put("verdict", id(j.verdict().result()));
            var broken = probe.putArray("broken");
            j.verdict().broken().forEach(broken::add);
            p.server().ifPresent(e -> evidence(probe.putObject("evidence"), p, e));
        }
    }

    private static void evidence(ObjectNode out, Probe p, Evidence e) {
        if (e.serverCpus() > 0) { // of a URL they are unknown
            out.put("cpus", e.serverCpus());
        }
        JsonReport.put(out, "cpuShare", p.cpuShare());
        JsonReport.put(out, "busyWorkersMean", e.busyWorkers());
        JsonReport.put(out, "workersMax", e.workers());
        JsonReport.put(out, "queuedMean", e.queued());
        JsonReport.put(out, "gcShare", p.gcShare());
        JsonReport.put(out, "listenOverflows", e.listenOverflows());
        e.acceptQueueLimit().ifPresent(v -> out.put("acceptQueueLimit", v));
        JsonReport.fields(e.timeline()).ifPresent(t -> out.putRawValue("timeline", new RawValue(t.line())));
    }

    private void overload(ObjectNode out, OverloadResult o) {
        out.put("headline", o.headline());
        out.put("valid", o.voided().isEmpty());
        out.put("basePerSecond", o.base());
        out.put("spikePerSecond", o.spike());
        o.recovery().ifPresent(s -> out.put("recoverySeconds", s));
        if (o.voided().isEmpty()) {
            out.put("recovered", o.recovery().isPresent());
        }
        slice(out.putObject("before"), o.before());
        slice(out.putObject("during"), o.during());
        slice(out.putObject("after"), o.after());
        var windows = out.putArray("windows");
        o.slices().forEach(s -> slice(windows.addObject(), s));
        var notes = out.putArray("notes");
        o.notes().forEach(notes::add);
    }

    private void slice(ObjectNode out, Slice s) {
        out.put("atSeconds", s.at())
                .put("seconds", s.seconds())
                .put("throughputPerSecond", s.throughput())
                .put("goodputPerSecond", s.goodput())
                .put("failed", s.failed())
                .put("lost", s.lost())
                .put("held", s.held())
                .put("errorShare", s.errorShare());
        latency(out, s.latency());
        errors(out, s.errors());
    }

    private static void latency(ObjectNode out, LatencySummary l) {
        if (l.count() == 0) {
            return;
        }
        out.putObject("latency")
                .put("meanMillis", l.mean() / 1e6)
                .put("p50Millis", l.p50() / 1e6)
                .put("p75Millis", l.p75() / 1e6)
                .put("p90Millis", l.p90() / 1e6)
                .put("p95Millis", l.p95() / 1e6)
                .put("p99Millis", l.p99() / 1e6)
                .put("p999Millis", l.p999() / 1e6)
                .put("p9999Millis", l.p9999() / 1e6)
                .put("maxMillis", l.max() / 1e6);
    }

    private static void errors(ObjectNode out, Map<ErrorKind, Long> errors) {
        ObjectNode kinds = out.putObject("errors");
        errors.forEach((kind, n) -> kinds.put(kind.name(), n));
    }

    private static String id(Enum<?> e) {
        return e.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
