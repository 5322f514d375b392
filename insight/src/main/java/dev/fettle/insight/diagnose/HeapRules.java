package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding.Severity;
import dev.fettle.insight.diagnose.Rule.Stage;
import dev.fettle.insight.explain.OperatingPoint;
import dev.fettle.insight.explain.Thresholds;
import dev.fettle.insight.words.KnobValues;
import dev.fettle.insight.words.Say;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Signals;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Rules about CPU time spent on garbage collection, and its cause. */
final class HeapRules {
    static final String HEAP_SMALL = "heap-small";
    static final String ALLOCATION = "allocation";
    static final String EXPLICIT_GC = "explicit-gc";
    static final String HUMONGOUS = "humongous-allocation";

    /** Fewer calls count only if they are felt. */
    private static final int FEWEST_CALLS = 2;

    /** Share of the time in collection from which on a single call counts. */
    private static final double ONE_CALL_FELT = 0.05;
    /** Share of the collections above which they are many. */
    private static final double MANY_HUMONGOUS = 0.2;

    /** What collections cost that are more than a limit. */
    private static final String COSTS = Say.share(Thresholds.GC_NOTABLE) + " of the time, a long pause, or "
            + Say.share(Thresholds.GC_MUCH) + " of the CPU time as for much garbage";

    /** Share of the direct memory in use from which on the JDK's own calls are the likelier ones. */
    private static final double DIRECT_NEARLY_FULL = 0.8;

    private HeapRules() {}

    static List<Rule> rules() {
        return List.of(
                new Rule(
                                EXPLICIT_GC,
                                Stage.CPU,
                                "calls of System.gc()",
                                FEWEST_CALLS + " or more, and more than " + Say.whole(Thresholds.EXPLICIT_GC_PER_MINUTE)
                                        + " a minute; or one with " + Say.share(ONE_CALL_FELT)
                                        + " of the time in collection. A limit, unless it costs something: " + COSTS,
                                // the JDK calls it itself when no memory is left for a direct buffer
                                List.of(FailureRules.DIRECT_EXHAUSTED),
                                HeapRules::explicitGc)
                        .shownBy(Signals.GC_EXPLICIT, Signals.GC_SHARE, Signals.LOAD_P99),
                new Rule(
                                HUMONGOUS,
                                Stage.CPU,
                                "objects larger than half a G1 region",
                                "more than " + Say.share(MANY_HUMONGOUS)
                                        + " of the collections are caused by them. A limit, unless they cost something: "
                                        + COSTS,
                                List.of(),
                                HeapRules::humongous)
                        .shownBy(Signals.GC_HUMONGOUS, Signals.GC_SHARE, Signals.HEAP_USED),
                new Rule(
                                HEAP_SMALL,
                                Stage.CPU,
                                "a heap that is nearly full of live objects",
                                Say.share(Thresholds.HEAP_LIVE)
                                        + " of the heap in use after a full collection or a marking, and "
                                        + Say.share(Thresholds.GC_MUCH)
                                        + " of the time in collection (as JDK Mission Control warns),"
                                        + " or of the CPU time as for much garbage",
                                List.of(EXPLICIT_GC, FailureRules.HEAP_EXHAUSTED),
                                HeapRules::heapSmall)
                        .shownBy(Signals.GC_SHARE, Signals.HEAP_LIVE, Signals.LOAD_P99),
                new Rule(
                                ALLOCATION,
                                Stage.CPU,
                                "much garbage",
                                Say.share(Thresholds.GC_MUCH)
                                        + " of the time in collection (as JDK Mission Control warns); or of the CPU time, if the CPUs are full or"
                                        + " threads wait for one, if it is " + Say.share(Thresholds.GC_MUCH)
                                        + " of the CPUs as well, or with " + Say.share(Thresholds.GC_NOTABLE)
                                        + " of the time; whatever is left after it",
                                List.of(EXPLICIT_GC, HUMONGOUS, HEAP_SMALL, FailureRules.HEAP_EXHAUSTED),
                                HeapRules::allocation)
                        .shownBy(Signals.GC_SHARE, Signals.ALLOC_RATE, Signals.LOAD_P99));
    }

    /**
     * Whether the collector uses much of the target's own CPU time. Other processes can make pauses longer, but not
     * that. A large part of next to nothing keeps no request waiting: it counts where CPU time is short, where it is much of what the
     * target may use, or where the pauses are notable, too.
     */
    static boolean collectsMuch(TrialFacts s) {
        return ofCpu(s).orElse(0) >= Thresholds.GC_MUCH
                && (takesMuch(s)
                        || s.meanOrNone(Signals.RUNQUEUE_WAIT) >= 1
                        || s.gcShare().orElse(0) >= Thresholds.GC_NOTABLE);
    }

    /** Whether its CPU time is missed: the CPUs are full, or it is much of what the target may use. */
    private static boolean takesMuch(TrialFacts s) {
        return s.cpuFull() || s.meanOrNone(Signals.CPU_GC) >= Thresholds.GC_MUCH * s.allowed();
    }

