package dev.fettle.insight.trials;

import dev.fettle.insight.explain.OperatingPoint;
import dev.fettle.insight.gate.EarlyStopping;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.MeasuredValues;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * All that is known about one setting of a search.
 *
 * @param origin where it came from
 * @param valid the trials that count, in order: valid ones, and on a machine that is never calm also disturbed ones, which may
 *     rank settings but prove nothing
 * @param slots how often it was to be tried: repeats of void attempts are not counted
 * @param voids void and failed attempts
 * @param problem why there is no valid trial
 * @param failure how the target failed with this setting: {@code crashed}
 * @param ignored knobs whose value did not take effect in some attempt
 * @param otherAnswers how its answers differ from the baseline's, if they do; then its speed is meaningless
 * @param drift how the warm JVM moved in which trials of a search may have run
 * @param early the trial that was ended early because the setting is surely worse than the best so far ({@link EarlyStopping}): never
 *     among those that count
 */
@RecordBuilder
public record SettingTrials(
        Setting setting,
        Origin origin,
        List<TrialOutcome> valid,
        int slots,
        int voids,
        Optional<String> problem,
        Optional<String> failure,
        Set<String> ignored,
        Optional<String> otherAnswers,
        WarmDrift drift,
        Optional<TrialOutcome> early)
        implements SettingTrialsBuilder.With {
    public SettingTrials {
        valid = List.copyOf(valid);
        ignored = Set.copyOf(ignored);
    }

    /** The score of one of its trials, without what the warm JVM that it ran in had moved by then. */
    public OptionalFigure score(TrialOutcome t, ObjectiveFigure figure) {
        OptionalFigure score = figure.score(t);
        return score.map(v -> v - drift.of(t, figure));
    }

    /** Whether all that is known is that it is surely worse than the best so far. */
    public boolean worse() {
        return valid.isEmpty() && early.isPresent();
    }

    /** A trial that shows how requests were served, if not how fast at the end: the first that counts, or one that was ended early. */
    public Optional<TrialOutcome> first() {
        return valid.isEmpty() ? early : Optional.of(valid.getFirst());
    }

    /** Whether every measurement was taken while the machine was disturbed or the target's throughput still drifting. */
    public boolean unsure() {
        return valid.stream().noneMatch(TrialOutcome::valid);
    }

    /** A copy with its answers compared with the baseline's. */
    public SettingTrials against(SettingTrials baseline) {
        return this == baseline
                ? this
                : withOtherAnswers(AnswerCheck.of(baseline.valid, valid).map(AnswerCheck.Difference::text));
    }

    // loops, not streams: a search ranks its settings by these figures many times
    public List<Measurement> measurements() {
        var all = new ArrayList<Measurement>(valid.size());
        for (TrialOutcome t : valid) {
            if (t.measurement().isPresent()) {
                all.add(t.measurement().get());
            }
        }
        return all;
    }

    /** A figure, trial by trial. */
    public double[] each(ToDoubleFunction<Measurement> figure) {
        List<Measurement> all = measurements();
        double[] values = new double[all.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = figure.applyAsDouble(all.get(i));
        }
        return values;
    }

    /** {@link Measurement#errorShare()} over all trials. */
    public double errorShare() {
        return errorShare(measurements());
    }

    public static double errorShare(List<Measurement> trials) {
        long responses = 0;
        long failed = 0;
        for (Measurement m : trials) {
            responses += m.responses();
            failed += m.failed() + m.lost();
        }
        return MeasuredValues.errorShare(responses, failed);
    }

    /** The median of its trials' p99, nanoseconds. */
    public double p99() {
        return Statistics.median(each(m -> m.latency().p99()));
    }

    public double[] throughputs() {
        return each(Measurement::throughput);
    }

    /** A knob's effective value, if known. */
    public Optional<String> inForce(String knob) {
        Optional<TrialOutcome> first = first();
        if (first.isEmpty()) {
            return setting.get(knob);
        }
        Optional<Evidence> evidence = first.get().evidence();
        return OperatingPoint.knob(first.get().spec(), evidence, knob);
    }
}
