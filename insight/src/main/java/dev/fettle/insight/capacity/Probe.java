package dev.fettle.insight.capacity;

import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import dev.fettle.model.load.Arrivals;
import dev.fettle.model.load.Load;
import dev.fettle.model.trial.ErrorKind;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.MeasuredValues;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Observation;
import dev.fettle.model.trial.TrialOutcome;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One open load at one rate: an observation of a capacity search.
 *
 * @param phase what it was for
 * @param rate arrivals offered a second
 * @param seconds how long was measured
 * @param achieved valid responses a second within the measured time
 * @param finished attempts that ended within the measured time, valid or not
 * @param responses valid responses, those included that came after the measured time to requests that were due in it
 * @param failed failed attempts
 * @param lost attempts given up, and arrivals never sent
 * @param held arrivals that found no free connection and waited for one
 * @param errors failed ones by kind
 * @param examples the first message of each kind
 * @param latency of valid responses, from the intended send time
 * @param sendLagP99Millis the generator's own delay; empty if unknown
 * @param generatorCpu the busiest generator thread's share of a core, 0 to 1
 * @param took everything, with the recovery from the probe before and the settling
 * @param evidence of the server's process, if it was watched
 */
public record Probe(
        Phase phase,
        double rate,
        double seconds,
        double achieved,
        long finished,
        long responses,
        long failed,
        long lost,
        long held,

        @JsonDeserialize(using = ErrorKind.CountReader.class)
        Map<ErrorKind, Long> errors,

        @JsonDeserialize(using = ErrorKind.TextReader.class) Map<ErrorKind, String> examples,
        LatencySummary latency,
        OptionalDouble sendLagP99Millis,
        double generatorCpu,
        Duration took,
        Optional<ProbeEvidence> evidence)
        implements MeasuredValues {

    /** What a probe is for. */
    public enum Phase {
        /** Looks for a rate that meets the SLO and one that does not. */
        BRACKET,
        /** Narrows the limit between them. */
        NARROW,
        /** Shows that a rate meets the SLO, on data used for nothing before. */
        CONFIRM
    }

    public Probe {
        errors = ErrorKind.ordered(errors);
        examples = ErrorKind.ordered(examples);
    }

    /**
     * What a probe's outcome says.
     *
     * @throws IllegalArgumentException if it is of another phase, or has no measurement
     */
    public static Probe of(TrialOutcome outcome) {
        Observation seen =
                outcome.observation().orElseThrow(() -> new IllegalArgumentException("nothing was measured"));
        Measurement m = seen.measurement();
        Evidence e = seen.evidence();
        double seconds = m.elapsed().toNanos() / 1e9;
        long failedInTime = m.windows().stream()
                .filter(Measurement.Window::measured)
                .mapToLong(Measurement.Window::failed)
                .sum();
        return new Probe(
                Phase.valueOf(outcome.spec().phase().name()),
                rate(outcome.spec().load()),
                seconds,
                m.throughput(),
                m.responses() + failedInTime,
                m.latency().count(),
                m.failed(),
                m.detail().abandoned()
                        + m.detail().offered().map(Measurement.Offered::unsent).orElse(0L),
                m.detail().offered().map(Measurement.Offered::held).orElse(0L),
                m.errors(),
                m.errorExamples(),
                m.latency(),
                e.sendLagP99Millis(),
                e.generatorCpuShare().orElse(0),
                outcome.took(),
                // of a process that is not watched nothing is known
                e.serverCpuSeconds().isPresent() ? Optional.of(ProbeEvidence.of(e, seconds)) : Optional.empty());
    }

    private static double rate(Load load) {
        if (load.arrivals() instanceof Arrivals.Open open) {
            return open.stages().getLast().to();
        }
        throw new IllegalArgumentException("a probe offers a rate");
    }

    @Override
    public double percentile(double percent) {
        return latency.percentile(percent);
    }

    @Override
    public double mean() {
        return latency.mean();
    }

    @Override
    public double errorShare() {
        return MeasuredValues.errorShare(responses, failed + lost);
    }

    @Override
    public double throughput() {
        return achieved;
    }
}
