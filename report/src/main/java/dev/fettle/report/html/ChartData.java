package dev.fettle.report.html;

import dev.fettle.insight.CapacityConclusion;
import dev.fettle.insight.CompareConclusion;
import dev.fettle.insight.DiagnoseConclusion;
import dev.fettle.insight.GateConclusion;
import dev.fettle.insight.SweepConclusion;
import dev.fettle.insight.TradeOff;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.trials.RatioWords;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Timeline;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.report.BenchReport;
import dev.fettle.report.Histograms;
import dev.fettle.report.JsonFields;
import dev.fettle.report.NumberText;
import dev.fettle.report.ObjectiveColumn;
import dev.fettle.report.RunReport;
import dev.fettle.report.TrialGroups;
import dev.fettle.report.Wording;
import dev.fettle.report.document.CompareTables;
import dev.fettle.report.document.HeatMap;
import dev.fettle.report.document.KnobCurves;
import dev.fettle.report.document.Timelines;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** The data of an HTML report's plots, as JSON; a plot without data has no entry. */
final class ChartData {
    private final RunReport run;
    private final JsonFields root = new JsonFields();

    private ChartData(RunReport run) {
        this.run = run;
    }

    static JsonFields of(RunReport run) {
        var data = new ChartData(run);
        run.conclusion().ifPresent(c -> {
            switch (c) {
                case TuneConclusion t -> data.tune(t);
                case SweepConclusion s -> data.sweep(s);
                case CompareConclusion x -> data.compare(x);
                case CapacityConclusion _ -> {} // has its own page
                case GateConclusion _ -> {} // its figures have no unit in common
                // its other plots are those of the trials
                case DiagnoseConclusion d ->
                    d.ramp().ifPresent(r -> data.root.eachIfAny("knobs", KnobCurves.of(r), ChartData::curve));
            }
        });
        data.latency();
        data.time();
        return data.root;
    }

    /** A bench's: the curve of latency, of an open load that of service time, too, and the throughput over time. */
    static JsonFields of(BenchReport r) {
        Measurement m = r.measurement();
        var curves = new ArrayList<JsonFields>();
        curve(curves, r.open() ? "latency, from when it was due" : "latency", "winner", m.histogram());
        if (!curves.isEmpty()) {
            curve(curves, "service time, from its send", "baseline", m.detail().serviceHistogram());
        }
        var root = new JsonFields().eachIfAny("latency", curves, c -> c);
        return m.windows().isEmpty()
                ? root
                : root.put(
                        "time",
                        List.of(timeline(
                                new JsonFields()
                                        .put("name", "throughput", "role", "winner", "valid", r.valid())
                                        .put("on", true, "hue", 0),
                                m)));
    }

    private static void curve(List<JsonFields> to, String name, String role, String histogram) {
        Histograms.decode(histogram)
                .filter(h -> h.getTotalCount() > 0)
                .ifPresent(h -> to.add(percentiles(new JsonFields().put("name", name, "role", role), h)));
    }

    private void tune(TuneConclusion t) {
        if (t.ratio().isPresent()) {
            var rows = new ArrayList<JsonFields>();
            var judged = ObjectiveColumn.of(run);
            t.pairs().forEach(p -> {
                double ratio = judged.ratio(p);
                if (Double.isFinite(ratio) && ratio > 0) {
                    rows.add(new JsonFields()
                            .put("label", "pair " + (p.block() + 1), "est", ratio)
                            .put("text", NumberText.change(ratio)));
                }
            });
            rows.add(new JsonFields()
                    .put("label", "together", "total", true)
                    .put("text", NumberText.change(t.ratio().get(), judged.ratios(t)))
                    .estimate(drawn(t.ratio().get())));
            root.put(
                    "duel",
                    new JsonFields()
                            .put("threshold", t.threshold())
                            .put("metric", judged.metric().words())
                            .put("rows", rows));
        }
        root.eachIfAny("knobs", KnobCurves.of(run, t), ChartData::curve);
        t.tradeOff().ifPresent(x -> tradeOff(x, t));
    }

    private void tradeOff(TradeOff x, TuneConclusion t) {
        var one = new ObjectiveColumn(x.metric());
        var other = new ObjectiveColumn(x.against());
        var rows = x.points().stream()
                .map(p -> new JsonFields()
                        .put("x", other.onAxis(p.against()), "y", one.onAxis(p.figure()), "front", p.onFront())
                        .put("label", Wording.setting(p.setting(), run.plan().hold()), "role", role(p, t)))
                .toList();
        root.put(
                "tradeoff",
                new JsonFields()
                        .put("x", other.axis(), "y", one.axis(), "rows", rows)
                        .put("xUnit", other.unit(), "yUnit", one.unit()));
    }

    private static String role(TradeOff.Point p, TuneConclusion t) {
        boolean won = t.shown() && p.setting().equals(t.winner());
        return won ? "winner" : p.setting().equals(t.baseline()) ? "baseline" : "";
    }

    private void sweep(SweepConclusion s) {
        root.eachIfAny("knobs", KnobCurves.of(run, s), ChartData::curve);
        HeatMap.of(s, run.plan().objective().metric()).data(root);
    }

