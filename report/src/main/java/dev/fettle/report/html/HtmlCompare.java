package dev.fettle.report.html;

import static dev.fettle.report.html.HtmlTable.Cell.figure;
import static dev.fettle.report.html.HtmlTable.Cell.words;

import dev.fettle.insight.CompareConclusion;
import dev.fettle.insight.stats.Interval;
import dev.fettle.model.plan.Dimension;
import dev.fettle.model.plan.Objective;
import dev.fettle.report.JsonFields;
import dev.fettle.report.NumberText;
import dev.fettle.report.ObjectiveColumn;
import dev.fettle.report.Wording;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The sections of a comparison: the variants, and every pair of variants. */
final class HtmlCompare {
    private final CompareConclusion found;
    private final List<Dimension> grid;
    private final JsonFields data;

    HtmlCompare(CompareConclusion found, List<Dimension> grid, JsonFields data) {
        this.found = found;
        this.grid = List.copyOf(grid);
        this.data = data;
    }

    void write(Html html) {
        boolean layered = found.conditions().stream().anyMatch(c -> !c.layers().isEmpty());
        html.section("variants", layered ? "The layers" : "The variants", s -> {
            boolean spike = found.spike().isPresent();
            if (data.has("dots")) {
                s.plot(
                        "dots",
                        (spike ? "Good answers per second in the spike" : "Throughput per second")
                                + (bounded() ? ", with 95 % intervals" : ""),
                        (spike ? "Good answers" : "Throughput") + " of each variant"
                                + (bounded() ? " with intervals" : ""),
                        table(HtmlTable.plain()));
            }
            HeatMap.of(found, grid).write(s);
            s.table(spike ? "What the spike did" : "The variants under each condition", table(HtmlTable.sortable()));
        });
        if (layered) {
            html.section("layers", "What each layer adds", s -> {
                s.el(
                        "p",
                        "Each layer against the one before it, paired within blocks. Throughput is a ratio; CPU is time of the"
                                + " server; waiting is the time that a request holds its worker, less its CPU time.");
                s.table("What each layer adds to the one before it", layers());
            });
        }
        if (data.has("contrasts") && found.compared()) {
            String metric = found.spike().isPresent()
                    ? "Good answers in the spike,"
                    : new ObjectiveColumn(found.metric()).capital();
            html.section("differences", "Differences", s -> {
                s.el(
                        "p",
                        "Paired within blocks. A difference counts as shown only when the whole interval lies outside the"
                                + " smallest difference worth reporting. Where none is shown, the last column says how large it"
                                + " would have had to be for four runs of five to show it.");
                s.plot(
                        "contrasts",
                        metric + " ratio of each pair, with intervals that hold together at 95 %",
                        metric + " ratio of each pair of variants with intervals",
                        contrasts());
            });
        }
    }

    /** Whether any variant's dot has an interval. */
    private boolean bounded() {
        return found.conditions().stream()
                .flatMap(c -> c.variants().stream())
                .filter(v -> v.trials() > 0)
                .anyMatch(v -> dot(v).bounded());
    }

    /** What the plot shows of a variant: good answers in the spike, or throughput. */
    static Interval dot(CompareConclusion.VariantResult v) {
        return v.spike().map(Wording::goodput).orElseGet(() -> Wording.rate(v.throughput(), v.trials()));
    }

    private HtmlTable table(HtmlTable table) {
        return found.spike().map(spike -> spiked(table, spike)).orElseGet(() -> variants(table));
    }

    private HtmlTable spiked(HtmlTable table, CompareConclusion.Spike spike) {
        table.words("condition", "variant")
                .figures("good answers /s", "95 % interval", "p99", "failed")
                .words("how", "back to normal")
                .figures("trials", "void")
                .remarks("why void");
        for (var c : found.conditions()) {
            for (var v : c.variants()) {
                Optional<CompareConclusion.SpikeResult> seen = v.spike().filter(s -> s.trials() > 0);
                table.row(
                        seen.isPresent() ? "" : "void",
                        at(c),
                        words(v.name()),
                        figure(
                                seen.map(s -> NumberText.number(s.goodput().estimate()))
                                        .orElse("void"),
                                seen.map(s -> s.goodput().estimate()).orElse(Double.NaN)),
                        figure(
                                seen.map(s -> NumberText.bounds(Wording.goodput(s))
                                                .strip())
                                        .orElse(""),
                                seen.map(s -> s.goodput().low()).orElse(Double.NaN)),
                        figure(
                                seen.map(s -> NumberText.latency(s.p99())).orElse(""),
                                seen.map(CompareConclusion.SpikeResult::p99).orElse(Double.NaN)),
                        figure(
                                seen.map(s -> NumberText.share(s.errorShare())).orElse(""),
                                seen.map(CompareConclusion.SpikeResult::errorShare)
                                        .orElse(Double.NaN)),
                        words(seen.map(s -> Wording.errors(s.errors())).orElse("")),
                        words(seen.map(s -> Wording.recovery(s, spike.watched()))
                                .orElse("")),
                        figure(Integer.toString(v.trials()), v.trials()),
                        figure(Integer.toString(v.voids()), v.voids()),
                        words(String.join("; ", v.problems())));
            }
        }
        return table;
    }

