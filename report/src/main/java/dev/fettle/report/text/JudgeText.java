package dev.fettle.report.text;

import dev.fettle.insight.judge.Judgement;
import dev.fettle.insight.judge.Judgement.Finding;
import dev.fettle.model.imports.Published;
import dev.fettle.model.imports.Published.Figure;
import dev.fettle.report.NumberText;
import java.util.ArrayList;
import java.util.List;

/**
 * The judgement of published figures, for a terminal.
 *
 * @param width in columns
 * @param colour whether to use ANSI colours
 */
public record JudgeText(int width, boolean colour) {
    /** All judgements, and at the end what would have to be known about each. */
    public String text(List<Judgement> all) {
        var out = new TerminalLines(width, colour);
        for (Judgement j : all) {
            out.heading(subject(j.figures()));
            out.paragraph(
                    switch (j.outcome()) {
                        case REFUSED -> "REFUSED: these figures can't be used";
                        case NOT_REFUTED -> "Not refuted: nothing that could be checked speaks against them";
                        case TOO_FEW -> "Too few figures: no law could be checked";
                    },
                    switch (j.outcome()) {
                        case REFUSED -> TerminalStyle.BAD;
                        case NOT_REFUTED -> TerminalStyle.GOOD;
                        case TOO_FEW -> TerminalStyle.WARN;
                    });
            findings(out, j.refusals(), "✗ ");
            findings(out, j.cautions(), "! ");
            if (!j.checked().isEmpty()) {
                out.paragraph("checked and sound: " + String.join(", ", j.checked()), TerminalStyle.DIM);
            }
        }
        List<String> unknown =
                all.stream().flatMap(j -> j.unknown().stream()).distinct().toList();
        out.heading("To believe " + (all.size() == 1 ? "them" : "any of them") + ", one would have to know");
        unknown.forEach(u -> out.paragraph("• " + u, TerminalStyle.PLAIN));
        return out.toString();
    }

    private static void findings(TerminalLines out, List<Finding> findings, String mark) {
        findings.forEach(f -> out.paragraph(mark + f.rule() + ": " + f.message(), TerminalStyle.PLAIN));
    }

    private static String subject(Published p) {
        var parts = new ArrayList<String>();
        parts.add(p.tool() + (p.label().isEmpty() ? "" : ", " + p.label()));
        p.get(Figure.CLIENTS).ifPresent(n -> parts.add(NumberText.count(Math.round(n)) + " clients"));
        p.get(Figure.THROUGHPUT).ifPresent(x -> parts.add(NumberText.rate(x)));
        p.get(Figure.MEAN)
                .ifPresent(r -> parts.add("mean " + (p.rounded() ? "at most " : "") + NumberText.latency(r * 1e9)));
        return String.join(" · ", parts);
    }
}
