package dev.fettle.report.table;

import dev.fettle.insight.trials.ObjectiveFigure;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.report.RunReport;
import dev.fettle.report.Wording;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The trials of a run as CSV (RFC 4180): a heading, then one row per trial, void ones included. Each knob, grid dimension and
 * effective value has a column: {@code set.NAME}, {@code point.NAME}, {@code effective.NAME}.
 */
public final class CsvReport {
    private static final ObjectiveFigure CAPACITY = new ObjectiveFigure(Objective.Metric.CAPACITY);

    private CsvReport() {}

    private record Column(String name, Function<TrialOutcome, String> value) {}

    /** The trials of a run; lines end with CR LF, decimals use a point, unknown values are empty. */
    public static String of(RunReport run) {
        var columns = new ArrayList<Column>();
        columns.addAll(identity());
        run.outcomes().stream()
                .flatMap(o -> o.spec().point().keySet().stream())
                .collect(Collectors.toCollection(TreeSet::new))
                .forEach(name -> columns.add(
                        new Column("point." + name, o -> o.spec().point().getOrDefault(name, ""))));
        run.outcomes().stream()
                .flatMap(o -> o.spec().setting().values().keySet().stream())
                .collect(Collectors.toCollection(TreeSet::new))
                .forEach(name -> columns.add(new Column(
                        "set." + name, o -> o.spec().setting().get(name).orElse(""))));
        run.outcomes().stream()
                .flatMap(o -> o.evidence().stream())
                .flatMap(e -> e.effective().keySet().stream())
                .collect(Collectors.toCollection(TreeSet::new))
                .forEach(name -> columns.add(new Column(
                        "effective." + name,
                        o -> o.evidence()
                                .map(e -> e.effective().getOrDefault(name, ""))
                                .orElse(""))));
        columns.addAll(figures());
        var out = new StringBuilder();
        out.append(columns.stream().map(c -> field(c.name())).collect(Collectors.joining(",")))
                .append("\r\n");
        for (TrialOutcome o : run.outcomes()) {
            out.append(columns.stream().map(c -> field(c.value().apply(o))).collect(Collectors.joining(",")))
                    .append("\r\n");
        }
        return out.toString();
    }

    private static List<Column> identity() {
        return List.of(
                new Column("trial", o -> Integer.toString(o.ordinal())),
                new Column("phase", o -> o.spec().phase().name().toLowerCase(Locale.ROOT)),
                new Column("block", o -> Integer.toString(o.spec().block())),
                new Column("variant", o -> o.spec().variant()),
                new Column("target", o -> o.spec().target().label()),
                new Column("started", o -> o.started().toString()),
                new Column("valid", o -> Boolean.toString(o.valid())),
                new Column("void_reasons", o -> String.join("; ", Wording.reasons(o))),
                new Column("connections", o -> Integer.toString(o.spec().load().connections())),
                new Column("keep_alive", o -> Boolean.toString(o.spec().load().keepAlive())));
    }

    private static List<Column> figures() {
        return List.of(
                new Column("took_seconds", o -> decimal(o.took().toNanos() / 1e9)),
                new Column("warm_up_seconds", o -> decimal(o.warmUp().toNanos() / 1e9)),
                measured("measured_seconds", m -> m.elapsed().toNanos() / 1e9),
                measured("responses", m -> m.responses()),
                measured("failed", m -> m.failed()),
                measured("throughput_per_second", Measurement::throughput),
                measured("p50_ms", m -> m.latency().known(LatencySummary::p50) / 1e6),
                measured("p90_ms", m -> m.latency().known(LatencySummary::p90) / 1e6),
                measured("p99_ms", m -> m.latency().known(LatencySummary::p99) / 1e6),
                measured("p999_ms", m -> m.latency().known(LatencySummary::p999) / 1e6),
                measured("max_ms", m -> m.latency().known(LatencySummary::max) / 1e6),
                measured("connect_p99_ms", m -> m.connect().known(LatencySummary::p99) / 1e6),
                measured("bytes_read", m -> m.bytesRead()),
                seen("server_cpu_seconds", e -> e.get(Aggregate.SERVER_CPU_SECONDS)),
                seen("busy_workers", e -> e.get(Aggregate.BUSY_WORKERS)),
                seen("gc_ms", e -> e.get(Aggregate.GC_MILLIS)),
                seen("listen_overflows", e -> e.get(Aggregate.LISTEN_OVERFLOWS)),
                seen("load_average", e -> e.get(Aggregate.LOAD_AVERAGE)),
                // last: readers that go by position keep theirs
                new Column("capacity_per_second", o -> known(CAPACITY.of(o))),
                measured("lost", Measurement::lost),
                measured("error_share", Measurement::errorShare));
    }

    private static Column measured(String name, Function<Measurement, Number> figure) {
        return new Column(
                name,
                o -> o.measurement()
                        .map(figure)
                        .map(n -> decimal(n.doubleValue()))
                        .orElse(""));
    }

    private static Column seen(String name, Function<Evidence, OptionalFigure> figure) {
        return new Column(name, o -> known(OptionalFigure.from(o.evidence(), figure)));
    }

    private static String known(OptionalFigure value) {
        return value.isPresent() ? decimal(value.getAsDouble()) : "";
    }

    private static String decimal(double value) {
        if (!Double.isFinite(value)) {
            return "";
        }
        return new BigDecimal(value)
                .setScale(6, RoundingMode.HALF_UP)
                .stripTrailingZeros()
                .toPlainString();
    }

    /** Quotes if needed; text that a spreadsheet would run as a formula gets a leading apostrophe. */
    private static String field(String value) {
        boolean number = value.matches("-?[0-9]+(\\.[0-9]+)?");
        String safe = !number && !value.isEmpty() && "=+-@\t\r".indexOf(value.charAt(0)) >= 0 ? "'" + value : value;
        boolean quote = safe.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return quote ? '"' + safe.replace("\"", "\"\"") + '"' : safe;
    }
}
