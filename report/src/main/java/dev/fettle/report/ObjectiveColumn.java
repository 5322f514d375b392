package dev.fettle.report;

import dev.fettle.insight.CompareConclusion;
import dev.fettle.insight.SweepConclusion;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.trials.ObjectiveFigure;
import dev.fettle.model.plan.Objective.Metric;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;

/** An objective's metric in tables and plots. */
public record ObjectiveColumn(Metric metric) {
    private static final double MICROS = 1e6;
    private static final double MEBI = 1 << 20;

    /** The column for a run's plan. */
    public static ObjectiveColumn of(RunReport run) {
        return new ObjectiveColumn(run.plan().objective().metric());
    }

    /** Whether it needs a column of its own: throughput and p99 are in every table. */
    public boolean own() {
        return metric.ofProcess() || metric == Metric.CAPACITY;
    }

    /** Heading; empty without a column of its own. */
    public Optional<String> heading() {
        return switch (metric) {
            case THROUGHPUT, P99 -> Optional.empty();
            case CAPACITY -> Optional.of("capacity");
            case CPU_PER_REQUEST -> Optional.of("CPU per request");
            case MEMORY -> Optional.of("memory");
        };
    }

    /** A figure in the axis's unit; NaN where it was not observed. */
    public double value(OptionalFigure figure) {
        double unit = switch (metric) {
            case THROUGHPUT, CAPACITY, P99 -> 1;
            case CPU_PER_REQUEST -> MICROS;
            case MEMORY -> 1 / MEBI;
        };
        return figure.isPresent() ? unit * figure.getAsDouble() : Double.NaN;
    }

    /** A figure with its unit; a dash where it was not observed. */
    public String text(OptionalFigure figure) {
        return figure.isPresent() ? whole(figure.getAsDouble()) : Format.NONE;
    }

    /** {@code ≤ 812/s} where a setting's trial was ended early because it gives no more; else a dash. */
    public String throughputAtBest(TuneConclusion.Candidate c) {
        return metric == Metric.THROUGHPUT && c.atBest().isPresent()
                ? "≤ " + Format.rate(c.atBest().getAsDouble())
                : Format.NONE;
    }

    /** {@code ≥ 120 ms} where a setting's trial was ended early because its p99 is no less; else a dash. */
    public String p99AtBest(TuneConclusion.Candidate c) {
        return metric == Metric.P99 && c.atBest().isPresent()
                ? "≥ " + Format.time((long) c.atBest().getAsDouble())
                : Format.NONE;
    }

    /** What an axis of it is called, with the unit. */
    public String axis() {
        return switch (metric) {
            case THROUGHPUT -> "requests per second";
            case P99 -> "p99, ms";
            case CAPACITY -> "capacity, requests per second";
            case CPU_PER_REQUEST -> "CPU per request, " + unit();
            case MEMORY -> "memory, " + unit();
        };
    }

    /** The axis's unit, as the page's scripts know it. */
    public String unit() {
        return switch (metric) {
            case THROUGHPUT, CAPACITY -> "/s";
            case P99 -> "ms";
            case CPU_PER_REQUEST -> "µs";
            case MEMORY -> "MiB";
        };
    }

    /** A figure in the axis's unit as text. */
    public String axisText(double onAxis) {
        return switch (metric) {
            case THROUGHPUT, CAPACITY -> whole(onAxis);
            case P99 -> whole(onAxis * 1e6);
            case CPU_PER_REQUEST -> whole(onAxis / MICROS);
            case MEMORY -> whole(onAxis * MEBI);
        };
    }

    public double onAxis(double figure) {
        return metric == Metric.P99 ? figure / 1e6 : value(OptionalFigure.of(figure));
    }

    public Interval onAxis(Interval figures) {
        return new Interval(
                onAxis(figures.estimate()),
                onAxis(figures.low()),
                onAxis(figures.high()),
                figures.level(),
                figures.method());
    }

    /** A figure with its unit. */
    public String whole(double figure) {
        return new ObjectiveFigure(metric).text(figure);
    }

    /** Winner over baseline in a pair; NaN if unknown. */
    public double ratio(TuneConclusion.Pair p) {
        double base = baseline(p);
        return base > 0 ? winner(p) / base : Double.NaN;
    }

    /** The same of each pair of a duel in which it is known. */
    public List<Double> ratios(TuneConclusion t) {
        return t.pairs().stream()
                .map(this::ratio)
                .filter(r -> Double.isFinite(r) && r > 0)
                .toList();
    }

    /** The default's figure in a pair. */
    public double baseline(TuneConclusion.Pair p) {
        return switch (metric) {
            case THROUGHPUT -> p.baseline();
            case P99 -> p.baselineP99();
            case CAPACITY, CPU_PER_REQUEST, MEMORY -> p.baselineFigure();
        };
    }

    /** The winner's figure in a pair. */
    public double winner(TuneConclusion.Pair p) {
        return switch (metric) {
            case THROUGHPUT -> p.winner();
            case P99 -> p.winnerP99();
            case CAPACITY, CPU_PER_REQUEST, MEMORY -> p.winnerFigure();
        };
    }

    /** The figure of a sweep's cell; NaN where it was not observed. */
    public double of(SweepConclusion.Cell c) {
        return switch (metric) {
            case THROUGHPUT -> c.throughput().estimate();
            case P99 -> c.p99();
            case CAPACITY, CPU_PER_REQUEST, MEMORY -> c.figure().orElse(Double.NaN);
        };
    }

    /** The figure of a comparison's variant; NaN where it was not observed. */
    public double of(CompareConclusion.VariantResult v) {
        return switch (metric) {
            case THROUGHPUT -> v.throughput().estimate();
            case P99 -> v.p99();
            case CAPACITY, CPU_PER_REQUEST, MEMORY -> v.figure().orElse(Double.NaN);
        };
    }

    /** The best figure of a sweep's cells that are within the limits; NaN if there is none. */
    public double best(SweepConclusion s) {
        DoubleStream all = s.cells().stream()
                .filter(SweepConclusion.Cell::allowed)
                .mapToDouble(this::of)
                .filter(v -> !Double.isNaN(v));
        return (metric.low() ? all.min() : all.max()).orElse(Double.NaN);
    }

    /** Whether a sweep's cell has this figure, the best, and may be the best. */
    public boolean top(SweepConclusion.Cell c, double best) {
        return c.allowed() && of(c) == best;
    }

    /** What the second figure of a duel is of, which must show the gain, too. */
    public String lastHalf() {
        return metric == Metric.CAPACITY
                ? "counting how both sides changed during the search, by their closed load"
                : "last half of the measuring alone";
    }

    /** The name with a capital letter, to begin a label. */
    public String capital() {
        String words = metric.words();
        return metric == Metric.P99 ? words : Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }
}
