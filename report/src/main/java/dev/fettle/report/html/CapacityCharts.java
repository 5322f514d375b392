package dev.fettle.report.html;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fettle.insight.CapacityResult;
import dev.fettle.insight.OverloadResult;
import dev.fettle.insight.capacity.Judged;
import dev.fettle.insight.capacity.Probe;
import dev.fettle.model.plan.Condition;
import dev.fettle.model.text.Json;
import dev.fettle.model.trial.Slice;
import dev.fettle.report.CapacityReport;
import dev.fettle.report.ProbeWording;
import java.util.Locale;
import java.util.OptionalDouble;

/** The data of a capacity search's plots, as JSON; a plot without data has no entry. */
final class CapacityCharts {
    /** In the plot of one figure, latencies are in milliseconds and shares in per cent. */
    private static final double NANOS_PER_MILLI = 1e6;

    private CapacityCharts() {}

    static ObjectNode of(CapacityReport r) {
        ObjectNode root = Json.mapper().createObjectNode();
        if (r.probes().stream().anyMatch(j -> figure(r, j.probe()).isPresent())) {
            probes(root.putObject("probes"), r);
        }
        r.overload().ifPresent(o -> overload(root.putObject("overload"), o));
        return root;
    }

    /** The figure to plot: the SLO's first latency, else its errors. */
    static Condition shown(CapacityReport r) {
        return r.slo().conditions().all().stream()
                .filter(c -> c.metric().unit() == Condition.Unit.NANOS)
                .findFirst()
                .orElseGet(() -> r.slo().conditions().all().stream()
                        .filter(c -> c.metric() == Condition.Metric.ERRORS)
                        .findFirst()
                        .orElseThrow());
    }

    private static OptionalDouble figure(CapacityReport r, Probe p) {
        OptionalDouble value = shown(r).metric().of(p);
        return value.isPresent() ? OptionalDouble.of(scaled(shown(r), value.getAsDouble())) : value;
    }

    private static double scaled(Condition c, double value) {
        return c.metric().unit() == Condition.Unit.NANOS ? value / NANOS_PER_MILLI : 100 * value;
    }

    private static void probes(ObjectNode out, CapacityReport r) {
        Condition shown = shown(r);
        out.put("figure", shown.metric().id());
        out.put("unit", r.iterations() ? "iterations" : "requests");
        out.put("millis", shown.metric().unit() == Condition.Unit.NANOS);
        out.put("bound", scaled(shown, shown.bound()));
        r.capacity()
                .flatMap(CapacityResult::limit)
                .filter(i -> i.bounded())
                .ifPresent(i -> out.putObject("limit").put("lo", i.low()).put("hi", i.high()));
        r.capacity().filter(c -> c.rate() > 0).ifPresent(c -> out.put("answer", c.rate()));
        var points = out.putArray("points");
        for (int n = 0; n < r.probes().size(); n++) {
            Judged j = r.probes().get(n);
            OptionalDouble value = figure(r, j.probe());
            if (value.isPresent()) {
                points.addObject()
                        .put("n", n + 1)
                        .put("rate", j.probe().rate())
                        .put("value", value.getAsDouble())
                        .put("errors", j.probe().errorShare())
                        .put("verdict", j.verdict().result().name().toLowerCase(Locale.ROOT))
                        .put("what", ProbeWording.verdict(j.verdict()));
            }
        }
    }

    private static void overload(ObjectNode out, OverloadResult o) {
        out.put("spikeFrom", o.during().at());
        out.put("spikeTo", o.during().at() + o.during().seconds());
        o.slo().atMost(Condition.Metric.P99).ifPresent(b -> out.put("bound", b / NANOS_PER_MILLI));
        var points = out.putArray("points");
        for (Slice s : o.slices()) {
            var point = points.addArray()
                    .add(s.at() + s.seconds() / 2)
                    .add(s.throughput())
                    .add(s.goodput());
            if (s.latency().count() > 0) {
                point.add(s.latency().p99() / NANOS_PER_MILLI);
            }
        }
    }
}
