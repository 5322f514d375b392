package dev.fettle.report.document;

import dev.fettle.insight.DiagnoseConclusion;
import dev.fettle.insight.SweepConclusion;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.trials.ObjectiveFigure;
import dev.fettle.insight.words.KnobValues;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Dimension;
import dev.fettle.model.plan.GridPoints;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.report.Histograms;
import dev.fettle.report.ObjectiveColumn;
import dev.fettle.report.RunReport;
import dev.fettle.report.Wording;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The objective's metric, or throughput, and latency plotted against a knob. */
public final class KnobCurves {
    /** More lines in one plot can't be told apart; the heat map shows the rest. */
    private static final int MOST_SERIES = 6;

    /**
     * A plot.
     *
     * @param judged the metric that is plotted: the objective's if it has a column of its own, else throughput
     * @param numeric whether x is numeric rather than a list of names
     * @param categories the names on the x axis, in order; empty for numbers
     */
    public record Curve(
            String name, ObjectiveColumn judged, boolean numeric, List<String> categories, List<Series> series) {}

    /** A line of a plot. */
    public record Series(String name, List<Point> points) {}

    /**
     * A point.
     *
     * @param role {@code baseline}, {@code winner} or empty
     * @param figure in the unit of the metric's axis
     * @param p50 nanoseconds; 0 if unknown
     * @param p99 nanoseconds
     */
    public record Point(String x, String label, String role, Interval figure, double p50, double p99) {}

    private static final ObjectiveColumn THROUGHPUT = new ObjectiveColumn(Objective.Metric.THROUGHPUT);

    private KnobCurves() {}

    /** The metric to plot, given the objective's figures. */
    private static ObjectiveColumn judged(RunReport run, Stream<OptionalFigure> figures) {
        ObjectiveColumn judged = ObjectiveColumn.of(run);
        return judged.own() && figures.anyMatch(OptionalFigure::isPresent) ? judged : THROUGHPUT;
    }

    /**
     * What is plotted of a setting; empty if it was not observed.
     *
     * @param own its figure of the objective's metric
     * @param known those of the run that may be the ones that the figure is of; asked for only if they are needed
     * @param counted how many it is of
     */
    private static Optional<Interval> figure(
            ObjectiveColumn judged,
            OptionalFigure own,
            Interval throughput,
            Supplier<List<TrialOutcome>> known,
            int counted) {
        if (!judged.own()) {
            return Optional.of(Wording.rate(throughput, counted));
        }
        if (own.isEmpty()) {
            return Optional.empty();
        }
        double estimate = own.getAsDouble();
        List<TrialOutcome> trials = known.get();
        Interval interval = new ObjectiveFigure(judged.metric())
                .interval(trials)
                .filter(i -> trials.size() == counted && i.bounded() && i.contains(estimate))
                .map(i -> new Interval(estimate, i.low(), i.high(), i.level(), i.method()))
                .orElseGet(() -> Interval.unbounded(estimate));
        return Optional.of(judged.onAxis(interval));
    }

    /** The search's valid trials of a setting. */
    private static List<TrialOutcome> searched(RunReport run, Setting setting) {
        return run.valid().stream()
                .filter(o -> o.spec().setting().equals(setting))
                .filter(o -> switch (o.spec().phase()) {
                    case BASELINE, SEARCH, RACE -> true;
                    default -> false;
                })
                .toList();
    }

    /** A plot for each knob that took at least two values. */
    public static List<Curve> of(RunReport run, TuneConclusion t) {
        ObjectiveColumn judged =
                judged(run, t.candidates().stream().filter(c -> c.trials() > 0).map(TuneConclusion.Candidate::figure));
        var curves = new ArrayList<Curve>();
        for (KnobRange range : run.plan().knobs()) {
            var points = new ArrayList<Point>();
            for (var c : t.candidates()) {
                Optional<Interval> figure =
                        figure(judged, c.figure(), c.throughput(), () -> searched(run, c.setting()), c.trials());
                value(run, range.knob(), c.setting())
                        .filter(x -> c.trials() > 0 && figure.isPresent())
                        .ifPresent(x -> points.add(new Point(
                                x,
                                Wording.setting(c.setting(), run.plan().hold()),
                                c.setting().equals(t.winner())
                                        ? "winner"
                                        : c.setting().equals(t.baseline()) ? "baseline" : "",
                                figure.orElseThrow(),
                                p50(run, c.setting()),
                                c.p99())));
            }
            boolean numeric = range.isInterval() && points.stream().allMatch(p -> number(p.x()) > 0);
            points.sort(byValue(range, points));
            if (points.stream().map(Point::x).distinct().count() >= 2) {
                var categories = numeric
                        ? List.<String>of()
                        : points.stream().map(Point::x).distinct().toList();
                curves.add(new Curve(range.knob(), judged, numeric, categories, List.of(new Series("", points))));
            }
        }
        return curves;
    }

