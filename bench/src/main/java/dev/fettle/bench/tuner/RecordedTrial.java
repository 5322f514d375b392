package dev.fettle.bench.tuner;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.fettle.insight.gate.GateRules;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Aggregates;
import dev.fettle.model.trial.Conditions;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Timeline;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialOutcome.Failure;
import dev.fettle.model.trial.TrialOutcome.Kind;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.Verdict;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * One trial of a surface in a few figures: a line of a recording's file, or what a formula says.
 *
 * @param round which time through all settings, from 0
 * @param setting the values in the order of the surface's knobs; empty for the server's default
 * @param effective values read back, by knob
 * @param seconds from launch to stop
 * @param elapsed seconds of measuring; 0 where it gave no figures
 * @param responses valid ones
 * @param errors failed requests by kind
 * @param occupied connections' time in requests, seconds
 * @param latency of valid responses in ms: mean, p50, p90, p99, most
 * @param cpu seconds of CPU time that the target used
 * @param compilers the part of them that the JVM's compilers used
 * @param busy worker threads with a request, mean
 * @param busyMost the same, most seen
 * @param workers threads in the pool
 * @param queued requests that waited for a worker, mean
 * @param gcMillis time in collections
 * @param drops connects that the full accept queue dropped
 * @param stolen share of the CPUs that the hypervisor took
 * @param others share of the CPUs that other programs used
 * @param started milliseconds from launch to ready
 * @param refused rules of the validity gate that call it void
 * @param failure why it gave no figures; blank otherwise
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
record RecordedTrial(
        int round,
        List<String> setting,
        Map<String, String> effective,
        double seconds,
        double elapsed,
        long responses,
        Map<ErrorKind, Long> errors,
        double occupied,
        List<Double> latency,
        OptionalFigure cpu,
        OptionalFigure compilers,
        OptionalFigure busy,
        OptionalFigure busyMost,
        OptionalFigure workers,
        OptionalFigure queued,
        OptionalFigure gcMillis,
        OptionalFigure drops,
        OptionalFigure stolen,
        OptionalFigure others,
        double started,
        List<String> refused,
        String failure) {
    private static final double NANOS = 1e6;
    private static final OptionalFigure NO = OptionalFigure.empty();

    /** Verdicts under which the setting does not do its work, so that its throughput is none. */
    private static final Set<String> NO_WORK =
            Set.of(GateRules.NOTHING_MEASURED, GateRules.WRONG_ANSWERS, GateRules.MOSTLY_FAILED);

    RecordedTrial {
        // what is empty is not written
        setting = List.copyOf(Objects.requireNonNullElse(setting, List.of()));
        effective = Map.copyOf(Objects.requireNonNullElse(effective, Map.of()));
        errors = Map.copyOf(Objects.requireNonNullElse(errors, Map.of()));
        latency = List.copyOf(Objects.requireNonNullElse(latency, List.of()));
        refused = List.copyOf(Objects.requireNonNullElse(refused, List.of()));
        failure = Objects.requireNonNullElse(failure, "");
    }

    /** A trial that gave no figures. */
    static RecordedTrial failed(int round, List<String> setting, double seconds, String why) {
        return new RecordedTrial(
                round, setting, Map.of(), seconds, 0, 0, Map.of(), 0, List.of(), NO, NO, NO, NO, NO, NO, NO, NO, NO, NO,
                0, List.of(), why);
    }

    /** What is kept of a trial. */
    static RecordedTrial of(int round, List<String> knobs, List<String> setting, TrialOutcome t) {
        double seconds = t.took().toMillis() / 1e3;
        if (t.measurement().isEmpty() || t.evidence().isEmpty()) {
            return failed(
                    round,
                    setting,
                    seconds,
                    t.failure().map(f -> f.kind().name()).orElse("VOID"));
        }
        Measurement m = t.measurement().get();
        Evidence e = t.evidence().get();
        LatencySummary l = m.latency();
        var effective = new TreeMap<>(e.effective());
        effective.keySet().retainAll(knobs);
        return new RecordedTrial(
                round,
                setting,
                effective,
                seconds,
                rounded(m.elapsed().toNanos() / 1e9),
                m.responses(),
                m.errors(),
                rounded(m.occupied()),
                List.of(
                        rounded(l.mean() / NANOS),
                        rounded(l.p50() / NANOS),
                        rounded(l.p90() / NANOS),
                        rounded(l.p99() / NANOS),
                        rounded(l.max() / NANOS)),
                rounded(e.get(Aggregate.SERVER_CPU_SECONDS)),
                rounded(e.get(Aggregate.COMPILER_CPU_SECONDS)),
                rounded(e.get(Aggregate.BUSY_WORKERS)),
                rounded(e.get(Aggregate.BUSY_WORKERS_MAX)),
                rounded(e.get(Aggregate.WORKERS)),
                rounded(e.get(Aggregate.QUEUED)),
                rounded(e.get(Aggregate.GC_MILLIS)),
                rounded(e.get(Aggregate.ACCEPT_QUEUE_DROPS)),
                rounded(e.get(Aggregate.STEAL)),
                rounded(e.get(Aggregate.FOREIGN_CPU)),
                rounded(e.startupMillis()),
                t.verdict().reasons().stream().map(Verdict.Reason::rule).toList(),
                "");
    }

    /** Whether something else took much of the machine meanwhile, which says nothing of the setting. */
    boolean disturbed() {
        return refused.contains(GateRules.DISTURBED);
    }

    /** Valid responses a second; 0 where the server died or hardly answered as it should. */
    double throughput() {
        return elapsed > 0 && refused.stream().noneMatch(NO_WORK::contains) ? responses / elapsed : 0;
    }

    /** The trial as an experiment sees it. */
    TrialOutcome outcome(int ordinal, TrialSpec spec, Verdict verdict) {
        return elapsed > 0 ? ran(ordinal, spec, verdict) : died(ordinal, spec);
    }

    private TrialOutcome died(int ordinal, TrialSpec spec) {
        return new TrialOutcome(
                ordinal,
                spec,
                Instant.EPOCH,
                millis(seconds * 1e3),
                Duration.ZERO,
                Optional.empty(),
                Optional.empty(),
                Optional.of(new Failure(Kind.DIED, "it died")),
                new Verdict(List.of(new Verdict.Reason("failed", "it died", false))),
                List.of());
    }

    private TrialOutcome ran(int ordinal, TrialSpec spec, Verdict verdict) {
        int clients = spec.load().connections();
        long p50 = nanos(1);
        long p90 = nanos(2);
        long p99 = nanos(3);
        long most = nanos(4);
        var summary = new LatencySummary(responses, latency.get(0) * NANOS, p50, p50, p90, p90, p99, p99, p99, most);
        var measurement = new Measurement(
                millis(elapsed * 1e3),
                responses,
                errors,
                Map.of(),
                Map.of(200, responses),
                responses * 200,
                occupied,
                summary,
                LatencySummary.NONE,
                0,
                clients,
                List.of(),
                histogram(),
                Measurement.Detail.NONE);
        var host = Aggregates.NOTHING
                .with(Aggregate.SERVER_CPU_SECONDS, cpu)
                .with(Aggregate.COMPILER_CPU_SECONDS, compilers)
                .with(Aggregate.STEAL, stolen)
                .with(Aggregate.SERVER_STEAL, stolen)
                .with(Aggregate.FOREIGN_CPU, others)
                .with(Aggregate.BUSY_WORKERS, busy)
                .with(Aggregate.BUSY_WORKERS_MAX, busyMost)
                .with(Aggregate.WORKERS, workers)
                .with(Aggregate.QUEUED, queued)
                .with(Aggregate.GC_MILLIS, gcMillis)
                .with(Aggregate.LISTEN_OVERFLOWS, drops)
                .with(Aggregate.ACCEPT_QUEUE_DROPS, drops);
        var evidence = new Evidence(
                1,
                Evidence.Cpus.UNKNOWN,
                host,
                OptionalFigure.of(0.3),
                NO,
                OptionalInt.empty(),
                started,
                effective,
                Map.of(),
                List.of(),
                Timeline.NONE,
                List.of(),
                Conditions.ALONE);
        return new TrialOutcome(
                ordinal,
                spec,
                Instant.EPOCH,
                millis(seconds * 1e3),
                millis(Math.max(0, seconds - elapsed) * 1e3 - started),
                Optional.of(measurement),
                Optional.of(evidence),
                Optional.empty(),
                verdict,
                List.of());
    }

    private long nanos(int of) {
        return Math.round(latency.get(of) * NANOS);
    }

    /** A histogram with these percentiles. */
    private String histogram() {
        var h = new Histogram(3);
        long n = Math.max(1, responses);
        h.recordValueWithCount(nanos(1), n - n / 2);
        for (int[] share : new int[][] {{2, 40}, {3, 9}, {4, 1}}) {
            long some = n * share[1] / 100;
            if (some > 0) {
                h.recordValueWithCount(nanos(share[0]), some);
            }
        }
        ByteBuffer bytes = ByteBuffer.allocate(h.getNeededByteBufferCapacity());
        int length = h.encodeIntoCompressedByteBuffer(bytes);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(bytes.array(), length));
    }

    private static Duration millis(double ms) {
        return Duration.ofMillis(Math.max(0, Math.round(ms)));
    }

    private static OptionalFigure rounded(OptionalFigure x) {
        return x.map(v -> rounded(v));
    }

    /** Four digits after the point are more than any of them is known to. */
    private static double rounded(double x) {
        return Math.round(x * 1e4) / 1e4;
    }
}
