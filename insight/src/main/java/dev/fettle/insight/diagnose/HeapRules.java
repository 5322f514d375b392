package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding.Severity;
import dev.fettle.insight.diagnose.Refutation.Expected;
import dev.fettle.insight.diagnose.Refutation.Tests;
import dev.fettle.insight.explain.OperatingPoint;
import dev.fettle.insight.explain.Thresholds;
import dev.fettle.insight.words.FigureText;
import dev.fettle.insight.words.KnobValues;
import dev.fettle.model.rule.RuleEntry;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Signals;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Rules about CPU time spent on garbage collection, and its cause. */
final class HeapRules {
    /** The JDK asks for a collection there, and waits, when no direct memory is left for a buffer. */
    private static final List<String> FOR_DIRECT_MEMORY = List.of("java.nio.Bits.reserveMemory");

    private static final List<String> CALLS_GC = List.of("java.lang.System.gc", "java.lang.Runtime.gc");

    private HeapRules() {}

    /** What most of the threads that ran were in, where a rule only knows that something allocates. */
    private static Optional<Stacks.Hot> mostly(TrialFacts s) {
        return s.deepStacks().own().filter(h -> h.share() >= Thresholds.MOST_OF_A_REQUEST);
    }

    private static FindingBuilder allocates(FindingBuilder d, TrialFacts s) {
        return d.with("in", mostly(s).map(Stacks.Hot::method))
                .with("in-share", mostly(s).map(Stacks.Hot::share));
    }

    static List<DiagnosisRule> rules() {
        Refutation twice = Refutation.by((_, b) -> RefutationTrial.twice("jvm.heap", "the heap", b));
        return List.of(
                DiagnosisRule.of("explicit-gc", HeapRules::explicitGc)
                        .refutedBy(Refutation.by((f, b) -> f.knob()
                                        .filter("jvm.gc.explicit"::equals)
                                        .flatMap(k ->
                                                RefutationTrial.set(k, "false", "with System.gc() switched off", b)))
                                .figure(HeapRules::calls)
                                .tests(Tests.COUNTED)),
                DiagnosisRule.of("humongous-allocation", HeapRules::humongous)
                        .refutedBy(twice.figure(HeapRules::largeObjects)),
                DiagnosisRule.of("heap-small", HeapRules::heapSmall)
                        .othersCanCauseUnless(HeapRules::collectsMuchItself)
                        .refutedBy(twice.figure(HeapRules::garbage)),
                DiagnosisRule.of("allocation", HeapRules::allocation)
                        .othersCanCauseUnless(HeapRules::collectsMuchItself)
                        .refutedBy(twice.figure(HeapRules::garbage)));
    }

    /**
     * More heap makes collections rarer in proportion to what is free in it, so with twice the heap the collector has at most half of its
     * time for each second of the rest: better is what lies on that side of the middle between half and all, on the log scale.
     */
    private static final double HALFWAY_TO_HALF = StrictMath.sqrt(2);

    /** Of fewer collections than this, the number differs by more than a seventh by chance. */
    private static final double COLLECTIONS = 100;

    /** The collector's share, in whichever form it was found to be much: of the time, else of the CPU time. */
    private static TestedFigure garbage(Expected expected, TrialFacts before, TrialFacts after, double clear) {
        boolean time = before.gcShare().orElse(0) >= Thresholds.GC_MUCH;
        OptionalFigure was = time ? before.gcShare() : ofCpu(before);
        OptionalFigure is = time ? after.gcShare() : ofCpu(after);
        if (was.isEmpty() || is.isEmpty()) {
            return TestedFigure.unknown(before, after, clear);
        }
        TestedFigure share = TestedFigure.by(
                toTheRest(was.getAsDouble()) / toTheRest(is.getAsDouble()),
                Math.max(clear, HALFWAY_TO_HALF),
                ", garbage collection " + Format.share(is.getAsDouble()) + " instead of "
                        + Format.share(was.getAsDouble()) + " of the " + (time ? "time" : "CPU time"));
        // collections as before, and yet more throughput: that is not what is predicted, nor its opposite
        return share.sameIf(TestedFigure.gain(before, after) < Thresholds.NO_GAIN);
    }

