package dev.fettle.report.text;

import dev.fettle.insight.CompareConclusion;
import dev.fettle.insight.CompareConclusion.Condition;
import dev.fettle.report.NumberText;
import dev.fettle.report.RunReport;
import dev.fettle.report.Wording;
import dev.fettle.report.document.CompareTables;
import java.util.List;

/** A comparison for a terminal: for each condition the variants, then every pair. */
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
            String at = Wording.at(c.point());
            var tables = new CompareTables(found, List.of(c));
            found.spike()
                    .ifPresentOrElse(
                            s -> out.append(text.section("The spike: " + NumberText.rate(s.rate()) + " for "
                                            + NumberText.latency(s.seconds() * 1e9) + at))
                                    .append(text.table(tables.variants())),
                            () -> out.append(text.section((c.layers().isEmpty() ? "Variants" : "Layers") + at))
                                    .append(text.table(tables.variants())));
            c.variants()
                    .forEach(v -> v.problems()
                            .forEach(p -> out.append(text.note("  ", v.name() + ": " + p, TerminalStyle.WARN))));
            c.variants()
                    .forEach(v -> v.failed()
                            .ifPresent(f -> out.append(text.note("  ", v.name() + " " + f, TerminalStyle.WARN))));
            c.variants().stream()
                    .filter(v -> !v.broken().isEmpty())
                    .forEach(v -> out.append(text.note(
                            "  ",
                            v.name() + " is not within the limits: " + String.join(", ", v.broken()),
                            TerminalStyle.WARN)));
            if (!c.layers().isEmpty()) {
                out.append(text.section("What each layer adds" + at)).append(text.table(tables.layers()));
            } else if (!c.contrasts().isEmpty()) {
                out.append(text.section("Differences" + at)).append(text.table(tables.contrasts()));
            }
            c.contrasts()
                    .forEach(x -> x.otherAnswers()
                            .or(x::withheld)
                            .ifPresent(o -> out.append(text.note("  ", o, TerminalStyle.WARN))));
        }
        return out.toString();
    }
}
