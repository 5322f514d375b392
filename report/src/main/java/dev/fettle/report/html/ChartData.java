package dev.fettle.report.html;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fettle.insight.CompareConclusion;
import dev.fettle.insight.SweepConclusion;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.insight.stats.Interval;
import dev.fettle.model.plan.GridPoints;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.text.Json;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.report.Histograms;
import dev.fettle.report.RunReport;
import dev.fettle.report.TrialGroups;
import dev.fettle.report.Wording;
import java.util.List;

/** What the plots of an HTML report draw, as JSON; a plot without data has no entry. */
final class ChartData {
    private final RunReport run;
    private final ObjectMapper mapper = Json.mapper();
    private final ObjectNode root = mapper.createObjectNode();

    private ChartData(RunReport run) {
        this.run = run;
    }

    static ObjectNode of(RunReport run) {
        var data = new ChartData(run);
        run.conclusion().ifPresent(c -> {
            switch (c) {
                case TuneConclusion t -> data.tune(t);
                case SweepConclusion s -> data.sweep(s);
                case CompareConclusion x -> data.compare(x);
            }
        });
        data.latency();
        data.time();
        return data.root;
    }

    static String json(ObjectNode data) {
        try {
            return Json.mapper().writeValueAsString(data);
        } catch (JsonProcessingException e) {
            // a tree of plain nodes can always be written
            throw new IllegalStateException(e);
        }
    }

    private void tune(TuneConclusion t) {
        if (t.ratio().isPresent()) {
            var duel = root.putObject("duel");
            duel.put("threshold", t.threshold());
            duel.put("lessIsBetter", byLatency());
            var rows = duel.putArray("rows");
            t.pairs().forEach(p -> {
                double ratio = byLatency() ? (double) p.winnerP99() / p.baselineP99() : p.winner() / p.baseline();
                if (Double.isFinite(ratio) && ratio > 0) {
                    rows.addObject().put("label", "pair " + (p.block() + 1)).put("est", ratio);
                }
            });
            interval(
                    rows.addObject().put("label", "together").put("total", true),
                    t.ratio().get());
        }
        var curves = root.putArray("knobs");
        KnobCurves.of(run, t).forEach(c -> curves.add(curve(c)));
        if (curves.isEmpty()) {
            root.remove("knobs");
        }
    }

    private boolean byLatency() {
        return run.plan().objective().metric() == Objective.Metric.P99;
    }

    private void sweep(SweepConclusion s) {
        var curves = root.putArray("knobs");
        KnobCurves.of(s).forEach(c -> curves.add(curve(c)));
        if (curves.isEmpty()) {
            root.remove("knobs");
        }
        if (s.grid().size() >= 2) {
            heat(s);
        }
    }

    private ObjectNode curve(KnobCurves.Curve c) {
        var node = mapper.createObjectNode();
        node.put("name", c.name()).put("numeric", c.numeric());
        texts(node.putArray("categories"), c.categories());
        var series = node.putArray("series");
        for (var s : c.series()) {
            var one = series.addObject().put("name", s.name());
            var points = one.putArray("points");
            for (var p : s.points()) {
                var point = points.addObject()
                        .put("x", p.x())
                        .put("label", p.label())
                        .put("role", p.role());
                interval(point, p.throughput());
                point.put("p50", p.p50() / 1e6).put("p99", p.p99() / 1e6);
            }
        }
        return node;
    }

    private void heat(SweepConclusion s) {
        // the longer dimension across, so that cells stay near to square on a wide page
        boolean swap =
                s.grid().get(1).values().size() > s.grid().get(0).values().size();
        var x = s.grid().get(swap ? 1 : 0);
        var y = s.grid().get(swap ? 0 : 1);
        var heat = root.putObject("heat");
        heat.put("xName", Wording.dimension(x.name())).put("yName", Wording.dimension(y.name()));
        texts(heat.putArray("x"), x.values());
        texts(heat.putArray("y"), y.values());
        var slices = heat.putArray("slices");
        for (var slice : GridPoints.grid(s.grid().subList(2, s.grid().size()))) {
            var one = slices.addObject().put("label", Wording.point(slice));
            var cells = one.putArray("cells");
            for (var c : s.cells()) {
                if (!c.point().entrySet().containsAll(slice.entrySet())) {
                    continue;
                }
                var cell = cells.addObject();
                cell.put("x", x.values().indexOf(c.point().getOrDefault(x.name(), "")));
                cell.put("y", y.values().indexOf(c.point().getOrDefault(y.name(), "")));
                if (c.trials() > 0) {
                    interval(cell, c.throughput());
                    cell.put("p99", c.p99() / 1e6);
                } else {
                    cell.put(
                            "problem",
                            c.problems().isEmpty()
                                    ? "no valid trial"
                                    : c.problems().getFirst());
                }
            }
        }
    }

