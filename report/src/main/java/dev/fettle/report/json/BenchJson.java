package dev.fettle.report.json;

import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.Protocol;
import dev.fettle.model.load.Load;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Profile;
import dev.fettle.report.BenchReport;
import dev.fettle.report.Causes;
import dev.fettle.report.ErrorAdvice;
import dev.fettle.report.JsonFields;
import java.util.List;
import java.util.Optional;

/** The JSON of a bench, without the parts it shares with a trial's; its schema is {@code bench.schema.json}. */
final class BenchJson {
    /** Most methods reported of each profile. */
    private static final int HOTTEST = 20;

    private BenchJson() {}

    static JsonFields fields(BenchReport r) {
        Measurement m = r.measurement();
        Evidence e = r.evidence();
        var root = new JsonFields().put("schema", JsonReport.BENCH_SCHEMA).put("started", r.started());
        load(root, r.target(), r.load());
        JsonReport.measurement(root, m);
        detail(root, m, r.load().requestsOnAverage());
        root.put("errorExamples", m.errorExamples())
                .each("errorDetails", m.errors().entrySet(), n -> {
                    var about = ErrorAdvice.of(n.getKey());
                    return new JsonFields()
                            .put("kind", n.getKey().name(), "phase", about.phase())
                            .put("count", n.getValue())
                            .put("example", m.errorExamples().getOrDefault(n.getKey(), ""))
                            .put("advice", about.advice());
                })
                .put("generatorCpuShare", e.generatorCpuShare())
                .put("sendLagP99Millis", e.sendLagP99Millis())
                .eachIfAny("agents", e.agents(), JsonReport::agent)
                .put("evidence", JsonReport.aggregates(e))
                .put("process", Optional.ofNullable(e.facts().get("pid")).map(pid -> process(pid, e)))
                .put("why", Causes.of(r).map(JsonConclusions::cause));
        return JsonReport.verdict(root, r.valid(), r.verdict())
                .put("interrupted", r.interrupted())
                .each(
                        "failIf",
                        r.checks(),
                        c -> new JsonFields()
                                .put("condition", c.condition().toString(), "met", c.met())
                                .put("value", c.value()))
                .each("series", m.windows(), BenchJson::window)
                .put("timeline", JsonReport.timeline(e))
                .unlessBlank("histogramHdrV2Base64", m.histogram())
                .unlessBlank("serviceHistogramHdrV2Base64", m.detail().serviceHistogram());
    }

    private static void load(JsonFields root, String target, Load load) {
        var wire = load.wire();
        root.put("target", target)
                .put("method", load.request().method(), "path", load.request().path())
                .put("connections", load.connections(), "keepAlive", load.keepAlive())
                .put("generatorThreads", load.threads(), "warmUpSeconds", load.warmUpAtMost())
                .put(
                        "protocol",
                        switch (wire.protocol()) {
                            case HTTP_1_1 -> "http/1.1";
                            case HTTP_2 -> "h2";
                            case WEB_SOCKET_TEXT, WEB_SOCKET_BINARY -> "websocket";
                        });
        if (wire.protocol().isWebSocket()) {
            root.put(
                    "message",
                    new JsonFields()
                            .put("type", wire.protocol() == Protocol.WEB_SOCKET_TEXT ? "text" : "binary")
                            .put("echoExpected", load.expect().echo()));
        }
        root.put("tls", wire.tls().isPresent())
                .put("inFlightPerConnection", wire.inFlight(), "transport", wire.transport())
                .put("arrivals", arrivals(load.arrivals()));
    }

    private static JsonFields arrivals(Arrivals arrivals) {
        return switch (arrivals) {
            case Arrivals.Closed(var think) ->
                new JsonFields().put("model", "closed").millis("thinkMillis", think.toNanos());
            case Arrivals.Open open ->
                new JsonFields()
                        .put("model", "open", "spacing", open.poisson() ? "poisson" : "even")
                        .each(
                                "stages",
                                open.stages(),
                                s -> new JsonFields()
                                        .put("fromPerSecond", s.from(), "toPerSecond", s.to())
                                        .put("seconds", s.length(), "burst", s.burst()));
        };
    }

    /** @param each requests that one arrival makes: one, or the steps of a scenario */
    private static void detail(JsonFields root, Measurement m, double each) {
        var d = m.detail();
        root.put("service", d.service())
                .put("firstByte", d.firstByte(), "sendLag", d.sendLag(), "abandoned", d.abandoned())
                .put(
                        "stuck",
                        d.stuck()
                                .map(s -> new JsonFields().put("count", s.count(), "oldestSeconds", s.oldestSeconds())))
                .put("bytesWritten", d.bytesWritten())
                .put(
                        "offered",
                        d.offered()
                                .map(o -> new JsonFields()
                                        .put("perSecond", m.offeredPerSecond(), "due", o.due())
                                        .put("held", o.held(), "unsent", o.unsent(), "unanswered", o.unanswered())
                                        .put("achievedShare", o.due() == 0 ? 0 : m.responses() / (each * o.due()))))
                .eachIfAny(
                        "steps",
                        d.steps(),
                        s -> new JsonFields().put("name", s.name(), "failed", s.failed(), "latency", s.latency()))
                .put("transportUsed", used(d.notes()), "notes", d.notes());
    }

    /** The engine's notes on its transport. */
    private static Optional<String> used(List<String> notes) {
        return notes.stream()
                .filter(n -> n.startsWith("transport: "))
                .map(n -> n.startsWith("transport: io_uring") ? "io_uring" : "nio")
                .findFirst();
    }

    private static JsonFields process(String pid, Evidence seen) {
        return new JsonFields()
                .put("pid", Long.parseLong(pid))
                .put("server", Optional.ofNullable(seen.facts().get("server")))
                .put("cpus", seen.serverCpus())
                .put("acceptQueueLimit", seen.acceptQueueLimit(), "effective", seen.effective())
                .eachIfAny("profiles", seen.profiles(), BenchJson::profile);
    }

    static JsonFields profile(Profile p) {
        return new JsonFields()
                .put("kind", p.kind().id(), "unit", p.kind().unit(), "seconds", p.seconds())
                .put("source", p.source(), "total", p.total())
                .each(
                        "hottest",
                        p.hottest(HOTTEST),
                        f -> new JsonFields().put("frame", f.name(), "self", f.self(), "total", f.total()));
    }

    private static JsonFields window(Measurement.Window w) {
        var point = new JsonFields()
                .put("atSeconds", w.at(), "seconds", w.seconds(), "measured", w.measured())
                .put("responses", w.responses(), "failed", w.failed());
        return w.responses() == 0
                ? point
                : point.millis("p50Millis", w.p50())
                        .millis("p90Millis", w.p90())
                        .millis("p99Millis", w.p99())
                        .millis("maxMillis", w.max());
    }
}
