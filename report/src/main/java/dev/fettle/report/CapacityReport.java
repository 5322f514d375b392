package dev.fettle.report;

import dev.fettle.insight.capacity.CapacityResult;
import dev.fettle.insight.capacity.CapacityResult.Judged;
import dev.fettle.insight.capacity.OverloadResult;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Slo;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Everything a report of a capacity search is made from, finished or not.
 *
 * @param runId the run's id, as {@code fettle show} takes it
 * @param target what was loaded, as the user sees it
 * @param plan what was loaded and how, secrets already removed
 * @param started when the run began
 * @param environment where it ran
 * @param probes every probe in order
 * @param found what came of it; empty while the run is unfinished
 */
public record CapacityReport(
        String runId,
        String target,
        Slo slo,
        Plan plan,
        Instant started,
        Environment environment,
        List<Judged> probes,
        Optional<Found> found) {
    public CapacityReport {
        probes = List.copyOf(probes);
    }

    /**
     * What came of it.
     *
     * @param idleMillis median latency of a single client, before any other load
     * @param capacity of the search, if there was one
     * @param overload of the spike, if there was one
     * @param notes what the reader should know of how it was done
     */
    public record Found(
            double idleMillis,
            Optional<CapacityResult> capacity,
            Optional<OverloadResult> overload,
            List<String> notes) {
        public Found {
            notes = List.copyOf(notes);
        }
    }

    public Optional<CapacityResult> capacity() {
        return found.flatMap(Found::capacity);
    }

    public Optional<OverloadResult> overload() {
        return found.flatMap(Found::overload);
    }

    /** How long all probes took, with what lay between them; a spike is not in it. */
    public Duration took() {
        return probes.stream().map(j -> j.probe().took()).reduce(Duration.ZERO, Duration::plus);
    }

    /** The answer, or how far it is, in one or two sentences. */
    public String headline() {
        return found.map(f -> f.capacity()
                        .map(CapacityResult::headline)
                        .or(() -> f.overload().map(OverloadResult::headline))
                        .orElse("Nothing was searched."))
                .orElseGet(() -> probes.isEmpty()
                        ? "Not finished: no probe has ended yet."
                        : "Not finished: " + Wording.plural(probes.size(), "probe")
                                + " so far, nothing is concluded yet.");
    }
}
