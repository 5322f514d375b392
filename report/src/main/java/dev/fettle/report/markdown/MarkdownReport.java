package dev.fettle.report.markdown;

import dev.fettle.insight.CapacityConclusion;
import dev.fettle.insight.CompareConclusion;
import dev.fettle.insight.Conclusion;
import dev.fettle.insight.DiagnoseConclusion;
import dev.fettle.insight.Explanation;
import dev.fettle.insight.Finding;
import dev.fettle.insight.SweepConclusion;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.report.CapacityReport;
import dev.fettle.report.Markdown;
import dev.fettle.report.NumberText;
import dev.fettle.report.RunReport;
import dev.fettle.report.Wording;
import dev.fettle.report.document.CapacityTables;
import dev.fettle.report.document.CompareTables;
import dev.fettle.report.document.Medium;
import dev.fettle.report.document.SweepTables;
import dev.fettle.report.document.Table;
import dev.fettle.report.document.TuneTables;
import dev.fettle.report.recommend.ConfigSnippets;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A run as Markdown: the answer, its tables, why, and what to paste. It has the figures of the terminal and the page. */
public final class MarkdownReport {
    private final StringBuilder out = new StringBuilder();
    private final RunReport run;

    private MarkdownReport(RunReport run) {
        this.run = run;
    }

    /** The whole run. */
    public static String of(RunReport run) {
        var report = new MarkdownReport(run);
        report.write();
        return report.out.toString();
    }

    private void write() {
        out.append("## ").append(text(run.kind() + " " + run.plan().name())).append("\n\n");
        if (run.conclusion().isEmpty()) {
            paragraph(run.complete() ? "The run came to no conclusion." : "The run is not finished.");
            return;
        }
        Conclusion found = run.conclusion().get();
        out.append("**").append(text(found.headline())).append("**\n\n");
        paragraph("Run " + run.runId() + ", " + run.plan().target().label() + ", "
                + Wording.plural(run.outcomes().size(), "trial") + " (" + Wording.voids(run) + "), "
                + NumberText.duration(run.took()) + ".");
        switch (found) {
            case TuneConclusion c -> tune(c);
            case SweepConclusion c -> table("Every cell", SweepTables.cells(run, c));
            case CompareConclusion c -> compare(c);
            case CapacityConclusion c -> capacity();
            case DiagnoseConclusion c -> diagnose(c);
        }
        points("Notes", found.notes());
    }

    private void tune(TuneConclusion c) {
        var tables = new TuneTables(run, c);
        table("The duel, pair by pair", tables.duel());
        c.baselineWhy().ifPresent(w -> why(Wording.ofDefault(c, w), w));
        ConfigSnippets.of(run).forEach(s -> {
            heading(s.title());
            out.append(fenced(s.text()));
        });
        table("Settings tried, best first", tables.candidates());
    }

    private void compare(CompareConclusion c) {
        var tables = new CompareTables(c, c.conditions());
        table("Variants", tables.variants());
        table("What each layer adds to the one before it", tables.layers());
        table("Differences", tables.contrasts());
    }

    private void capacity() {
        CapacityReport r = CapacityReport.of(run);
        table("Probes", CapacityTables.probes(r));
        r.overload().ifPresent(o -> table("Overload", CapacityTables.overload(o, r.iterations())));
    }

    private void diagnose(DiagnoseConclusion c) {
        c.bottleneck().ifPresent(this::finding);
        c.others().forEach(this::finding);
    }

    private void finding(Finding f) {
        heading(f.title());
        paragraph(f.sentence());
        if (!f.remedy().isBlank()) {
            paragraph("What to do: " + f.remedy() + ".");
        }
        paragraph(f.test()
                .map(t -> "Tested " + t.sentence())
                .orElse("Not tested. What would refute it: " + f.refutedBy()));
    }

    private void why(String title, Explanation w) {
        points(title, w.sentences());
    }

    private void heading(String title) {
        out.append("### ").append(text(title)).append("\n\n");
    }

    private void paragraph(String sentence) {
        out.append(text(sentence)).append("\n\n");
    }

    private void points(String title, List<String> points) {
        if (!points.isEmpty()) {
            heading(title);
            points.forEach(p -> out.append("- ").append(text(p)).append('\n'));
            out.append('\n');
        }
    }

    private void table(String title, Table table) {
        if (table.rows().isEmpty()) {
            return;
        }
        heading(title);
        int[] shown = table.drawn(Medium.MARKUP);
        out.append(row(shown, i -> table.columns().get(i).heading()));
        out.append(IntStream.of(shown)
                .mapToObj(i -> table.columns().get(i).figures() ? "--:" : "---")
                .collect(Collectors.joining("|", "|", "|\n")));
        for (Table.Row r : table.rows()) {
            out.append(row(shown, i -> r.values().get(i).text()));
        }
        out.append('\n');
    }

    private static String row(int[] shown, IntFunction<String> cell) {
        return Markdown.row(
                IntStream.of(shown).mapToObj(i -> text(cell.apply(i))).toArray(String[]::new));
    }

    /** A fence longer than any in the text. */
    private static String fenced(String code) {
        String fence = "```";
        while (code.contains(fence)) {
            fence += "`";
        }
        return fence + "\n" + code.stripTrailing() + "\n" + fence + "\n\n";
    }

    private static String text(String words) {
        return Markdown.text(Wording.clean(words));
    }
}
