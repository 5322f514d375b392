package dev.fettle.report.json;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.fettle.insight.CompareConclusion;
import dev.fettle.insight.Conclusion;
import dev.fettle.insight.Explanation;
import dev.fettle.insight.Proof;
import dev.fettle.insight.Shortfall;
import dev.fettle.insight.SweepConclusion;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.insight.stats.Interval;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Conclusions in the JSON of {@link JsonReport}. */
final class JsonConclusions {
    private final ObjectMapper mapper;

    JsonConclusions(ObjectMapper mapper) {
        this.mapper = mapper;
    }

    ObjectNode node(Conclusion conclusion) {
        var node = mapper.createObjectNode();
        node.put("headline", conclusion.headline());
        switch (conclusion) {
            case TuneConclusion t -> tune(node, t);
            case SweepConclusion s -> sweep(node, s);
            case CompareConclusion c -> compare(node, c);
        }
        node.set("notes", texts(conclusion.notes()));
        return node;
    }

    private void tune(ObjectNode node, TuneConclusion t) {
        node.put("kind", "tune").put("result", t.result().name().toLowerCase(Locale.ROOT));
        node.set("baseline", strings(t.baseline().asMap()));
        node.set("winner", strings(t.winner().asMap()));
        t.ratio().ifPresent(r -> node.set("ratio", interval(r)));
        t.p99Ratio().ifPresent(r -> node.set("p99Ratio", interval(r)));
        node.put("thresholdRatio", t.threshold());
        t.sides()
                .ifPresent(s -> node.putObject("sides")
                        .put("baselineThroughputPerSecond", s.baseline())
                        .put("winnerThroughputPerSecond", s.winner())
                        .put("baselineP99Millis", s.baselineP99() / 1e6)
                        .put("winnerP99Millis", s.winnerP99() / 1e6));
        node.set("missing", mapper.valueToTree(t.shortfalls().toArray(new Shortfall[0])));
        t.proof().ifPresent(p -> node.set("proof", proof(p)));
        var pairs = node.putArray("pairs");
        t.pairs()
                .forEach(p -> pairs.addObject()
                        .put("block", p.block())
                        .put("baselineThroughputPerSecond", p.baseline())
                        .put("winnerThroughputPerSecond", p.winner())
                        .put("baselineP99Millis", p.baselineP99() / 1e6)
                        .put("winnerP99Millis", p.winnerP99() / 1e6));
        var candidates = node.putArray("candidates");
        for (var c : t.candidates()) {
            var one = candidates.addObject();
            one.set("setting", strings(c.setting().asMap()));
            one.put("trials", c.trials())
                    .put("voids", c.voids())
                    .put("origin", c.origin())
                    .put("meetsLimits", c.meetsLimits());
            c.problem().ifPresent(p -> one.put("problem", p));
            c.otherAnswers().ifPresent(o -> one.put("otherAnswers", o));
            if (c.trials() > 0) {
                one.set("throughputPerSecond", interval(c.throughput()));
                one.put("p99Millis", c.p99() / 1e6).put("errorShare", c.errorShare());
            }
        }
        t.baselineWhy().ifPresent(w -> node.set("baselineWhy", why(w)));
        t.winnerWhy().ifPresent(w -> node.set("winnerWhy", why(w)));
    }

    private ObjectNode proof(Proof p) {
        var node = mapper.createObjectNode();
        node.put("pairsSideBySide", p.sideBySide()).put("disturbed", p.disturbed());
        node.set("lastHalfRatio", interval(p.lastHalf()));
        finite(node, "shrinksByShare", p.shrinksBy());
        finite(node, "smallestRatioShown", p.smallest());
        node.put("slowStartsShare", p.slowStarts());
        node.put("sameRatio", p.aaBound()).put("takenRatio", p.takenBound());
        p.cpuPerRequest().ifPresent(r -> node.set("cpuPerRequestRatio", interval(r)));
        arm(node.putObject("baseline"), p.baseline());
        arm(node.putObject("winner"), p.winner());
        node.put("unevenVoidsChance", p.imbalance());
        return node;
    }

    private static void arm(ObjectNode node, Proof.Arm arm) {
        node.put("trials", arm.attempts()).put("voids", arm.voids()).put("failures", arm.failures());
    }

    private static void finite(ObjectNode node, String name, double figure) {
        if (Double.isFinite(figure)) {
            node.put(name, figure);
        }
    }

