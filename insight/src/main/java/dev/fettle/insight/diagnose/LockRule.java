package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding.Severity;
import dev.fettle.insight.explain.Thresholds;
import dev.fettle.insight.waits.Root;
import dev.fettle.insight.waits.Root.Kind;
import dev.fettle.model.rule.RuleEntry;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import java.util.Locale;
import java.util.Optional;

/** Workers that wait for a lock: one of the logging library, or another. */
final class LockRule {
    /**
     * Who holds the lock that a thread waits at when it wants a direct buffer and there is no room: the JDK calls it from nowhere but
     * {@code java.nio.Bits.reserveMemory}.
     */
    private static final String WAITS_FOR_DIRECT_MEMORY = "held by a thread in java.lang.ref.Reference.";

    private LockRule() {}

    static DiagnosisRule of(String id, boolean log) {
        return DiagnosisRule.of(id, (r, s) -> look(r, s, log))
                .othersCanCauseUnless(s -> WaitRules.mostAtLock(s) || ChainRules.isHeld(s, Kind.LOCK))
                .refutedBy(WaitRules.CROWD);
    }

    private static RuleResult look(RuleEntry r, TrialFacts s, boolean log) {
        Optional<Root> chain = log ? Optional.empty() : ChainRules.held(s, r, Kind.LOCK);
        if (chain.isPresent()) {
            return ChainRules.found(new FindingBuilder(r, Severity.WARNING), r, s, chain.get())
                    .share(chain.get().share())
                    .found();
        }
        OptionalFigure share = s.shareOfHolding(Signals.WAIT_LOCK);
        if (share.isEmpty()) {
            return new RuleResult.NotObserved(s.why(Signals.WAIT_LOCK));
        }
        double n = s.mean(Signals.WAIT_LOCK).orElse(0);
        Optional<String> which = s.sighting(Sighting.LOCK);
        boolean isLog = (which.orElse("") + s.detail(Sighting.LOCK).orElse(""))
                .toLowerCase(Locale.ROOT)
                .matches(".*(log4j|logback|outputstreammanager|java\\.util\\.logging|printstream).*");
        // with full CPUs the holder of a lock waits for a CPU, too: queues form even at locks that limit nothing
        double bound = s.cpuFull() || s.crowded() ? Thresholds.MOST_OF_A_REQUEST : Thresholds.WAITING_AT_LOCK;
        if (share.getAsDouble() < bound || n < Thresholds.LOCK_THREADS || isLog != log) {
            return new RuleResult.Healthy(
                    log && !isLog && n >= Thresholds.LOCK_THREADS
                            ? "the lock that workers wait at is another"
                            : WaitRules.ofBusy(s, Signals.WAIT_LOCK) + " wait at a lock");
        }
        if (ChainRules.onlyForCpu(s, Kind.LOCK)) {
            return new RuleResult.Healthy(WaitRules.ofBusy(s, Signals.WAIT_LOCK)
                    + " wait at a lock, whose holders run or wait for a CPU: that is what full CPUs look like");
        }
        String detail = s.detail(Sighting.LOCK).orElse("");
        return new FindingBuilder(
                        r,
                        Severity.WARNING,
                        "which",
                        which,
                        "detail",
                        detail,
                        "several",
                        detail.contains(Sighting.DIFFERENT_LOCKS),
                        "of-busy",
                        WaitRules.ofBusy(s, Signals.WAIT_LOCK))
                .waitsFor(detail.contains(WAITS_FOR_DIRECT_MEMORY), "direct-memory", "native-memory")
                .seen(Format.share(share.getAsDouble()) + " of the time in a worker")
                .seen(WaitRules.hold(s))
                .share(share.getAsDouble())
                .found();
    }
}
