package dev.fettle.report.audit;

import dev.fettle.insight.audit.Audit;
import dev.fettle.insight.audit.AuditFinding;
import dev.fettle.model.audit.AuditVerdict;
import dev.fettle.model.audit.AuditVerdict.Severity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Findings with the same verdict on the same setting, with all the places where it was found. */
record AuditRow(AuditFinding first, List<String> places) {
    private static final int MOST_PLACES = 4;

    AuditRow {
        places = List.copyOf(places);
    }

    static List<AuditRow> of(Audit audit, Severity least) {
        Map<List<Object>, List<AuditFinding>> same = new LinkedHashMap<>();
        for (AuditFinding f : audit.findings()) {
            if (f.verdict().severity().atLeast(least)) {
                same.computeIfAbsent(List.of(f.found().written(), f.verdict(), f.why()), k -> new ArrayList<>())
                        .add(f);
            }
        }
        return same.values().stream()
                .map(all -> new AuditRow(
                        all.getFirst(),
                        all.stream()
                                .map(f -> f.found().place().toString())
                                .distinct()
                                .toList()))
                .toList();
    }

    String where() {
        int most = Math.min(MOST_PLACES, places.size());
        return String.join(", ", places.subList(0, most))
                + (places.size() > most ? " and " + (places.size() - most) + " more" : "");
    }

    /** What to write instead, as the end of a sentence; empty if nothing. */
    String instead() {
        boolean nothing = first.instead().equals("nothing") || first.verdict() == AuditVerdict.UNKNOWN;
        return nothing ? "" : first.instead();
    }
}
