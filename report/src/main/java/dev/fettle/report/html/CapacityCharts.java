package dev.fettle.report.html;

import dev.fettle.insight.CapacityResult;
import dev.fettle.insight.OverloadResult;
import dev.fettle.insight.capacity.Judged;
import dev.fettle.insight.stats.Interval;
import dev.fettle.model.plan.Condition;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Slice;
import dev.fettle.report.CapacityReport;
import dev.fettle.report.JsonFields;
import dev.fettle.report.ProbeWording;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.DoubleStream;

/** The data of a capacity search's plots, as JSON; a plot without data has no entry. */
final class CapacityCharts {
    /** In the plot of one figure, latencies are in milliseconds and shares in per cent. */
    private static final double NANOS_PER_MILLI = 1e6;

    private CapacityCharts() {}

    static JsonFields of(CapacityReport r) {
        List<JsonFields> points = points(r);
        return new JsonFields()
                .put("probes", points.isEmpty() ? Optional.empty() : Optional.of(probes(r, points)))
                .put("overload", r.overload().filter(o -> !o.slices().isEmpty()).map(CapacityCharts::overload));
    }

    private static JsonFields probes(CapacityReport r, List<JsonFields> points) {
        Condition shown = r.shown();
        return new JsonFields()
                .put("figure", shown.metric().id(), "unit", r.iterations() ? "iterations" : "requests")
                .put("millis", shown.metric().unit() == Condition.Unit.NANOS)
                .put("bound", CapacityReport.scaled(shown, shown.bound()))
                .put(
                        "limit",
                        r.capacity()
                                .flatMap(CapacityResult::limit)
                                .filter(Interval::bounded)
                                .map(i -> new JsonFields().put("lo", i.low(), "hi", i.high())))
                .put("answer", r.capacity().map(CapacityResult::rate).filter(rate -> rate > 0))
                .put("points", points);
    }

    private static List<JsonFields> points(CapacityReport r) {
        var points = new ArrayList<JsonFields>();
        for (int n = 0; n < r.probes().size(); n++) {
            Judged j = r.probes().get(n);
            OptionalFigure value = r.plotted(j.probe());
            if (value.isPresent()) {
                points.add(new JsonFields()
                        .put("n", n + 1, "rate", j.probe().rate(), "value", value.getAsDouble())
                        .put("errors", j.probe().errorShare())
                        .put("verdict", j.verdict().result())
                        .put("what", ProbeWording.verdict(j.verdict())));
            }
        }
        return points;
    }

    private static JsonFields overload(OverloadResult o) {
        return new JsonFields()
                .put("spikeFrom", o.during().at())
                .put("spikeTo", o.during().at() + o.during().seconds())
                .put("bound", o.slo().atMost(Condition.Metric.P99).map(b -> b / NANOS_PER_MILLI))
                .each("points", o.slices(), CapacityCharts::point);
    }

    /** Its middle, throughput and goodput; the latency only if there were answers. */
    private static List<Double> point(Slice s) {
        var figures = DoubleStream.of(s.at() + s.seconds() / 2, s.throughput(), s.goodput());
        var latency =
                s.latency().count() > 0 ? DoubleStream.of(s.latency().p99() / NANOS_PER_MILLI) : DoubleStream.empty();
        return DoubleStream.concat(figures, latency).boxed().toList();
    }
}
