package dev.fettle.lab.journal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fettle.insight.Conclusion;
import dev.fettle.insight.capacity.ProbeVerdict;
import dev.fettle.model.load.Arrivals;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.CapacityAsked;
import dev.fettle.model.plan.CapacityOptions;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.trial.ErrorKind;
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
import java.util.OptionalLong;

/**
 * Reads capacity searches from version 2 journals, which keep the options of a search and its probes in separate
 * tables.
 */
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

    /** Adds the options of the search to a run's plan. */
    Plan complete(String runId, Plan plan) throws SQLException, JsonProcessingException {
        if (!has(runId)) {
            return plan;
        }
        String asked = Journal.texts(db, "SELECT asked FROM capacity WHERE run = ?", runId)
                .getFirst();
        return plan.withCapacity(Optional.of(json.readValue(asked, CapacityAsked.class)));
    }

    /** Parses the conclusion, whose JSON does not name its type. */
    Conclusion conclusion(String text) throws JsonProcessingException {
        var found = (ObjectNode) json.readTree(text);
        found.put("kind", "capacity");
        return json.treeToValue(found, Conclusion.class);
    }

    List<TrialOutcome> probes(RunRecord run) throws SQLException, JsonProcessingException {
        var outcomes = new ArrayList<TrialOutcome>();
        for (String text : Journal.texts(db, "SELECT judged FROM probe WHERE run = ? ORDER BY ordinal", run.id())) {
            outcomes.add(outcome(run, outcomes.size() + 1, json.readValue(text, OldJudged.class)));
        }
        return outcomes;
    }

    private static TrialOutcome outcome(RunRecord run, int ordinal, OldJudged judged) {
        Plan plan = run.plan();
        OldProbe p = judged.probe();
        CapacityOptions ask = plan.capacity().orElseThrow().options();
        Load load = plan.load()
                .withArrivals(new Arrivals.Open(
                        List.of(new Arrivals.Stage(p.rate(), p.rate(), ask.probe(), 1)), ask.poisson(), ask.seed()));
        var spec = new TrialSpec(p.phase(), "", Map.of(), 0, plan.target(), plan.hold(), load);
        return new TrialOutcome(
                ordinal,
                spec,
                run.started(),
                p.took(),
                Duration.ZERO,
                Optional.of(measurement(p)),
                Optional.of(evidence(p)),
                Optional.empty(),
                judged.verdict().asVerdict(),
                List.of());
    }

    private static Measurement measurement(OldProbe p) {
        long inTime = Math.round(p.achieved() * p.seconds());
        var window = new Measurement.Window(
                0, p.seconds(), inTime, p.finished() - inTime, p.latency().p99(), true);
        var detail = Measurement.Detail.NONE
                .with()
                .offered(Optional.of(new Measurement.Offered(Math.round(p.rate() * p.seconds()), p.held(), 0, 0)))
                .abandoned(p.lost())
                .build();
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

    private static Evidence evidence(OldProbe p) {
        OldSight e = p.evidence().orElse(OldSight.NOTHING);
        return new Evidence(
                e.cpus(),
                Evidence.Cpus.UNKNOWN,
                HostSeen.NOTHING
                        .with()
                        .serverCpuSeconds(part(e.cpuShare(), e.cpus() * p.seconds()))
                        .serverSteal(e.serverSteal())
                        .generatorSteal(e.generatorSteal())
                        .foreignCpu(e.foreignCpu())
                        .busyWorkers(e.busy())
                        .workers(e.workers())
                        .queued(e.queued())
                        .gcMillis(part(e.gcShare(), 1000 * p.seconds()))
                        .listenOverflows(e.dropped())
                        .acceptQueueMax(e.acceptQueueMax())
                        .acceptQueueDrops(e.acceptQueueDrops())
                        .build(),
                OptionalDouble.of(p.generatorCpu()),
                p.sendLagP99Millis(),
                e.acceptQueue(),
                0,
                e.mostWorkers().isPresent()
                        ? Map.of("threads.max", Long.toString(e.mostWorkers().getAsLong()))
                        : Map.of(),
                Map.of(),
                List.of(),
                Timeline.NONE,
                List.of());
    }

    private static OptionalDouble part(OptionalDouble share, double whole) {
        return share.isPresent() ? OptionalDouble.of(share.getAsDouble() * whole) : share;
    }

    /** A probe and its verdict, as version 2 wrote them. */
    record OldJudged(OldProbe probe, ProbeVerdict verdict) {}

    /**
     * A probe as version 2 wrote it.
     *
     * @param achieved valid responses a second within the measured time
     * @param finished attempts that ended within the measured time, valid or not
     * @param lost attempts given up, and arrivals never sent
     * @param held arrivals that found no free connection and waited for one
     */
    record OldProbe(
            TrialSpec.Phase phase,
            double rate,
            double seconds,
            double achieved,
            long finished,
            long lost,
            long held,

            @JsonDeserialize(using = ErrorKind.CountReader.class)
            Map<ErrorKind, Long> errors,

            @JsonDeserialize(using = ErrorKind.TextReader.class)
            Map<ErrorKind, String> examples,

            LatencySummary latency,
            OptionalDouble sendLagP99Millis,
            double generatorCpu,
            Duration took,
            Optional<OldSight> evidence) {}

    /**
     * What was seen of the server's process during a probe, as version 2 wrote it.
     *
     * @param cpuShare share of its CPUs that it used, 0 to 1
     * @param mostWorkers the pool's largest size, as read back
     * @param gcShare share of the time in garbage collection, 0 to 1
     */
    record OldSight(
            int cpus,
            OptionalDouble cpuShare,
            OptionalDouble busy,
            OptionalDouble workers,
            OptionalLong mostWorkers,
            OptionalDouble queued,
            OptionalDouble gcShare,
            OptionalDouble dropped,
            OptionalInt acceptQueue,
            OptionalDouble serverSteal,
            OptionalDouble generatorSteal,
            OptionalDouble foreignCpu,
            OptionalInt acceptQueueMax,
            OptionalDouble acceptQueueDrops) {
        private static final OptionalDouble NO = OptionalDouble.empty();
        static final OldSight NOTHING = new OldSight(
                0,
                NO,
                NO,
                NO,
                OptionalLong.empty(),
                NO,
                NO,
                NO,
                OptionalInt.empty(),
                NO,
                NO,
                NO,
                OptionalInt.empty(),
                NO);
    }
}
