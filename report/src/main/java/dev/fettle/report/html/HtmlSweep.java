package dev.fettle.report.html;

import static dev.fettle.report.html.HtmlTable.Cell.figure;
import static dev.fettle.report.html.HtmlTable.Cell.words;

import dev.fettle.insight.SweepConclusion;
import dev.fettle.model.text.Format;
import dev.fettle.report.JsonFields;
import dev.fettle.report.NumberText;
import dev.fettle.report.ObjectiveColumn;
import dev.fettle.report.RunReport;
import dev.fettle.report.Wording;
import java.util.ArrayList;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The sections of a sweep: curves, heat map, and the whole grid as a table. */
final class HtmlSweep {
    private final RunReport run;
    private final SweepConclusion found;
    private final ObjectiveColumn judged;
    private final JsonFields data;

    HtmlSweep(RunReport run, SweepConclusion found, JsonFields data) {
        this.run = run;
        this.found = found;
        this.judged = ObjectiveColumn.of(run);
        this.data = data;
    }

    void write(Html html) {
        var curves = KnobCurves.of(run, found);
        html.section("grid", "The grid", s -> {
            KnobPlots.write(s, data, curves);
            HeatMap.of(found, judged.metric()).write(s);
            s.table("Every cell", cells());
        });
    }

    private HtmlTable cells() {
        var table = HtmlTable.sortable();
        found.grid().forEach(d -> table.figures(Wording.dimension(d.name())));
        table.knownFigures(judged.heading().stream().toArray(String[]::new));
        table.figures("throughput /s", "95 % interval", "p50", "p99", "errors")
                .knownFigures("CPU", "load", "X·R/N")
                .figures("trials", "void")
                .remarks(remarks());
        double best = judged.best(found);
        for (var c : found.cells()) {
            boolean any = c.trials() > 0;
            var row = new ArrayList<HtmlTable.Cell>();
            found.grid().forEach(d -> row.add(words(c.point().getOrDefault(d.name(), ""))));
            if (judged.own()) {
                row.add(figure(judged.text(c.figure()), judged.value(c.figure())));
            }
            double rate = c.throughput().estimate();
            row.add(figure(any, () -> NumberText.number(rate), rate, "void"));
            row.add(figure(
                    any,
                    () -> NumberText.bounds(Wording.rate(c.throughput(), c.trials()))
                            .strip(),
                    c.throughput().low(),
                    ""));
            row.add(figure(any, () -> NumberText.latency(c.p50()), c.p50(), ""));
            row.add(figure(any, () -> NumberText.latency(c.p99()), c.p99(), ""));
            row.add(figure(any, () -> NumberText.share(c.errorShare()), c.errorShare(), ""));
            row.add(share(c.cpuUtilisation()));
            row.add(number(c.loadAverage()));
            row.add(ratio(c.littles()));
            row.add(figure(Integer.toString(c.trials()), c.trials()));
            row.add(figure(Integer.toString(c.voids()), c.voids()));
            row.add(words(Stream.of(
                            c.problems().stream(), c.broken().stream(), c.otherAnswers().stream(), c.failed().stream())
                    .flatMap(s -> s)
                    .collect(Collectors.joining("; "))));
            table.row(!any ? "void" : judged.top(c, best) ? "won" : "", row);
        }
        return table;
    }

    private String remarks() {
        if (found.cells().stream()
                .anyMatch(c -> c.otherAnswers().isPresent() || c.failed().isPresent())) {
            return "why void, or can't be the best";
        }
        return found.cells().stream().allMatch(c -> c.broken().isEmpty())
                ? "why void"
                : "why void, or not within the limits";
    }

    private static HtmlTable.Cell share(OptionalDouble v) {
        return v.isPresent() ? figure(NumberText.share(v.getAsDouble()), v.getAsDouble()) : words(NumberText.NONE);
    }

    private static HtmlTable.Cell ratio(OptionalDouble v) {
        return v.isPresent() ? figure(Format.ratio(v.getAsDouble()), v.getAsDouble()) : words(NumberText.NONE);
    }

    private static HtmlTable.Cell number(OptionalDouble v) {
        return v.isPresent() ? figure(NumberText.number(v.getAsDouble()), v.getAsDouble()) : words(NumberText.NONE);
    }
}