    private void sweep(ObjectNode node, SweepConclusion s) {
        node.put("kind", "sweep");
        var grid = node.putArray("grid");
        s.grid().forEach(d -> grid.addObject().put("name", d.name()).set("values", texts(d.values())));
        var cells = node.putArray("cells");
        for (var c : s.cells()) {
            var one = cells.addObject();
            one.set("point", strings(c.point()));
            one.put("trials", c.trials()).put("voids", c.voids());
            if (c.trials() > 0) {
                one.set("throughputPerSecond", interval(c.throughput()));
                one.put("p50Millis", c.p50() / 1e6)
                        .put("p99Millis", c.p99() / 1e6)
                        .put("errorShare", c.errorShare());
            }
            JsonReport.put(one, "cpuUtilisationShare", c.cpuUtilisation());
            JsonReport.put(one, "loadAverage", c.loadAverage());
            JsonReport.put(one, "littlesRatio", c.littles());
            one.set("problems", texts(c.problems()));
        }
    }

    private void compare(ObjectNode node, CompareConclusion found) {
        node.put("kind", "compare").put("metric", found.metric().name().toLowerCase(Locale.ROOT));
        var conditions = node.putArray("conditions");
        for (var c : found.conditions()) {
            var condition = conditions.addObject();
            condition.set("point", strings(c.point()));
            var variants = condition.putArray("variants");
            for (var v : c.variants()) {
                var one = variants.addObject()
                        .put("name", v.name())
                        .put("trials", v.trials())
                        .put("voids", v.voids());
                if (v.trials() > 0) {
                    one.set("throughputPerSecond", interval(v.throughput()));
                    one.put("p50Millis", v.p50() / 1e6)
                            .put("p99Millis", v.p99() / 1e6)
                            .put("errorShare", v.errorShare());
                }
                if (Double.isFinite(v.cpuMicrosPerRequest())) {
                    one.put("cpuMicrosPerRequest", v.cpuMicrosPerRequest());
                }
                one.set("problems", texts(v.problems()));
                one.set("limitsBroken", texts(v.broken()));
            }
            var contrasts = condition.putArray("contrasts");
            for (var x : c.contrasts()) {
                var one = contrasts
                        .addObject()
                        .put("a", x.a())
                        .put("b", x.b())
                        .put("pairs", x.pairs())
                        .put("differenceShown", x.differenceShown());
                x.otherAnswers().ifPresent(o -> one.put("otherAnswers", o));
                one.set("ratio", interval(x.ratio()));
                JsonReport.put(one, "leastShownRatio", x.leastShown());
            }
        }
    }

    private ObjectNode why(Explanation w) {
        var node = mapper.createObjectNode();
        node.put("limit", w.limit().name().toLowerCase(Locale.ROOT))
                .put("support", w.support().name().toLowerCase(Locale.ROOT))
                .put("throughputPerSecond", w.throughput());
        JsonReport.put(node, "holdingSeconds", w.holdingSeconds());
        JsonReport.put(node, "busyThreads", w.busyThreads());
        JsonReport.put(node, "threadsMax", w.threadsMax());
        JsonReport.put(node, "cpuSecondsPerRequest", w.cpuSecondsPerRequest());
        JsonReport.put(node, "cpuUtilisationShare", w.cpuUtilisation());
        JsonReport.put(node, "cpuCeilingPerSecond", w.cpuCeiling());
        JsonReport.put(node, "threadCeilingPerSecond", w.threadCeiling());
        node.set("sentences", texts(w.sentences()));
        node.put("refutedBy", w.refutedBy());
        return node;
    }

    /** Bounds that are not finite are left out. */
    private ObjectNode interval(Interval i) {
        var node = mapper.createObjectNode();
        if (Double.isFinite(i.estimate())) {
            node.put("estimate", i.estimate());
        }
        if (i.bounded()) {
            node.put("low", i.low()).put("high", i.high()).put("level", i.level());
            node.put("method", i.method().name().toLowerCase(Locale.ROOT));
        }
        return node;
    }

    private ObjectNode strings(Map<String, String> map) {
        var node = mapper.createObjectNode();
        map.forEach(node::put);
        return node;
    }

    private ArrayNode texts(List<String> list) {
        var node = mapper.createArrayNode();
        list.forEach(node::add);
        return node;
    }
}
