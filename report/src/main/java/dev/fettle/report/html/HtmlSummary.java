package dev.fettle.report.html;

import dev.fettle.insight.CapacityConclusion;
import dev.fettle.insight.CompareConclusion;
import dev.fettle.insight.Conclusion;
import dev.fettle.insight.DiagnoseConclusion;
import dev.fettle.insight.SweepConclusion;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.insight.stats.Interval;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.report.NumberText;
import dev.fettle.report.ObjectiveColumn;
import dev.fettle.report.RunReport;
import dev.fettle.report.Wording;
import dev.fettle.report.html.PageHead.Big;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The top of the page: what was run, the answer, and the key figures. */
record HtmlSummary(RunReport run) {
    void write(Html html) {
        var notes = run.conclusion().map(Conclusion::notes).orElse(List.of());
        new PageHead(run.kind() + " · " + run.plan().name(), badge(), tone(), headline(), bigs(), meta(), notes)
                .write(html);
    }

    private List<String> meta() {
        return List.of(
                "Run " + run.runId(),
                PageHead.WHEN.format(run.started()),
                "took " + NumberText.duration(run.took()),
                targets(),
                Wording.plural(run.outcomes().size(), "trial") + ", " + Wording.voids(run));
    }

    /** The targets that were run: a comparison's variants may have their own. */
    private String targets() {
        var labels = run.outcomes().stream()
                .map(o -> o.spec().target().label())
                .distinct()
                .sorted()
                .toList();
        if (labels.isEmpty()) {
            return "target " + run.plan().target().label();
        }
        return labels.size() > 4
                ? Wording.plural(labels.size(), "target")
                : (labels.size() == 1 ? "target " : "targets ") + String.join(", ", labels);
    }

    private String headline() {
        if (run.conclusion().isPresent()) {
            return run.conclusion().get().headline();
        }
        if (run.outcomes().isEmpty()) {
            return "No trial has ended yet.";
        }
        return run.valid().isEmpty()
                ? "Every trial so far is void: there is nothing to draw a conclusion from."
                : "Not finished: " + Wording.plural(run.valid().size(), "valid trial") + " so far, no conclusion yet.";
    }

    private String badge() {
        if (run.conclusion().isEmpty()) {
            return run.complete() ? "No conclusion" : "Not finished";
        }
        return switch (run.conclusion().get()) {
            case TuneConclusion t ->
                switch (t.result()) {
                    case IMPROVED -> "Improvement shown";
                    case TRADE -> "The same, and better in another metric";
                    case NO_IMPROVEMENT_SHOWN -> "No improvement shown";
                    case NOT_TRIED -> t.winner().equals(t.baseline()) ? "Not tried" : "Not proved";
                    case NO_BASELINE -> "No valid baseline";
                };
            case SweepConclusion s ->
                s.cells().stream().allMatch(c -> c.trials() > 0) ? "Grid measured" : "Cells missing";
            case CompareConclusion c ->
                !c.compared() ? "Nothing compared" : shown(c) == 0 ? "No difference shown" : "Difference shown";
            case CapacityConclusion _ -> "Searched";
            case DiagnoseConclusion d ->
                switch (d.result()) {
                    case FOUND -> "Found";
                    case NOTHING_FOUND -> "Nothing found";
                    case NOT_VALID -> "Nothing concluded";
                };
        };
    }

    private String tone() {
        if (run.conclusion().isEmpty()) {
            return "warn";
        }
        return switch (run.conclusion().get()) {
            case TuneConclusion t ->
                switch (t.result()) {
                    case IMPROVED, TRADE -> "good";
                    case NO_IMPROVEMENT_SHOWN -> "calm";
                    case NOT_TRIED, NO_BASELINE -> "bad";
                };
            case SweepConclusion s -> s.cells().stream().allMatch(c -> c.trials() > 0) ? "good" : "warn";
            case CompareConclusion c -> !c.compared() ? "warn" : shown(c) == 0 ? "calm" : "good";
            case CapacityConclusion _ -> "calm";
            case DiagnoseConclusion d ->
                d.bottleneck()
                        .map(f -> switch (f.severity()) {
                            case LIMIT -> "calm";
                            case WARNING -> "warn";
                            case FAULT -> "bad";
                        })
                        .orElse(d.result() == DiagnoseConclusion.Result.NOT_VALID ? "bad" : "good");
        };
    }