    /** The same, but for what others can cause: that pauses are longer, and that threads wait for a CPU. */
    static boolean collectsMuchItself(TrialFacts s) {
        return collectsMuch(s) && takesMuch(s);
    }

    /** Whether collections cost enough to slow requests: in time, in CPU time, or by a pause as long as the slowest took. */
    private static boolean costs(TrialFacts s) {
        return s.gcShare().orElse(0) >= Thresholds.GC_NOTABLE
                || collectsMuch(s)
                || TimeRules.pauses(s) instanceof RuleResult.Found;
    }

    /** A limit, where they cost next to nothing: every server has some collections. */
    private static Severity severity(boolean cost) {
        return cost ? Severity.WARNING : Severity.LIMIT;
    }

    /** The collector's share of the target's CPU time. */
    static OptionalFigure ofCpu(TrialFacts s) {
        OptionalFigure gc = s.mean(Signals.CPU_GC);
        OptionalFigure all = s.mean(Signals.CPU_TOTAL);
        return gc.isPresent() && all.isPresent() && all.getAsDouble() > 0
                ? OptionalFigure.of(gc.getAsDouble() / all.getAsDouble())
                : OptionalFigure.empty();
    }

    private static String takes(TrialFacts s, double share) {
        return "Garbage collection takes " + Say.percent(share) + " of the time"
                + (ofCpu(s).isPresent()
                        ? " and " + Say.percent(ofCpu(s).getAsDouble()) + " of the target's CPU time"
                        : "");
    }

    private static RuleResult explicitGc(TrialFacts s) {
        OptionalFigure calls = s.sum(Signals.GC_EXPLICIT);
        if (calls.isEmpty()) {
            return new RuleResult.NotObserved(s.why(Signals.GC_EXPLICIT));
        }
        double perMinute = s.seconds() > 0 ? calls.getAsDouble() * 60 / s.seconds() : 0;
        boolean single = calls.getAsDouble() < FEWEST_CALLS && s.gcShare().orElse(0) < ONE_CALL_FELT;
        if (perMinute <= Thresholds.EXPLICIT_GC_PER_MINUTE || single) {
            return new RuleResult.Healthy(Say.count((int) calls.getAsDouble(), "call"));
        }
        OptionalFigure direct = ofDirect(s);
        if (direct.orElse(0) >= DIRECT_NEARLY_FULL) {
            return forDirectMemory(s, (int) calls.getAsDouble(), direct.getAsDouble());
        }
        boolean cost = costs(s);
        return new FindingBuilder(
                        EXPLICIT_GC,
                        severity(cost),
                        "The application calls System.gc()",
                        Say.count((int) calls.getAsDouble(), "collection") + " in " + Say.seconds(s.seconds())
                                + (calls.getAsDouble() == 1 ? " was" : " were")
                                + " asked for by the application; unless the collector works concurrently with the threads, each stops all of them.")
                .explains(cost)
                .seen(gc(s))
                .weight(s.gcShare().orElse(0))
                .remedy("Remove the call; until then -XX:+DisableExplicitGC or -XX:+ExplicitGCInvokesConcurrent")
                .knob("jvm.gc.explicit")
                .refutedBy("With -XX:+DisableExplicitGC throughput and p99 stay as they are.")
                .found();
    }

    /** The JDK calls System.gc() itself, and waits, when there is no room for a direct buffer. */
    private static RuleResult forDirectMemory(TrialFacts s, int calls, double ofLimit) {
        return new FindingBuilder(
                        EXPLICIT_GC,
                        Severity.WARNING,
                        "Direct memory is nearly used up, and System.gc() is called",
                        Say.count(calls, "collection") + " in " + Say.seconds(s.seconds())
                                + (calls == 1 ? " was" : " were") + " asked for, and direct buffers hold "
                                + Say.percent(ofLimit)
                                + " of what they may: the JDK itself calls System.gc() when it has no room"
                                + " for one.")
                .explains(costs(s))
                .seen(gc(s))
                .weight(s.gcShare().orElse(0))
                .remedy(
                        "Fewer or pooled direct buffers, or more memory for them (-XX:MaxDirectMemorySize). Not"
                                + " -XX:+DisableExplicitGC: without these collections the next buffer may be an OutOfMemoryError")
                .knob("jvm.direct.max")
                .refutedBy("With twice the direct memory there are as many such collections.")
                .found();
    }

    /** How much of the memory that direct buffers may take they hold; by default that is as much as the heap. */
    private static OptionalFigure ofDirect(TrialFacts s) {
        OptionalFigure held = s.max(Signals.MEMORY_DIRECT);
        OptionalFigure set = OperatingPoint.knob(s.trial().spec(), s.evidence(), "jvm.direct.max")
                .map(KnobValues::number)
                .filter(OptionalLong::isPresent)
                .map(n -> OptionalFigure.of(n.getAsLong()))
                .orElseGet(() -> s.last(Signals.HEAP_MAX));
        return held.isPresent() && set.isPresent() && set.getAsDouble() > 0
                ? OptionalFigure.of(Math.min(1, held.getAsDouble() / set.getAsDouble()))
                : OptionalFigure.empty();
    }

