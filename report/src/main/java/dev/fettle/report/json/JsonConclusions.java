package dev.fettle.report.json;

import dev.fettle.insight.CapacityConclusion;
import dev.fettle.insight.CompareConclusion;
import dev.fettle.insight.Conclusion;
import dev.fettle.insight.DiagnoseConclusion;
import dev.fettle.insight.Explanation;
import dev.fettle.insight.FailedStarts;
import dev.fettle.insight.Finding;
import dev.fettle.insight.GateConclusion;
import dev.fettle.insight.GateWhy;
import dev.fettle.insight.KnobShare;
import dev.fettle.insight.Proof;
import dev.fettle.insight.SecondFigure;
import dev.fettle.insight.Shortfall;
import dev.fettle.insight.SweepConclusion;
import dev.fettle.insight.TradeOff;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.insight.stats.Usl;
import dev.fettle.report.JsonFields;
import dev.fettle.report.RunReport;
import dev.fettle.report.document.SweepTables;
import dev.fettle.report.document.Table;
import dev.fettle.report.document.TuneTables;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

/** Conclusions in the JSON of {@link JsonReport}. */
final class JsonConclusions {
    private JsonConclusions() {}

    /** A diagnosis that is of no run. */
    static JsonFields fields(DiagnoseConclusion d) {
        return diagnose(new JsonFields().put("headline", d.headline()), d).put("notes", d.notes());
    }

    static JsonFields fields(RunReport run, Conclusion conclusion) {
        var to = new JsonFields().put("headline", conclusion.headline());
        return (switch (conclusion) {
                    case TuneConclusion t -> tune(to, t, new TuneTables(run, t));
                    case SweepConclusion s ->
                        to.put("kind", "sweep")
                                .put("grid", s.grid())
                                .put("cells", rows(SweepTables.cells(run, s), s.cells(), JsonConclusions::cell))
                                .each("failedStarts", s.failedStarts(), JsonConclusions::failedStarts)
                                .put("scaling", s.scaling().map(JsonConclusions::scaling));
                    case CompareConclusion c ->
                        to.put("kind", "compare")
                                .put("metric", c.metric())
                                .put(
                                        "spike",
                                        c.spike()
                                                .map(s -> new JsonFields()
                                                        .put("ratePerSecond", s.rate(), "seconds", s.seconds())
                                                        .put("watchedSeconds", s.watched(), "slo", s.slo())))
                                .each("conditions", c.conditions(), JsonConclusions::condition)
                                .each("failedStarts", c.failedStarts(), JsonConclusions::failedStarts);
                    case GateConclusion g -> gate(to, g);
                    case CapacityConclusion _ -> to.put("kind", "capacity"); // has its own document
                    case DiagnoseConclusion d -> diagnose(to, d);
                })
                .put("notes", conclusion.notes());
    }

    /** What is said of each, and the figures of its row in a table. */
    private static <T> List<JsonFields> rows(Table table, List<T> all, Function<T, JsonFields> each) {
        return IntStream.range(0, all.size())
                .mapToObj(i -> table.json(each.apply(all.get(i)), i))
                .toList();
    }

    private static JsonFields tune(JsonFields to, TuneConclusion t, TuneTables tables) {
        return to.put("kind", "tune")
                .put("result", t.result(), "baseline", t.baseline(), "winner", t.winner())
                .put("ratio", t.ratio(), "p99Ratio", t.p99Ratio(), "thresholdRatio", t.threshold())
                .put(
                        "sides",
                        t.sides()
                                .map(s -> figures(
                                        new JsonFields()
                                                .put("baselineThroughputPerSecond", s.baseline())
                                                .put("winnerThroughputPerSecond", s.winner())
                                                .millis("baselineP99Millis", s.baselineP99())
                                                .millis("winnerP99Millis", s.winnerP99()),
                                        s.baselineFigure(),
                                        s.winnerFigure())))
                // an array, because a list does not tell Jackson its element type
                .put("missing", t.shortfalls().toArray(new Shortfall[0]))
                .put("proof", t.proof().map(JsonConclusions::proof))
                .put(
                        "pairs",
                        rows(
                                tables.duel(),
                                t.pairs(),
                                p -> figures(
                                        new JsonFields().put("block", p.block()),
                                        p.baselineFigure(),
                                        p.winnerFigure())))
                .each("knobShares", t.shares(), JsonConclusions::share)
                .put("tradeOff", t.tradeOff().map(JsonConclusions::tradeOff))
                .each("beside", t.beside(), JsonConclusions::beside)
                .each("failedStarts", t.failedStarts(), JsonConclusions::failedStarts)
                .put("candidates", rows(tables.candidates(), t.candidates(), JsonConclusions::candidate))
                .put("baselineWhy", t.baselineWhy().map(JsonConclusions::why))
                .put("winnerWhy", t.winnerWhy().map(JsonConclusions::why));
    }