    /** The column of the objective, if it has none in every table; CPU time has. */
    private Optional<ObjectiveColumn> own() {
        return Optional.of(new ObjectiveColumn(found.metric()))
                .filter(m -> m.own() && m.metric() != Objective.Metric.CPU_PER_REQUEST);
    }

    private HtmlTable variants(HtmlTable table) {
        table.words("condition", "variant")
                .figures("throughput /s", "95 % interval", "p50", "p99", "errors")
                .knownFigures("CPU per request")
                .knownFigures(own().stream().flatMap(m -> m.heading().stream()).toArray(String[]::new))
                .figures("trials", "void")
                .remarks("why void", "not within the limits");
        for (var c : found.conditions()) {
            for (var v : c.variants()) {
                boolean any = v.trials() > 0;
                double rate = v.throughput().estimate();
                var row = new ArrayList<>(List.of(
                        at(c),
                        words(v.name()),
                        figure(any, () -> NumberText.number(rate), rate, "void"),
                        figure(
                                any,
                                () -> NumberText.bounds(Wording.rate(v.throughput(), v.trials()))
                                        .strip(),
                                v.throughput().low(),
                                ""),
                        figure(any, () -> NumberText.latency(v.p50()), v.p50(), ""),
                        figure(any, () -> NumberText.latency(v.p99()), v.p99(), ""),
                        figure(any, () -> NumberText.share(v.errorShare()), v.errorShare(), ""),
                        figure(NumberText.latency(v.cpuMicrosPerRequest() * 1e3), v.cpuMicrosPerRequest())));
                own().ifPresent(m -> row.add(figure(m.text(v.figure()), m.value(v.figure()))));
                row.addAll(List.of(
                        figure(Integer.toString(v.trials()), v.trials()),
                        figure(Integer.toString(v.voids()), v.voids()),
                        words(String.join("; ", v.problems())),
                        words(String.join("; ", v.broken()))));
                table.row(any ? "" : "void", row);
            }
        }
        return table;
    }

    private static HtmlTable.Cell at(CompareConclusion.Condition c) {
        return words(c.point().isEmpty() ? NumberText.NONE : Wording.point(c.point()));
    }

    private HtmlTable layers() {
        var table = HtmlTable.plain()
                .words("condition", "layer", "added to")
                .figures("throughput", "CPU per request", "waiting per request", "blocks")
                .words("verdict");
        for (var c : found.conditions()) {
            for (var l : c.layers()) {
                table.row(
                        "",
                        at(c),
                        words(l.name()),
                        words(l.before()),
                        l.blocks() == 0
                                ? figure(NumberText.NONE, Double.NaN)
                                : figure(
                                        NumberText.change(l.throughput()),
                                        l.throughput().estimate()),
                        figure(
                                Wording.added(l.cpuMicros()),
                                l.cpuMicros().map(Interval::estimate).orElse(Double.NaN)),
                        figure(
                                Wording.added(l.waitingMicros()),
                                l.waitingMicros().map(Interval::estimate).orElse(Double.NaN)),
                        figure(Integer.toString(l.blocks()), l.blocks()),
                        words(c.withheld(l).orElseGet(() -> Wording.shown(l.shown(), l.blocks()))));
            }
        }
        return table;
    }

    private HtmlTable contrasts() {
        var table = HtmlTable.plain()
                .words("condition", "pair")
                .figures(Wording.metric(found), "pairs")
                .words("verdict")
                .knownFigures("recovers later")
                .knownFigures("could have shown");
        for (var c : found.conditions()) {
            for (var x : c.contrasts()) {
                table.row(
                        "",
                        at(c),
                        words(x.a() + " over " + x.b()),
                        x.pairs() == 0
                                ? figure(NumberText.NONE, Double.NaN)
                                : figure(
                                        NumberText.change(x.ratio(), x.each()),
                                        x.ratio().estimate()),
                        figure(Integer.toString(x.pairs()), x.pairs()),
                        words(x.otherAnswers()
                                .or(x::withheld)
                                .orElseGet(() -> Wording.shown(x.differenceShown(), x.pairs()))),
                        figure(
                                found.spike()
                                        .map(s -> Wording.recovery(x, s.watched()))
                                        .orElse(""),
                                x.recovery().map(Interval::estimate).orElse(Double.NaN)),
                        figure(Wording.leastShown(x), x.leastShown().orElse(Double.NaN)));
            }
        }
        return table;
    }
}
