package dev.fettle.insight;

import dev.fettle.model.Answers;
import dev.fettle.model.LatencySummary;
import dev.fettle.model.Measurement;
import dev.fettle.model.TrialOutcome;
import dev.fettle.model.Verdict;
import java.util.List;
import java.util.Optional;

/** Changes simulated outcomes. */
final class Tamper {
    private Tamper() {}

    static TrialOutcome failed(TrialOutcome o, TrialOutcome.Kind kind, String message) {
        return new TrialOutcome(
                o.ordinal(),
                o.spec(),
                o.started(),
                o.took(),
                o.warmUp(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(new TrialOutcome.Failure(kind, message)),
                new Verdict(List.of(new Verdict.Reason("failed", message, false))));
    }

    static TrialOutcome voided(TrialOutcome o, String rule, boolean passing) {
        return new TrialOutcome(
                o.ordinal(),
                o.spec(),
                o.started(),
                o.took(),
                o.warmUp(),
                o.measurement(),
                o.evidence(),
                Optional.empty(),
                new Verdict(List.of(new Verdict.Reason(rule, "because", passing))));
    }

    static TrialOutcome blind(TrialOutcome o) {
        return new TrialOutcome(
                o.ordinal(),
                o.spec(),
                o.started(),
                o.took(),
                o.warmUp(),
                o.measurement(),
                Optional.empty(),
                o.failure(),
                o.verdict());
    }

    static TrialOutcome faster(TrialOutcome o, double factor) {
        Measurement m = o.measurement().orElseThrow();
        return with(o, (long) (m.responses() * factor), m.latency());
    }

    /** What its answers looked like. */
    static TrialOutcome answers(TrialOutcome o, Answers answers) {
        Measurement m = o.measurement().orElseThrow();
        Measurement.Detail d = m.detail();
        var detail = new Measurement.Detail(
                d.service(),
                d.firstByte(),
                d.sendLag(),
                d.offered(),
                d.steps(),
                d.abandoned(),
                d.bytesWritten(),
                d.notes(),
                d.serviceHistogram(),
                List.of(answers));
        var looked = new Measurement(
                m.elapsed(),
                m.responses(),
                m.errors(),
                m.errorExamples(),
                m.statuses(),
                m.bytesRead(),
                m.occupied(),
                m.latency(),
                m.connect(),
                m.reconnects(),
                m.connectionsOpen(),
                m.windows(),
                m.histogram(),
                detail);
        return new TrialOutcome(
                o.ordinal(),
                o.spec(),
                o.started(),
                o.took(),
                o.warmUp(),
                Optional.of(looked),
                o.evidence(),
                o.failure(),
                o.verdict());
    }

    static TrialOutcome p99(TrialOutcome o, long nanos) {
        Measurement m = o.measurement().orElseThrow();
        LatencySummary l = m.latency();
        return with(
                o,
                m.responses(),
                new LatencySummary(
                        l.count(), l.mean(), l.p50(), l.p75(), l.p90(), l.p95(), nanos, nanos, nanos, nanos));
    }

    private static TrialOutcome with(TrialOutcome o, long responses, LatencySummary latency) {
        Measurement m = o.measurement().orElseThrow();
        var changed = new Measurement(
                m.elapsed(),
                responses,
                m.errors(),
                m.errorExamples(),
                m.statuses(),
                m.bytesRead(),
                m.occupied(),
                latency,
                m.connect(),
                m.reconnects(),
                m.connectionsOpen(),
                m.windows(),
                m.histogram());
        return new TrialOutcome(
                o.ordinal(),
                o.spec(),
                o.started(),
                o.took(),
                o.warmUp(),
                Optional.of(changed),
                o.evidence(),
                o.failure(),
                o.verdict());
    }
}
