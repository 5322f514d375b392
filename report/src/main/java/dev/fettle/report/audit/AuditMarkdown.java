package dev.fettle.report.audit;

import dev.fettle.insight.audit.Audit;
import dev.fettle.model.audit.AuditVerdict.Severity;
import dev.fettle.report.Wording;
import java.util.stream.Collectors;

/** An audit as a table in Markdown, for a pull request or a wiki. */
public final class AuditMarkdown {
    private AuditMarkdown() {}

    /** The verdicts, the gravest first; those that ask for nothing only if {@code all}. */
    public static String of(Audit audit, boolean all) {
        var out = new StringBuilder();
        out.append("Judged for ").append(AuditText.context(audit.context())).append(".\n\n");
        out.append("| verdict | setting | where | why | instead |\n|---|---|---|---|---|\n");
        for (AuditRow r : AuditRow.of(audit, all ? Severity.FINE : Severity.NOTE)) {
            String verdict = r.first().verdict().words();
            String link = r.first().id().isEmpty() || r.first().id().startsWith("together-")
                    ? verdict
                    : "[" + verdict + "](docs/audit-rules.md#" + r.first().id() + ")";
            out.append("| ")
                    .append(link)
                    .append(" | `")
                    .append(r.first().found().written().replace("`", "'").replace("|", "\\|"))
                    .append("` | ")
                    .append(cell(r.where()))
                    .append(" | ")
                    .append(cell(r.first().why()))
                    .append(" | ")
                    .append(cell(r.instead()))
                    .append(" |\n");
        }
        out.append('\n')
                .append(Wording.plural(audit.findings().size(), "setting"))
                .append(": ")
                .append(audit.counts().entrySet().stream()
                        .map(e -> e.getValue() + " " + e.getKey().words())
                        .collect(Collectors.joining(", ")))
                .append(".\n");
        audit.notes().forEach(n -> out.append("\n- ").append(cell(n)));
        return out.toString();
    }

    private static String cell(String text) {
        return Wording.clean(text)
                .replace("|", "\\|")
                .replace("<", "&lt;")
                .replace("*", "\\*")
                .replace("_", "\\_");
    }
}
