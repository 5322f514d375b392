package dev.fettle.insight.gate;

import dev.fettle.insight.gate.GateInput.Figure;
import dev.fettle.insight.rules.Rule;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.trial.CapacitySeen;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.Timeline;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.Verdict;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Decides whether a trial may be used at all. Every conclusion rests on trials that passed here.
 *
 * <p>Time-outs, resets and refused connections do not make a trial void: they are real results, and the objective's error limit
 * judges them. Only if hardly anything succeeded is there nothing to judge.
 */
public final class ValidityGate {
    private ValidityGate() {}

    /** The rules, in the order in which reasons are listed; their ids are stable. */
    public static List<Rule<GateInput, Optional<String>>> rules() {
        return GateRules.ALL;
    }

    /** Judges a trial. */
    public static Verdict judge(TrialSpec spec, Measurement measurement, Optional<Evidence> evidence) {
        Verdict all = judge(GateInput.of(spec, measurement, evidence));
        return measurement.detail().capacity().map(c -> ofASearch(all, c)).orElse(all);
    }

    /**
     * A search for the capacity: what all clients get is only looked at for a moment, and without a rate the trial is worth
     * nothing.
     */
    private static Verdict ofASearch(Verdict look, CapacitySeen found) {
        var verdict = new Verdict(
                look.reasons(),
                look.advisories().stream()
                        .filter(a -> !a.rule().equals(GateAdvice.SHORT))
                        .toList());
        return switch (found.end()) {
            case FOUND, NO_RATE -> verdict;
            case DISTURBED -> verdict.because(new Verdict.Reason(GateRules.DISTURBED, found.why(), true));
            case GENERATOR -> verdict.because(new Verdict.Reason(GateRules.GENERATOR_LIMIT, found.why(), false));
            case OUT_OF_TIME -> verdict.because(new Verdict.Reason(GateRules.NO_CAPACITY, found.why(), false));
        };
    }

    /**
     * Judges a trial whose rate changes. It is neither steady nor meant to be served: only what disturbs the measuring
     * counts.
     *
     * @param slo which answers are good
     */
    public static Verdict judgeSpike(TrialSpec spec, Measurement measurement, Optional<Evidence> evidence, Slo slo) {
        Verdict all = judge(GateInput.of(spec, measurement, evidence)
                .with(Figure.SEND_LAG_BOUND_MILLIS, GateRules.sendLagMillis(slo)));
        return new Verdict(
                all.reasons().stream()
                        .filter(r -> GateRules.OF_A_SPIKE.contains(r.rule()))
                        .toList(),
                GateAdvice.ofCpus(all.advisories()));
    }

    /** What must be known of a probe, which its SLO judges: whether its CPUs were stolen or shared. */
    public static List<Verdict.Advisory> ofProbe(TrialSpec spec, Measurement measurement, Optional<Evidence> evidence) {
        return GateAdvice.ofCpus(GateAdvice.of(GateInput.of(spec, measurement, evidence)));
    }

    /**
     * Why a trial that goes on will be void, if it goes on so: by what is known of it before its end, which is who else used the CPUs.
     *
     * @param seen so far
     */
    public static List<Verdict.Reason> soFar(Timeline seen) {
        var figures = new EnumMap<Figure, Double>(Figure.class);
        seen.mean(Signals.HOST_FOREIGN).stream().forEach(v -> figures.put(Figure.FOREIGN_CPU, v));
        seen.mean(Signals.HOST_STEAL).stream().forEach(v -> figures.put(Figure.STEAL, v));
        return judge(new GateInput(
                        figures,
                        false,
                        List.of(),
                        false,
                        Optional.empty(),
                        Setting.DEFAULT,
                        Map.of(),
                        Set.of(),
                        Set.of(),
                        List.of()))
                .reasons();
    }

    /** Judges figures: the reasons that void them, and the advisories that don't. */
    public static Verdict judge(GateInput input) {
        List<Verdict.Reason> reasons = GateRules.ALL.stream()
                .flatMap(rule ->
                        rule
                                .look(input)
                                .map(m -> new Verdict.Reason(
                                        rule.id(), m, rule.entry().has("passing")))
                                .stream())
                .toList();
        return new Verdict(reasons, GateAdvice.of(input));
    }
}
