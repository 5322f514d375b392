package dev.fettle.report;

import dev.fettle.insight.CapacityConclusion;
import dev.fettle.insight.CapacityResult;
import dev.fettle.insight.OverloadResult;
import dev.fettle.insight.capacity.Judged;
import dev.fettle.insight.capacity.Probe;
import dev.fettle.model.plan.CapacityAsked;
import dev.fettle.model.plan.Condition;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.text.OptionalFigure;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The input of a report on a capacity search, finished or not.
 *
 * @param runId the run's id, as given to {@code fettle show}
 * @param target the loaded server, as shown to the user
 * @param plan the plan, secrets already removed
 * @param started when the run began
 * @param environment the machine it ran on
 * @param probes every probe in order
 * @param found the result; empty while the run is unfinished
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
    private static final double NANOS_PER_MILLI = 1e6;

    public CapacityReport {
        probes = List.copyOf(probes);
    }

    /** Converts a run that is a capacity search. */
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

    /** Whether a run is a capacity search. */
    public static boolean is(RunReport run) {
        return run.plan().capacity().isPresent();
    }

    /** Whether each arrival is an iteration of several requests: then offered and answered rates don't count the same. */
    public boolean iterations() {
        return plan.load().requestsOnAverage() > 1;
    }

    /** Whether the probes may be of several processes, each with a search of its own. */
    public boolean processes() {
        return plan.capacity().filter(c -> c.options().launches() > 1).isPresent();
    }

    /** Whether the limit is that of the long run, as confirmations were longer than other probes; else that of such probes. */
    public boolean longRun() {
        return plan.capacity()
                .filter(c -> c.options().hold().compareTo(c.options().probe()) > 0)
                .isPresent();
    }

    /** The figure that a plot shows of each probe: the SLO's first latency, else its errors. */
    public Condition shown() {
        return slo.conditions().all().stream()
                .filter(c -> c.metric().unit() == Condition.Unit.NANOS)
                .findFirst()
                .orElseGet(() -> slo.conditions().all().stream()
                        .filter(c -> c.metric() == Condition.Metric.ERRORS)
                        .findFirst()
                        .orElseThrow());
    }

    /** That figure of a probe; in milliseconds or per cent. */
    public OptionalFigure plotted(Probe p) {
        return shown().metric().of(p).map(v -> scaled(shown(), v));
    }

    /** A condition's figure as it is plotted. */
    public static double scaled(Condition c, double value) {
        return c.metric().unit() == Condition.Unit.NANOS ? value / NANOS_PER_MILLI : 100 * value;
    }

    public Optional<CapacityResult> capacity() {
        return found.flatMap(CapacityConclusion::result);
    }

    public Optional<OverloadResult> overload() {
        return found.flatMap(CapacityConclusion::overload);
    }

    /** How long all probes took, pauses between them included, a spike excluded. */
    public Duration took() {
        return probes.stream().map(j -> j.probe().took()).reduce(Duration.ZERO, Duration::plus);
    }

    /** The answer, or the progress so far, in one or two sentences. */
    public String headline() {
        return found.map(CapacityConclusion::headline)
                .orElseGet(() -> probes.isEmpty()
                        ? "Not finished: no probe has ended yet."
                        : "Not finished: " + Wording.plural(probes.size(), "probe")
                                + " so far, nothing is concluded yet.");
    }
}
