package dev.fettle.report.audit;

import dev.fettle.insight.audit.Audit;
import dev.fettle.insight.audit.AuditFinding;
import dev.fettle.model.audit.AuditContext;
import dev.fettle.model.audit.AuditVerdict;
import dev.fettle.model.audit.AuditVerdict.Severity;
import dev.fettle.report.Wording;
import dev.fettle.report.document.Block;
import dev.fettle.report.document.Block.Paragraph;
import dev.fettle.report.document.Block.Section;
import dev.fettle.report.document.Checks;
import dev.fettle.report.document.Checks.Check;
import dev.fettle.report.document.Document;
import dev.fettle.report.document.Head;
import dev.fettle.report.document.Table;
import dev.fettle.report.document.Tone;
import dev.fettle.report.document.Value;
import dev.fettle.report.document.Where;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The verdicts of an audit, the most severe first. */
public final class AuditDocument {
    private static final String PAGE = "docs/audit-rules.md";
    private static final int MOST_NOTES = 20;

    private final Audit audit;
    private final boolean all;

    private AuditDocument(Audit audit, boolean all) {
        this.audit = audit;
        this.all = all;
    }

    /**
     * The whole document.
     *
     * @param all whether verdicts that require no action are in it, too
     * @param failing what is severe enough to fail a check
     */
    public static Document of(Audit audit, boolean all, Severity failing) {
        var d = new AuditDocument(audit, all);
        return new Document(
                d.head(),
                d.blocks(),
                Checks.of(
                        "audit",
                        "",
                        AuditRow.of(audit, Severity.NOTE).stream()
                                .map(r -> check(r, failing))
                                .toList()));
    }

    private static Check check(AuditRow r, Severity failing) {
        AuditVerdict verdict = r.first().verdict();
        return Check.unless(
                r.written() + ", " + r.where(),
                Checks.Outcome.FAILED,
                verdict.id(),
                verdict.severity().atLeast(failing)
                        ? Stream.of(verdict.words() + ": " + r.first().why(), r.instead())
                                .filter(s -> !s.isEmpty())
                                .toList()
                        : List.of());
    }

    private Head head() {
        boolean errors = audit.atLeast(Severity.ERROR) > 0;
        boolean warnings = audit.atLeast(Severity.WARNING) > 0;
        return new Head(
                "audit",
                List.of("audit", "Judged for " + context(audit.context())),
                errors ? "Errors" : warnings ? "Warnings" : "Nothing to change",
                errors ? "bad" : warnings ? "warn" : "good",
                audit.findings().isEmpty()
                        ? "No setting was found."
                        : Wording.plural(audit.findings().size(), "setting") + ": " + counts(audit.counts()) + ".",
                List.of(),
                List.of(),
                List.of());
    }

    private List<String> notes() {
        int more = audit.notes().size() - MOST_NOTES;
        return more <= 0
                ? audit.notes()
                : Stream.concat(audit.notes().stream().limit(MOST_NOTES), Stream.of("and " + more + " more"))
                        .toList();
    }

    private static String counts(Map<AuditVerdict, Long> counts) {
        return counts.entrySet().stream()
                .map(e -> e.getValue() + " " + e.getKey().words())
                .collect(Collectors.joining(", "));
    }

    private static String context(AuditContext context) {
        return Stream.of(
                        Map.entry("kernel", "Linux"),
                        Map.entry("jdk", "JDK"),
                        Map.entry("tomcat", "Tomcat"),
                        Map.entry("jetty", "Jetty"),
                        Map.entry("spring", "Spring Boot"))
                .map(e -> e.getValue() + " "
                        + context.release(e.getKey()).map(Object::toString).orElse("?"))
                .collect(Collectors.joining(", "));
    }

