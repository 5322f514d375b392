package dev.fettle.insight.audit;

import dev.fettle.model.audit.AuditRule;
import dev.fettle.model.audit.AuditVerdict;
import dev.fettle.model.audit.FoundSetting;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A verdict on a setting.
 *
 * @param rule what is known about it; empty for what only a probe or a conflict says
 * @param id of the rule or the conflict, and the anchor in its documentation
 * @param why one sentence
 * @param instead what to write; empty if nothing
 * @param since the version since when it holds; empty if unknown
 * @param fix an automatic change: {@code delete}, {@code value V}, {@code name N}; empty if none
 * @param disagreement what the rule said, where a probe contradicts it
 */
public record AuditFinding(
        FoundSetting found,
        AuditVerdict verdict,
        Optional<AuditRule> rule,
        String id,
        String why,
        String instead,
        String since,
        String fix,
        Basis basis,
        List<String> sources,
        Optional<String> disagreement) {
    public AuditFinding {
        sources = List.copyOf(sources);
    }

    /** What the verdict is based on. */
    public enum Basis {
        /** It was tried here. */
        PROBED("tried here"),
        /** An authority was read, or it was tried elsewhere. */
        SOURCED("sourced"),
        /** It follows from settings that were found. */
        COMPARED("compared"),
        /** Neither tried nor sourced. */
        UNVERIFIED("unverified");

        private final String words;

        Basis(String words) {
            this.words = words;
        }

        public String words() {
            return words;
        }
    }

    /** A copy with the result of a probe. */
    AuditFinding probed(AuditVerdict now, String words, String replacement, Optional<String> remembered) {
        return new AuditFinding(
                found,
                now,
                rule,
                id,
                words,
                replacement,
                since,
                remembered.isPresent() ? "" : fix,
                Basis.PROBED,
                sources,
                remembered);
    }

    /**
     * A setting that a script only makes under a condition does no harm elsewhere, and may be right where the condition
     * holds, such as options for an older JDK.
     */
    static AuditFinding conditional(AuditFinding f) {
        if (f.found.unread().isPresent()) {
            return unread(f, f.found.unread().get());
        }
        Optional<String> condition = f.found.onlyIf();
        boolean worse = f.verdict.severity() == AuditVerdict.Severity.ERROR
                || f.verdict.severity() == AuditVerdict.Severity.WARNING;
        if (condition.isEmpty() || !worse) {
            return f;
        }
        return new AuditFinding(
                f.found,
                AuditVerdict.SITUATIONAL,
                f.rule,
                f.id,
                "%s as judged here, but set only if %s. %s"
                        .formatted(capital(f.verdict.words()), condition.get().replaceAll("[.;]$", ""), f.why),
                f.instead.isEmpty() ? "" : f.instead + ", unless that never holds here",
                f.since,
                "",
                f.basis,
                f.sources,
                f.disagreement);
    }

    /** Options in a variable that nothing reads have no effect, whatever they would do. */
    private static AuditFinding unread(AuditFinding f, String variable) {
        boolean worse = f.verdict.severity() == AuditVerdict.Severity.ERROR;
        return new AuditFinding(
                f.found,
                AuditVerdict.NO_EFFECT,
                f.rule,
                f.id,
                "No program that is seen here reads %s; the JVM itself reads JAVA_TOOL_OPTIONS.%s"
                        .formatted(
                                variable,
                                worse ? " %s if it were read: %s".formatted(capital(f.verdict.words()), f.why) : ""),
                worse ? f.instead : "JAVA_TOOL_OPTIONS",
                "",
                "",
                Basis.COMPARED,
                f.sources,
                Optional.empty());
    }

    private static String capital(String words) {
        return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
    }
}
