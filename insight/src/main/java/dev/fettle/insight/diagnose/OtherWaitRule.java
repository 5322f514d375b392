package dev.fettle.insight.diagnose;

import dev.fettle.insight.diagnose.Rule.Stage;
import dev.fettle.insight.explain.Thresholds;
import dev.fettle.insight.words.Say;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import java.util.List;

/**
 * Workers that wait for something of no known kind: a permit, another thread's result, a queue. Whether that is short or only takes
 * its time can't be seen, so this is a limit; but it is where a request's time goes, and nothing else says so.
 */
final class OtherWaitRule {
    static final String ID = "waiting-workers";

    static final Rule RULE = new Rule(
                    ID,
                    Stage.WAITING,
                    "workers that wait for something else",
                    Say.share(Thresholds.MOST_OF_A_REQUEST)
                            + " of the busy workers wait for something that is no lock, pool, socket, file or sleep, and the CPUs are not"
                            + " full",
                    List.of(
                            FailureRules.DEADLOCK,
                            HotThreadRule.ID,
                            WaitRules.LOCK,
                            WaitRules.LOG_LOCK,
                            PoolRule.ID,
                            GrowthRules.WARMING),
                    OtherWaitRule::look)
            .shownBy(Signals.WAIT_OTHER, Signals.WORKERS_BUSY);

    private OtherWaitRule() {}

    /** Whether most workers wait so, and a request spends at least as much time with it as in front of the workers. */
    static boolean isLongest(TrialFacts s) {
        double inside = s.shareOfHolding(Signals.WAIT_OTHER).orElse(0);
        double queue = s.queueShare().orElse(0);
        return inside >= Thresholds.MOST_OF_A_REQUEST && inside * (1 - queue) >= queue;
    }

    private static RuleResult look(TrialFacts s) {
        OptionalFigure share = s.shareOfHolding(Signals.WAIT_OTHER);
        if (share.isEmpty()) {
            return new RuleResult.NotObserved(s.why(Signals.WAIT_OTHER));
        }
        String figure = Say.percent(share.getAsDouble()) + " of the busy workers";
        if (share.getAsDouble() < Thresholds.MOST_OF_A_REQUEST || s.cpuFull()) {
            return new RuleResult.Healthy(figure);
        }
        if (RequestRules.mostlyPauses(s)) {
            return new RuleResult.Healthy(figure + ", but the clients pause for most of the time");
        }
        return new FindingBuilder(
                        ID,
                        WaitRules.asEveryServer(s),
                        "Workers wait for something in the application",
                        WaitRules.ofBusy(s, Signals.WAIT_OTHER) + " wait"
                                + s.mostly(Sighting.WAITS_OTHER)
                                        .map(f -> ", most of them in " + f + ",")
                                        .orElse("")
                                + " for something that is no lock, connection pool, socket or file: a permit (a semaphore),"
                                + " the result of another thread (a future, a latch), a queue, or a time.")
                .seen(WaitRules.hold(s))
                .share(share.getAsDouble() * (1 - s.queueShare().orElse(0)))
                .remedy(
                        "See there what they wait for: if it is a permit or another pool's thread, more of them or less work for"
                                + " each; if it is an answer from elsewhere, make that faster, and give the wait a time-out")
                .refutedBy("With that call answered at once (a stub), the latency stays.")
                .found();
    }
}