    /** From the smallest value up; values that are no numbers, or -1 for none, in the order of the plan, others after them. */
    private static Comparator<Point> byValue(KnobRange range, List<Point> points) {
        boolean numbers = points.stream()
                .map(p -> KnobValues.number(p.x()))
                .allMatch(n -> n.isPresent() && (range.isInterval() || n.getAsLong() >= 0));
        return numbers
                ? Comparator.comparingLong(p -> KnobValues.number(p.x()).orElseThrow())
                : Comparator.comparingInt(p -> place(range.choices(), p.x()));
    }

    private static int place(List<String> choices, String value) {
        int at = 0;
        while (at < choices.size() && !KnobValues.same(choices.get(at), value)) {
            at++;
        }
        return at;
    }

    /** A knob's value in a setting, or the value read back if it is left at the default. */
    private static Optional<String> value(RunReport run, String knob, Setting setting) {
        Optional<String> set = setting.get(knob);
        return set.isPresent()
                ? set
                : run.outcomes().stream()
                        .filter(o -> o.spec().setting().equals(setting))
                        .flatMap(o -> o.evidence().stream())
                        .flatMap(e -> Optional.ofNullable(e.effective().get(knob)).stream())
                        .findFirst();
    }

    private static double p50(RunReport run, Setting setting) {
        var measurements = run.valid().stream()
                .filter(o -> o.spec().setting().equals(setting))
                .flatMap(o -> o.measurement().stream())
                .toList();
        return Histograms.merge(measurements)
                .map(h -> (double) h.getValueAtPercentile(50))
                .orElseGet(() -> measurements.stream()
                        .mapToDouble(m -> m.latency().p50())
                        .average()
                        .orElse(0));
    }

    /** Throughput over the clients of a ramp, measured and by the fitted law; none without measurements that count. */
    public static List<Curve> of(DiagnoseConclusion.Ramp ramp) {
        var counted = ramp.steps().stream().filter(s -> s.left().isEmpty()).toList();
        var numbers = counted.stream()
                .map(DiagnoseConclusion.RampStep::clients)
                .distinct()
                .sorted()
                .toList();
        if (numbers.size() < 2) {
            return List.of();
        }
        var series = new ArrayList<Series>();
        series.add(new Series(
                "measured",
                numbers.stream()
                        .map(n -> at(
                                n,
                                counted.stream()
                                        .filter(s -> s.clients() == n)
                                        .mapToDouble(DiagnoseConclusion.RampStep::throughput)
                                        .average()
                                        .orElse(0)))
                        .toList()));
        ramp.fit()
                .ifPresent(u -> series.add(new Series(
                        "the law", numbers.stream().map(n -> at(n, u.at(n))).toList())));
        return List.of(new Curve("clients", THROUGHPUT, true, List.of(), series));
    }

    private static Point at(int clients, double throughput) {
        return new Point(Integer.toString(clients), "", "", Interval.unbounded(throughput), 0, 0);
    }

    /** One plot over the longest dimension with a line for each combination of the others; none if there are too many. */
    public static List<Curve> of(RunReport run, SweepConclusion s) {
        ObjectiveColumn judged =
                judged(run, s.cells().stream().filter(c -> c.trials() > 0).map(SweepConclusion.Cell::figure));
        var x = s.grid().stream()
                .max(Comparator.comparingInt((Dimension d) -> d.values().size()));
        if (x.isEmpty() || x.get().values().size() < 2) {
            return List.of();
        }
        var others = s.grid().stream().filter(d -> !d.equals(x.get())).toList();
        var slices = GridPoints.grid(others);
        if (slices.size() > MOST_SERIES) {
            return List.of();
        }
        var series = new ArrayList<Series>();
        for (var slice : slices) {
            var points = new ArrayList<Point>();
            for (var c : s.cells()) {
                if (c.trials() > 0 && c.point().entrySet().containsAll(slice.entrySet())) {
                    figure(judged, c.figure(), c.throughput(), () -> measured(run, c.point()), c.trials())
                            .ifPresent(figure -> points.add(new Point(
                                    c.point().getOrDefault(x.get().name(), ""),
                                    Wording.point(c.point()),
                                    "",
                                    figure,
                                    c.p50(),
                                    c.p99())));
                }
            }
            if (!points.isEmpty()) {
                series.add(new Series(Wording.point(slice), points));
            }
        }
        return series.isEmpty()
                ? List.of()
                : List.of(new Curve(
                        Wording.dimension(x.get().name()),
                        judged,
                        false,
                        x.get().values(),
                        series));
    }

    /** The valid trials of a grid's cell. */
    private static List<TrialOutcome> measured(RunReport run, Map<String, String> point) {
        return run.valid().stream().filter(o -> o.spec().point().equals(point)).toList();
    }

    private static double number(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }
}
