package dev.fettle.report;

import dev.fettle.insight.CapacityConclusion;
import dev.fettle.insight.CapacityResult;
import dev.fettle.insight.OverloadResult;
import dev.fettle.insight.capacity.Judged;
import dev.fettle.model.plan.CapacityAsked;
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
        Optional<CapacityConclusion> found) {
    public CapacityReport {
        probes = List.copyOf(probes);
    }

    /** A run that is a capacity search. */
    public static CapacityReport of(RunReport run) {
        CapacityAsked asked = run.plan().capacity().orElseThrow();
        return new CapacityReport(
                run.runId(),
                asked.label(),
                asked.options().slo(),
                run.plan(),
                run.started(),
                run.environment(),
                Judged.of(run.outcomes()),
                run.conclusion().map(CapacityConclusion.class::cast));
    }

    /** Whether a run is one. */
    public static boolean is(RunReport run) {
        return run.plan().capacity().isPresent();
    }

    public Optional<CapacityResult> capacity() {
        return found.flatMap(CapacityConclusion::result);
    }

    public Optional<OverloadResult> overload() {
        return found.flatMap(CapacityConclusion::overload);
    }

    /** How long all probes took, with what lay between them; a spike is not in it. */
    public Duration took() {
        return probes.stream().map(j -> j.probe().took()).reduce(Duration.ZERO, Duration::plus);
    }

    /** The answer, or how far it is, in one or two sentences. */
    public String headline() {
        return found.map(CapacityConclusion::headline)
                .orElseGet(() -> probes.isEmpty()
                        ? "Not finished: no probe has ended yet."
                        : "Not finished: " + Wording.plural(probes.size(), "probe")
                                + " so far, nothing is concluded yet.");
    }
}