    private static JsonFields curve(KnobCurves.Curve c) {
        return new JsonFields()
                .put("name", c.name(), "numeric", c.numeric(), "categories", c.categories())
                .put("own", c.judged().heading())
                .put("axis", c.judged().axis())
                .put("unit", c.judged().unit())
                .each(
                        "series",
                        c.series(),
                        s -> new JsonFields().put("name", s.name()).each("points", s.points(), ChartData::point));
    }

    private static JsonFields point(KnobCurves.Point p) {
        return new JsonFields()
                .put("x", p.x(), "label", p.label(), "role", p.role())
                .estimate(p.figure())
                .millis("p50", p.p50())
                .millis("p99", p.p99());
    }

    private void compare(CompareConclusion found) {
        HeatMap.of(found, run.plan().compare().map(Plan.Compare::grid).orElse(List.of()))
                .data(root);
        var dots = new ArrayList<JsonFields>();
        var rows = new ArrayList<JsonFields>();
        for (var c : found.conditions()) {
            String at = Wording.point(c.point());
            c.variants().stream()
                    .filter(v -> v.trials() > 0)
                    .map(v ->
                            new JsonFields().put("label", v.name(), "group", at).estimate(CompareTables.compared(v)))
                    .forEach(dots::add);
            c.contrasts().stream()
                    .filter(x -> x.pairs() > 0
                            && Double.isFinite(x.ratio().estimate())
                            && x.ratio().estimate() > 0)
                    .map(x -> new JsonFields()
                            .put("label", x.a() + " / " + x.b(), "group", at, "shown", x.differenceShown())
                            .put("text", NumberText.change(x.ratio(), x.each()))
                            .estimate(drawn(x.ratio())))
                    .forEach(rows::add);
        }
        root.eachIfAny("dots", dots, d -> d);
        if (!rows.isEmpty()) {
            root.put("contrasts", new JsonFields().put("metric", Wording.metric(found), "rows", rows));
        }
    }

    /** A ratio as it is drawn: an interval over ten decades would leave no room for the others. */
    private static Interval drawn(Interval ratio) {
        return RatioWords.tells(ratio) ? ratio : Interval.unbounded(ratio.estimate());
    }

    private void latency() {
        var all = new ArrayList<JsonFields>();
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
                var one = new JsonFields().put("name", group.name(), "role", group.role());
                if (!group.variant().isEmpty()) {
                    // a colour for the variant, a line style for the condition
                    one.put("hue", variants.indexOf(group.variant()), "dash", conditions.indexOf(group.condition()));
                }
                all.add(percentiles(one, h));
            });
        }
        root.eachIfAny("latency", all, a -> a);
    }

    /** Adds the points of a latency curve. */
    private static JsonFields percentiles(JsonFields to, Histogram h) {
        return to.each("points", Histograms.curve(h), p -> List.of(p.percentile(), p.millis()));
    }

    private void time() {
        var shown = Timelines.shown(run);
        var kept = Timelines.kept(run);
        var roles = Timelines.roles(run);
        // trials of one setting or variant share a colour; the first colour is reserved for a tune's winner
        var things = run.outcomes().stream().map(this::thing).distinct().toList();
        int first = run.kind().equals("tune") ? 1 : 0;
        var all = new ArrayList<JsonFields>();
        for (TrialOutcome o : run.outcomes()) {
            o.measurement()
                    .filter(m -> !m.windows().isEmpty() && kept.contains(o.ordinal()))
                    .ifPresent(m -> all.add(timeline(
                            new JsonFields()
                                    .put("name", Timelines.name(run, o))
                                    .put("role", roles.getOrDefault(o.spec().setting(), ""))
                                    .put("valid", o.valid(), "on", shown.contains(o.ordinal()))
                                    .put("hue", first + things.indexOf(thing(o))),
                            m)));
        }
        root.eachIfAny("time", all, a -> a);
    }

    /** Adds a load over time: when, responses a second, p99 in milliseconds or null without a response, whether it was measured. */
    private static JsonFields timeline(JsonFields to, Measurement m) {
        double zero = Timelines.measuringFrom(m);
        return to.each(
                "points",
                thinned(m.windows()),
                w -> Arrays.<@Nullable Object>asList(
                        round(w.at() + w.seconds() / 2 - zero),
                        round(w.throughput()),
                        w.responses() == 0 ? null : w.p99() / 1e6,
                        w.measured()));
    }

    /** At most as many as a timeline has points; the merged ones keep the highest latencies. */
    static List<Measurement.Window> thinned(List<Measurement.Window> all) {
        int each = (all.size() + Timeline.MOST_POINTS - 1) / Timeline.MOST_POINTS;
        if (each <= 1) {
            return all;
        }
        var thin = new ArrayList<Measurement.Window>();
        int merged = 0;
        for (Measurement.Window w : all) {
            if (merged > 0 && merged < each && thin.getLast().measured() == w.measured()) {
                thin.set(thin.size() - 1, thin.getLast().plus(w));
                merged++;
            } else {
                thin.add(w);
                merged = 1;
            }
        }
        return thin;
    }

    private String thing(TrialOutcome o) {
        return Set.of(TrialSpec.Phase.COMPARE, TrialSpec.Phase.GATE)
                        .contains(o.spec().phase())
                ? o.spec().variant()
                : Wording.trial(o.spec(), run.plan().hold());
    }

    private static double round(double v) {
        return Math.round(v * 1000) / 1000.0;
    }
}
