package dev.fettle.report.json;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fettle.model.text.Json;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.Verdict;
import dev.fettle.report.BenchReport;
import dev.fettle.report.Environment;
import dev.fettle.report.Histograms;
import dev.fettle.report.RunReport;
import dev.fettle.report.recommend.ConfigSnippets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import org.HdrHistogram.Histogram;

/**
 * Results for programs ({@code --json}). Field names carry their units ({@code p99Millis}, {@code tookSeconds}); a
 * figure that is not known is left out, never zero; within a schema version fields are added, never renamed or removed.
 * The JSON Schemas are the class-path resources {@code dev/fettle/report/run.schema.json} and {@code
 * bench.schema.json}.
 */
public final class JsonReport {
    /** Value of {@code schema} in a run's document. */
    public static final String RUN_SCHEMA = "fettle.run/1";

    /** Value of {@code schema} in a bench's document. */
    public static final String BENCH_SCHEMA = "fettle.bench/1";

    private final ObjectMapper mapper = Json.mapper();

    /** A run of any kind, finished or not. */
    public String run(RunReport run) {
        var root = mapper.createObjectNode();
        root.put("schema", RUN_SCHEMA);
        root.put("runId", run.runId());
        root.put("kind", run.kind());
        root.put("complete", run.complete());
        root.put("started", run.started().toString());
        root.put("tookSeconds", seconds(run.took()));
        root.set(
                "conclusion",
                run.conclusion()
                        .<JsonNode>map(c -> new JsonConclusions(mapper).node(c))
                        .orElseGet(mapper::nullNode));
        var paste = root.putArray("paste");
        ConfigSnippets.of(run)
                .forEach(s -> paste.addObject()
                        .put("title", s.title())
                        .put("language", s.language())
                        .put("text", s.text()));
        var trials = root.putArray("trials");
        run.outcomes().forEach(o -> trials.add(trial(o)));
        root.set("environment", environment(run.environment()));
        root.set("plan", mapper.valueToTree(run.plan()));
        return text(root);
    }

    /** What {@code fettle bench URL} measured, and whether it may be believed. */
    public String bench(BenchReport bench) {
        return text(new BenchJson(mapper, this).node(bench));
    }

    ArrayNode reasons(Verdict verdict) {
        var reasons = mapper.createArrayNode();
        verdict.reasons()
                .forEach(r -> reasons.addObject()
                        .put("rule", r.rule())
                        .put("message", r.message())
                        .put("passing", r.passing()));
        return reasons;
    }

    ArrayNode advisories(Verdict verdict) {
        var advisories = mapper.createArrayNode();
        verdict.advisories()
                .forEach(a -> advisories.addObject().put("rule", a.rule()).put("message", a.message()));
        return advisories;
    }

    private ObjectNode trial(TrialOutcome o) {
        var node = mapper.createObjectNode();
        node.put("trial", o.ordinal());
        node.put("phase", o.spec().phase().name().toLowerCase(Locale.ROOT));
        node.put("block", o.spec().block());
        node.put("variant", o.spec().variant());
        node.put("target", o.spec().target().label());
        node.set("point", strings(o.spec().point()));
        node.set("setting", strings(o.spec().setting().asMap()));
        node.put("connections", o.spec().load().connections());
        node.put("keepAlive", o.spec().load().keepAlive());
        node.put("started", o.started().toString());
        node.put("tookSeconds", seconds(o.took()));
        node.put("warmUpSeconds", seconds(o.warmUp()));
        node.put("valid", o.valid());
        node.set("voidReasons", reasons(o.verdict()));
        node.set("advisories", advisories(o.verdict()));
        o.failure()
                .ifPresent(f -> node.putObject("failure")
                        .put("kind", f.kind().name().toLowerCase(Locale.ROOT))
                        .put("message", f.message()));
        o.measurement().ifPresent(m -> {
            ObjectNode measured = measurement(m);
            m.detail()
                    .offered()
                    .ifPresent(f -> measured.putObject("offered")
                            .put("due", f.due())
                            .put("held", f.held())
                            .put("unsent", f.unsent())
                            .put("unanswered", f.unanswered()));
            node.set("measurement", measured);
        });
        o.evidence().ifPresent(e -> node.set("evidence", evidence(e)));
        return node;
    }