    private static JsonFields gate(JsonFields to, GateConclusion g) {
        return to.put("kind", "gate")
                .put("result", g.result(), "baseAgainstBase", g.aa())
                .put("pairs", g.pairs(), "basePairs", g.aaPairs())
                .put("seconds", g.seconds(), "askedSeconds", g.asked())
                .put("base", side(g.base()), "head", side(g.head()))
                .put("failure", g.failure(), "otherAnswers", g.answers())
                .each("metrics", g.metrics(), JsonConclusions::measured)
                .each(
                        "reach",
                        g.reach(),
                        r -> new JsonFields()
                                .put("minutes", r.minutes())
                                .put("metric", r.metric().id())
                                .put("loss", r.loss()))
                .put("why", g.why().map(JsonConclusions::gateWhy));
    }

    private static JsonFields gateWhy(GateWhy w) {
        return new JsonFields()
                .put("pairs", w.pairs())
                .each(
                        "methods",
                        w.methods(),
                        m -> new JsonFields()
                                .put("kind", m.kind().id(), "method", m.method())
                                .put("calledFrom", m.calledFrom())
                                .put("base", m.base(), "head", m.head())
                                .put("change", m.change()))
                .each(
                        "compared",
                        w.compared(),
                        c -> new JsonFields()
                                .put("kind", c.kind().id(), "methods", c.methods())
                                .put("least", c.least()))
                .each(
                        "figures",
                        w.figures(),
                        f -> new JsonFields()
                                .put("what", f.what(), "unit", f.unit())
                                .put("base", f.base(), "head", f.head())
                                .put("change", f.change()))
                .each(
                        "found",
                        w.found(),
                        f -> new JsonFields()
                                .put("rule", f.rule(), "title", f.title())
                                .put("sentence", f.sentence(), "side", f.ofHead() ? "head" : "base")
                                .put("in", f.in(), "of", f.of())
                                .put("otherIn", f.otherIn(), "otherOf", f.otherOf()))
                .each("warnings", w.warnings(), v -> new JsonFields().put("text", v.text(), "times", v.times()));
    }

    private static JsonFields side(GateConclusion.Side s) {
        return new JsonFields().put("started", s.started(), "failed", s.failed());
    }

    private static JsonFields measured(GateConclusion.Measured m) {
        return new JsonFields()
                .put("metric", m.metric().id(), "decides", m.decides())
                .put("answer", m.answer(), "allowed", m.allowed())
                .put("base", m.base(), "head", m.head())
                .put("change", m.change(), "pairChanges", m.each())
                .put("pairs", m.pairs())
                .put("same", m.same(), "samePairChanges", m.sameEach())
                .put("couldShow", m.couldShow(), "minutes", m.minutes())
                .put("withheld", m.withheld());
    }

    private static JsonFields tradeOff(TradeOff t) {
        return new JsonFields()
                .put("metric", t.metric().id(), "against", t.against().id())
                .put("apart", t.apart(), "againstApart", t.againstApart())
                .each(
                        "points",
                        t.points(),
                        p -> new JsonFields()
                                .put("setting", p.setting(), "figure", p.figure(), "against", p.against())
                                .put("trials", p.trials(), "onFront", p.onFront()));
    }

    private static JsonFields beside(SecondFigure s) {
        return new JsonFields()
                .put("metric", s.metric().id(), "ratio", s.ratio())
                .put("baseline", s.baseline(), "winner", s.winner())
                .put("shown", s.shown(), "plan", s.objective());
    }