    /** What it takes for each second of the rest: a share can't double where it is more than half. */
    private static double toTheRest(double share) {
        double s = Math.clamp(share, 0, 0.999);
        return s / (1 - s);
    }

    /** Collections of large objects, per request. More heap need not make the regions larger, so as many as before refute nothing. */
    private static TestedFigure largeObjects(Expected expected, TrialFacts before, TrialFacts after, double clear) {
        OptionalFigure was = before.sum(Signals.GC_HUMONGOUS);
        OptionalFigure is = after.sum(Signals.GC_HUMONGOUS);
        if (was.isEmpty() || is.isEmpty() || was.getAsDouble() < COLLECTIONS) {
            return TestedFigure.unknown(before, after, clear);
        }
        return TestedFigure.by(
                        (was.getAsDouble() / before.answered()) / (is.getAsDouble() / after.answered()),
                        Math.max(clear, HALFWAY_TO_HALF),
                        ", " + Format.whole(is.getAsDouble()) + " such collections in "
                                + Format.seconds(after.seconds())
                                + " instead of " + Format.whole(was.getAsDouble()) + " in "
                                + Format.seconds(before.seconds()))
                .unless(true, "Twice the heap need not make its regions larger, so this test decides nothing.");
    }

    /** Whether calls that were made cost anything: throughput, and the p99. */
    private static TestedFigure calls(Expected expected, TrialFacts before, TrialFacts after, double clear) {
        double was = before.measurement().map(m -> m.latency().p99() / 1e9).orElse(0.0);
        double is = after.measurement().map(m -> m.latency().p99() / 1e9).orElse(0.0);
        double gain = TestedFigure.gain(before, after);
        return new TestedFigure(
                        gain >= clear || was >= TestedFigure.HALF * is,
                        gain < Thresholds.NO_GAIN && was < Thresholds.NO_GAIN * is,
                        ", p99 " + Format.seconds(is) + " instead of " + Format.seconds(was),
                        Optional.empty())
                .unless(
                        after.sum(Signals.GC_EXPLICIT).orElse(0) > 0,
                        "The application's calls were obeyed all the same, so this test decides nothing.");
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
        return s.gcShare().orElse(0) >= Thresholds.GC_NOTABLE || collectsMuch(s) || TimeRules.pausesLong(s);
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
        return "Garbage collection takes " + Format.share(share) + " of the time"
                + (ofCpu(s).isPresent()
                        ? " and " + Format.share(ofCpu(s).getAsDouble()) + " of the target's CPU time"
                        : "");
    }

    private static RuleResult explicitGc(RuleEntry r, TrialFacts s) {
        OptionalFigure sum = s.sum(Signals.GC_EXPLICIT);
        if (sum.isEmpty()) {
            return new RuleResult.NotObserved(s.why(Signals.GC_EXPLICIT));
        }
        double calls = sum.getAsDouble();
        double perMinute = s.seconds() > 0 ? calls * 60 / s.seconds() : 0;
        boolean single = calls < r.bound("least") && s.gcShare().orElse(0) < r.bound("felt");
        if (perMinute <= r.bound("per-minute") || single) {
            return new RuleResult.Healthy(FigureText.count((int) calls, "call"));
        }
        OptionalFigure held = ofDirect(s);
        // the JDK calls System.gc() itself, and waits, when there is no room for a direct buffer
        Optional<String> wants = s.waits().callerOf(FOR_DIRECT_MEMORY);
        boolean direct = wants.isPresent() || held.orElse(0) >= r.bound("direct");
        boolean cost = costs(s);
        return new FindingBuilder(r, direct ? Severity.WARNING : severity(cost), "n", calls, "seconds", s.seconds())
                .with("held", held.orElse(0) >= r.bound("direct") ? held : OptionalFigure.empty())
                .with("wants", wants)
                .with("caller", direct ? Optional.empty() : s.waits().callerOf(CALLS_GC))
                .as(direct ? "direct" : "")
                .explains(cost)
                .seen(gc(s))
                .weight(s.gcShare().orElse(0))
                .knob(direct ? "jvm.direct.max" : "jvm.gc.explicit")
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
                ? Optional.of("garbage collection " + Format.share(s.gcShare().getAsDouble()) + " of the time")
                : Optional.empty();
    }

