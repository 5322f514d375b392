package dev.fettle.report.audit;

import dev.fettle.insight.audit.Audit;
import dev.fettle.model.audit.AuditVerdict.Severity;
import dev.fettle.report.Markdown;
import dev.fettle.report.Wording;
import java.util.stream.Collectors;

/** An audit as a table in Markdown, for a pull request or a wiki. */
public final class AuditMarkdown {
    private AuditMarkdown() {}

    /** The verdicts, the most severe first; those that require no action only if {@code all}. */
    public static String of(Audit audit, boolean all) {
        var out = new StringBuilder();
        out.append("Judged for ").append(AuditText.context(audit.context())).append(".\n\n");
        out.append(Markdown.head("verdict", "setting", "where", "why", "instead"));
        for (AuditRow r : AuditRow.of(audit, all ? Severity.FINE : Severity.NOTE)) {
            String verdict = r.first().verdict().words();
            String link = r.first().id().isEmpty() || r.first().id().startsWith("together-")
                    ? verdict
                    : "[" + verdict + "](docs/audit-rules.md#" + r.first().id() + ")";
            out.append(Markdown.row(
                    link,
                    Markdown.code(r.written()),
                    text(r.where()),
                    text(r.first().why()),
                    text(r.instead())));
        }
        out.append('\n')
                .append(Wording.plural(audit.findings().size(), "setting"))
                .append(": ")
                .append(audit.counts().entrySet().stream()
                        .map(e -> e.getValue() + " " + e.getKey().words())
                        .collect(Collectors.joining(", ")))
                .append(".\n");
        audit.notes().forEach(n -> out.append("\n- ").append(text(n)));
        return out.toString();
    }

    private static String text(String text) {
        return Markdown.text(Wording.clean(text));
    }
}
