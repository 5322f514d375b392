package dev.fettle.report.audit;

import dev.fettle.model.audit.AuditRule;
import dev.fettle.model.audit.AuditRule.Case;
import dev.fettle.model.audit.AuditRule.When;
import dev.fettle.model.audit.AuditRules;
import dev.fettle.model.audit.AuditVerdict;
import dev.fettle.model.audit.SettingKind;
import dev.fettle.report.Markdown;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The page {@code docs/audit-rules.md}: every rule, with an anchor of its own. */
public final class AuditDocs {
    private AuditDocs() {}

    /** The whole page. */
    public static String page() {
        AuditRules rules = AuditRules.all();
        var out = new StringBuilder("""
                # What is known of settings

                <!-- Generated from the rules by `fettle audit --rules`; a test keeps it up to date. Do not edit. -->

                %d settings that guides recommend, and what each is worth today. [`fettle audit`](commands/audit.md) holds files,
                texts, this machine and running JVMs against them, and tries what can be tried. The rules are data
                (`model/src/main/resources/dev/fettle/model/audit`): adding one is adding an entry and a row to a test's table.
                Where several verdicts are listed, the first whose condition holds counts. *Unverified* rules were neither
                tried nor held against a source.

                """.formatted(rules.rules().size()));
        out.append(Markdown.head("verdict", "a setting with it …"));
        for (AuditVerdict v : AuditVerdict.values()) {
            out.append(Markdown.row(v.words(), v.means()));
        }
        for (Map.Entry<SettingKind, List<AuditRule>> kind : rules.byKind().entrySet()) {
            out.append("\n## ").append(kind.getKey().title()).append("\n\n");
            out.append(String.join(
                            " · ",
                            kind.getValue().stream()
                                    .map(r -> "[`" + r.name() + "`](#" + r.anchor() + ")")
                                    .toList()))
                    .append("\n");
            kind.getValue().forEach(r -> rule(out, r));
        }
        return out.toString();
    }

    private static void rule(StringBuilder out, AuditRule r) {
        out.append("\n### <a id=\"")
                .append(r.anchor())
                .append("\"></a>`")
                .append(r.name())
                .append("`\n\n");
        out.append(Markdown.sentence(r.about()))
                .append(r.verified() ? "" : " *Unverified.*")
                .append('\n');
        if (!r.aliases().isEmpty()) {
            out.append("Also: ")
                    .append(String.join(
                            ", ", r.aliases().stream().map(a -> "`" + a + "`").toList()))
                    .append(".\n");
        }
        if (!r.byDefault().isEmpty()) {
            out.append("Default: ").append(Markdown.text(r.byDefault())).append(".\n");
        }
        out.append('\n');
        for (Case c : r.cases()) {
            String when = when(c.when());
            out.append("- **").append(c.verdict().words()).append("**");
            out.append(when.isEmpty() ? "" : ", " + when).append(": ").append(Markdown.text(c.why()));
            if (!c.instead().isEmpty() && !c.instead().equals("nothing")) {
                out.append(" Instead: ").append(Markdown.text(c.instead())).append('.');
            }
            out.append('\n');
        }
        if (!r.check().isEmpty()) {
            out.append("\nTo see for yourself: ")
                    .append(Markdown.text(r.check()))
                    .append(".\n");
        }
        out.append("\nSources: ")
                .append(Markdown.text(String.join("; ", r.sources())))
                .append(". Checked ")
                .append(r.checked())
                .append(".\n");
    }

    private static String when(When w) {
        var parts = new ArrayList<String>();
        new TreeMap<>(w.releases()).forEach((of, range) -> parts.add(name(of) + " " + range));
        String what = w.field() == 0 ? "value" : "field " + w.field();
        if (!w.is().isEmpty()) {
            parts.add(what + " "
                    + String.join(
                            " or ", w.is().stream().map(i -> "`" + i + "`").toList()));
        }
        w.matches().ifPresent(m -> parts.add(m.isEmpty() ? "without a value" : "value like `" + m + "`"));
        w.below().ifPresent(n -> parts.add(what + " below " + number(n)));
        w.above().ifPresent(n -> parts.add(what + " above " + number(n)));
        new TreeMap<>(w.with())
                .forEach((n, v) -> parts.add("with `" + n + "` " + (v.equals(".*") ? "set" : "like `" + v + "`")));
        w.without().forEach(n -> parts.add("without `" + n + "`"));
        w.written().ifPresent(t -> parts.add("in " + t));
        return String.join(", ", parts);
    }

    private static String number(double n) {
        return n == Math.rint(n) ? String.format("%.0f", n) : Double.toString(n);
    }

    private static String name(String of) {
        return switch (of) {
            case "kernel" -> "Linux";
            case "jdk" -> "JDK";
            case "spring" -> "Spring Boot";
            default -> Character.toUpperCase(of.charAt(0)) + of.substring(1);
        };
    }
}