    private static JsonFields failedStarts(FailedStarts f) {
        return new JsonFields()
                .put("of", f.of(), "because", f.because().name().toLowerCase(Locale.ROOT))
                .put("failed", f.counts().failed(), "starts", f.counts().of())
                .put("othersFailed", f.counts().defaultFailed())
                .put("othersStarts", f.counts().defaultOf());
    }

    private static JsonFields diagnose(JsonFields to, DiagnoseConclusion d) {
        return to.put("kind", "diagnose")
                .put("result", d.result())
                .put("bottleneck", d.bottleneck().map(JsonConclusions::finding))
                .each("others", d.others(), JsonConclusions::finding)
                .each("healthy", d.healthy(), JsonConclusions::looked)
                .each("notObserved", d.notObserved(), JsonConclusions::looked)
                .put("laws", d.laws())
                .put(
                        "ramp",
                        d.ramp()
                                .map(r -> law(
                                        new JsonFields()
                                                .each("steps", r.steps(), JsonConclusions::rampStep)
                                                .put("fits", r.fit().isPresent(), "words", r.words()),
                                        r.fit())))
                .each("secondOpinion", d.secondOpinion(), JsonConclusions::looked);
    }

    private static JsonFields finding(Finding f) {
        return new JsonFields()
                .put("rule", f.rule(), "severity", f.severity(), "title", f.title())
                .put("sentence", f.sentence(), "evidence", f.evidence(), "share", f.share())
                .put("remedy", f.remedy(), "knob", f.knob(), "refutedBy", f.refutedBy())
                .put("symptoms", f.symptoms())
                .put(
                        "tested",
                        f.test()
                                .map(t -> t.outcome().name().toLowerCase(Locale.ROOT))
                                .orElse("not_tested"))
                .put(
                        "test",
                        f.test()
                                .map(t -> new JsonFields()
                                        .put("change", t.change(), "sentence", t.sentence())
                                        .unlessBlank("scope", t.scope())));
    }

    private static JsonFields looked(DiagnoseConclusion.Looked l) {
        return new JsonFields().put("rule", l.rule(), "what", l.what(), "words", l.words());
    }

    /** The objective's metric in its unit: per second, nanoseconds, CPU seconds, bytes. */
    private static JsonFields figures(JsonFields to, double baseline, double winner) {
        return baseline > 0 && winner > 0 ? to.put("baselineObjective", baseline, "winnerObjective", winner) : to;
    }

    private static JsonFields share(KnobShare s) {
        return new JsonFields()
                .put("knob", s.knob(), "value", s.value(), "ratio", s.ratio())
                .put("trialsWithout", s.measured(), "troubleWithout", s.trouble());
    }

    private static JsonFields candidate(TuneConclusion.Candidate c) {
        var to = new JsonFields()
                .put("setting", c.setting())
                .put("origin", c.origin(), "meetsLimits", c.meetsLimits(), "problem", c.problem())
                .put("otherAnswers", c.otherAnswers())
                .put("atBest", c.atBest());
        return c.trials() == 0
                ? to
                : to.put("throughputPerSecond", c.throughput()).put("objective", c.figure());
    }

    private static JsonFields proof(Proof p) {
        return new JsonFields()
                .put("pairsSideBySide", p.sideBySide(), "disturbed", p.disturbed())
                .put("lastHalfRatio", p.lastHalf())
                .known("shrinksByShare", p.shrinksBy())
                .known("smallestRatioShown", p.smallest())
                .put("slowStartsShare", p.slowStarts(), "sameRatio", p.aaBound())
                .put("takenRatio", p.takenBound(), "cpuPerRequestRatio", p.cpuPerRequest())
                .put("baseline", arm(p.baseline()), "winner", arm(p.winner()))
                .put("unevenVoidsChance", p.imbalance());
    }

    private static JsonFields arm(Proof.Arm arm) {
        return new JsonFields().put("trials", arm.attempts(), "voids", arm.voids(), "failures", arm.failures());
    }

    private static JsonFields scaling(SweepConclusion.Scaling s) {
        return law(
                new JsonFields().put("dimension", s.dimension(), "fits", s.fit().isPresent(), "words", s.words()),
                s.fit());
    }

