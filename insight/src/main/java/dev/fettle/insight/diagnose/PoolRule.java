package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding.Severity;
import dev.fettle.insight.diagnose.Rule.Stage;
import dev.fettle.insight.explain.Thresholds;
import dev.fettle.insight.words.Say;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Signals;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** The rule about connection pools that workers wait for. */
final class PoolRule {
    static final String ID = "connection-pool";

    /** Share of the samples in which something waits for a pool that is too small. */
    private static final double OFTEN = 0.2;

    static final Rule RULE = new Rule(
                    ID,
                    Stage.WAITING,
                    "a connection pool that is empty",
                    "something waits in more than " + Say.share(OFTEN) + " of the samples, or "
                            + Say.share(Thresholds.WAITING_AT_LOCK) + " of the busy workers wait there",
                    List.of(WaitRules.LOCK, WaitRules.LOG_LOCK),
                    PoolRule::look)
            .shownBy(Signals.WAIT_POOL, Signals.WORKERS_BUSY);

    private PoolRule() {}

    private static RuleResult look(TrialFacts s) {
        OptionalFigure share = s.shareOfHolding(Signals.WAIT_POOL);
        List<String> pending = pending(s);
        if (share.isEmpty() && pending.isEmpty()) {
            return new RuleResult.NotObserved(s.why(Signals.WAIT_POOL));
        }
        Optional<String> starved = starved(s);
        if (starved.isEmpty() && share.orElse(0) < Thresholds.WAITING_AT_LOCK) {
            return new RuleResult.Healthy(Say.about(s.meanOrNone(Signals.WAIT_POOL)) + " workers wait for a pool"
                    + pending.stream()
                            .map(p -> ", " + name(p) + " has at most "
                                    + Say.whole(s.max(p).orElse(0)) + " waiting")
                            .collect(Collectors.joining()));
        }
        String which = starved.map(PoolRule::name).map(n -> " " + n).orElse("");
        return new FindingBuilder(
                        ID,
                        Severity.WARNING,
                        "A connection pool is too small, or its connections are held too long:"
                                + (which.isEmpty() ? " which one was not seen" : which),
                        (share.isPresent()
                                        ? Say.about(s.meanOrNone(Signals.WAIT_POOL)) + " of "
                                                + Say.about(s.busy().orElse(0))
                                                + " busy workers wait for a connection from "
                                        : "Workers wait for a connection from ")
                                + (which.isEmpty() ? "a pool" : "the pool" + which)
                                + starved.map(p -> " ("
                                                + Say.whole(s.max(p.replace(".pending", ".active"))
                                                        .orElse(0))
                                                + " of "
                                                + Say.whole(s.max(size(p)).orElse(0))
                                                + " in use, "
                                                + Say.about(s.mean(p).orElse(0)) + " waiting)")
                                        .orElse("")
                                + ".")
                .seen(WaitRules.hold(s))
                // who holds a connection may only wait for a CPU
                .becauseOf(s.cpuFull(), CpuRules.CPU_FULL)
                .share(Math.max(
                        share.orElse(0), starved.map(p -> waitingFor(s, p)).orElse(0.0)))
                .remedy("Hold each connection for less (shorter transactions, close in time); else a larger pool:"
                        + " requests a second × the time one is held")
                .refutedBy("With the pool doubled, throughput stays: then it is the database.")
                .found();
    }

    /** The signals of how many wait for each pool. */
    private static List<String> pending(TrialFacts s) {
        return s.names(Signals.POOL).stream()
                .filter(n -> n.endsWith(".pending"))
                .toList();
    }

    /** The signal of how many wait for the pool that is empty too often; empty if there is none. */
    private static Optional<String> starved(TrialFacts s) {
        return pending(s).stream()
                .filter(p -> Arrays.stream(s.values(p)).filter(v -> v > 0).count() > OFTEN * s.values(p).length)
                .findFirst();
    }

    private static String size(String pending) {
        return pending.replace(".pending", ".max");
    }

    /** The signal of how many connections the pool that is empty too often may have; empty if there is none. */
    static Optional<String> sizeOfStarved(TrialFacts s) {
        return starved(s).map(PoolRule::size);
    }

    /** Share of the busy workers that wait for a connection pool, by the pool's own count. */
    private static double waitingFor(TrialFacts s, String pending) {
        double busy = s.busy().orElse(0);
        return busy > 0 ? Math.min(1, s.mean(pending).orElse(0) / busy) : 0;
    }

    /** Whether most of the busy workers stand there: more than if whoever holds a connection just waited for a CPU. */
    static boolean mostAtPool(TrialFacts s) {
        double share = s.shareOfHolding(Signals.WAIT_POOL).orElse(0);
        return Math.max(share, starved(s).map(p -> waitingFor(s, p)).orElse(0.0)) >= Thresholds.MOST_OF_A_REQUEST;
    }

    private static String name(String signal) {
        return signal.substring(Signals.POOL.length(), signal.lastIndexOf('.'));
    }
}
