package dev.fettle.insight.audit;

import dev.fettle.insight.audit.AuditFinding.Basis;
import dev.fettle.model.audit.Amounts;
import dev.fettle.model.audit.AuditContext;
import dev.fettle.model.audit.AuditVerdict;
import dev.fettle.model.audit.FoundSetting;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * What settings mean in combination: conflicts, and values that cancel each other out. Findings are added to {@code
 * out}.
 */
record Together(List<FoundSetting> all, AuditContext context, List<AuditFinding> out) {
    static List<AuditFinding> of(List<FoundSetting> all, AuditContext context) {
        var t = new Together(all, context, new ArrayList<>());
        KernelTogether.of(t);
        TomcatTogether.of(t);
        OrderTogether.of(t);
        JvmTogether.of(t);
        HopTogether.of(t);
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
        return all.stream().filter(f -> f.name().equals(name) && !f.value().isEmpty());
    }

    static OptionalDouble number(FoundSetting f) {
        return Amounts.of(f.value());
    }

    /** Whether two are in the same element or container of one file. */
    static boolean beside(FoundSetting a, FoundSetting b) {
        return a.place().file().equals(b.place().file()) && a.scope().equals(b.scope());
    }
}
