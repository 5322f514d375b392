package dev.fettle.report.html;

import static dev.fettle.report.html.HtmlTable.Cell.figure;
import static dev.fettle.report.html.HtmlTable.Cell.words;

import dev.fettle.report.JsonFields;
import dev.fettle.report.NumberText;
import java.util.List;

/** The two plots against a knob, side by side if there is room: throughput, and latency percentiles. */
final class KnobPlots {
    private KnobPlots() {}

    static void write(Html html, JsonFields data, List<KnobCurves.Curve> curves) {
        if (!data.has("knobs") || curves.isEmpty()) {
            return;
        }
        String first = curves.getFirst().name();
        if (curves.size() > 1) {
            html.choose(
                    "Against ",
                    "knob",
                    curves.stream().map(KnobCurves.Curve::name).toList());
        }
        html.in(
                "div",
                d -> {
                    d.plot(
                            "throughput",
                            bounded(curves) ? "Throughput, with 95 % intervals" : "Throughput, one trial each",
                            "Throughput against " + first,
                            table(curves, true));
                    d.plot(
                            "percentiles",
                            many(curves) ? "Latency: p50, and p99 dashed" : "Latency: p50 and p99",
                            "Latency percentiles against " + first,
                            table(curves, false));
                },
                "class",
                "side");
    }

    /** Throughput over the clients of a ramp. */
    static void ramp(Html html, List<KnobCurves.Curve> curves) {
        if (!curves.isEmpty()) {
            html.plot(
                    "throughput",
                    "Throughput over clients, each measured twice",
                    "Throughput against the number of clients",
                    table(curves, true));
        }
    }

    private static boolean bounded(List<KnobCurves.Curve> curves) {
        return curves.stream()
                .flatMap(c -> c.series().stream())
                .flatMap(s -> s.points().stream())
                .anyMatch(p -> p.throughput().bounded());
    }

    private static boolean many(List<KnobCurves.Curve> curves) {
        return curves.stream().anyMatch(c -> c.series().size() > 1);
    }

    private static HtmlTable table(List<KnobCurves.Curve> curves, boolean throughput) {
        var table = HtmlTable.plain().words("knob", "value", "setting");
        if (throughput) {
            table.figures("throughput /s", "95 % interval");
        } else {
            table.figures("p50 ms", "p99 ms");
        }
        for (var c : curves) {
            for (var s : c.series()) {
                for (var p : s.points()) {
                    if (throughput) {
                        table.row(
                                "",
                                words(c.name()),
                                words(p.x()),
                                words(p.label()),
                                figure(
                                        NumberText.number(p.throughput().estimate()),
                                        p.throughput().estimate()),
                                figure(
                                        NumberText.bounds(p.throughput()).strip(),
                                        p.throughput().low()));
                    } else {
                        table.row(
                                "",
                                words(c.name()),
                                words(p.x()),
                                words(p.label()),
                                figure(NumberText.millis(p.p50()), p.p50()),
                                figure(NumberText.millis(p.p99()), p.p99()));
                    }
                }
            }
        }
        return table;
    }
}
