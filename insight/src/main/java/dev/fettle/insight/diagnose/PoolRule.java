package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding.Severity;
import dev.fettle.insight.diagnose.Refutation.Expected;
import dev.fettle.insight.diagnose.Refutation.Plan;
import dev.fettle.insight.diagnose.Refutation.Tests;
import dev.fettle.insight.explain.Thresholds;
import dev.fettle.insight.waits.Root;
import dev.fettle.insight.waits.Root.Kind;
import dev.fettle.insight.words.KnobValues;
import dev.fettle.model.knob.OwnKnob;
import dev.fettle.model.rule.RuleEntry;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.TrialOutcome;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The rule about connection pools that workers wait for. */
final class PoolRule {
    private PoolRule() {}

    static DiagnosisRule rule() {
        return DiagnosisRule.of("connection-pool", PoolRule::look)
                .othersCanCauseUnless(s -> mostAtPool(s) || ChainRules.isHeld(s, Kind.POOL))
                .refutedBy(Refutation.by((_, b) -> larger(b).or(() -> RefutationTrial.crowd(b)))
                        .figure(PoolRule::throughput)
                        .tests(Tests.BEHIND));
    }

    /** Twice the connections of the pool that is empty, where the plan has a knob of its own for it: the only one of that size. */
    private static Optional<Plan> larger(TrialOutcome baseline) {
        var sight = new TrialFacts(baseline);
        OptionalFigure size = OptionalFigure.from(sizeOfStarved(sight), sight::max);
        var own = new TreeMap<>(baseline.spec().setting().asMap());
        baseline.evidence().ifPresent(e -> own.putAll(e.effective()));
        List<String> ofThatSize = own.entrySet().stream()
                .filter(e -> OwnKnob.is(e.getKey()))
                .filter(e -> size.isPresent() && number(e.getValue()) == size.getAsDouble())
                .map(Map.Entry::getKey)
                .toList();
        return ofThatSize.size() == 1 && baseline.spec().target().running().isEmpty()
                ? RefutationTrial.twice(ofThatSize.getFirst(), "the connections in the pool", baseline)
                : Optional.empty();
    }

    private static double number(String value) {
        OptionalLong n = KnobValues.number(value);
        return n.isPresent() ? n.getAsLong() : Double.NaN;
    }

    /** Throughput with a larger connection pool, if the one that was empty did get larger; else with more requests at work at once. */
    private static TestedFigure throughput(Expected expected, TrialFacts before, TrialFacts after, double clear) {
        if (expected == Expected.SAME) {
            return TestedFigure.crowd(before, after, clear);
        }
        boolean grew = sizeOfStarved(before)
                .filter(n -> after.max(n).orElse(0) > before.max(n).orElse(Double.MAX_VALUE))
                .isPresent();
        return TestedFigure.throughput(before, after, clear)
                .betterIf(grew)
                .unless(!grew, "The pool was not seen to get larger, so this test decides nothing.");
    }

    private static RuleResult look(RuleEntry r, TrialFacts s) {
        OptionalFigure share = s.shareOfHolding(Signals.WAIT_POOL);
        List<String> pending = pending(s);
        Optional<Root> chain = ChainRules.held(s, r, Kind.POOL);
        if (chain.isPresent()) {
            return ChainRules.found(pool(r, s, starved(s)), r, s, chain.get())
                    .share(chain.get().share())
                    .found();
        }
        if (share.isEmpty() && pending.isEmpty()) {
            return new RuleResult.NotObserved(s.why(Signals.WAIT_POOL));
        }
        Optional<String> starved = starved(s);
        if (starved.isEmpty() && share.orElse(0) < Thresholds.WAITING_AT_LOCK) {
            return new RuleResult.Healthy(Format.count(s.meanOrNone(Signals.WAIT_POOL)) + " workers wait for a pool"
                    + pending.stream()
                            .map(p -> ", " + name(p) + " has at most "
                                    + Format.whole(s.max(p).orElse(0)) + " waiting")
                            .collect(Collectors.joining()));
        }
        return pool(r, s, starved)
                .with("waiting", share.isPresent() ? OptionalFigure.of(s.meanOrNone(Signals.WAIT_POOL)) : share)
                .with("busy", s.busy().orElse(0))
                .seen(WaitRules.hold(s))
                // who holds a connection may only wait for a CPU
                .waitsFor(s.cpuFull(), "cpus")
                .share(Math.max(
                        share.orElse(0), starved.map(p -> waitingFor(s, p)).orElse(0.0)))
                .found();
    }

    private static FindingBuilder pool(RuleEntry r, TrialFacts s, Optional<String> starved) {
        return new FindingBuilder(
                r,
                Severity.WARNING,
                "which",
                starved.map(PoolRule::name).or(() -> s.sighting(Sighting.POOL)),
                "active",
                starved.map(p -> s.max(p.replace(".pending", ".active")).orElse(0)),
                "max",
                starved.map(p -> s.max(size(p)).orElse(0)),
                "pending",
                starved.map(p -> s.mean(p).orElse(0)));
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
                .filter(p -> Arrays.stream(s.values(p)).filter(v -> v > 0).count()
                        > DiagnosisRule.bound("connection-pool", "often") * s.values(p).length)
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