    private static long shown(CompareConclusion c) {
        return c.conditions().stream()
                .flatMap(x -> x.contrasts().stream())
                .filter(CompareConclusion.Contrast::differenceShown)
                .count();
    }

    private List<Big> bigs() {
        if (run.conclusion().isEmpty()) {
            return progress();
        }
        return switch (run.conclusion().get()) {
            case TuneConclusion t -> tune(t);
            case SweepConclusion s -> sweep(s);
            case CompareConclusion c -> compare(c);
            case CapacityConclusion _ -> List.of(); // has its own page
            case DiagnoseConclusion d -> diagnose(d);
        };
    }

    private List<Big> diagnose(DiagnoseConclusion d) {
        var list = new ArrayList<Big>();
        run.outcomes().stream()
                .filter(o -> o.measurement().isPresent())
                .findFirst()
                .ifPresent(o -> list.add(new Big(
                        "Throughput",
                        NumberText.rate(o.measurement().orElseThrow().throughput()),
                        "p99 "
                                + NumberText.latency(
                                        o.measurement().orElseThrow().latency().known(LatencySummary::p99)))));
        d.bottleneck()
                .filter(f -> f.share().isPresent())
                .ifPresent(f -> list.add(new Big(
                        "Explained by it",
                        NumberText.share(f.share().getAsDouble()),
                        "of a request's time, or of that in its worker")));
        list.add(new Big(
                "Checked",
                Integer.toString(
                        d.healthy().size() + d.others().size() + (d.bottleneck().isPresent() ? 1 : 0)),
                d.notObserved().size() + " not observed"));
        return list;
    }

    private List<Big> progress() {
        var list = new ArrayList<Big>();
        list.add(new Big("Trials", NumberText.count(run.outcomes().size()), Wording.voids(run)));
        run.valid().stream()
                .max(Comparator.comparingDouble(
                        o -> o.measurement().orElseThrow().throughput()))
                .ifPresent(o -> list.add(new Big(
                        "Fastest so far",
                        NumberText.rate(o.measurement().orElseThrow().throughput()),
                        Wording.trial(o.spec(), run.plan().hold()))));
        return list;
    }

    private List<Big> tune(TuneConclusion t) {
        var list = new ArrayList<Big>();
        var judged = ObjectiveColumn.of(run);
        boolean byLatency = judged.metric() == Objective.Metric.P99;
        String tone = t.shown() ? "good" : "";
        t.ratio()
                .ifPresent(r -> list.add(new Big(
                        byLatency ? "p99 latency" : judged.capital(),
                        NumberText.change(r.estimate()),
                        NumberText.known(r, judged.ratios(t)),
                        tone)));
        t.sides().ifPresent(sides -> {
            judged.heading()
                    .ifPresent(h -> list.add(new Big(
                            h,
                            judged.text(OptionalFigure.of(sides.baselineFigure())) + " → "
                                    + judged.text(OptionalFigure.of(sides.winnerFigure())),
                            "geometric mean over the pairs")));
            list.add(new Big(
                    "Requests per second",
                    NumberText.number(sides.baseline()) + " → " + NumberText.number(sides.winner()),
                    "default → " + (t.shown() ? "winner" : "best candidate")));
            list.add(new Big(
                    "p99 latency",
                    NumberText.latencies(sides.baselineP99(), sides.winnerP99()),
                    byLatency
                            ? "geometric mean over the pairs"
                            : t.p99Ratio()
                                    .map(r -> NumberText.change(r, new ObjectiveColumn(Objective.Metric.P99).ratios(t)))
                                    .orElse("")));
        });
        if (t.pairs().isEmpty()) {
            list.add(new Big("Trials", NumberText.count(run.outcomes().size()), Wording.voids(run)));
        }
        list.add(new Big(
                "Settings tried",
                NumberText.count(t.candidates().size()),
                t.pairs().isEmpty() ? "no duel" : Wording.plural(t.pairs().size(), "pair") + " in the duel"));
        return list;
    }

