package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding.Severity;
import dev.fettle.insight.diagnose.Rule.Stage;
import dev.fettle.insight.explain.Thresholds;
import dev.fettle.insight.words.Say;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import java.util.List;
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

    static Rule of(String id, String what, String title, boolean log) {
        return new Rule(
                id,
                Stage.WAITING,
                what,
                Say.share(Thresholds.WAITING_AT_LOCK) + " of the busy workers wait at a lock, "
                        + Say.share(Thresholds.MOST_OF_A_REQUEST) + " where the CPUs are full; and at least "
                        + Say.count((int) Thresholds.LOCK_THREADS, "thread")
                        + " on average (as JDK Mission Control warns)",
                List.of(FailureRules.DEADLOCK),
                s -> look(s, id, title, log));
    }

    private static RuleResult look(TrialFacts s, String id, String title, boolean log) {
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
        double bound = s.cpuFull() ? Thresholds.MOST_OF_A_REQUEST : Thresholds.WAITING_AT_LOCK;
        if (share.getAsDouble() < bound || n < Thresholds.LOCK_THREADS || isLog != log) {
            return new RuleResult.Healthy(
                    log && !isLog && n >= Thresholds.LOCK_THREADS
                            ? "the lock that workers wait at is another"
                            : WaitRules.ofBusy(s, Signals.WAIT_LOCK) + " wait at a lock");
        }
        return new FindingBuilder(
                        id,
                        Severity.WARNING,
                        "Workers wait for " + title + which.map(w -> ": " + w).orElse(""),
                        WaitRules.ofBusy(s, Signals.WAIT_LOCK) + " wait for a lock"
                                + which.map(w -> ", most of them for " + w).orElse("")
                                + s.detail(Sighting.LOCK)
                                        .map(d -> " (" + d + ")")
                                        .orElse("")
                                + (s.detail(Sighting.LOCK).orElse("").contains(Sighting.DIFFERENT_LOCKS)
                                        ? ": one thread at a time gets through each of them."
                                        : ": one thread at a time gets through, whatever their number."))
                .becauseOf(
                        s.detail(Sighting.LOCK).orElse("").contains(WAITS_FOR_DIRECT_MEMORY),
                        List.of(FailureRules.DIRECT_EXHAUSTED, GrowthRules.NATIVE_GROWS))
                .seen(Say.percent(share.getAsDouble()) + " of the time in a worker")
                .seen(WaitRules.hold(s))
                .share(share.getAsDouble())
                .remedy(
                        log
                                ? "Write the log from a thread of its own (an asynchronous appender), log less (the level),"
                                        + " and no location in the pattern (%C, %L, %M)"
                                : "Hold it for less, split it, or do without it")
                .refutedBy("With twice as many requests at once in the workers, throughput grows.")
                .found();
    }
}
