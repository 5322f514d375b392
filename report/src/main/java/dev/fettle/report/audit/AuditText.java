package dev.fettle.report.audit;

import dev.fettle.insight.audit.Audit;
import dev.fettle.insight.audit.AuditFinding;
import dev.fettle.model.audit.AuditContext;
import dev.fettle.model.audit.AuditVerdict;
import dev.fettle.model.audit.AuditVerdict.Severity;
import dev.fettle.report.Wording;
import dev.fettle.report.text.TerminalStyle;
import dev.fettle.report.text.TextTable;
import java.util.List;
import java.util.stream.Collectors;

/** An audit for a terminal. */
public record AuditText(int width, boolean colour) {
    private static final String PAGE = "docs/audit-rules.md";

    /** The verdicts, the most severe first; those that require no action only if {@code all}. */
    public String of(Audit audit, boolean all) {
        var out = new StringBuilder();
        out.append("Judged for ").append(context(audit.context())).append('\n');
        for (Severity s : Severity.values()) {
            if (s == Severity.FINE && !all) {
                continue;
            }
            List<AuditRow> rows = AuditRow.of(audit, s).stream()
                    .filter(r -> r.first().verdict().severity() == s)
                    .toList();
            if (!rows.isEmpty()) {
                out.append('\n').append(title(s)).append('\n');
                rows.forEach(r -> row(out, r));
            }
        }
        out.append('\n');
        summary(out, audit, all);
        return out.toString();
    }

    static String context(AuditContext context) {
        return "Linux " + context.release("kernel").map(Object::toString).orElse("?") + ", JDK "
                + context.release("jdk").map(Object::toString).orElse("?") + ", Tomcat "
                + context.release("tomcat").map(Object::toString).orElse("?") + ", Jetty "
                + context.release("jetty").map(Object::toString).orElse("?") + ", Spring Boot "
                + context.release("spring").map(Object::toString).orElse("?");
    }

    private static String title(Severity s) {
        return switch (s) {
            case ERROR -> "Errors";
            case WARNING -> "Warnings";
            case NOTE -> "Notes";
            case FINE -> "Right as they are, or not known here";
        };
    }

    private static TerminalStyle style(Severity s) {
        return switch (s) {
            case ERROR -> TerminalStyle.BAD;
            case WARNING -> TerminalStyle.WARN;
            case NOTE -> TerminalStyle.PLAIN;
            case FINE -> TerminalStyle.DIM;
        };
    }

    private void row(StringBuilder out, AuditRow row) {
        AuditFinding f = row.first();
        out.append(new TextTable()
                .words("")
                .words("")
                .words("")
                .row(style(f.verdict().severity()), f.verdict().words(), row.written(), row.where())
                .render(width, "  ", colour)
                .replaceFirst("^\\s*\\R", ""));
        String basis = f.basis() == AuditFinding.Basis.PROBED || f.basis() == AuditFinding.Basis.UNVERIFIED
                ? " (" + f.basis().words() + ")"
                : "";
        paragraph(out, f.why() + basis);
        if (!row.instead().isEmpty()) {
            paragraph(out, "→ " + row.instead());
        }
        f.disagreement().ifPresent(d -> paragraph(out, "! The trial disagrees with what was " + d));
    }

    private void paragraph(StringBuilder out, String words) {
        Wording.wrap(words, Math.max(30, width - 6))
                .forEach(l -> out.append("      ").append(l).append('\n'));
    }

    private void summary(StringBuilder out, Audit audit, boolean all) {
        if (audit.findings().isEmpty()) {
            out.append("No setting was found.\n");
        } else {
            String counts = audit.counts().entrySet().stream()
                    .map(e -> e.getValue() + " " + e.getKey().words())
                    .collect(Collectors.joining(", "));
            lines(out, Wording.plural(audit.findings().size(), "setting") + ": " + counts + ".");
            String how = audit.bases().entrySet().stream()
                    .map(e -> e.getValue() + " " + e.getKey().words())
                    .collect(Collectors.joining(", "));
            lines(out, "How it is known: " + how + ".");
            long disagree = audit.disagreements().size();
            if (disagree > 0) {
                lines(out, Wording.plural(disagree, "trial") + " said something else than was remembered.");
            }
            long fine = audit.findings().stream()
                    .filter(f -> f.verdict().severity() == Severity.FINE)
                    .count();
            if (fine > 0 && !all) {
                lines(out, "Not shown: " + fine + " right as they are or not known here (--all shows them).");
            }
            long unknown = audit.counts().getOrDefault(AuditVerdict.UNKNOWN, 0L);
            if (unknown == audit.findings().size()) {
                lines(out, "None of them is known here, so nothing can be said of them.");
            }
        }
        audit.notes().stream().limit(20).forEach(n -> lines(out, "Note: " + n));
        if (audit.notes().size() > 20) {
            lines(out, "Note: and " + (audit.notes().size() - 20) + " more");
        }
        AuditPlan.subject(audit)
                .ifPresent(s -> lines(out, "Try it here: --plan prints the comparison that settles " + s + "."));
        lines(out, "Every rule, with its sources: " + PAGE);
    }

    private void lines(StringBuilder out, String words) {
        Wording.wrap(words, Math.max(30, width)).forEach(l -> out.append(l).append('\n'));
    }
}