    private static RuleResult humongous(RuleEntry r, TrialFacts s) {
        OptionalFigure big = s.sum(Signals.GC_HUMONGOUS);
        OptionalFigure all = s.sum(Signals.GC_COUNT);
        if (big.isEmpty() || all.isEmpty()) {
            return new RuleResult.NotObserved(s.why(Signals.GC_HUMONGOUS));
        }
        double share = all.getAsDouble() > 0 ? big.getAsDouble() / all.getAsDouble() : 0;
        if (share <= r.bound("many") || big.getAsDouble() < 2) {
            return new RuleResult.Healthy(
                    Format.whole(big.getAsDouble()) + " of " + Format.whole(all.getAsDouble()) + " collections");
        }
        boolean cost = costs(s);
        return allocates(new FindingBuilder(r, severity(cost), "big", big, "all", all), s)
                .explains(cost)
                .seen(gc(s))
                .weight(share)
                .knob("jvm.heap")
                .found();
    }

    private static Optional<Double> live(TrialFacts s) {
        OptionalFigure live = s.last(Signals.HEAP_LIVE);
        OptionalFigure max = s.last(Signals.HEAP_MAX);
        return live.isPresent() && max.isPresent() && max.getAsDouble() > 0
                ? Optional.of(live.getAsDouble() / max.getAsDouble())
                : Optional.empty();
    }

    private static RuleResult heapSmall(RuleEntry r, TrialFacts s) {
        OptionalFigure share = s.gcShare();
        if (share.isEmpty()) {
            return new RuleResult.NotObserved("the time in garbage collection was not read");
        }
        Optional<Double> live = live(s);
        if (share.getAsDouble() < Thresholds.GC_MUCH && !collectsMuch(s)) {
            return new RuleResult.Healthy(gc(s).orElse("")
                    + live.map(l -> ", " + Format.share(l) + " of the heap live")
                            .orElse(""));
        }
        if (live.isEmpty()) {
            boolean left = s.last(Signals.HEAP_LIVE).isPresent();
            return new RuleResult.NotObserved(s.why(left ? Signals.HEAP_MAX : Signals.HEAP_LIVE));
        }
        if (live.get() < Thresholds.HEAP_LIVE) {
            return new RuleResult.Healthy(Format.share(live.get()) + " of the heap live");
        }
        return allocates(
                        new FindingBuilder(
                                r,
                                Severity.WARNING,
                                "takes",
                                takes(s, share.getAsDouble()),
                                "live",
                                live,
                                "max",
                                s.last(Signals.HEAP_MAX)),
                        s)
                .seen(gc(s))
                .weight(Math.max(share.getAsDouble(), ofCpu(s).orElse(0)))
                .knob("jvm.heap")
                .found();
    }

    private static RuleResult allocation(RuleEntry r, TrialFacts s) {
        OptionalFigure share = s.gcShare();
        if (share.isEmpty()) {
            return new RuleResult.NotObserved("the time in garbage collection was not read");
        }
        if (share.getAsDouble() < Thresholds.GC_MUCH && !collectsMuch(s)) {
            return new RuleResult.Healthy(gc(s).orElse(""));
        }
        OptionalFigure rate = s.served() > 0 ? s.mean(Signals.ALLOC_RATE) : OptionalFigure.empty();
        return allocates(
                        new FindingBuilder(
                                r,
                                Severity.WARNING,
                                "cpu",
                                share.getAsDouble() < Thresholds.GC_MUCH,
                                "takes",
                                takes(s, share.getAsDouble()),
                                "rate",
                                rate,
                                "each",
                                rate.orElse(0) / s.served(),
                                "live",
                                live(s)),
                        s)
                .seen(gc(s))
                .weight(Math.max(share.getAsDouble(), ofCpu(s).orElse(0)))
                .knob("jvm.heap")
                .found();
    }
}