    private List<Big> sweep(SweepConclusion s) {
        var list = new ArrayList<Big>();
        var measured = s.cells().stream().filter(c -> c.trials() > 0).toList();
        var allowed = s.cells().stream().filter(SweepConclusion.Cell::allowed).toList();
        String within = allowed.size() < measured.size() ? " within the limits" : "";
        allowed.stream()
                .max(Comparator.comparingDouble(c -> c.throughput().estimate()))
                .ifPresent(c -> list.add(new Big(
                        "Fastest" + within,
                        NumberText.rate(c.throughput().estimate()),
                        Wording.point(c.point()),
                        "good")));
        measured.stream()
                .min(Comparator.comparingDouble(c -> c.throughput().estimate()))
                .ifPresent(c -> list.add(
                        new Big("Slowest", NumberText.rate(c.throughput().estimate()), Wording.point(c.point()))));
        allowed.stream()
                .min(Comparator.comparingLong(SweepConclusion.Cell::p99))
                .ifPresent(c -> list.add(
                        new Big("Lowest p99" + within, NumberText.latency(c.p99()), Wording.point(c.point()))));
        var judged = ObjectiveColumn.of(run);
        double best = judged.best(s);
        allowed.stream()
                .filter(c -> judged.own() && judged.top(c, best))
                .findFirst()
                .ifPresent(c -> list.addFirst(new Big(
                        (judged.metric().low() ? "Lowest " : "Highest ")
                                + judged.metric().words(),
                        judged.whole(best),
                        Wording.point(c.point()),
                        "good")));
        list.add(new Big("Cells", measured.size() + " of " + s.cells().size(), "with a valid trial"));
        return list;
    }

    /** What is compared between variants: the good answers in the spike, if there was one. */
    private static Interval compared(CompareConclusion.VariantResult v) {
        return v.spike().map(Wording::goodput).orElseGet(() -> Wording.rate(v.throughput(), v.trials()));
    }

    /** Whether a variant's figures may be put first: it never failed, breaks no limit, and gives the answers of those beside it. */
    private static boolean mayBeBetter(CompareConclusion.VariantResult v, CompareConclusion.Condition condition) {
        return v.failed().isEmpty()
                && v.broken().isEmpty()
                && condition.contrasts().stream()
                        .filter(x -> x.a().equals(v.name()) || x.b().equals(v.name()))
                        .allMatch(
                                x -> x.otherAnswers().isEmpty() && x.withheld().isEmpty());
    }

    private List<Big> compare(CompareConclusion c) {
        var list = new ArrayList<Big>();
        boolean spike = c.spike().isPresent();
        var judged = new ObjectiveColumn(c.metric());
        boolean low = c.metric().low() && !spike;
        for (var condition : c.conditions()) {
            condition.variants().stream()
                    .filter(v -> v.trials() > 0 && !Double.isNaN(judged.of(v)) && mayBeBetter(v, condition))
                    .max(Comparator.comparingDouble(
                            v -> spike ? compared(v).estimate() : low ? -judged.of(v) : judged.of(v)))
                    .filter(v -> list.size() < 3)
                    .ifPresent(v -> list.add(new Big(
                            (spike ? "Most good answers in the spike" : low ? "Lowest estimate" : "Highest estimate")
                                    + Wording.at(condition.point()),
                            v.name(),
                            spike
                                    ? NumberText.rate(compared(v))
                                    : switch (c.metric()) {
                                        case THROUGHPUT -> NumberText.rate(compared(v));
                                        case P99 -> NumberText.latency(v.p99());
                                        case CAPACITY, CPU_PER_REQUEST, MEMORY -> judged.whole(judged.of(v));
                                    })));
        }
        long all = c.conditions().stream().mapToLong(x -> x.contrasts().size()).sum();
        list.add(new Big("Differences shown", shown(c) + " of " + all, "pairs of variants"));
        return list;
    }
}
