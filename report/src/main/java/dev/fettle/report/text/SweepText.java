package dev.fettle.report.text;

import dev.fettle.insight.SweepConclusion;
import dev.fettle.insight.SweepConclusion.Cell;
import dev.fettle.model.plan.Dimension;
import dev.fettle.model.plan.GridPoints;
import dev.fettle.report.NumberText;
import dev.fettle.report.ObjectiveColumn;
import dev.fettle.report.RunReport;
import dev.fettle.report.Wording;
import dev.fettle.report.document.SweepTables;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** A sweep for a terminal: a matrix for two dimensions, and one row per cell with all figures. */
final class SweepText {
    private final TextReport text;
    private final RunReport run;
    private final SweepConclusion found;
    private final ObjectiveColumn judged;

    SweepText(TextReport text, RunReport run, SweepConclusion found) {
        this.text = text;
        this.run = run;
        this.found = found;
        this.judged = ObjectiveColumn.of(run);
    }

    String render() {
        var out = new StringBuilder();
        if (found.grid().size() >= 2) {
            out.append(matrices());
        }
        out.append(text.section(found.grid().size() >= 2 ? "Every cell" : "By " + dimensions()))
                .append(text.table(SweepTables.cells(run, found)));
        out.append(problems());
        return out.toString();
    }

    private String dimensions() {
        return String.join(
                " × ",
                found.grid().stream().map(d -> Wording.dimension(d.name())).toList());
    }

    /** One matrix for each combination of the dimensions beyond the second: the longer dimension down, the shorter across. */
    private String matrices() {
        boolean swap = found.grid().get(1).values().size()
                > found.grid().get(0).values().size();
        Dimension down = found.grid().get(swap ? 1 : 0);
        Dimension across = found.grid().get(swap ? 0 : 1);
        var rest = found.grid().subList(2, found.grid().size());
        var out = new StringBuilder();
        for (Map<String, String> slice : GridPoints.grid(rest)) {
            String title = judged.heading().orElse("Throughput/s") + ", " + Wording.dimension(down.name()) + " × "
                    + Wording.dimension(across.name());
            out.append(text.section(title + (slice.isEmpty() ? "" : ", " + Wording.point(slice))));
            for (List<String> columns : chunks(across.values())) {
                out.append(text.table(matrix(down, across, columns, slice)));
            }
        }
        return out.toString();
    }

    private TextTable matrix(Dimension down, Dimension across, List<String> columns, Map<String, String> slice) {
        var table = new TextTable().figures(Wording.dimension(down.name()));
        columns.forEach(v -> table.figures(Wording.dimension(across.name()) + " " + v));
        for (String d : down.values()) {
            var row = new ArrayList<String>(List.of(d));
            for (String a : columns) {
                var want = new LinkedHashMap<>(slice);
                want.put(down.name(), d);
                want.put(across.name(), a);
                row.add(found.cells().stream()
                        .filter(c -> c.point().equals(want))
                        .findFirst()
                        .map(this::short1)
                        .orElse(""));
            }
            table.row(TerminalStyle.PLAIN, row);
        }
        return table;
    }

    private String short1(Cell c) {
        if (c.trials() > 0 && judged.own()) {
            return judged.text(c.figure());
        }
        return c.trials() == 0
                ? "void"
                : NumberText.number(c.throughput().estimate())
                        + NumberText.bounds(Wording.rate(c.throughput(), c.trials()));
    }

    private List<List<String>> chunks(List<String> values) {
        int per = Math.max(1, (text.width() - 20) / 26);
        return IntStream.range(0, (values.size() + per - 1) / per)
                .mapToObj(i -> values.subList(i * per, Math.min(values.size(), (i + 1) * per)))
                .toList();
    }

    private String problems() {
        var out = new StringBuilder();
        for (Cell c : found.cells()) {
            c.problems()
                    .forEach(p -> out.append(text.note("  ", Wording.point(c.point()) + ": " + p, TerminalStyle.WARN)));
        }
        var otherwise = new StringBuilder();
        found.cells()
                .forEach(c ->
                        c.otherAnswers().ifPresent(o -> otherwise.append(text.note("  ", o, TerminalStyle.WARN))));
        var failed = new StringBuilder();
        found.cells()
                .forEach(c -> c.failed()
                        .ifPresent(f -> failed.append(
                                text.note("  ", Wording.point(c.point()) + " " + f, TerminalStyle.WARN))));
        return (out.isEmpty() ? "" : text.section("Why attempts were void") + out)
                + (failed.isEmpty() ? "" : text.section("Failed") + failed)
                + (otherwise.isEmpty() ? "" : text.section("Other answers") + otherwise);
    }
}
