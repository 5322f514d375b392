package dev.fettle.insight.trials;

import dev.fettle.insight.gate.EarlyStopping;
import dev.fettle.insight.gate.GateAdvice;
import dev.fettle.insight.gate.GateRules;
import dev.fettle.insight.gate.SteadyState;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialOutcome.Failure;
import dev.fettle.model.trial.TrialSpec.Phase;
import dev.fettle.model.trial.Verdict;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** How an attempt ended, by who caused it. */
public enum AttemptStatus {
    /** A valid trial. */
    VALID,
    /** Measured, but its throughput was still drifting: caused by the target, so an outcome and not an accident. */
    MOVED,
    /** Measured while others took CPU time. */
    DISTURBED,
    /** Unusable, for an outside reason that may be temporary. */
    OUTSIDE,
    /** The target failed with this setting. */
    FAILED,
    /** Ended early, as its setting is surely worse than the best so far; its figure is an upper bound. */
    WORSE,
    /** Unusable, and trying again would not help. */
    VOID;

    /** The warm-up reached its bound: more of it may help. */
    public static final String WARM_UP = SteadyState.WARM_UP_RULE;

    private static final Set<String> MOVING = Set.of(GateAdvice.NOT_STEADY, WARM_UP);
    private static final Set<String> DISTURBING = Set.of(GateRules.DISTURBED);
    private static final Set<String> WRONG =
            Set.of(GateRules.WRONG_ANSWERS, GateRules.MOSTLY_FAILED, GateRules.NOTHING_MEASURED);
    private static final Set<String> GENERATORS = Set.of(GateRules.GENERATOR_LIMIT, GateRules.NO_CAPACITY);
    private static final Set<String> WITHOUT_ANSWERS = Set.of(GateRules.MOSTLY_FAILED, GateRules.NOTHING_MEASURED);

    public static AttemptStatus of(TrialOutcome attempt) {
        if (attempt.valid()) {
            return VALID;
        }
        if (attempt.failure().isPresent()) {
            return attempt.failure().get().kind().passing() ? OUTSIDE : FAILED;
        }
        if (EarlyStopping.is(attempt)) {
            return WORSE;
        }
        var reasons = attempt.verdict().reasons();
        if (isSilentAtItsEnd(attempt)) {
            return OUTSIDE;
        }
        if (reasons.stream().anyMatch(r -> WRONG.contains(r.rule()) && !isGenerators(attempt, r))) {
            return FAILED;
        }
        if (generatorsInDuel(attempt)) {
            return OUTSIDE;
        }
        if (attempt.measurement().isPresent() && !reasons.isEmpty()) {
            if (reasons.stream().allMatch(r -> MOVING.contains(r.rule()))) {
                return MOVED;
            }
            // what took the CPU time made the generator late as well
            boolean taken = reasons.stream().anyMatch(r -> DISTURBING.contains(r.rule()));
            boolean disturbed = reasons.stream()
                    .allMatch(r -> MOVING.contains(r.rule())
                            || DISTURBING.contains(r.rule())
                            || taken && r.rule().equals(GateRules.SEND_LAG));
            if (disturbed) {
                // one that was ended early while others took its CPU time shows nothing
                return EarlyStopping.atBest(attempt).isPresent() ? OUTSIDE : DISTURBED;
            }
        }
        return !reasons.isEmpty() && reasons.stream().allMatch(Verdict.Reason::passing) ? OUTSIDE : VOID;
    }

    /**
     * Whether it was ended early by its warm-up, and nothing came in the second that was measured then: it has answered before, so a
     * machine that stands still is as likely as a target that does.
     */
    private static boolean isSilentAtItsEnd(TrialOutcome attempt) {
        return EarlyStopping.atBest(attempt).isPresent()
                && attempt.measurement().filter(m -> m.failed() == 0).isPresent()
                && attempt.verdict().reasons().stream().anyMatch(r -> r.rule().equals(GateRules.NOTHING_MEASURED));
    }

