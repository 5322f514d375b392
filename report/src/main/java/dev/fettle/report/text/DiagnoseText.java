package dev.fettle.report.text;

import dev.fettle.insight.DiagnoseConclusion;
import dev.fettle.insight.DiagnoseConclusion.Looked;
import dev.fettle.insight.Finding;
import dev.fettle.insight.Finding.Severity;
import dev.fettle.report.SecondOpinionWords;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/** A diagnosis on a terminal: the bottleneck with what to do, then everything else that was examined. */
public record DiagnoseText(TextReport text, DiagnoseConclusion found) {
    /** The diagnosis without the headline. */
    public String render() {
        var out = new StringBuilder();
        found.bottleneck().ifPresent(f -> {
            out.append(text.section("What limits it, or is wrong")).append(finding(f));
        });
        if (!found.others().isEmpty()) {
            out.append(text.section("Also found"));
            found.others().forEach(f -> {
                out.append(text.note("  ", f.title() + " [" + f.rule() + "]", style(f)));
                out.append(finding(f));
            });
        }
        if (!found.laws().isEmpty()) {
            out.append(text.section("Laws"));
            found.laws().forEach(l -> out.append(text.item(l)));
        }
        if (!found.secondOpinion().isEmpty()) {
            out.append(text.section(SecondOpinionWords.TITLE));
            out.append(text.note("  ", SecondOpinionWords.WHOSE, TerminalStyle.DIM));
            found.secondOpinion().forEach(l -> out.append(text.item(SecondOpinionWords.of(l))));
        }
        looked(out, "Checked and in order", found.healthy());
        looked(out, "Not observed", found.notObserved());
        return out.toString();
    }

    private String finding(Finding f) {
        var out = new StringBuilder();
        out.append(text.note("  ", f.sentence(), TerminalStyle.PLAIN));
        if (!f.evidence().isEmpty()) {
            out.append(text.note("  ", "Seen: " + String.join("; ", f.evidence()) + ".", TerminalStyle.DIM));
        }
        f.symptoms().forEach(s -> out.append(text.item("Follows from it: " + s)));
        if (!f.remedy().isBlank()) {
            out.append(text.note(
                    "  ",
                    "What to do: " + f.remedy() + "."
                            + f.knob().map(k -> " Knob: " + k + ".").orElse(""),
                    TerminalStyle.BOLD));
        }
        out.append(
                f.test().isPresent()
                        ? text.note("  ", "Tested " + f.test().get().sentence(), TerminalStyle.GOOD)
                        : text.note("  ", "Not tested. What would refute it: " + f.refutedBy(), TerminalStyle.DIM));
        return out.toString();
    }

    private static TerminalStyle style(Finding f) {
        return f.severity() == Severity.LIMIT
                ? TerminalStyle.PLAIN
                : f.severity() == Severity.WARNING ? TerminalStyle.WARN : TerminalStyle.BAD;
    }

    private void looked(StringBuilder out, String title, List<Looked> all) {
        if (all.isEmpty()) {
            return;
        }
        out.append(text.section(title + " (" + all.size() + ")"));
        // one missing source keeps many rules from looking, so group by reason
        var byWords = new LinkedHashMap<String, List<String>>();
        all.forEach(
                l -> byWords.computeIfAbsent(l.words(), _ -> new ArrayList<>()).add(l.what()));
        byWords.forEach((words, what) -> out.append(text.item(String.join("; ", what) + ": " + words)));
    }
}
