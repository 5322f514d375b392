package dev.fettle.report.json;

import dev.fettle.insight.DiagnoseConclusion;
import dev.fettle.insight.gate.EarlyStopping;
import dev.fettle.model.text.CpuList;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.AgentFigures;
import dev.fettle.model.trial.Answers;
import dev.fettle.model.trial.CapacitySeen;
import dev.fettle.model.trial.Conditions;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Profile;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Timeline;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialStage;
import dev.fettle.model.trial.Verdict;
import dev.fettle.model.trial.WatchPoint;
import dev.fettle.report.BenchReport;
import dev.fettle.report.CapacityReport;
import dev.fettle.report.Causes;
import dev.fettle.report.Environment;
import dev.fettle.report.Histograms;
import dev.fettle.report.JsonFields;
import dev.fettle.report.RunReport;
import dev.fettle.report.recommend.ConfigSnippets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * Results for programs ({@code --json}). Field names carry their units ({@code p99Millis}, {@code tookSeconds}); an unknown
 * figure is left out, never zero; within a schema version fields are added, never renamed or removed. The JSON Schemas are the
 * class-path resources {@code dev/fettle/report/run.schema.json} and {@code bench.schema.json}.
 */
public final class JsonReport {
    /** Value of {@code schema} in a run's document. */
    public static final String RUN_SCHEMA = "fettle.run/1";

    /** Value of {@code schema} in a bench's document. */
    public static final String BENCH_SCHEMA = "fettle.bench/1";

    /** A run of any kind, finished or not. */
    public String run(RunReport run) {
        if (CapacityReport.is(run)) {
            return new CapacityJson().text(CapacityReport.of(run));
        }
        return new JsonFields()
                        .put("schema", RUN_SCHEMA, "runId", run.runId(), "kind", run.kind())
                        .put("complete", run.complete(), "started", run.started())
                        .put("tookSeconds", run.took())
                        .orNull("conclusion", run.conclusion().map(c -> JsonConclusions.fields(run, c)))
                        .eachIfAny(
                                "why",
                                Causes.of(run).entrySet(),
                                w -> JsonConclusions.cause(w.getValue().why())
                                        .put("of", w.getKey())
                                        .put("trial", w.getValue().trial()))
                        .put("paste", ConfigSnippets.of(run))
                        .each("trials", run.outcomes(), JsonReport::trial)
                        .put("environment", run.environment(), "plan", run.plan())
                        .document()
                + "\n";
    }

    /** What {@code fettle bench URL} measured, and whether it is valid. */
    public String bench(BenchReport bench) {
        return BenchJson.fields(bench).document() + "\n";
    }

    /** The same, with the machine that it was measured on. */
    public String bench(BenchReport bench, Environment machine) {
        return BenchJson.fields(bench).put("environment", machine).document() + "\n";
    }

    /** Profiles, on one line. */
    public static String profiles(List<Profile> all) {
        return new JsonFields().each("profiles", all, BenchJson::profile).line();
    }

    private static JsonFields trial(TrialOutcome o) {
        var spec = o.spec();
        var to = new JsonFields()
                .put("trial", o.ordinal(), "phase", spec.phase(), "block", spec.block())
                .put("variant", spec.variant(), "target", spec.target().label(), "point", spec.point())
                .put("setting", spec.setting(), "connections", spec.load().connections())
                .put("keepAlive", spec.load().keepAlive(), "started", o.started())
                .put("tookSeconds", o.took(), "warmUpSeconds", o.warmUp());
        return verdict(to, o.valid() || o.cameUp(), o.verdict())
                .put("endedEarlyAtBest", EarlyStopping.is(o) ? EarlyStopping.atBest(o) : OptionalFigure.empty())
                .put("failure", o.failure().map(JsonReport::failure))
                .put(
                        "measurement",
                        o.measurement()
                                .map(m -> measurement(new JsonFields(), m)
                                        .put("offered", m.detail().offered())
                                        .put("capacity", m.detail().capacity().map(JsonReport::capacity))))
                .put("evidence", o.evidence().map(JsonReport::evidence));
    }

