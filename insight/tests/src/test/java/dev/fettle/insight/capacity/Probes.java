package dev.fettle.insight.capacity;

import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregates;
import dev.fettle.model.trial.Conditions;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Observation;
import dev.fettle.model.trial.Timeline;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;

/** Simulated probes. */
public final class Probes {
    private Probes() {}

    /**
     * A probe of a server that is not watched, without failures.
     *
     * @param finished responses within the measured time
     */
    public static Probe of(
            Probe.Phase phase,
            double rate,
            double seconds,
            long finished,
            LatencySummary latency,
            double lagMillis,
            double generatorCpu,
            Duration took) {
        var measurement = new Measurement(
                Duration.ofNanos(Math.round(seconds * 1e9)),
                finished,
                Map.<ErrorKind, Long>of(),
                Map.of(),
                Map.of(),
                0,
                0,
                latency,
                LatencySummary.NONE,
                0,
                1,
                List.of(),
                "",
                Measurement.Detail.NONE);
        return new Probe(
                phase,
                rate,
                new Observation(
                        measurement,
                        evidence(0, Aggregates.NOTHING, OptionalInt.empty(), Map.of(), lagMillis, generatorCpu)),
                took,
                Iteration.ONE_REQUEST);
    }

    /** The same with this seen of the server. */
    public static Probe seeing(Probe p, Evidence evidence) {
        return new Probe(
                p.phase(),
                p.rate(),
                new Observation(p.seen().measurement(), evidence),
                p.took(),
                Iteration.ONE_REQUEST);
    }

    /** What is seen of a server. */
    public static Evidence evidence(
            int cpus,
            Aggregates host,
            OptionalInt acceptQueue,
            Map<String, String> effective,
            double lagMillis,
            double generatorCpu) {
        return new Evidence(
                cpus,
                Evidence.Cpus.UNKNOWN,
                host,
                OptionalFigure.of(generatorCpu),
                OptionalFigure.of(lagMillis),
                acceptQueue,
                0,
                effective,
                Map.of(),
                List.of(),
                Timeline.NONE,
                List.of(),
                Conditions.ALONE);
    }
}
