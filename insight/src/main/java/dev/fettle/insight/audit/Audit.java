package dev.fettle.insight.audit;

import dev.fettle.model.audit.AuditContext;
import dev.fettle.model.audit.AuditVerdict;
import dev.fettle.model.audit.AuditVerdict.Severity;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The verdicts on all settings that were found.
 *
 * @param context what they were judged for
 * @param findings the most severe first
 * @param notes what was not read or could not be tried, one line each
 */
public record Audit(AuditContext context, List<AuditFinding> findings, List<String> notes) {
    public Audit {
        findings = List.copyOf(findings);
        notes = List.copyOf(notes);
    }

    /** The number of findings by verdict, the most severe first. */
    public Map<AuditVerdict, Long> counts() {
        return findings.stream()
                .collect(Collectors.groupingBy(AuditFinding::verdict, TreeMap::new, Collectors.counting()));
    }

    /** The number of findings of at least this severity. */
    public long atLeast(Severity severity) {
        return findings.stream()
                .filter(f -> f.verdict().severity().atLeast(severity))
                .count();
    }

    /** The number of settings by the basis of their verdict. */
    public Map<AuditFinding.Basis, Long> bases() {
        return findings.stream()
                .collect(Collectors.groupingBy(AuditFinding::basis, TreeMap::new, Collectors.counting()));
    }

    /** Findings for which a probe contradicts what the rules say. */
    public List<AuditFinding> disagreements() {
        return findings.stream().filter(f -> f.disagreement().isPresent()).toList();
    }
}
