package dev.fettle.report.html;

import static dev.fettle.report.html.HtmlTable.Cell.figure;
import static dev.fettle.report.html.HtmlTable.Cell.words;

import dev.fettle.insight.DiagnoseConclusion;
import dev.fettle.insight.stats.Interval;
import dev.fettle.model.plan.Objective;
import dev.fettle.report.JsonFields;
import dev.fettle.report.NumberText;
import dev.fettle.report.ObjectiveColumn;
import java.util.List;

/** The two plots against a knob, side by side if there is room: the objective's metric or throughput, and latency percentiles. */
final class KnobPlots {
    private KnobPlots() {}

    static void write(Html html, JsonFields data, List<KnobCurves.Curve> curves) {
        if (!data.has("knobs") || curves.isEmpty()) {
            return;
        }
        String first = curves.getFirst().name();
        ObjectiveColumn judged = curves.getFirst().judged();
        if (curves.size() > 1) {
            html.choose(
                    "Against ",
                    "knob",
                    curves.stream().map(KnobCurves.Curve::name).toList());
        }
        html.in("div", "side", d -> {
            d.plot(
                    "throughput",
                    judged.capital()
                            + (bounded(curves) ? ", with 95 % intervals" : judged.own() ? "" : ", one trial each"),
                    judged.capital() + " against " + first,
                    table(curves, true));
            d.plot(
                    "percentiles",
                    latency(judged) + (many(curves) ? ": p50, and p99 dashed" : ": p50 and p99"),
                    "Latency percentiles against " + first,
                    table(curves, false));
        });
    }

    /** A trial that searches for its capacity has latencies of clients who wait for each other, and ask for all there is. */
    private static String latency(ObjectiveColumn judged) {
        return judged.metric() == Objective.Metric.CAPACITY ? "Latency of the closed load" : "Latency";
    }

    /** Throughput over the clients of a ramp. */
    static void ramp(Html html, DiagnoseConclusion.Ramp ramp) {
        List<KnobCurves.Curve> curves = KnobCurves.of(ramp);
        boolean all = ramp.steps().stream().allMatch(s -> s.left().isEmpty());
        if (!curves.isEmpty()) {
            html.plot(
                    "throughput",
                    "Throughput over clients, each measured twice" + (all ? "" : ", less what does not count"),
                    "Throughput against the number of clients",
                    table(curves, true));
        }
    }

    private static boolean bounded(List<KnobCurves.Curve> curves) {
        return curves.stream()
                .flatMap(c -> c.series().stream())
                .flatMap(s -> s.points().stream())
                .anyMatch(p -> p.figure().bounded());
    }

    private static boolean many(List<KnobCurves.Curve> curves) {
        return curves.stream().anyMatch(c -> c.series().size() > 1);
    }

    private static String text(ObjectiveColumn judged, double figure) {
        return judged.own() ? judged.axisText(figure) : NumberText.number(figure);
    }

    private static String bounds(ObjectiveColumn judged, Interval of) {
        return of.bounded() ? "[" + text(judged, of.low()) + ", " + text(judged, of.high()) + "]" : "";
    }

    private static HtmlTable table(List<KnobCurves.Curve> curves, boolean judged) {
        var table = HtmlTable.plain().words("knob", "value", "setting");
        if (judged) {
            table.figures(curves.getFirst().judged().heading().orElse("throughput /s"), "95 % interval");
        } else {
            table.figures("p50", "p99");
        }
        for (var c : curves) {
            for (var s : c.series()) {
                for (var p : s.points()) {
                    Interval of = p.figure();
                    table.row(
                            "",
                            words(c.name()),
                            words(p.x()),
                            words(p.label()),
                            judged
                                    ? figure(text(c.judged(), of.estimate()), of.estimate())
                                    : figure(NumberText.latency(p.p50()), p.p50()),
                            judged
                                    ? figure(bounds(c.judged(), of), of.low())
                                    : figure(NumberText.latency(p.p99()), p.p99()));
                }
            }
        }
        return table;
    }
}
