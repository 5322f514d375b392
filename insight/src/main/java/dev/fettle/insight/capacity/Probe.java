package dev.fettle.insight.capacity;

import dev.fettle.insight.explain.OperatingPoint;
import dev.fettle.load.api.Arrivals;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.load.Load;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.MeasuredValues;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Observation;
import dev.fettle.model.trial.TrialOutcome;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One open load at one rate: an observation of a capacity search.
 *
 * @param phase what it was for
 * @param rate arrivals offered a second
 * @param seen what was measured, and what was seen meanwhile
 * @param took total time, with the recovery from the probe before and the settling
 * @param each what an arrival asks of the server
 * @param planned how long it was to measure; it ends earlier if the SLO is lost. 0: as long as the others
 */
public record Probe(Phase phase, double rate, Observation seen, Duration took, Iteration each, Duration planned)
        implements MeasuredValues {

    /** What a probe is for. */
    public enum Phase {
        /** Looks for a rate that meets the SLO and one that does not. */
        BRACKET,
        /** Narrows the limit between them. */
        NARROW,
        /** Shows that a rate meets the SLO, on fresh data. */
        CONFIRM
    }

    /** A probe as long as the others. */
    public Probe(Phase phase, double rate, Observation seen, Duration took, Iteration each) {
        this(phase, rate, seen, took, each, Duration.ZERO);
    }

    /**
     * The probe of a trial.
     *
     * @throws IllegalArgumentException if it is of another phase, or has no measurement
     */
    public static Probe of(TrialOutcome outcome) {
        return new Probe(
                Phase.valueOf(outcome.spec().phase().name()),
                rate(outcome.spec().load()),
                outcome.observation().orElseThrow(() -> new IllegalArgumentException("nothing was measured")),
                outcome.took(),
                Iteration.of(outcome.spec().load()),
                ProbeShape.measured(outcome.spec().load()));
    }

    private static double rate(Load load) {
        if (load.arrivals() instanceof Arrivals.Open open) {
            return open.stages().getLast().to();
        }
        throw new IllegalArgumentException("a probe offers a rate");
    }

    private Measurement measured() {
        return seen.measurement();
    }

    /** Length of the measured time. */
    public double seconds() {
        return measured().elapsed().toNanos() / 1e9;
    }

    /** Attempts that ended within the measured time, valid or not. */
    public long finished() {
        return measured().responses()
                + measured().windows().stream()
                        .filter(Measurement.Window::measured)
                        .mapToLong(Measurement.Window::failed)
                        .sum();
    }

    /**
     * Arrivals that the server kept up with in the measured time: the attempts that ended in it, over the requests of an arrival. A
     * user of a scenario asks for one thing after the other, so the later requests of the last arrivals come after that time; the
     * same share is added for them. Where an iteration takes longer than the probe this tells nothing: then all.
     */
    public double served() {
        if (each.requests() <= 1) {
            return finished();
        }
        double later = (each.requests() - 1) * latency().mean() / 1e9 + each.pauses();
        return later < seconds() ? finished() / each.requests() * seconds() / (seconds() - later) : rate * seconds();
    }

    /** Whether fewer were served than a server serves that keeps up with the rate. */
    boolean fellBehind() {
        return served() < ProbeVerdict.KEEPS_UP * rate * seconds();
    }

    /**
     * Arrivals a second in the measured time. If only answers were counted, those are among them that had arrived before and were
     * answered in it: by Little's law as many as arrive in a mean latency.
     */
    double arrived() {
        return measured()
                .detail()
                .offered()
                .map(o -> o.due() / seconds())
                .orElseGet(() -> (responses() + failed() + lost())
                        / (seconds() + latency().mean() / 1e9)
                        / Math.max(1, each.requests()));
    }

    /** Arrivals a second that it finished at most: the attempts that ended, over the requests of an arrival. */
    public double finishedRate() {
        return finished() / Math.max(1, each.requests()) / seconds();
    }

    /** Valid responses, those included that came after the measured time to requests that were due in it. */
    public long responses() {
        return latency().count();
    }

    /** Failed attempts. */
    public long failed() {
        return measured().failed();
    }

    /** Of the failed attempts, those caused by the generator's own host. */
    public long own() {
        return measured().failed(ErrorKind::isGenerators);
    }

    /** Attempts given up, and arrivals never sent. */
    public long lost() {
        return measured().detail().abandoned()
                + measured().detail().offered().map(Measurement.Offered::unsent).orElse(0L);
    }

    /** Arrivals that found no free connection and waited for one. */
    public long held() {
        return measured().detail().offered().map(Measurement.Offered::held).orElse(0L);
    }

    /** Failed attempts by kind. */
    public Map<ErrorKind, Long> errors() {
        return measured().errors();
    }

    /** Latency of valid responses, from the intended send time. */
    public LatencySummary latency() {
        return measured().latency();
    }

    /** The generator's own delay; empty if unknown. */
    public OptionalFigure sendLagP99Millis() {
        return seen.evidence().sendLagP99Millis();
    }

    /** The busiest generator thread's share of a core, 0 to 1. */
    public double generatorCpu() {
        return seen.evidence().generatorCpuShare().orElse(0);
    }

    /** What was seen of the server's process; empty if it was not watched. */
    public Optional<Evidence> server() {
        return Optional.of(seen.evidence())
                .filter(e -> e.get(Aggregate.SERVER_CPU_SECONDS).isPresent());
    }

    /** Share of its CPUs that the server used, 0 to 1; of its quota, where that allows it less. */
    public OptionalFigure cpuShare() {
        return OptionalFigure.from(
                server(), e -> over(e.get(Aggregate.SERVER_CPU_SECONDS), OperatingPoint.allowedOf(e) * seconds()));
    }

    /** Share of the time that the server spent in garbage collection, 0 to 1. */
    public OptionalFigure gcShare() {
        return OptionalFigure.from(server(), e -> over(e.get(Aggregate.GC_MILLIS), 1000 * seconds()));
    }

    /** The largest size of the server's worker pool, as read back. */
    public OptionalLong mostWorkers() {
        return server().map(e -> e.effective().get("threads.max"))
                .filter(v -> v.matches("[0-9]{1,9}"))
                .map(v -> OptionalLong.of(Long.parseLong(v)))
                .orElse(OptionalLong.empty());
    }

    private static OptionalFigure over(OptionalFigure part, double whole) {
        return whole > 0 ? part.map(p -> p / whole) : OptionalFigure.empty();
    }

    @Override
    public double percentile(double percent) {
        return latency().percentile(percent);
    }

    @Override
    public double mean() {
        return latency().mean();
    }

    @Override
    public double errorShare() {
        return MeasuredValues.errorShare(responses(), failed() + lost());
    }

    @Override
    public double throughput() {
        return measured().throughput();
    }
}
