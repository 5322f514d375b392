package dev.fettle.lab.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fettle.insight.Conclusion;
import dev.fettle.insight.capacity.Judged;
import dev.fettle.insight.capacity.Probe;
import dev.fettle.insight.capacity.ProbeEvidence;
import dev.fettle.model.load.Arrivals;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.CapacityAsked;
import dev.fettle.model.plan.CapacityOptions;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.HostSeen;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Timeline;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** Reads capacity searches from version 2 journals, which keep what was asked and the probes in separate tables. */
final class OldCapacity {
    private static final double NANOS = 1e9;

    private final Connection db;
    private final ObjectMapper json;
    private final boolean here;

    OldCapacity(Connection db, ObjectMapper json) throws SQLException {
        this.db = db;
        this.json = json;
        this.here = !Journal.texts(db, "SELECT name FROM sqlite_master WHERE name = ?", "probe")
                .isEmpty();
    }

    /** Whether a run is such a search. */
    boolean has(String runId) throws SQLException {
        return here
                && !Journal.texts(db, "SELECT run FROM capacity WHERE run = ?", runId)
                        .isEmpty();
    }

    /** Adds what was asked to a run's plan. */
    Plan complete(String runId, Plan plan) throws SQLException, JsonProcessingException {
        if (!has(runId)) {
            return plan;
        }
        String asked = Journal.texts(db, "SELECT asked FROM capacity WHERE run = ?", runId)
                .getFirst();
        return plan.with(json.readValue(asked, CapacityAsked.class));
    }

    /** Parses the conclusion, whose text does not name its kind. */
    Conclusion conclusion(String text) throws JsonProcessingException {
        var found = (ObjectNode) json.readTree(text);
        found.put("kind", "capacity");
        return json.treeToValue(found, Conclusion.class);
    }

    /** The probes of a run as trials. */
    List<TrialOutcome> probes(RunRecord run) throws SQLException, JsonProcessingException {
        var outcomes = new ArrayList<TrialOutcome>();
        for (String text : Journal.texts(db, "SELECT judged FROM probe WHERE run = ? ORDER BY ordinal", run.id())) {
            outcomes.add(outcome(run, outcomes.size() + 1, json.readValue(text, Judged.class)));
        }
        return outcomes;
    }

    private static TrialOutcome outcome(RunRecord run, int ordinal, Judged judged) {
        Plan plan = run.plan();
        Probe p = judged.probe();
        CapacityOptions ask = plan.capacity().orElseThrow().options();
        Load load = plan.load()
                .withArrivals(new Arrivals.Open(
                        List.of(new Arrivals.Stage(p.rate(), p.rate(), ask.probe(), 1)), ask.poisson(), ask.seed()));
        var spec = new TrialSpec(
                TrialSpec.Phase.valueOf(p.phase().name()), "", Map.of(), 0, plan.target(), plan.hold(), load);
        return new TrialOutcome(
                ordinal,
                spec,
                run.started(),
                p.took(),
                Duration.ZERO,
                Optional.of(measurement(p)),
                Optional.of(evidence(p)),
                Optional.empty(),
                judged.verdict().asVerdict());
    }

    private static Measurement measurement(Probe p) {
        long inTime = Math.round(p.achieved() * p.seconds());
        var window = new Measurement.Window(
                0, p.seconds(), inTime, p.finished() - inTime, p.latency().p99(), true);
        var detail = new Measurement.Detail(
                LatencySummary.NONE,
                LatencySummary.NONE,
                LatencySummary.NONE,
                Optional.of(new Measurement.Offered(Math.round(p.rate() * p.seconds()), p.held(), 0, 0)),
                List.of(),
                p.lost(),
                0,
                List.of(),
                "",
                List.of(),
                List.of(),
                List.of());
        return new Measurement(
                Duration.ofNanos(Math.round(p.seconds() * NANOS)),
                inTime,
                p.errors(),
                p.examples(),
                Map.of(),
                0,
                0,
                p.latency(),
                LatencySummary.NONE,
                0,
                0,
                List.of(window),
                "",
                detail);
    }

    private static Evidence evidence(Probe p) {
        Optional<ProbeEvidence> e = p.evidence();
        OptionalDouble cpu =
                part(e.map(ProbeEvidence::cpuShare), e.map(ProbeEvidence::cpus).orElse(0) * p.seconds());
        Map<String, String> effective = e.map(ProbeEvidence::mostWorkers)
                .filter(m -> m.isPresent())
                .map(m -> Map.of("threads.max", Long.toString(m.getAsLong())))
                .orElse(Map.of());
        return new Evidence(
                e.map(ProbeEvidence::cpus).orElse(0),
                Evidence.Cpus.UNKNOWN,
                new HostSeen(
                        cpu,
                        OptionalDouble.empty(),
                        OptionalDouble.empty(),
                        e.map(ProbeEvidence::serverSteal).orElse(OptionalDouble.empty()),
                        e.map(ProbeEvidence::generatorSteal).orElse(OptionalDouble.empty()),
                        e.map(ProbeEvidence::foreignCpu).orElse(OptionalDouble.empty()),
                        e.map(ProbeEvidence::busy).orElse(OptionalDouble.empty()),
                        OptionalDouble.empty(),
                        e.map(ProbeEvidence::workers).orElse(OptionalDouble.empty()),
                        e.map(ProbeEvidence::queued).orElse(OptionalDouble.empty()),
                        part(e.map(ProbeEvidence::gcShare), 1000 * p.seconds()),
                        e.map(ProbeEvidence::dropped).orElse(OptionalDouble.empty()),
                        OptionalDouble.empty(),
                        OptionalDouble.empty(),
                        e.map(ProbeEvidence::acceptQueueMax).orElse(OptionalInt.empty()),
                        e.map(ProbeEvidence::acceptQueueDrops).orElse(OptionalDouble.empty())),
                OptionalDouble.of(p.generatorCpu()),
                p.sendLagP99Millis(),
                e.map(ProbeEvidence::acceptQueue).orElse(OptionalInt.empty()),
                0,
                effective,
                Map.of(),
                List.of(),
                Timeline.NONE,
                List.of());
    }

    private static OptionalDouble part(Optional<OptionalDouble> share, double whole) {
        return share.filter(OptionalDouble::isPresent)
                .map(s -> OptionalDouble.of(s.getAsDouble() * whole))
                .orElse(OptionalDouble.empty());
    }
}
