package dev.fettle.insight.diagnose;

import dev.fettle.insight.explain.Thresholds;
import dev.fettle.insight.waits.Root;
import dev.fettle.insight.waits.Root.Kind;
import dev.fettle.model.rule.RuleEntry;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import java.util.List;
import java.util.Optional;

/**
 * Workers that wait for something of no known kind: a permit, another thread's result, a queue. Whether that is short or only takes
 * its time can't be seen, so this is a limit; but it is where a request's time goes, and nothing else says so.
 */
final class OtherWaitRule {
    private OtherWaitRule() {}

    static List<DiagnosisRule> rules() {
        return List.of(DiagnosisRule.of("waiting-workers", OtherWaitRule::look)
                .othersCanCauseUnless(s -> NoisyNeighbours.fewLackACpu(s) || ChainRules.isHeld(s, Kind.WORKER)));
    }

    /** Whether most workers wait so, and a request spends at least as much time with it as in front of the workers. */
    static boolean isLongest(TrialFacts s) {
        double inside = s.shareOfHolding(Signals.WAIT_OTHER).orElse(0);
        double queue = s.queueShare().orElse(0);
        return inside >= Thresholds.MOST_OF_A_REQUEST && inside * (1 - queue) >= queue;
    }

    private static RuleResult look(RuleEntry r, TrialFacts s) {
        OptionalFigure share = s.shareOfHolding(Signals.WAIT_OTHER);
        if (share.isEmpty()) {
            return WaitRules.byLooks(s, Signals.WAIT_OTHER)
                    .map(c -> WaitRules.found(r, WaitRules.asEveryServer(s), s, c, c.share()))
                    .orElseGet(() -> new RuleResult.NotObserved(s.why(Signals.WAIT_OTHER)));
        }
        String figure = Format.share(share.getAsDouble()) + " of the busy workers";
        if (share.getAsDouble() < Thresholds.MOST_OF_A_REQUEST || s.cpuFull()) {
            return new RuleResult.Healthy(figure);
        }
        if (RequestRules.mostlyPauses(s)) {
            return new RuleResult.Healthy(figure + ", but the clients pause for most of the time");
        }
        Optional<Root> chain = ChainRules.held(s, r, Kind.WORKER);
        if (chain.isPresent()) {
            return ChainRules.found(new FindingBuilder(r, WaitRules.asEveryServer(s)), r, s, chain.get())
                    .share(share.getAsDouble() * (1 - s.queueShare().orElse(0)))
                    .found();
        }
        return new FindingBuilder(
                        r,
                        WaitRules.asEveryServer(s),
                        "of-busy",
                        WaitRules.ofBusy(s, Signals.WAIT_OTHER),
                        "where",
                        s.mostly(Sighting.WAITS_OTHER))
                .seen(WaitRules.hold(s))
                .share(share.getAsDouble() * (1 - s.queueShare().orElse(0)))
                .found();
    }
}