    private static JsonFields law(JsonFields to, Optional<Usl> fit) {
        fit.ifPresent(u -> to.put("ofOnePerSecond", u.lambda(), "contention", u.contention())
                .put("coherence", u.coherence(), "residualShare", u.residual())
                .put(
                        "peak",
                        u.peak().map(p -> new JsonFields().put("at", p.n(), "throughputPerSecond", p.throughput()))));
        return to;
    }

    private static JsonFields rampStep(DiagnoseConclusion.RampStep s) {
        return new JsonFields().put("clients", s.clients(), "throughputPerSecond", s.throughput(), "leftOut", s.left());
    }

    private static JsonFields cell(SweepConclusion.Cell c) {
        var to = new JsonFields().put("point", c.point());
        if (c.trials() > 0) {
            to.put("throughputPerSecond", c.throughput()).put("objective", c.figure());
        }
        return to.put("problems", c.problems(), "limitsBroken", c.broken())
                .put("otherAnswers", c.otherAnswers(), "failed", c.failed());
    }

    private static JsonFields condition(CompareConclusion.Condition c) {
        return new JsonFields()
                .put("point", c.point())
                .each("variants", c.variants(), JsonConclusions::variant)
                .each(
                        "contrasts",
                        c.contrasts(),
                        x -> new JsonFields()
                                .put("a", x.a(), "b", x.b(), "pairs", x.pairs())
                                .put("differenceShown", x.differenceShown())
                                .put("otherAnswers", x.otherAnswers(), "withheld", x.withheld())
                                .put("ratio", Optional.of(x.ratio()).filter(r -> x.pairs() > 0))
                                .put("pairRatios", x.each())
                                .put("leastShownRatio", x.leastShown(), "recoverySeconds", x.recovery()))
                .eachIfAny(
                        "layers",
                        c.layers(),
                        l -> new JsonFields()
                                .put("name", l.name(), "before", l.before(), "blocks", l.blocks())
                                .put(
                                        "throughputRatio",
                                        Optional.of(l.throughput()).filter(r -> l.blocks() > 0))
                                .put("shown", l.shown())
                                .put("cpuMicrosAdded", l.cpuMicros(), "waitingMicrosAdded", l.waitingMicros()));
    }

    private static JsonFields variant(CompareConclusion.VariantResult v) {
        var to = new JsonFields().put("name", v.name(), "trials", v.trials(), "voids", v.voids());
        if (v.trials() > 0) {
            to.put("throughputPerSecond", v.throughput())
                    .millis("p50Millis", v.p50())
                    .millis("p99Millis", v.p99())
                    .put("errorShare", v.errorShare())
                    .put("objective", v.figure());
        }
        v.spike()
                .ifPresent(s -> to.put(
                        "spike",
                        new JsonFields()
                                .put("goodputPerSecond", s.goodput(), "errorShare", s.errorShare())
                                .put("errors", s.errors())
                                .millis("p99Millis", s.p99())
                                .put("trials", s.trials(), "recovered", s.recovered())
                                .put(
                                        "recoverySeconds",
                                        s.recovered() > 0 ? Optional.of(s.recovery()) : Optional.empty())
                                .put("sloBrokenBefore", s.notMetBefore())));
        return to.known("cpuMicrosPerRequest", v.cpuMicrosPerRequest())
                .put("problems", v.problems(), "limitsBroken", v.broken())
                .put("failed", v.failed());
    }

    static JsonFields cause(Explanation w) {
        Explanation.Brief c = w.brief();
        return new JsonFields()
                .put("title", c.title(), "limit", w.limit())
                .put("rule", c.finding().map(Finding::rule))
                .put("sentences", c.sentences(), "refutedBy", c.refutedBy());
    }

    private static JsonFields why(Explanation w) {
        return new JsonFields()
                .put("limit", w.limit(), "support", w.support(), "throughputPerSecond", w.throughput())
                .put("holdingSeconds", w.holdingSeconds(), "busyThreads", w.busyThreads())
                .put("threadsMax", w.threadsMax(), "cpuSecondsPerRequest", w.cpuSecondsPerRequest())
                .put("cpuUtilisationShare", w.cpuUtilisation(), "cpuCeilingPerSecond", w.cpuCeiling())
                .put("threadCeilingPerSecond", w.shownThreadCeiling(), "sentences", w.sentences())
                .put("refutedBy", w.refutedBy());
    }
}
