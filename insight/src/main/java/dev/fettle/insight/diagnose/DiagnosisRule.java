package dev.fettle.insight.diagnose;

import dev.fettle.insight.rules.Rule;
import dev.fettle.model.rule.RuleEntry;
import dev.fettle.model.rule.RuleTable;
import java.util.Locale;
import java.util.function.BiFunction;
import java.util.function.Predicate;

/**
 * One way in which a server can be limited or broken, how to see it, and what would refute that.
 *
 * @param rule its id, bounds and words, the resources that it limits and waits for ({@code model/rules/diagnosis.yaml}), and what it sees
 * @param stage when its findings come
 * @param othersCanCause whether other processes that take CPU time may have made it look so in a healthy server
 * @param refutation the experiment that could refute what it found
 */
record DiagnosisRule(
        Rule<TrialFacts, RuleResult> rule, Stage stage, Predicate<TrialFacts> othersCanCause, Refutation refutation) {
    private static final RuleTable TABLE = RuleTable.read("diagnosis");

    /** A rule whose findings other processes can't cause, and that no cheap experiment refutes. */
    static DiagnosisRule of(String id, BiFunction<RuleEntry, TrialFacts, RuleResult> look) {
        RuleEntry entry = TABLE.get(id);
        return new DiagnosisRule(
                new Rule<>(entry, look),
                Stage.valueOf(entry.text("stage").toUpperCase(Locale.ROOT)),
                _ -> false,
                Refutation.NONE);
    }

    /** A rule whose findings other processes can cause, unless the target itself was seen to do it. */
    DiagnosisRule othersCanCauseUnless(Predicate<TrialFacts> seenInside) {
        return new DiagnosisRule(rule, stage, seenInside.negate(), refutation);
    }

    /** A rule whose findings other processes can cause. */
    DiagnosisRule othersCanCauseIt() {
        return othersCanCauseUnless(_ -> false);
    }

    DiagnosisRule refutedBy(Refutation experiment) {
        return new DiagnosisRule(rule, stage, othersCanCause, experiment);
    }

    /** The data of a rule. */
    static RuleEntry entry(String rule) {
        return TABLE.get(rule);
    }

    /** A bound of a rule. */
    static double bound(String rule, String name) {
        return entry(rule).bound(name);
    }

    String id() {
        return rule.id();
    }

    RuleEntry entry() {
        return rule.entry();
    }

    String what() {
        return entry().text("what");
    }

    /** Whether a finding of another rule explains one of this rule, whatever the figures. */
    boolean symptomOf(DiagnosisRule other) {
        return waitsFor(entry().waitsFor(), other);
    }

    /** Whether another rule limits one of these resources. */
    boolean waitsFor(Iterable<String> resources, DiagnosisRule other) {
        for (String r : resources) {
            if (other.entry().limits().contains(r) && other != this) {
                return true;
            }
        }
        return false;
    }

    /** The order of evaluation. */
    enum Stage {
        FAILED("The target failed as a whole"),
        BROKEN("Something is stuck or used up"),
        ERRORS("Requests fail"),
        CPU("Where the CPU time goes"),
        WAITING("What requests wait for"),
        TAIL("Some requests are slow, or all of them now and then"),
        TREND("What changes while it is measured"),
        ASKED("The clients are the limit");

        private final String title;

        Stage(String title) {
            this.title = title;
        }

        /** Its heading. */
        String title() {
            return title;
        }
    }
}
