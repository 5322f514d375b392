package dev.fettle.report.audit;

import dev.fettle.insight.audit.Audit;
import dev.fettle.insight.audit.AuditFinding;
import dev.fettle.model.audit.AuditVerdict;
import dev.fettle.model.audit.AuditVerdict.Severity;
import dev.fettle.model.audit.FoundSetting;
import dev.fettle.model.audit.SettingKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Findings with the same verdict on the same setting, with all the places where it was found.
 *
 * @param images how many values it has in them
 */
record AuditRow(AuditFinding first, List<String> places, int images) {
    private static final int MOST_PLACES = 4;

    AuditRow {
        places = List.copyOf(places);
    }

    static List<AuditRow> of(Audit audit, Severity least) {
        Map<List<Object>, List<AuditFinding>> same = new LinkedHashMap<>();
        for (AuditFinding f : audit.findings()) {
            if (f.verdict().severity().atLeast(least)) {
                same.computeIfAbsent(List.of(what(f.found()), f.verdict(), f.why()), k -> new ArrayList<>())
                        .add(f);
            }
        }
        return same.values().stream()
                .map(all -> new AuditRow(
                        all.getFirst(),
                        all.stream()
                                .map(f -> f.found().place().toString())
                                .distinct()
                                .toList(),
                        (int) all.stream()
                                .map(f -> f.found().value())
                                .distinct()
                                .count()))
                .toList();
    }

    /** Images of which the same is to be said make one row. */
    private static String what(FoundSetting f) {
        return isImage(f) ? f.name() : f.written();
    }

    private static boolean isImage(FoundSetting f) {
        return f.kind() == SettingKind.CONTAINER && f.name().equals("FROM");
    }

    /** The setting as it is written; of several images, the first and how many more there are. */
    String written() {
        return first.found().written() + (images > 1 ? " and " + (images - 1) + " more" : "");
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
