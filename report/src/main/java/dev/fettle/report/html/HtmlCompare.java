package dev.fettle.report.html;

import dev.fettle.insight.CompareConclusion;
import dev.fettle.insight.stats.Interval;
import dev.fettle.model.plan.Dimension;
import dev.fettle.report.JsonFields;
import dev.fettle.report.ObjectiveColumn;
import dev.fettle.report.Wording;
import dev.fettle.report.document.CompareTables;
import java.util.List;

/** The sections of a comparison: the variants, and every pair of variants. */
final class HtmlCompare {
    private final CompareConclusion found;
    private final List<Dimension> grid;
    private final JsonFields data;
    private final CompareTables tables;

    HtmlCompare(CompareConclusion found, List<Dimension> grid, JsonFields data) {
        this.found = found;
        this.grid = List.copyOf(grid);
        this.data = data;
        this.tables = new CompareTables(found, found.conditions());
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
                        tables.variants());
            }
            HeatMap.of(found, grid).write(s);
            s.table(spike ? "What the spike did" : "The variants under each condition", tables.variants());
        });
        if (layered) {
            html.section("layers", "What each layer adds", s -> {
                s.el(
                        "p",
                        "Each layer against the one before it, paired within blocks. Throughput is a ratio; CPU is time of the"
                                + " server; waiting is the time that a request holds its worker, less its CPU time.");
                s.table("What each layer adds to the one before it", tables.layers());
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
                        tables.contrasts());
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
}
