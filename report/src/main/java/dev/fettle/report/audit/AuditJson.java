package dev.fettle.report.audit;

import dev.fettle.insight.audit.Audit;
import dev.fettle.insight.audit.AuditFinding;
import dev.fettle.model.audit.AuditRule;
import dev.fettle.model.audit.AuditVerdict;
import dev.fettle.model.audit.AuditVerdict.Severity;
import dev.fettle.report.JsonFields;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** An audit as JSON of its own, and as SARIF 2.1.0 for the code scanning of GitHub and others. */
public final class AuditJson {
    private AuditJson() {}

    public static String of(Audit audit) {
        var releases = new JsonFields();
        new TreeMap<>(audit.context().releases()).forEach((of, r) -> releases.put(of, r.toString()));
        var counts = new JsonFields();
        audit.counts().forEach((v, n) -> counts.put(v.id(), n));
        return new JsonFields()
                .put("context", releases)
                .put("counts", counts)
                .each("findings", audit.findings(), AuditJson::finding)
                .each("notes", audit.notes(), n -> n)
                .document();
    }

    private static JsonFields finding(AuditFinding f) {
        var fields = new JsonFields()
                .put("setting", f.found().name())
                .put("value", f.found().value())
                .put("kind", f.found().kind().id())
                .put("file", f.found().place().file());
        if (f.found().place().line() > 0) {
            fields.put("line", f.found().place().line());
        }
        return fields.unlessBlank("scope", f.found().scope())
                .put("verdict", f.verdict().id())
                .put("severity", f.verdict().severity().name().toLowerCase(Locale.ROOT))
                .put("why", f.why())
                .unlessBlank("instead", f.instead())
                .unlessBlank("since", f.since())
                .put("basis", f.basis().name().toLowerCase(Locale.ROOT))
                .unlessBlank("rule", f.id())
                .put("disagreement", f.disagreement())
                .eachIfAny("sources", f.sources(), s -> s);
    }

    // -- SARIF -------------------------------------------------------------------------------------------------------

    /** Findings that are at least notes, as results of a run. */
    public static String sarif(Audit audit, String version) {
        List<AuditFinding> told = audit.findings().stream()
                .filter(f -> f.verdict().severity().atLeast(Severity.NOTE))
                .toList();
        Map<String, AuditFinding> rules = new LinkedHashMap<>();
        told.forEach(f -> rules.putIfAbsent(id(f), f));
        var driver = new JsonFields()
                .put("name", "fettle audit", "version", version)
                .each("rules", rules.entrySet(), e -> rule(e.getKey(), e.getValue()));
        var run = new JsonFields()
                .put("tool", new JsonFields().put("driver", driver))
                .each("results", told, AuditJson::result);
        return new JsonFields()
                .put("$schema", "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0")
                .each("runs", List.of(run), r -> r)
                .document();
    }

    private static String id(AuditFinding f) {
        return f.id().isEmpty() ? "unknown" : f.id();
    }

    private static JsonFields rule(String id, AuditFinding f) {
        String about = f.rule().map(AuditRule::about).orElse("settings together");
        return new JsonFields()
                .put("id", id)
                .put(
                        "shortDescription",
                        text(f.rule().map(r -> r.name() + ": " + about).orElse(about)))
                .put("help", text("See docs/audit-rules.md#" + id));
    }

    private static JsonFields text(String words) {
        return new JsonFields().put("text", words);
    }

    private static JsonFields result(AuditFinding f) {
        var physical = new JsonFields()
                .put(
                        "artifactLocation",
                        new JsonFields().put("uri", uri(f.found().place().file())));
        if (f.found().place().line() > 0) {
            physical.put(
                    "region",
                    new JsonFields().put("startLine", f.found().place().line()));
        }
        String words = "%s: %s. %s%s"
                .formatted(
                        f.found().written(),
                        f.verdict().words(),
                        f.why(),
                        f.instead().isEmpty() || f.instead().equals("nothing") ? "" : " Instead: " + f.instead());
        return new JsonFields()
                .put("ruleId", id(f))
                .put("level", level(f.verdict()))
                .put("message", text(words))
                .each("locations", List.of(physical), p -> new JsonFields().put("physicalLocation", p));
    }

    /** A relative path as a URI; blanks and the like are escaped. */
    private static String uri(String file) {
        var out = new StringBuilder();
        for (byte b : file.getBytes(java.nio.charset.StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xFF);
            boolean plain = (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || "-._~/".indexOf(c) >= 0;
            out.append(plain ? String.valueOf(c) : String.format("%%%02X", (int) c));
        }
        return out.toString();
    }

    private static String level(AuditVerdict v) {
        return switch (v.severity()) {
            case ERROR -> "error";
            case WARNING -> "warning";
            case NOTE -> "note";
            case FINE -> "none";
        };
    }
}
