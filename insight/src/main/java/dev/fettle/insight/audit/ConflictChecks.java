package dev.fettle.insight.audit;

import dev.fettle.insight.audit.AuditFinding.Basis;
import dev.fettle.model.audit.Amounts;
import dev.fettle.model.audit.AuditContext;
import dev.fettle.model.audit.AuditVerdict;
import dev.fettle.model.audit.FoundSetting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What settings mean in combination: conflicts, and values that cancel each other out. Findings are added to {@code
 * out}.
 */
record ConflictChecks(
        List<FoundSetting> all,
        AuditContext context,
        List<AuditFinding> out,
        Map<String, List<FoundSetting>> byName,
        Set<Line> lines) {
    /** A line of a file on which a setting has a value. */
    record Line(String name, String file, String scope, int number) {
        static Line of(String name, FoundSetting where) {
            return new Line(
                    name, where.place().file(), where.scope(), where.place().line());
        }
    }

    static List<AuditFinding> of(List<FoundSetting> found, AuditContext context) {
        List<FoundSetting> all =
                found.stream().filter(f -> f.unread().isEmpty()).toList();
        var byName = new HashMap<String, List<FoundSetting>>();
        var lines = new HashSet<Line>();
        for (FoundSetting f : all) {
            if (!f.value().isEmpty()) {
                byName.computeIfAbsent(f.name(), n -> new ArrayList<>()).add(f);
                lines.add(Line.of(f.name(), f));
            }
        }
        var t = new ConflictChecks(all, context, new ArrayList<>(), byName, lines);
        KernelConflicts.of(t);
        TomcatConflicts.of(t);
        PrecedenceChecks.of(t);
        JvmConflicts.of(t);
        ContainerConflicts.of(t);
        NginxConflicts.of(t);
        ProxyTimeoutChecks.of(t);
        return t.out;
    }

    void say(String id, FoundSetting at, AuditVerdict verdict, String instead, String format, Object... values) {
        out.add(new AuditFinding(
                at,
                verdict,
                Optional.empty(),
                "together-" + id,
                String.format(Locale.ROOT, format, values),
                instead,
                "",
                "",
                Basis.COMPARED,
                List.of(),
                Optional.empty()));
    }

    Stream<FoundSetting> named(String name) {
        return byName.getOrDefault(name, List.of()).stream();
    }

    /** Whether a setting of this name stands on the same line, and beside. */
    boolean onLine(FoundSetting of, String name) {
        return lines.contains(Line.of(name, of));
    }

    static OptionalDouble number(FoundSetting f) {
        return Amounts.of(f.value());
    }

    /** Whether two are in the same element or container of one file. */
    static boolean beside(FoundSetting a, FoundSetting b) {
        return a.place().file().equals(b.place().file()) && a.scope().equals(b.scope());
    }
}
