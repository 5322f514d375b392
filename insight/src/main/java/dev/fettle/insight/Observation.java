package dev.fettle.insight;

import dev.fettle.model.Evidence;
import dev.fettle.model.Measurement;
import dev.fettle.model.Setting;
import dev.fettle.model.TrialOutcome;
import java.util.List;
import java.util.Optional;

/**
 * All that is known of one setting of a search.
 *
 * @param origin where it came from: default, prediction, log-spaced, neighbour, one knob
 * @param valid the trials that count, in order: valid ones, and on a machine that never is calm disturbed ones, which may rank
 *     settings but prove nothing
 * @param voids void and failed attempts
 * @param problem why there is no valid trial
 * @param failure what the target did with this setting that it must not do: {@code crashed}
 */
public record Observation(
        Setting setting,
        String origin,
        List<TrialOutcome> valid,
        int voids,
        Optional<String> problem,
        Optional<String> failure) {
    public Observation {
        valid = List.copyOf(valid);
    }

    /** Of a setting with which the target never failed. */
    public Observation(Setting setting, String origin, List<TrialOutcome> valid, int voids, Optional<String> problem) {
        this(setting, origin, valid, voids, problem, Optional.empty());
    }

    /** Whether it was never measured but while the machine was disturbed or the target on the move. */
    boolean unsure() {
        return valid.stream().noneMatch(TrialOutcome::valid);
    }

    List<Measurement> measurements() {
        return valid.stream()
                .map(TrialOutcome::measurement)
                .flatMap(Optional::stream)
                .toList();
    }

    /** Failed over finished, all trials together. */
    double errorShare() {
        return errorShare(measurements());
    }

    static double errorShare(List<Measurement> trials) {
        long failed = trials.stream().mapToLong(Measurement::failed).sum();
        long all = failed + trials.stream().mapToLong(Measurement::responses).sum();
        return all == 0 ? 0 : (double) failed / all;
    }

    /** The median of its trials' p99, nanoseconds. */
    double p99() {
        return Statistics.median(
                measurements().stream().mapToDouble(m -> m.latency().p99()).toArray());
    }

    double[] throughputs() {
        return measurements().stream().mapToDouble(Measurement::throughput).toArray();
    }

    /** A knob's value in force, where it is known. */
    Optional<String> inForce(String knob) {
        if (valid.isEmpty()) {
            return setting.get(knob);
        }
        TrialOutcome first = valid.getFirst();
        Optional<Evidence> evidence = first.evidence();
        return Capacity.knob(first.spec(), evidence, knob);
    }
}