    private List<Block> blocks() {
        var blocks = new ArrayList<Block>();
        for (Severity s : Severity.values()) {
            List<AuditRow> rows = AuditRow.of(audit, s).stream()
                    .filter(r -> r.first().verdict().severity() == s)
                    .toList();
            if (!rows.isEmpty() && (all || s != Severity.FINE)) {
                blocks.add(new Section(
                        "severity-" + s.name(),
                        title(s),
                        Block.on(
                                Where.IN_TERMINALS,
                                rows.stream().flatMap(r -> row(r).stream()).toArray(Block[]::new)),
                        Block.on(Where.NOT_IN_TERMINALS, new Block.Figures("", title(s), table(rows)))));
            }
        }
        blocks.add(new Block.Points("Not read, or not tried", notes()));
        blocks.add(new Section("summary", "How it is known", summary()));
        return blocks;
    }

    private static String title(Severity s) {
        return switch (s) {
            case ERROR -> "Errors";
            case WARNING -> "Warnings";
            case NOTE -> "Notes";
            case FINE -> "Right as they are, or not known here";
        };
    }

    private static Tone tone(Severity s) {
        return switch (s) {
            case ERROR -> Tone.BAD;
            case WARNING -> Tone.CAUTION;
            case NOTE -> Tone.PLAIN;
            case FINE -> Tone.QUIET;
        };
    }

    /** A verdict for a terminal, where a table would cut the reasons. */
    private static List<Block> row(AuditRow r) {
        return List.of(
                new Block.Heading(
                        r.first().verdict().words() + " " + r.written() + ", " + r.where(),
                        tone(r.first().verdict().severity())),
                new Block.Points(
                        "",
                        Stream.of(
                                        Stream.of(why(r)),
                                        Stream.of(r.instead())
                                                .filter(i -> !i.isEmpty())
                                                .map(i -> "→ " + i),
                                        r.first().disagreement().stream()
                                                .map(x -> "! The trial disagrees with what was " + x))
                                .flatMap(s -> s)
                                .toList()));
    }

    private static String why(AuditRow r) {
        AuditFinding f = r.first();
        return f.why()
                + (f.basis() == AuditFinding.Basis.PROBED || f.basis() == AuditFinding.Basis.UNVERIFIED
                        ? " (" + f.basis().words() + ")"
                        : "");
    }

    private static Table table(List<AuditRow> rows) {
        return Table.of(rows)
                .cells("verdict", AuditDocument::verdict)
                .cells("setting", r -> Value.code(r.written()))
                .words("where", AuditRow::where)
                .words("why", AuditDocument::why)
                .words("instead", AuditRow::instead)
                .build();
    }

    private static Value verdict(AuditRow r) {
        String words = r.first().verdict().words();
        String id = r.first().id();
        return id.isEmpty() || id.startsWith("together-") ? Value.words(words) : Value.link(words, PAGE + "#" + id);
    }

    private List<Block> summary() {
        var lines = new ArrayList<String>();
        if (!audit.findings().isEmpty()) {
            lines.add(audit.bases().entrySet().stream()
                            .map(e -> e.getValue() + " " + e.getKey().words())
                            .collect(Collectors.joining(", "))
                    + ".");
            long disagree = audit.disagreements().size();
            if (disagree > 0) {
                lines.add(Wording.plural(disagree, "trial") + " said something else than was remembered.");
            }
            long fine = audit.findings().stream()
                    .filter(f -> f.verdict().severity() == Severity.FINE)
                    .count();
            if (fine > 0 && !all) {
                lines.add("Not shown: " + fine + " right as they are or not known here (--all shows them).");
            }
            if (audit.counts().getOrDefault(AuditVerdict.UNKNOWN, 0L)
                    == audit.findings().size()) {
                lines.add("None of them is known here, so nothing can be said of them.");
            }
        }
        AuditPlan.subject(audit)
                .ifPresent(s -> lines.add("Try it here: --plan prints the comparison that settles " + s + "."));
        lines.add("Every rule, with its sources: " + PAGE);
        return lines.stream().<Block>map(Paragraph::new).toList();
    }
}
