package dev.fettle.report.table;

import dev.fettle.insight.trials.ObjectiveFigure;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.report.RunReport;
import dev.fettle.report.Wording;
import dev.fettle.report.document.Table;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * What a load measured as {@link Csv}. Of a run a row for each trial, void ones included; each knob, grid dimension and effective value has
 * a column: {@code set.NAME}, {@code point.NAME}, {@code effective.NAME}. Of a bench a row for each second, the warm-up marked.
 */
public final class CsvReport {
    private static final ObjectiveFigure CAPACITY = new ObjectiveFigure(Objective.Metric.CAPACITY);

    /** The first line of a file of seconds. */
    public static final String SECONDS = Csv.of(seconds(List.of(), 0));

    private CsvReport() {}

    /** The trials of a run. */
    public static String of(RunReport run) {
        var table = Table.<TrialOutcome>of(run.outcomes())
                .data("trial", o -> o.ordinal())
                .text("phase", o -> o.spec().phase().name().toLowerCase(Locale.ROOT))
                .data("block", o -> o.spec().block())
                .text("variant", o -> o.spec().variant())
                .text("target", o -> o.spec().target().label())
                .text("started", o -> o.started().toString())
                .text("valid", o -> Boolean.toString(o.valid()))
                .text("voidReasons", o -> String.join("; ", Wording.reasons(o)))
                .data("connections", o -> o.spec().load().connections())
                .text("keepAlive", o -> Boolean.toString(o.spec().load().keepAlive()));
        each(table, run, "point.", o -> o.spec().point());
        each(table, run, "set.", o -> o.spec().setting().values());
        each(table, run, "effective.", o -> o.evidence().map(e -> e.effective()).orElse(Map.of()));
        return Csv.of(table.data("tookSeconds", o -> o.took().toNanos() / 1e9)
                .data("warmUpSeconds", o -> o.warmUp().toNanos() / 1e9)
                .data("measuredSeconds", of(m -> m.elapsed().toNanos() / 1e9))
                .data("responses", of(Measurement::responses))
                .data("failed", of(Measurement::failed))
                .data("throughputPerSecond", of(Measurement::throughput))
                .data("p50Millis", of(m -> m.latency().known(LatencySummary::p50)))
                .data("p90Millis", of(m -> m.latency().known(LatencySummary::p90)))
                .data("p99Millis", of(m -> m.latency().known(LatencySummary::p99)))
                .data("p999Millis", of(m -> m.latency().known(LatencySummary::p999)))
                .data("maxMillis", of(m -> m.latency().known(LatencySummary::max)))
                .data("connectP99Millis", of(m -> m.connect().known(LatencySummary::p99)))
                .data("bytesRead", of(Measurement::bytesRead))
                .data("serverCpuSeconds", seen(Aggregate.SERVER_CPU_SECONDS))
                .data("busyWorkers", seen(Aggregate.BUSY_WORKERS))
                .data("gcMillis", o -> seen(Aggregate.GC_MILLIS).applyAsDouble(o) * 1e6)
                .data("listenOverflows", seen(Aggregate.LISTEN_OVERFLOWS))
                .data("loadAverage", seen(Aggregate.LOAD_AVERAGE))
                // last: readers that go by position keep theirs
                .data("capacityPerSecond", o -> CAPACITY.of(o).orElse(Double.NaN))
                .data("lost", of(Measurement::lost))
                .data("errorShare", of(Measurement::errorShare))
                .build());
    }

    private static void each(
            Table.Builder<TrialOutcome> table,
            RunReport run,
            String what,
            Function<TrialOutcome, Map<String, String>> of) {
        run.outcomes().stream()
                .flatMap(o -> of.apply(o).keySet().stream())
                .collect(Collectors.toCollection(TreeSet::new))
                .forEach(name -> table.text(what + name, o -> of.apply(o).getOrDefault(name, "")));
    }

    private static ToDoubleFunction<TrialOutcome> of(ToDoubleFunction<Measurement> figure) {
        return o -> o.measurement().map(figure::applyAsDouble).orElse(Double.NaN);
    }

    private static ToDoubleFunction<TrialOutcome> seen(Aggregate figure) {
        return o -> OptionalFigure.from(o.evidence(), e -> e.get(figure)).orElse(Double.NaN);
    }

    /**
     * A second of a load.
     *
     * @param connections open at its end
     */
    public static String second(Measurement.Window w, int connections) {
        return Csv.rows(seconds(List.of(w), connections));
    }

    private static Table seconds(List<Measurement.Window> all, int connections) {
        return Table.<Measurement.Window>of(all)
                .data("seconds", Measurement.Window::at)
                .data("lengthSeconds", Measurement.Window::seconds)
                .text("phase", w -> w.measured() ? "measure" : "warm-up")
                .data("responsesPerSecond", Measurement.Window::throughput)
                .data("responses", Measurement.Window::responses)
                .data("failed", Measurement.Window::failed)
                .data("p50Millis", any(Measurement.Window::p50))
                .data("p90Millis", any(Measurement.Window::p90))
                .data("p99Millis", any(Measurement.Window::p99))
                .data("maxMillis", any(Measurement.Window::max))
                .data("connections", w -> connections)
                .build();
    }

    private static ToDoubleFunction<Measurement.Window> any(ToDoubleFunction<Measurement.Window> nanos) {
        return w -> w.responses() > 0 ? nanos.applyAsDouble(w) : Double.NaN;
    }
}