    ObjectNode measurement(Measurement m) {
        var node = mapper.createObjectNode();
        node.put("elapsedSeconds", seconds(m.elapsed()));
        node.put("responses", m.responses());
        node.put("failed", m.failed());
        node.put("errorShare", m.errorShare());
        var errors = node.putObject("errors");
        m.errors().forEach((kind, n) -> errors.put(kind.name(), n));
        var statuses = node.putObject("statuses");
        m.statuses().forEach((status, n) -> statuses.put(Integer.toString(status), n));
        double elapsed = m.elapsed().toNanos() / 1e9;
        node.put("throughputPerSecond", m.throughput());
        node.put("bytesRead", m.bytesRead());
        node.put("transferBytesPerSecond", elapsed > 0 ? m.bytesRead() / elapsed : 0);
        node.put("reconnects", m.reconnects());
        node.put("connectionsOpen", m.connectionsOpen());
        var latency = latency(m.latency());
        Histograms.merge(List.of(m))
                .map(Histogram::getStdDeviation)
                .ifPresent(sd -> latency.put("stdevMillis", sd / 1e6));
        node.set("latency", latency);
        node.set("connect", latency(m.connect()));
        if (!m.detail().answers().isEmpty()) {
            node.set("answers", answers(m));
        }
        return node;
    }

    private ArrayNode answers(Measurement m) {
        var all = mapper.createArrayNode();
        m.detail().answers().forEach(a -> {
            var one = all.addObject();
            if (!a.step().isEmpty()) {
                one.put("step", a.step());
            }
            var shapes = one.putArray("lengths");
            a.shapes()
                    .forEach(s -> shapes.addObject()
                            .put("status", s.status())
                            .put("fromBytes", s.shortest())
                            .put("toBytes", s.longest())
                            .put("count", s.count()));
            one.put("sampled", a.sampled()).put("sampledOthers", a.otherContents());
            var bodies = one.putArray("bodies");
            a.contents()
                    .forEach(c -> bodies.addObject()
                            .put("status", c.status())
                            .put("bytes", c.length())
                            .put("crc32c", c.hash())
                            .put("count", c.count()));
        });
        return all;
    }

    ObjectNode latency(LatencySummary s) {
        var node = mapper.createObjectNode();
        node.put("count", s.count());
        if (s.count() > 0) {
            node.put("meanMillis", s.mean() / 1e6)
                    .put("p50Millis", s.p50() / 1e6)
                    .put("p75Millis", s.p75() / 1e6)
                    .put("p90Millis", s.p90() / 1e6)
                    .put("p95Millis", s.p95() / 1e6)
                    .put("p99Millis", s.p99() / 1e6)
                    .put("p999Millis", s.p999() / 1e6)
                    .put("p9999Millis", s.p9999() / 1e6)
                    .put("maxMillis", s.max() / 1e6);
        }
        return node;
    }

    private ObjectNode evidence(Evidence e) {
        var node = mapper.createObjectNode();
        node.put("serverCpus", e.serverCpus());
        put(node, "serverCpuSeconds", e.serverCpuSeconds());
        put(node, "compilerCpuSeconds", e.compilerCpuSeconds());
        put(node, "generatorCpuShare", e.generatorCpuShare());
        put(node, "sendLagP99Millis", e.sendLagP99Millis());
        put(node, "stealShare", e.steal());
        put(node, "foreignCpuShare", e.foreignCpu());
        put(node, "busyWorkersMean", e.busyWorkers());
        put(node, "busyWorkersMax", e.busyWorkersMax());
        put(node, "workersMax", e.workers());
        put(node, "queuedMean", e.queued());
        put(node, "gcMillis", e.gcMillis());
        put(node, "listenOverflows", e.listenOverflows());
        put(node, "synRetransmits", e.synRetransmits());
        e.acceptQueueLimit().ifPresent(v -> node.put("acceptQueueLimit", v));
        put(node, "loadAverage", e.loadAverage());
        node.put("startupMillis", e.startupMillis());
        node.set("effective", strings(e.effective()));
        node.set("facts", strings(e.facts()));
        ArrayNode notes = node.putArray("notes");
        e.notes().forEach(notes::add);
        return node;
    }

    private ObjectNode environment(Environment e) {
        var node = mapper.createObjectNode();
        node.put("kernel", e.kernel())
                .put("cpuModel", e.cpuModel())
                .put("cpus", e.cpus())
                .put("serverCpus", e.serverCpus())
                .put("generatorCpus", e.generatorCpus())
                .put("memory", e.memory())
                .put("fettleVersion", e.fettleVersion())
                .put("fettleJava", e.fettleJava());
        node.set("limits", strings(e.limits()));
        return node;
    }

    private ObjectNode strings(Map<String, String> map) {
        var node = mapper.createObjectNode();
        map.forEach(node::put);
        return node;
    }

    static void put(ObjectNode node, String name, OptionalDouble value) {
        if (value.isPresent() && Double.isFinite(value.getAsDouble())) {
            node.put(name, value.getAsDouble());
        }
    }

    private static double seconds(Duration d) {
        return d.toNanos() / 1e9;
    }

    private String text(ObjectNode root) {
        try {
            return mapper.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n";
        } catch (JsonProcessingException e) {
            // a tree of plain nodes can always be written
            throw new IllegalStateException(e);
        }
    }
}