    private static Optional<String> gc(TrialFacts s) {
        return s.gcShare().isPresent()
                ? Optional.of("garbage collection " + Say.percent(s.gcShare().getAsDouble()) + " of the time")
                : Optional.empty();
    }

    private static RuleResult humongous(TrialFacts s) {
        OptionalFigure big = s.sum(Signals.GC_HUMONGOUS);
        OptionalFigure all = s.sum(Signals.GC_COUNT);
        if (big.isEmpty() || all.isEmpty()) {
            return new RuleResult.NotObserved(s.why(Signals.GC_HUMONGOUS));
        }
        double share = all.getAsDouble() > 0 ? big.getAsDouble() / all.getAsDouble() : 0;
        if (share <= MANY_HUMONGOUS || big.getAsDouble() < 2) {
            return new RuleResult.Healthy(
                    Say.whole(big.getAsDouble()) + " of " + Say.whole(all.getAsDouble()) + " collections");
        }
        boolean cost = costs(s);
        return new FindingBuilder(
                        HUMONGOUS,
                        severity(cost),
                        "Objects that are larger than half a G1 region",
                        Say.whole(big.getAsDouble()) + " of " + Say.whole(all.getAsDouble())
                                + " collections were caused by objects that fit into no region: each takes whole regions of"
                                + " its own.")
                .explains(cost)
                .seen(gc(s))
                .weight(share)
                .remedy("Smaller buffers, or larger regions (-XX:G1HeapRegionSize) and more heap")
                .knob("jvm.heap")
                .refutedBy("With regions of twice the size there are as many such collections.")
                .found();
    }

    private static Optional<Double> live(TrialFacts s) {
        OptionalFigure live = s.last(Signals.HEAP_LIVE);
        OptionalFigure max = s.last(Signals.HEAP_MAX);
        return live.isPresent() && max.isPresent() && max.getAsDouble() > 0
                ? Optional.of(live.getAsDouble() / max.getAsDouble())
                : Optional.empty();
    }

    private static RuleResult heapSmall(TrialFacts s) {
        OptionalFigure share = s.gcShare();
        if (share.isEmpty()) {
            return new RuleResult.NotObserved("the time in garbage collection was not read");
        }
        Optional<Double> live = live(s);
        if (share.getAsDouble() < Thresholds.GC_MUCH && !collectsMuch(s)) {
            return new RuleResult.Healthy(gc(s).orElse("")
                    + live.map(l -> ", " + Say.percent(l) + " of the heap live").orElse(""));
        }
        if (live.isEmpty()) {
            boolean left = s.last(Signals.HEAP_LIVE).isPresent();
            return new RuleResult.NotObserved(s.why(left ? Signals.HEAP_MAX : Signals.HEAP_LIVE));
        }
        if (live.get() < Thresholds.HEAP_LIVE) {
            return new RuleResult.Healthy(Say.percent(live.get()) + " of the heap live");
        }
        return new FindingBuilder(
                        HEAP_SMALL,
                        Severity.WARNING,
                        "The heap is too small for what stays alive in it",
                        takes(s, share.getAsDouble()) + ", and after a full collection, or a marking, "
                                + Say.percent(live.get()) + " of the largest heap ("
                                + Say.memory(s.last(Signals.HEAP_MAX).orElse(0))
                                + ") is still in use.")
                .seen(gc(s))
                .weight(Math.max(share.getAsDouble(), ofCpu(s).orElse(0)))
                .remedy("More heap (-Xmx) if what stays alive is needed, less of it if not (sessions, caches): another"
                        + " collector does not help")
                .knob("jvm.heap")
                .refutedBy("With twice the heap, garbage collection takes as much of the time.")
                .found();
    }

    private static RuleResult allocation(TrialFacts s) {
        OptionalFigure share = s.gcShare();
        if (share.isEmpty()) {
            return new RuleResult.NotObserved("the time in garbage collection was not read");
        }
        if (share.getAsDouble() < Thresholds.GC_MUCH && !collectsMuch(s)) {
            return new RuleResult.Healthy(gc(s).orElse(""));
        }
        OptionalFigure rate = s.mean(Signals.ALLOC_RATE);
        return new FindingBuilder(
                        ALLOCATION,
                        Severity.WARNING,
                        "Garbage collection takes much of the "
                                + (share.getAsDouble() < Thresholds.GC_MUCH ? "CPU time" : "time"),
                        takes(s, share.getAsDouble())
                                + (rate.isPresent() && s.served() > 0
                                        ? "; " + Say.memory(rate.getAsDouble())
                                                + " a second are allocated, "
                                                + Say.memory(rate.getAsDouble() / s.served()) + " a request"
                                        : "")
                                + live(s).map(l -> "; after it " + Say.percent(l) + " of the heap is in use")
                                        .orElse("; how much of the heap stays alive was not observed")
                                + ".")
                .seen(gc(s))
                .weight(Math.max(share.getAsDouble(), ofCpu(s).orElse(0)))
                .remedy("Allocate less (a profile of allocations says where), or give the young generation more room")
                .knob("jvm.heap")
                .refutedBy("With twice the heap, garbage collection takes as much of the time and throughput stays.")
                .found();
    }
}
