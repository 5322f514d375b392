package dev.fettle.report.html;

import dev.fettle.insight.history.Course;
import dev.fettle.insight.history.Course.Point;
import dev.fettle.insight.history.PastRun;
import dev.fettle.insight.history.RunSeries;
import dev.fettle.model.plan.GateMetric;
import dev.fettle.report.JsonFields;
import dev.fettle.report.history.HistoryDocument;
import dev.fettle.report.history.HistoryReport;
import dev.fettle.report.history.HistoryWords;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/** The data of a history's plots, as JSON: one for each metric of each series. */
final class HistoryCharts {
    private HistoryCharts() {}

    static JsonFields of(HistoryReport r) {
        var plots = new ArrayList<JsonFields>();
        for (int i = 0; i < r.history().series().size(); i++) {
            RunSeries s = r.history().series().get(i);
            for (Course c : s.courses()) {
                plots.add(plot(HistoryDocument.chart(i, c.metric()), r, s, c));
            }
        }
        return new JsonFields().eachIfAny("history", plots, p -> p);
    }

    private static JsonFields plot(String id, HistoryReport r, RunSeries s, Course c) {
        List<PastRun> runs = s.runs().stream().filter(r::isShown).toList();
        double unit = unit(c.metric());
        return new JsonFields()
                .put("id", id, "unit", unitName(c.metric()), "axis", c.metric().label())
                .each(
                        "runs",
                        runs,
                        x -> new JsonFields()
                                .put("name", x.name(), "when", HistoryWords.when(x.started()))
                                .put("id", x.id(), "verdict", HistoryWords.verdict(x))
                                .put("answer", answer(c.metric(), x)))
                .each(
                        "points",
                        c.points().stream().filter(p -> r.isShown(p.run())).toList(),
                        p -> point(runs, p, c, unit))
                .each(
                        "voids",
                        runs.stream()
                                .filter(x ->
                                        x.unused().isPresent() && x.figures().containsKey(c.metric()))
                                .toList(),
                        x -> List.of(
                                runs.indexOf(x),
                                Objects.requireNonNull(x.figures().get(c.metric()))
                                                .value()
                                        / unit))
                .each("levels", levels(r, runs, c, unit), l -> l)
                .each(
                        "changes",
                        c.changes().stream()
                                .filter(x -> r.isShown(c.points().get(x.at()).run()))
                                .toList(),
                        x -> new JsonFields()
                                .put("at", runs.indexOf(c.points().get(x.at()).run()))
                                .put("loss", x.loss(), "text", HistoryWords.size(c.metric(), x))
                                .put("what", HistoryWords.commits(c, x)));
    }

    /** Which of a gate's answers is by this metric. */
    private static Optional<String> answer(GateMetric metric, PastRun run) {
        return Optional.ofNullable(run.figures().get(metric))
                .flatMap(PastRun.Figure::answer)
                .map(a -> switch (a) {
                    case NO_WORSE -> "no worse";
                    case WORSE -> "worse";
                    case CANT_TELL -> "can't tell";
                });
    }

    private static JsonFields point(List<PastRun> runs, Point p, Course c, double unit) {
        var to = new JsonFields().put("at", runs.indexOf(p.run()), "figure", p.figure() / unit);
        return c.drift().isPresent() ? to.put("measured", p.measured() / unit) : to;
    }

    /** The mean between two changes: from, to, figure. */
    private static List<List<Double>> levels(HistoryReport r, List<PastRun> runs, Course c, double unit) {
        var levels = new ArrayList<List<Double>>();
        int from = 0;
        for (int i = 0; i <= c.changes().size(); i++) {
            int to = i < c.changes().size()
                    ? c.changes().get(i).at()
                    : c.points().size();
            List<Point> part = c.points().subList(from, to);
            List<Point> shown = part.stream().filter(p -> r.isShown(p.run())).toList();
            if (!shown.isEmpty()) {
                double mean = part.stream().mapToDouble(Point::figure).average().orElseThrow();
                levels.add(List.of(
                        (double) runs.indexOf(shown.getFirst().run()),
                        (double) runs.indexOf(shown.getLast().run()),
                        mean / unit));
            }
            from = to;
        }
        return levels;
    }

    /** One of the axis's unit, in the metric's own. */
    private static double unit(GateMetric metric) {
        return switch (metric) {
            case THROUGHPUT -> 1;
            case P50, P99 -> 1e6;
            case ERRORS -> 0.01;
            case CPU -> 1e-6;
            case START -> 1e-3;
            case ALLOCATION -> 1024;
            case MEMORY -> 1024 * 1024;
        };
    }

    private static String unitName(GateMetric metric) {
        return switch (metric) {
            case THROUGHPUT -> "/s";
            case P50, P99, START -> "ms";
            case ERRORS -> "%";
            case CPU -> "µs";
            case ALLOCATION -> "KiB";
            case MEMORY -> "MiB";
        };
    }
}
