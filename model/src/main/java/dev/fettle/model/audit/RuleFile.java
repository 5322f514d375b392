package dev.fettle.model.audit;

import dev.fettle.model.audit.AuditRule.Case;
import dev.fettle.model.audit.AuditRule.When;
import dev.fettle.model.text.TableEntry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads a file of rules; its keys are defined in {@code audit-rules.schema.json}. A mistake in a file fails the build.
 */
final class RuleFile {
    private static final Set<String> KEYS = Set.of("""
            kind aliases spoken about default check sources checked verified knob cases""".split("\\s+"));
    private static final Set<String> CASE_KEYS = Set.of("when", "verdict", "why", "instead", "since", "fix");
    private static final Set<String> RELEASES = Set.of("kernel", "jdk", "tomcat", "jetty", "undertow", "spring");
    private static final Set<String> WHEN_KEYS = Set.of("""
            kernel jdk tomcat jetty undertow spring is matches field below above with without written""".split("\\s+"));

    private RuleFile() {}

    static List<AuditRule> read(String file) {
        return TableEntry.read(
                "audit/" + file + ".yaml",
                KEYS,
                (name, r) -> rule(name, r, r.has("kind") ? r.get("kind") : kind(file)));
    }

    /** Of the rules in a file that do not say theirs: what the file is named after. */
    private static String kind(String file) {
        return file.equals("limits") ? "limit" : file;
    }

    private static AuditRule rule(String name, TableEntry r, String kind) {
        List<String> spoken = r.list("spoken");
        spoken.forEach(Pattern::compile);
        List<Case> cases =
                r.entries("cases", CASE_KEYS).stream().map(RuleFile::of).toList();
        if (cases.isEmpty() || !cases.getLast().when().always()) {
            throw new IllegalArgumentException("its last case must have no condition");
        }
        return new AuditRule(
                SettingKind.of(kind),
                name,
                r.list("aliases"),
                spoken,
                r.get("about"),
                r.get("default"),
                r.get("check"),
                r.list("sources"),
                r.get("checked"),
                !r.get("verified").equals("false"),
                Optional.of(r.get("knob")).filter(k -> !k.isEmpty()),
                cases);
    }

    private static Case of(TableEntry c) {
        return new Case(
                when(c.entry("when", WHEN_KEYS)),
                AuditVerdict.of(c.get("verdict")),
                c.get("why"),
                c.get("instead"),
                c.get("since"),
                c.get("fix"));
    }

    private static When when(TableEntry w) {
        var releases = new LinkedHashMap<String, String>();
        RELEASES.stream().filter(w::has).forEach(of -> {
            Release.of("1").in(w.get(of));
            releases.put(of, w.get(of));
        });
        Optional<String> matches = w.has("matches") ? Optional.of(w.get("matches")) : Optional.empty();
        matches.ifPresent(Pattern::compile);
        String field = w.get("field");
        return new When(
                releases,
                w.list("is"),
                matches,
                field.isEmpty() ? 0 : Integer.parseInt(field),
                number(w, "below"),
                number(w, "above"),
                w.map("with"),
                w.list("without"),
                Optional.of(w.get("written")).filter(t -> !t.isEmpty()));
    }

    private static OptionalDouble number(TableEntry of, String key) {
        String text = of.get(key);
        if (text.isEmpty()) {
            return OptionalDouble.empty();
        }
        OptionalDouble n = Amounts.of(text);
        if (n.isEmpty()) {
            throw new IllegalArgumentException(key + ": '" + text + "' is no amount");
        }
        return n;
    }
}
