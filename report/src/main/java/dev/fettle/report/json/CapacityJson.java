package dev.fettle.report.json;

import com.fasterxml.jackson.databind.util.RawValue;
import dev.fettle.insight.CapacityConclusion;
import dev.fettle.insight.CapacityResult;
import dev.fettle.insight.OverloadResult;
import dev.fettle.insight.capacity.Judged;
import dev.fettle.insight.capacity.Probe;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Slice;
import dev.fettle.report.CapacityReport;
import dev.fettle.report.JsonFields;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;

/** A capacity search and the effect of a spike as JSON; documented in {@code docs/commands/capacity.md}. */
public final class CapacityJson {
    /** Value of {@code schema}. */
    public static final String SCHEMA = "fettle.capacity/1";

    /** The document; for an unfinished run, its probes so far. */
    public String text(CapacityReport r) {
        return new JsonFields()
                .put("schema", SCHEMA, "runId", r.runId(), "started", r.started())
                .put("tookSeconds", r.took())
                .put("complete", r.found().isPresent(), "target", r.target())
                .put("slo", r.slo().toString())
                .put("idleP50Millis", r.found().map(CapacityConclusion::idleMillis))
                .put(
                        "capacity",
                        r.found().isEmpty()
                                ? Optional.of(probes(new JsonFields(), r))
                                : r.capacity().map(c -> capacity(c, r)))
                .eachIfAny(
                        "launches",
                        r.found().map(CapacityConclusion::launches).orElse(List.of()),
                        c -> new JsonFields()
                                .put("outcome", id(c.outcome()), "ratePerSecond", c.rate(), "limit", limit(c)))
                .put("overload", r.overload().map(CapacityJson::overload))
                .put("notes", r.found().map(CapacityConclusion::notes).orElse(List.of()))
                .put("environment", r.environment(), "plan", r.plan())
                .document();
    }

    private static Optional<JsonFields> limit(CapacityResult c) {
        return c.limit()
                .map(i -> new JsonFields()
                        .put("medianPerSecond", i.estimate(), "lowPerSecond", i.low(), "highPerSecond", i.high())
                        .put("level", i.level()));
    }

    private static JsonFields capacity(CapacityResult c, CapacityReport r) {
        var out = new JsonFields()
                .put("outcome", id(c.outcome()), "headline", c.headline(), "ratePerSecond", c.rate())
                .put("confirmations", c.confirmations(), "limit", limit(c))
                .put(
                        "held",
                        c.held()
                                .map(h -> new JsonFields()
                                        .put("seconds", h.seconds(), "settlesInSeconds", h.settles())
                                        .put("forGood", h.forGood())))
                .put(
                        "brokeFirst",
                        c.brokeFirst()
                                .map(b -> new JsonFields()
                                        .put("ratePerSecond", b.rate(), "what", b.what(), "server", b.server())))
                .put("throughputConditionsHold", c.atLeastShown());
        return probes(out, r).put("notes", c.notes());
    }

    private static JsonFields probes(JsonFields out, CapacityReport r) {
        return out.each("probes", r.probes(), j -> probe(j, r.processes()));
    }

    private static JsonFields probe(Judged j, boolean processes) {
        Probe p = j.probe();
        return new JsonFields()
                .put("phase", id(p.phase()), "ratePerSecond", p.rate(), "seconds", p.seconds())
                .put("achievedPerSecond", p.throughput(), "responses", p.responses(), "failed", p.failed())
                .put("lost", p.lost(), "held", p.held(), "errorShare", p.errorShare())
                .put("generatorCpuShare", p.generatorCpu())
                .put("process", processes ? OptionalInt.of(j.process() + 1) : OptionalInt.empty())
                .put("sendLagP99Millis", p.sendLagP99Millis())
                .put("latency", latency(p.latency()), "errors", p.errors())
                .put("verdict", id(j.verdict().result()), "broken", j.verdict().broken())
                .put("evidence", p.server().map(e -> evidence(p, e)));
    }

    private static JsonFields evidence(Probe p, Evidence e) {
        return new JsonFields()
                // of a URL they are unknown
                .put("cpus", e.serverCpus() > 0 ? OptionalInt.of(e.serverCpus()) : OptionalInt.empty())
                .put("cpuShare", p.cpuShare())
                .put("busyWorkersMean", e.get(Aggregate.BUSY_WORKERS))
                .put("workersMax", e.get(Aggregate.WORKERS))
                .put("queuedMean", e.get(Aggregate.QUEUED))
                .put("gcShare", p.gcShare())
                .put("listenOverflows", e.get(Aggregate.LISTEN_OVERFLOWS))
                .put("acceptQueueLimit", e.acceptQueueLimit())
                // on one line, as it is long
                .put("timeline", JsonReport.fields(e.timeline()).map(t -> new RawValue(t.line())));
    }

    private static JsonFields overload(OverloadResult o) {
        var out = new JsonFields()
                .put("headline", o.headline(), "valid", o.voided().isEmpty())
                .put("basePerSecond", o.base(), "spikePerSecond", o.spike(), "recoverySeconds", o.recovery());
        return (o.voided().isEmpty() ? out.put("recovered", o.recovery().isPresent()) : out)
                .put("before", slice(o.before()), "during", slice(o.during()), "after", slice(o.after()))
                .each("windows", o.slices(), CapacityJson::slice)
                .put("notes", o.notes());
    }

    private static JsonFields slice(Slice s) {
        return new JsonFields()
                .put("atSeconds", s.at(), "seconds", s.seconds(), "throughputPerSecond", s.throughput())
                .put("goodputPerSecond", s.goodput(), "failed", s.failed(), "lost", s.lost())
                .put("held", s.held(), "errorShare", s.errorShare())
                .put("latency", latency(s.latency()), "errors", s.errors());
    }

    private static Optional<JsonFields> latency(LatencySummary l) {
        return l.count() == 0 ? Optional.empty() : Optional.of(new JsonFields().percentiles(l));
    }

    private static String id(Enum<?> e) {
        return e.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
