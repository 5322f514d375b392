package dev.fettle.model.audit;

import java.util.Arrays;
import java.util.Locale;

/** The verdict on a setting for the given machine and releases; the most serious first. */
public enum AuditVerdict {
    FATAL(Severity.ERROR, "keeps the JVM or the server from starting"),
    DANGEROUS(Severity.ERROR, "can break or destabilise the system"),
    WRONG(Severity.ERROR, "does something else than it is meant to do"),
    TYPO(Severity.ERROR, "can't work as written"),
    REMOVED(Severity.WARNING, "does not exist any more"),
    LOWERS(Severity.WARNING, "was an increase once, and is less than today's default"),
    RENAMED(Severity.WARNING, "has another name today"),
    NO_EFFECT(Severity.NOTE, "is accepted, and does nothing for its purpose"),
    SITUATIONAL(Severity.NOTE, "is right under a condition only"),
    DEFAULT(Severity.NOTE, "is the default already"),
    VALID(Severity.FINE, "is right as it is"),
    UNKNOWN(Severity.FINE, "is not known here, and was not judged");

    /** How serious a verdict is. */
    public enum Severity {
        ERROR,
        WARNING,
        NOTE,
        FINE;

        public boolean atLeast(Severity other) {
            return compareTo(other) <= 0;
        }
    }

    private final Severity severity;
    private final String means;

    AuditVerdict(Severity severity, String means) {
        this.severity = severity;
        this.means = means;
    }

    public Severity severity() {
        return severity;
    }

    /** Continues the sentence "this setting …". */
    public String means() {
        return means;
    }

    /** {@code no effect}. */
    public String words() {
        return this == DEFAULT ? "default already" : this == LOWERS ? "lowers the default" : id().replace('-', ' ');
    }

    /** {@code no-effect}. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** By its {@link #id}. */
    public static AuditVerdict of(String id) {
        return Arrays.stream(values())
                .filter(v -> v.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no verdict is called " + id));
    }
}