    private static JsonFields capacity(CapacitySeen c) {
        var to =
                new JsonFields().put("end", c.end(), "ratePerSecond", c.known()).unlessBlank("why", c.why());
        return (c.end() == CapacitySeen.End.FOUND ? to.put("low", c.low(), "high", c.high()) : to)
                .put("closedBeforePerSecond", c.before(), "closedAfterPerSecond", c.after())
                .each(
                        "probes",
                        c.probes(),
                        p -> new JsonFields()
                                .put("phase", p.phase(), "ratePerSecond", p.rate())
                                .put("tookSeconds", p.took())
                                .millis(
                                        "p99Millis",
                                        p.seen().measurement().latency().known(LatencySummary::p99))
                                .put(
                                        "throughputPerSecond",
                                        p.seen().measurement().throughput())
                                .put("errorShare", p.seen().measurement().errorShare()));
    }

    /** A second of a watch, on one line. */
    public static String point(WatchPoint p) {
        return new JsonFields()
                .put("at", p.at(), "values", p.values())
                .eachIfAny("sightings", p.sightings(), JsonReport::sighting)
                .eachIfAny("notObserved", p.notObserved().entrySet(), JsonReport::why)
                .line();
    }

    /**
     * What the rules say of a process that was observed without load, on one line.
     *
     * @param at when the observation ended
     * @param seconds how long it was observed
     */
    public static String observed(String about, Instant at, double seconds, DiagnoseConclusion found) {
        return new JsonFields()
                .put("about", about, "at", at, "seconds", seconds)
                .put("conclusion", JsonConclusions.fields(found))
                .line();
    }

    /**
     * One look at a process, on one line: the last value of each figure, or the reason why it has none.
     *
     * @param about the process
     */
    public static String look(String about, Timeline t) {
        var values = new TreeMap<String, Double>();
        t.series()
                .forEach((id, s) -> s.observed(0, s.size()).reduce((a, b) -> b).ifPresent(v -> values.put(id, v)));
        return new JsonFields()
                .put("about", about, "values", values)
                .eachIfAny("sightings", t.sightings(), JsonReport::sighting)
                .each("notObserved", t.missing().entrySet(), JsonReport::why)
                .line();
    }

    private static JsonFields why(Map.Entry<String, String> e) {
        return new JsonFields().put("figure", e.getKey(), "why", e.getValue());
    }

    private static JsonFields sighting(Sighting s) {
        return new JsonFields()
                .put("kind", s.kind(), "what", s.what(), "count", s.count())
                .unlessBlank("detail", s.detail());
    }

    /** The timeline; empty if nothing was seen. */
    static Optional<JsonFields> timeline(Evidence e) {
        return fields(e.timeline());
    }

    /** A timeline; empty if nothing was seen. */
    static Optional<JsonFields> fields(Timeline t) {
        if (t.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new JsonFields()
                .put("startMillis", t.startMillis(), "stepMillis", t.stepMillis(), "series", t.series())
                .put("notObserved", t.notObserved())
                .each("sightings", t.sightings(), JsonReport::sighting));
    }

    /** Adds a verdict with its reasons. */
    static JsonFields verdict(JsonFields to, boolean valid, Verdict verdict) {
        return to.put("valid", valid)
                .each(
                        "voidReasons",
                        verdict.reasons(),
                        r -> new JsonFields().put("rule", r.rule(), "message", r.message(), "passing", r.passing()))
                .each(
                        "advisories",
                        verdict.advisories(),
                        a -> new JsonFields().put("rule", a.rule(), "message", a.message()));
    }

    /** Adds a measurement to an object. */
    static JsonFields measurement(JsonFields to, Measurement m) {
        double elapsed = m.elapsed().toNanos() / 1e9;
        return to.put("elapsedSeconds", m.elapsed())
                .put("responses", m.responses(), "failed", m.failed(), "errorShare", m.errorShare())
                .put("errors", m.errors(), "statuses", m.statuses())
                .put("throughputPerSecond", m.throughput(), "bytesRead", m.bytesRead())
                .put("transferBytesPerSecond", elapsed > 0 ? m.bytesRead() / elapsed : 0)
                .put("reconnects", m.reconnects(), "connectionsOpen", m.connectionsOpen())
                .put(
                        "latency",
                        JsonFields.latency(m.latency())
                                .put(
                                        "stdevMillis",
                                        Histograms.merge(List.of(m))
                                                .map(Histogram::getStdDeviation)
                                                .map(sd -> sd / 1e6)))
                .put("connect", m.connect())
                .eachIfAny("answers", m.detail().answers(), JsonReport::answers);
    }

