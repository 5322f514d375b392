package dev.fettle.report;

import dev.fettle.insight.CapacityConclusion;
import dev.fettle.insight.CapacityResult;
import dev.fettle.insight.CapacityResult.Outcome;
import dev.fettle.insight.OverloadResult;
import dev.fettle.insight.capacity.Iteration;
import dev.fettle.insight.capacity.Judged;
import dev.fettle.insight.capacity.Probe;
import dev.fettle.insight.capacity.ProbeVerdict;
import dev.fettle.insight.stats.Interval;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Aggregates;
import dev.fettle.model.trial.Conditions;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Observation;
import dev.fettle.model.trial.Slice;
import dev.fettle.model.trial.Timeline;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Capacity searches as every output must be able to show them. */
public final class Capacities {
    private static final Slo SLO = Slo.parse("p99<50ms,errors<0.1%");

    private Capacities() {}

    static Map<String, CapacityReport> all() {
        var all = new LinkedHashMap<String, CapacityReport>();
        all.put("found", found());
        all.put("unfinished", report(SLO, probes(), Optional.empty()));
        all.put("nothing-yet", report(SLO, List.of(), Optional.empty()));
        all.put("errors-only", report(Slo.parse("errors<1%"), probes(), Optional.empty()));
        all.put("no-answers", report(SLO, List.of(probe(1, 100, 0, ProbeVerdict.Result.BROKEN)), Optional.empty()));
        return all;
    }

    /** 800 a second, with a spike of twice that. */
    public static CapacityReport found() {
        var result = new CapacityResult(
                SLO,
                Outcome.FOUND,
                800,
                Optional.of(new Interval(850, 820, 881, 0.95)),
                3,
                Optional.of(new CapacityResult.Broke(
                        870, "p99 was 61.3 ms (< 50 ms)", Optional.of("20 of its 20 worker threads were busy"))),
                "800/s is the highest rate that meets p99<50ms and errors<0.1%, in 3 of 3 fresh probes.",
                List.of("2 probes did not count, because the generator was the limit."),
                Optional.empty());
        var slices = new ArrayList<Slice>();
        for (int i = 0; i < 40; i++) {
            boolean spike = i >= 10 && i < 30;
            slices.add(slice(i * 0.5, 0.5, spike ? 450 : 280, spike ? 60 + 20 * i : 12));
        }
        var overload = new OverloadResult(
                SLO,
                560,
                1600,
                slice(1, 4, 2240, 12),
                slice(5, 10, 9000, 480),
                slice(15, 5, 2800, 90),
                OptionalFigure.of(1.5),
                "Offered 1,600/s, it served 900/s.",
                List.of(),
                slices,
                Optional.empty());
        return report(
                SLO,
                probes(),
                Optional.of(new CapacityConclusion(
                        OptionalFigure.of(3.2),
                        Optional.of(result),
                        Optional.of(overload),
                        List.of(),
                        List.of("It was <not> steady & warm."))));
    }

    private static CapacityReport report(Slo slo, List<Judged> probes, Optional<CapacityConclusion> found) {
        var plan = Plan.of("capacity", new Target.Url(URI.create("http://127.0.0.1:8080")), Fixtures.LOAD);
        var environment = new Environment(
                "Linux 6.18",
                "a CPU",
                2,
                "0",
                "1",
                "8.0 GiB",
                "1.0",
                "25",
                Map.of("net.core.somaxconn", "4096"),
                Map.of());
        return new CapacityReport(
                "capacity-7",
                "http://127.0.0.1:8080/<script>",
                slo,
                plan,
                Instant.parse("2026-01-02T03:04:05Z"),
                environment,
                probes,
                found);
    }

    private static List<Judged> probes() {
        var all = new ArrayList<Judged>();
        double[] rates = {200, 400, 800, 1600, 1600, 1600, 1131, 900, 850, 870, 800, 800, 800};
        for (int i = 0; i < rates.length; i++) {
            var verdict = rates[i] == 1600 && i == 3
                    ? ProbeVerdict.Result.VOID
                    : rates[i] > 850 ? ProbeVerdict.Result.BROKEN : ProbeVerdict.Result.MET;
            all.add(probe(i + 1, rates[i], rates[i] > 850 ? 3 * rates[i] / 40 : 20 + i, verdict));
        }
        return all;
    }

    /** @param p99 in milliseconds; 0: there was no valid response */
    private static Judged probe(int n, double rate, double p99, ProbeVerdict.Result verdict) {
        long responses = p99 > 0 ? (long) rate * 5 : 0;
        var window = new Measurement.Window(0, 5, responses, 0, Math.round(p99 * 1e6), true);
        var measurement = new Measurement(
                Duration.ofSeconds(5),
                responses,
                Map.of(ErrorKind.RESET, 2L),
                Map.of(ErrorKind.RESET, "reset by peer"),
                Map.of(),
                0,
                0,
                latency(responses, p99),
                LatencySummary.NONE,
                0,
                1,
                List.of(window),
                "",
                Measurement.Detail.NONE);
        var evidence = new Evidence(
                2,
                Evidence.Cpus.UNKNOWN,
                Aggregates.NOTHING
                        .with(Aggregate.SERVER_CPU_SECONDS, OptionalFigure.of(4.2))
                        .with(Aggregate.BUSY_WORKERS, OptionalFigure.of(19.9))
                        .with(Aggregate.WORKERS, OptionalFigure.of(20))
                        .with(Aggregate.GC_MILLIS, OptionalFigure.of(50))
                        .with(Aggregate.LISTEN_OVERFLOWS, OptionalFigure.of(0)),
                OptionalFigure.of(0.3),
                OptionalFigure.of(0.1),
                OptionalInt.of(100),
                0,
                Map.of("threads.max", "20"),
                Map.of(),
                List.of(),
                Timeline.NONE,
                List.of(),
                Conditions.ALONE);
        var probe = new Probe(
                n < 7 ? Probe.Phase.BRACKET : n < 11 ? Probe.Phase.NARROW : Probe.Phase.CONFIRM,
                rate,
                new Observation(measurement, evidence),
                Duration.ofMillis(6500),
                Iteration.ONE_REQUEST);
        return new Judged(
                probe,
                new ProbeVerdict(
                        verdict,
                        verdict == ProbeVerdict.Result.MET
                                ? List.of()
                                : List.of("p99 was " + Format.seconds(p99 / 1e3) + " (< 50 ms)")));
    }

    private static Slice slice(double at, double seconds, long responses, double p99) {
        return new Slice(
                at, seconds, responses, responses / 2, 1, 0, 0, Map.of(ErrorKind.RESET, 1L), latency(responses, p99));
    }

    private static LatencySummary latency(long count, double p99) {
        long ns = (long) (p99 * 1e6);
        return count == 0
                ? LatencySummary.NONE
                : new LatencySummary(count, ns / 2.0, ns / 3, ns / 2, ns / 2, ns / 2, ns, ns, ns, 2 * ns);
    }
}