    /** Whether requests failed only because the generator's own host was at its limit: that says nothing about the target. */
    private static boolean isGenerators(TrialOutcome attempt, Verdict.Reason reason) {
        return WITHOUT_ANSWERS.contains(reason.rule())
                && attempt.measurement()
                        .filter(m -> {
                            long own = m.failed(ErrorKind::isGenerators);
                            return own > 0 && m.failed() - own <= m.responses();
                        })
                        .isPresent();
    }

    /**
     * Whether the generator's limit, besides what may pass, is why an attempt of a duel is void. That is a cause from outside, so its pair
     * is repeated. A search for the capacity that ended there would end there again.
     */
    private static boolean generatorsInDuel(TrialOutcome attempt) {
        var reasons = attempt.verdict().reasons();
        return attempt.spec().phase() == Phase.DUEL
                && attempt.measurement()
                        .filter(m -> m.detail().capacity().isEmpty())
                        .isPresent()
                && reasons.stream().anyMatch(r -> r.rule().equals(GateRules.GENERATOR_LIMIT))
                && reasons.stream()
                        .allMatch(r ->
                                r.passing() || r.rule().equals(GateRules.GENERATOR_LIMIT) || isGenerators(attempt, r));
    }

    /**
     * Whether it has figures for the setting: reliable ones if valid, else good enough to rank settings and to compare within a
     * pair.
     */
    public boolean counts() {
        return this == VALID || this == MOVED || this == DISTURBED;
    }

    /** What is said of a setting with such an attempt. */
    public static final String GAVE_NOTHING_USABLE = "gave no usable figures";

    /**
     * Whether its figures can't be used, and that is neither the generator's doing nor anything that may pass. Whoever judges a setting
     * by its other trials has to count this one: it would be judged by those that went well.
     */
    public static boolean gaveNothingUsable(TrialOutcome attempt) {
        return of(attempt) == VOID
                && attempt.verdict().reasons().stream()
                        .anyMatch(r -> !r.passing()
                                && !MOVING.contains(r.rule())
                                && !GENERATORS.contains(r.rule())
                                && !isGenerators(attempt, r));
    }

    /** Whether all that voids an attempt that was measured may pass, some of it with a longer warm-up. */
    public static boolean mayPass(TrialOutcome attempt) {
        var reasons = attempt.verdict().reasons();
        return attempt.measurement().isPresent()
                && attempt.failure().isEmpty()
                && !reasons.isEmpty()
                && reasons.stream().allMatch(r -> r.passing() || MOVING.contains(r.rule()));
    }

    /** Whether the warm-up reached its bound. */
    static boolean coldAtBound(TrialOutcome attempt) {
        return attempt.verdict().reasons().stream().anyMatch(r -> r.rule().equals(WARM_UP));
    }

    /** Knobs of its setting whose value did not take effect, by the read-back or by the gate's rule. */
    public static Set<String> ignored(TrialOutcome attempt) {
        Setting setting = attempt.spec().setting();
        var knobs = new TreeSet<String>();
        attempt.failure().ifPresent(f -> knobs.addAll(f.knobs()));
        if (attempt.verdict().reasons().stream().anyMatch(r -> r.rule().equals(GateRules.NOT_EFFECTIVE))) {
            attempt.evidence().ifPresent(e -> knobs.addAll(GateRules.ignored(setting, e.effective())));
        }
        knobs.retainAll(setting.values().keySet());
        return Collections.unmodifiableSet(knobs);
    }

    /** How the target failed, in the past tense; empty unless it did. */
    public static Optional<String> failure(TrialOutcome attempt) {
        if (of(attempt) != FAILED) {
            return Optional.empty();
        }
        return Optional.of(attempt.failure()
                .map(Failure::kind)
                .map(kind -> switch (kind) {
                    case DIED -> "crashed";
                    case OUT_OF_MEMORY -> "ran out of memory";
                    case PROCESS_LIMIT -> "ran out of threads";
                    case HUNG -> "stopped answering";
                    case WRONG_ANSWER -> "gave wrong answers";
                    case IMPOSSIBLE_SETTING -> "could not take its setting";
                    case DID_NOT_START, NEVER_READY -> "did not start";
                    case NOT_EFFECTIVE -> "did not apply its setting";
                    case HOOK, LAB -> "failed";
                })
                .orElse("failed requests or answered them wrongly"));
    }
}
