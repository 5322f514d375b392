package dev.fettle.insight.gate;

import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.Verdict;
import java.util.List;
import java.util.Optional;

/**
 * Decides whether a trial may be used at all. Every conclusion rests on trials that passed here.
 *
 * <p>Time-outs, resets and refused connections do not make a trial void: they are real results, and the objective's error limit
 * judges them. Only if hardly anything succeeded is there nothing to judge.
 */
public final class ValidityGate {
    private ValidityGate() {}

    /** The rules, in the order in which reasons are listed; {@link GateRule#id()} is stable. */
    public static List<GateRule> rules() {
        return GateRules.ALL;
    }

    /** Judges a trial. */
    public static Verdict judge(TrialSpec spec, Measurement measurement, Optional<Evidence> evidence) {
        return judge(GateInput.of(spec, measurement, evidence));
    }

    /** Judges figures: the reasons that void them, and the advisories that don't. */
    public static Verdict judge(GateInput input) {
        List<Verdict.Reason> reasons = GateRules.ALL.stream()
                .flatMap(rule ->
                        rule.check().apply(input).map(m -> new Verdict.Reason(rule.id(), m, rule.passing())).stream())
                .toList();
        return new Verdict(reasons, GateAdvice.of(input));
    }
}
