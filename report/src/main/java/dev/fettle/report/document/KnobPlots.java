package dev.fettle.report.document;

import dev.fettle.insight.DiagnoseConclusion;
import dev.fettle.insight.stats.Interval;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.text.Format;
import dev.fettle.report.ObjectiveColumn;
import java.util.List;

/** The two plots against a knob, side by side if there is room: the objective's metric or throughput, and latency percentiles. */
final class KnobPlots {
    private KnobPlots() {}

    static List<Block> of(List<KnobCurves.Curve> curves) {
        if (curves.isEmpty()) {
            return List.of();
        }
        String first = curves.getFirst().name();
        ObjectiveColumn judged = curves.getFirst().judged();
        var plots = new Block.Abreast(
                "side",
                List.of(
                        new Block.Plot(
                                "throughput",
                                judged.capital()
                                        + (bounded(curves)
                                                ? ", with 95 % intervals"
                                                : judged.own() ? "" : ", one trial each"),
                                judged.capital() + " against " + first,
                                "",
                                table(curves, true)),
                        new Block.Plot(
                                "percentiles",
                                latency(judged) + (many(curves) ? ": p50, and p99 dashed" : ": p50 and p99"),
                                "Latency percentiles against " + first,
                                "",
                                table(curves, false))));
        return curves.size() == 1
                ? List.of(plots)
                : List.of(
                        new Block.Choice(
                                "Against ",
                                "knob",
                                curves.stream().map(KnobCurves.Curve::name).toList()),
                        plots);
    }

    /** A trial that searches for its capacity has latencies of clients who wait for each other, and ask for all there is. */
    private static String latency(ObjectiveColumn judged) {
        return judged.metric() == Objective.Metric.CAPACITY ? "Latency of the closed load" : "Latency";
    }

    /** Throughput over the clients of a ramp. */
    static List<Block> ramp(DiagnoseConclusion.Ramp ramp) {
        List<KnobCurves.Curve> curves = KnobCurves.of(ramp);
        boolean all = ramp.steps().stream().allMatch(s -> s.left().isEmpty());
        return curves.isEmpty()
                ? List.of()
                : List.of(new Block.Plot(
                        "throughput",
                        "Throughput over clients, each measured twice" + (all ? "" : ", less what does not count"),
                        "Throughput against the number of clients",
                        "",
                        table(curves, true)));
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
        return judged.own() ? judged.axisText(figure) : Format.number(figure);
    }

    private static String bounds(ObjectiveColumn judged, Interval of) {
        return of.bounded() ? "[" + text(judged, of.low()) + ", " + text(judged, of.high()) + "]" : "";
    }

    private record At(KnobCurves.Curve curve, KnobCurves.Point point) {
        Interval figure() {
            return point.figure();
        }
    }

    private static Table table(List<KnobCurves.Curve> curves, boolean judged) {
        var table = Table.of(curves.stream()
                        .flatMap(c -> c.series().stream()
                                .flatMap(s -> s.points().stream())
                                .map(p -> new At(c, p)))
                        .toList())
                .words("knob", x -> x.curve().name())
                .words("value", x -> x.point().x())
                .words("setting", x -> x.point().label());
        return judged
                ? table.figure(
                                curves.getFirst().judged().heading().orElse("throughput /s"),
                                x -> new Value(
                                        text(x.curve().judged(), x.figure().estimate()),
                                        x.figure().estimate()))
                        .figure(
                                "95 % interval",
                                x -> new Value(
                                        bounds(x.curve().judged(), x.figure()),
                                        x.figure().low()))
                        .build()
                : table.figure("p50", x -> Value.time(x.point().p50()))
                        .figure("p99", x -> Value.time(x.point().p99()))
                        .build();
    }
}
