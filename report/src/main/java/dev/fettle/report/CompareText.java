package dev.fettle.report;

import dev.fettle.insight.CompareConclusion;
import dev.fettle.insight.CompareConclusion.Condition;

/** A comparison on a terminal: for each condition the variants, then every pair of them. */
final class CompareText {
    private final TextReport text;
    private final CompareConclusion found;

    CompareText(TextReport text, RunReport run, CompareConclusion found) {
        this.text = text;
        this.found = found;
    }

    String render() {
        var out = new StringBuilder();
        for (Condition c : found.conditions()) {
            String at = c.point().isEmpty() ? "" : " at " + Words.point(c.point());
            out.append(text.section("Variants" + at)).append(text.table(variants(c)));
            c.variants()
                    .forEach(v ->
                            v.problems().forEach(p -> out.append(text.note("  ", v.name() + ": " + p, Style.WARN))));
            c.variants().stream()
                    .filter(v -> !v.broken().isEmpty())
                    .forEach(v -> out.append(text.note(
                            "  ",
                            v.name() + " is not within the limits: " + String.join(", ", v.broken()),
                            Style.WARN)));
            if (!c.contrasts().isEmpty()) {
                out.append(text.section("Differences" + at)).append(text.table(contrasts(c)));
                c.contrasts().forEach(x -> x.otherAnswers().ifPresent(o -> out.append(text.note("  ", o, Style.WARN))));
            }
        }
        return out.toString();
    }

    private static TextTable variants(Condition c) {
        var table = new TextTable()
                .words("variant")
                .figures("throughput", "p50 ms", "p99 ms")
                .extra("errors", "CPU µs/req", "trials", "void");
        for (var v : c.variants()) {
            boolean any = v.trials() > 0;
            table.row(
                    any ? Style.PLAIN : Style.WARN,
                    v.name(),
                    any ? Figures.rate(v.throughput()) : "void",
                    any ? Figures.millis(v.p50()) : "",
                    any ? Figures.millis(v.p99()) : "",
                    any ? Figures.share(v.errorShare()) : "",
                    Figures.number(v.cpuMicrosPerRequest()),
                    Integer.toString(v.trials()),
                    Integer.toString(v.voids()));
        }
        return table;
    }

    private TextTable contrasts(Condition c) {
        var metric = found.metric();
        var table = new TextTable()
                .words("pair")
                .figures(Words.metric(metric))
                .words("")
                .extra("pairs", "could show");
        for (var x : c.contrasts()) {
            table.row(
                    x.differenceShown() ? Style.BOLD : Style.PLAIN,
                    x.a() + " over " + x.b(),
                    Figures.change(x.ratio()),
                    x.differenceShown() ? "difference shown" : "no difference shown",
                    Integer.toString(x.pairs()),
                    leastShown(x));
        }
        return table;
    }

    /** The least difference that would have been shown, where none was. */
    static String leastShown(CompareConclusion.Contrast x) {
        return x.differenceShown() || x.leastShown().isEmpty()
                ? ""
                : Figures.change(x.leastShown().getAsDouble());
    }
}