    private static JsonFields answers(Answers a) {
        return new JsonFields()
                .unlessBlank("step", a.step())
                .each(
                        "lengths",
                        a.shapes(),
                        s -> new JsonFields()
                                .put("status", s.status(), "fromBytes", s.shortest())
                                .put("toBytes", s.longest(), "count", s.count()))
                .put("sampled", a.sampled(), "sampledOthers", a.otherContents())
                .each(
                        "bodies",
                        a.contents(),
                        c -> new JsonFields()
                                .put("status", c.status(), "bytes", c.length(), "crc32c", c.hash())
                                .put("count", c.count())
                                .unlessBlank("encoding", c.unzipped() ? "gzip" : ""))
                .put("traced", a.slowest().isEmpty() ? Optional.empty() : Optional.of(a.traced()))
                .eachIfAny(
                        "slowestTraced",
                        a.slowest(),
                        t -> new JsonFields()
                                .put("traceId", t.id())
                                .millis("latencyMillis", t.latency())
                                .put("valid", t.valid()))
                .eachIfAny(
                        "wrong",
                        a.wrong(),
                        w -> new JsonFields()
                                .put("kind", w.kind().name(), "status", w.status(), "head", w.head())
                                .put("body", w.body(), "bytes", w.bytes(), "whole", w.whole()));
    }

    private static JsonFields pair(Conditions.Pair p) {
        return new JsonFields()
                .put("sideBySide", p.sideBySide(), "whyNot", p.whyNot(), "again", p.again())
                .put(
                        "slices",
                        p.slices()
                                .map(s -> new JsonFields()
                                        .put("counted", s.counted(), "planned", s.planned())
                                        .put("disturbed", s.disturbed(), "keptDisturbed", s.keptDisturbed())));
    }

    private static JsonFields failure(TrialOutcome.Failure f) {
        return new JsonFields()
                .put("kind", f.kind(), "message", f.message())
                .put("during", f.during().map(TrialStage::id));
    }

    private static JsonFields evidence(Evidence e) {
        return aggregates(e)
                .put("serverCpus", e.serverCpus())
                .put("serverCpuList", list(e.cpus().server()))
                .put("generatorCpuList", list(e.cpus().generator()))
                .put("generatorCpuShare", e.generatorCpuShare())
                .put("sendLagP99Millis", e.sendLagP99Millis())
                .put("acceptQueueLimit", e.acceptQueueLimit())
                .put("startupMillis", e.startupMillis(), "effective", e.effective(), "facts", e.facts())
                .put("pair", e.conditions().pair().map(JsonReport::pair))
                .put(
                        "warmJvm",
                        e.conditions().warm().map(w -> new JsonFields().put("launched", w.jvm(), "trial", w.trial())))
                .put("notes", e.notes())
                .eachIfAny("agents", e.agents(), JsonReport::agent)
                .put("timeline", timeline(e));
    }

    /** One of the hosts that sent the load. */
    static JsonFields agent(AgentFigures a) {
        return new JsonFields()
                .put("host", a.name(), "responses", a.responses(), "failed", a.failed())
                .put("latency", a.latency())
                .put("lateMillis", a.lateMillis(), "clockErrorMillis", a.clockErrorMillis())
                .put("clockMovedMillis", a.clockMovedMillis(), "cpuShare", a.cpuShare())
                .put("lost", a.lost().isEmpty() ? Optional.<String>empty() : Optional.of(a.lost()));
    }

    /** All figures over the measured time that were observed. */
    static JsonFields aggregates(Evidence e) {
        var out = new JsonFields();
        e.aggregates().byId().forEach(out::put);
        return out;
    }

    private static Optional<String> list(Set<Integer> cpus) {
        return Optional.of(CpuList.text(cpus)).filter(text -> !text.isEmpty());
    }
}