    private void compare(CompareConclusion found) {
        var dots = root.putArray("dots");
        var contrasts = root.putObject("contrasts")
                .put("metric", Wording.metric(found.metric()))
                .putArray("rows");
        for (var c : found.conditions()) {
            String at = Wording.point(c.point());
            c.variants().stream()
                    .filter(v -> v.trials() > 0)
                    .forEach(v ->
                            interval(dots.addObject().put("label", v.name()).put("group", at), v.throughput()));
            c.contrasts().stream()
                    .filter(x ->
                            Double.isFinite(x.ratio().estimate()) && x.ratio().estimate() > 0)
                    .forEach(x -> interval(
                            contrasts
                                    .addObject()
                                    .put("label", x.a() + " / " + x.b())
                                    .put("group", at)
                                    .put("shown", x.differenceShown()),
                            x.ratio()));
        }
        if (dots.isEmpty()) {
            root.remove("dots");
        }
        if (contrasts.isEmpty()) {
            root.remove("contrasts");
        }
    }

    private void latency() {
        var all = root.putArray("latency");
        var groups = TrialGroups.of(run);
        var variants =
                groups.stream().map(TrialGroups.Group::variant).distinct().toList();
        var conditions =
                groups.stream().map(TrialGroups.Group::condition).distinct().toList();
        for (var group : groups) {
            var histogram = Histograms.merge(group.trials().stream()
                    .flatMap(t -> t.measurement().stream())
                    .toList());
            histogram.ifPresent(h -> {
                var one = all.addObject().put("name", group.name()).put("role", group.role());
                if (!group.variant().isEmpty()) {
                    // a colour for the variant, a line style for the condition
                    one.put("hue", variants.indexOf(group.variant()))
                            .put("dash", conditions.indexOf(group.condition()));
                }
                var points = one.putArray("points");
                Histograms.curve(h)
                        .forEach(p -> points.addArray().add(p.percentile()).add(p.millis()));
            });
        }
        if (all.isEmpty()) {
            root.remove("latency");
        }
    }

    private void time() {
        var shown = Timelines.shown(run);
        var all = root.putArray("time");
        // trials of one thing share a colour; the first is left to the winner of a tune
        var things = run.outcomes().stream().map(this::thing).distinct().toList();
        int first = run.kind().equals("tune") ? 1 : 0;
        for (TrialOutcome o : run.outcomes()) {
            if (o.measurement().isEmpty() || o.measurement().get().windows().isEmpty()) {
                continue;
            }
            Measurement m = o.measurement().get();
            var one = all.addObject();
            one.put("name", Timelines.name(run, o))
                    .put("role", Timelines.role(run, o))
                    .put("valid", o.valid())
                    .put("on", shown.contains(o.ordinal()))
                    .put("hue", first + things.indexOf(thing(o)));
            double zero = Timelines.measuringFrom(m);
            ArrayNode points = one.putArray("points");
            m.windows()
                    .forEach(w -> points.addArray()
                            .add(round(w.at() + w.seconds() / 2 - zero))
                            .add(round(w.throughput()))
                            .add(w.p99() / 1e6)
                            .add(w.measured()));
        }
        if (all.isEmpty()) {
            root.remove("time");
        }
    }

    private String thing(TrialOutcome o) {
        return o.spec().phase() == TrialSpec.Phase.COMPARE
                ? o.spec().variant()
                : Wording.trial(o.spec(), run.plan().hold());
    }

    private static double round(double v) {
        return Math.round(v * 1000) / 1000.0;
    }

    private static void interval(ObjectNode node, Interval i) {
        node.put("est", i.estimate());
        if (i.bounded()) {
            node.put("lo", i.low()).put("hi", i.high());
        }
    }

    private static void texts(ArrayNode node, List<String> values) {
        values.forEach(node::add);
    }
}
