package dev.fettle.insight.capacity;

import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Aggregates;
import dev.fettle.model.trial.Answers;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Timeline;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Changes simulated outcomes. */
public final class Tamper {
    private Tamper() {}

    public static TrialOutcome failed(TrialOutcome o, TrialOutcome.Kind kind, String message) {
        return copy(
                o,
                o.took(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(new TrialOutcome.Failure(kind, message)),
                new Verdict(List.of(new Verdict.Reason("failed", message, false))));
    }

    /** Its knob does not have the value that was set. */
    public static TrialOutcome ignores(TrialOutcome o, String knob, String message) {
        TrialOutcome failed = failed(o, TrialOutcome.Kind.NOT_EFFECTIVE, message);
        return failed.withFailure(Optional.of(new TrialOutcome.Failure(
                TrialOutcome.Kind.NOT_EFFECTIVE, message, List.of(), Optional.empty(), List.of(knob))));
    }

    public static TrialOutcome voided(TrialOutcome o, String rule, boolean passing) {
        return copy(
                o,
                o.took(),
                o.measurement(),
                o.evidence(),
                Optional.empty(),
                new Verdict(List.of(new Verdict.Reason(rule, "because", passing))));
    }

    public static TrialOutcome blind(TrialOutcome o) {
        return copy(o, o.took(), o.measurement(), Optional.empty(), o.failure(), o.verdict());
    }

    /** The same, having taken so long. */
    public static TrialOutcome took(TrialOutcome o, Duration time) {
        return copy(o, time, o.measurement(), o.evidence(), o.failure(), o.verdict());
    }

    public static TrialOutcome evidence(TrialOutcome o, Evidence seen) {
        return copy(o, o.took(), o.measurement(), Optional.of(seen), o.failure(), o.verdict());
    }

    /** The same, with other values read back. */
    public static Evidence effective(Evidence e, Map<String, String> values) {
        return copy(e, e.aggregates(), values);
    }

    /** The same, with other processes beside it. */
    public static Evidence foreign(Evidence e, double share) {
        return copy(
                e, e.aggregates().withOthers(OptionalFigure.of(share), e.get(Aggregate.SERVER_STEAL)), e.effective());
    }

    /** The same, without its CPU time. */
    public static Evidence withoutCpuTime(Evidence e) {
        return copy(e, e.aggregates().withoutCpuTime(), e.effective());
    }

    public static TrialOutcome faster(TrialOutcome o, double factor) {
        Measurement m = o.measurement().orElseThrow();
        return with(o, (long) (m.responses() * factor), m.latency());
    }

    /** What its answers looked like. */
    public static TrialOutcome answers(TrialOutcome o, Answers answers) {
        Measurement m = o.measurement().orElseThrow();
        Measurement.Detail d = m.detail();
        var detail = d.with()
                .answers(List.of(answers))
                .slices(List.of())
                .stages(List.of())
                .build();
        var looked = m.withDetail(detail);
        return measured(o, looked, o.verdict());
    }

    /** The same measurement with these errors beside so many answers. */
    public static Measurement errors(Measurement m, long responses, Map<ErrorKind, Long> errors) {
        return m.with().responses(responses).errors(errors).build();
    }

    public static TrialOutcome p99(TrialOutcome o, long nanos) {
        Measurement m = o.measurement().orElseThrow();
        LatencySummary l = m.latency();
        return with(
                o,
                m.responses(),
                new LatencySummary(
                        l.count(), l.mean(), l.p50(), l.p75(), l.p90(), l.p95(), nanos, nanos, nanos, nanos));
    }

    public static TrialOutcome windows(TrialOutcome o, Measurement m, List<Measurement.Window> windows) {
        var changed = m.with().windows(windows).detail(Measurement.Detail.NONE).build();
        return measured(o, changed, o.verdict());
    }

    public static TrialOutcome advised(TrialOutcome o, String rule) {
        return measured(
                o,
                o.measurement().orElseThrow(),
                new Verdict(o.verdict().reasons(), List.of(new Verdict.Advisory(rule, "because"))));
    }

    /** The same with another measurement, judged so. */
    public static TrialOutcome measured(TrialOutcome o, Measurement m, Verdict verdict) {
        return copy(o, o.took(), Optional.of(m), o.evidence(), o.failure(), verdict);
    }

    private static TrialOutcome with(TrialOutcome o, long responses, LatencySummary latency) {
        Measurement m = o.measurement().orElseThrow();
        var changed = m.with()
                .responses(responses)
                .latency(latency)
                .windows(m.windows().stream()
                        .map(w -> new Measurement.Window(
                                w.at(),
                                w.seconds(),
                                Math.round((double) w.responses() * responses / Math.max(1, m.responses())),
                                w.failed(),
                                latency.equals(m.latency()) ? w.p99() : latency.p99(),
                                w.measured()))
                        .toList())
                .detail(Measurement.Detail.NONE)
                .build();
        return measured(o, changed, o.verdict());
    }

    private static TrialOutcome copy(
            TrialOutcome o,
            Duration took,
            Optional<Measurement> measurement,
            Optional<Evidence> evidence,
            Optional<TrialOutcome.Failure> failure,
            Verdict verdict) {
        return o.with()
                .took(took)
                .measurement(measurement)
                .evidence(evidence)
                .failure(failure)
                .verdict(verdict)
                .build();
    }

    private static Evidence copy(Evidence e, Aggregates host, Map<String, String> effective) {
        return e.with()
                .aggregates(host)
                .effective(effective)
                .timeline(Timeline.NONE)
                .build();
    }
}
