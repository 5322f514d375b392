package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding.Severity;
import dev.fettle.insight.explain.Thresholds;
import dev.fettle.insight.stats.Growth;
import dev.fettle.model.rule.RuleEntry;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Signals;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Rules about what grows, or gets faster, during measuring. Whether something grows, {@link Growth} says. What young collections leave
 * behind is not all live, so only what full collections and markings left counts.
 */
final class GrowthRules {
    /** Looks at what workers do from which a trend can be told: two at first and two at last. */
    private static final int LEAST_LOOKS = 4;

    private GrowthRules() {}

    static List<DiagnosisRule> rules() {
        return List.of(
                DiagnosisRule.of("sessions-pile-up", GrowthRules::sessions),
                DiagnosisRule.of("still-warming", GrowthRules::warming).othersCanCauseUnless(GrowthRules::sleepsLess),
                DiagnosisRule.of("live-heap-grows", GrowthRules::heapGrows),
                DiagnosisRule.of("native-memory-grows", GrowthRules::nativeGrows));
    }

    private static RuleResult sessions(RuleEntry r, TrialFacts s) {
        double[] all = s.values(Signals.SESSIONS_ACTIVE);
        if (all.length < 2) {
            return new RuleResult.NotObserved(s.why(Signals.SESSIONS_ACTIVE));
        }
        double grew = all[all.length - 1] - all[0];
        double requests = s.answered();
        double each = requests > 0 ? grew / requests : 0;
        if (each < r.bound("each")) {
            return new RuleResult.Healthy(Format.number(each) + " more sessions a request");
        }
        Optional<String> asked = newUsers(s);
        return new FindingBuilder(
                        r,
                        asked.isPresent() && !heapSuffers(s) ? Severity.LIMIT : Severity.WARNING,
                        "grew",
                        grew,
                        "requests",
                        requests,
                        "all",
                        all[all.length - 1],
                        "asked",
                        asked)
                .seen(Format.number(each) + " sessions a request")
                .weight(each)
                .found();
    }

    /** Why every request, or every few, looks like one of a new user: the load sends no cookie. Empty if it may. */
    private static Optional<String> newUsers(TrialFacts s) {
        if (s.isObserved()) {
            return Optional.empty();
        }
        var load = s.trial().spec().load();
        if (load.scenario().isPresent()) {
            return load.scenario()
                    .filter(x -> !x.keepCookies())
                    .map(x -> "Each iteration of this load begins without cookies, as a new user");
        }
        return load.request().headers().keySet().stream().noneMatch("cookie"::equalsIgnoreCase)
                ? Optional.of("This load sends no cookies, so each request is one of a new user")
                : Optional.empty();
    }

    /** Whether the heap is short of room, or gets so while it is looked at. */
    private static boolean heapSuffers(TrialFacts s) {
        double live = s.last(Signals.HEAP_LIVE).orElse(0);
        return s.trial().failure().isPresent()
                || s.gcShare().orElse(0) >= Thresholds.GC_NOTABLE
                || live >= Thresholds.HEAP_LIVE * s.last(Signals.HEAP_MAX).orElse(Double.POSITIVE_INFINITY)
                || heapGrows(DiagnosisRule.entry("live-heap-grows"), s) instanceof RuleResult.Found;
    }

    private static RuleResult warming(RuleEntry r, TrialFacts s) {
        double[][] both = s.together(Signals.LOAD_RATE, Signals.WORKERS_BUSY);
        double[] rate = both[0];
        int third = rate.length / 3;
        OptionalFigure jit = s.mean(Signals.CPU_JIT);
        if (third < 3 || jit.isEmpty()) {
            return new RuleResult.NotObserved(
                    jit.isEmpty() ? s.why(Signals.CPU_JIT) : "nine points of busy workers are needed");
        }
        Optional<String> doubted = s.busyDoubted();
        if (doubted.isPresent()) {
            return new RuleResult.NotObserved(doubted.get());
        }
        double first = holding(both, 0, third);
        double last = holding(both, rate.length - third, rate.length);
        String figure = r.text("figure", "first", first, "last", last);
        if (!(last < r.bound("quicker") * first) || !s.rise(Signals.LOAD_RATE).rises()) {
            return new RuleResult.Healthy(figure);
        }
        // what requests sleep, a compiler can't shorten
        boolean sleepsLess = sleepsLess(s);
        if (jit.getAsDouble() >= r.bound("compiling") && !sleepsLess) {
            return new RuleResult.Healthy(figure + ", but the JVM was still compiling");
        }
        double cpuSaved = cpuSaved(s);
        if (cpuSaved > r.bound("of-its-code") * (first - last)) {
            return new RuleResult.Healthy(figure + ", but used " + Format.seconds(cpuSaved)
                    + " less CPU time as well, as when code gets compiled");
        }
        return new FindingBuilder(r, Severity.WARNING, "first", first, "last", last, "jit", jit, "sleeps", sleepsLess)
                .seen(Format.number(rate[0]) + "/s at first, " + Format.number(rate[rate.length - 1]) + "/s at last")
                .weight(1 - last / first)
                .found();
    }

    /** By how much the CPU time of a request fell from the first third to the last, in seconds; 0 if it was not observed. */
    private static double cpuSaved(TrialFacts s) {
        double[][] both = s.together(Signals.LOAD_RATE, Signals.CPU_TOTAL);
        int n = both[0].length;
        double saved = n < 9 ? 0 : holding(both, 0, n / 3) - holding(both, n - n / 3, n);
        return Double.isNaN(saved) ? 0 : saved;
    }

    /**
     * Whether requests sleep for less at the end than at the beginning, at each look of either. Other processes can't
     * cause that, as sleeping needs no CPU. (The CPU time that others use says nothing here: they get what a faster target leaves.)
     */
    static boolean sleepsLess(TrialFacts s) {
        double[][] both = s.together(Signals.WAIT_SLEEP, Signals.LOAD_RATE);
        int n = both[0].length;
        if (n < LEAST_LOOKS) {
            return false;
        }
        double[] each = new double[n];
        for (int i = 0; i < n; i++) {
            each[i] = both[1][i] > 0 ? both[0][i] / both[1][i] : Double.POSITIVE_INFINITY;
        }
        int some = Math.max(2, n / 3);
        double atFirst = Arrays.stream(each, 0, some).min().orElseThrow();
        double atLast = Arrays.stream(each, n - some, n).max().orElseThrow();
        return atLast < DiagnosisRule.bound("still-warming", "quicker") * atFirst;
    }

    /** Busy workers over throughput, from one point to another. */
    private static double holding(double[][] rateAndBusy, int from, int to) {
        double x = Arrays.stream(rateAndBusy[0], from, to).sum();
        return x > 0 ? Arrays.stream(rateAndBusy[1], from, to).sum() / x : Double.NaN;
    }

    private static RuleResult heapGrows(RuleEntry r, TrialFacts s) {
        OptionalFigure max = s.last(Signals.HEAP_MAX);
        Growth live = s.growth(Signals.HEAP_LIVE);
        if (live.points() < Growth.LEAST || max.isEmpty()) {
            return new RuleResult.NotObserved(
                    live.points() == 0
                            ? s.why(Signals.HEAP_LIVE)
                            : live.points() < Growth.LEAST
                                    ? Growth.LEAST + " full collections or markings are needed to see growth; "
                                            + live.points() + " ended in that time"
                                    : s.why(Signals.HEAP_MAX));
        }
        String figure =
                Format.bytes(s.last(Signals.HEAP_LIVE).orElse(0)) + " live, of " + Format.bytes(max.getAsDouble());
        if (!live.shown()
                || live.grew() < r.bound("growth") * live.first()
                || live.grew()
                        < r.bound("of-heap") * s.last(Signals.HEAP_COMMITTED).orElse(max.getAsDouble())
                || live.grew() < r.bound("least-heap")) {
            return new RuleResult.Healthy(figure);
        }
        Optional<String> held = heldByMore(r, s, live.grew());
        if (held.isPresent()) {
            return new RuleResult.NotObserved(held.get());
        }
        return new FindingBuilder(
                        r,
                        Severity.WARNING,
                        "points",
                        live.points(),
                        "seconds",
                        live.seconds(),
                        "first",
                        live.first(),
                        "last",
                        live.last(),
                        // when the heap is full if it goes on so
                        "from",
                        live.reaches(max.getAsDouble(), true),
                        "to",
                        live.reaches(max.getAsDouble(), false))
                .seen(figure)
                .weight(live.last() / max.getAsDouble())
                .found();
    }

    /** What may hold the memory that came, and be given back by itself: more sessions, which expire, or more requests under way. */
    private static Optional<String> heldByMore(RuleEntry r, TrialFacts s, double bytes) {
        for (var each : List.of(
                Map.entry(Signals.SESSIONS_ACTIVE, "sessions, which expire"),
                Map.entry(Signals.LOAD_INFLIGHT, "requests under way"))) {
            Growth more = s.rise(each.getKey());
            if (more.rises() && bytes < r.bound("each-may-hold") * more.grew()) {
                return Optional.of("what is live grew by " + Format.bytes(bytes) + " and there were "
                        + Format.whole(more.grew()) + " more " + each.getValue()
                        + ": whether they hold it was not seen");
            }
        }
        Growth rate = s.rise(Signals.LOAD_RATE);
        return rate.rises() && rate.last() > r.bound("more-load") * rate.first()
                ? Optional.of("what is live grew by " + Format.bytes(bytes) + ", and the throughput from "
                        + Format.number(rate.first()) + " to " + Format.number(rate.last())
                        + "/s: whether more requests hold more was not seen")
                : Optional.empty();
    }

    private static RuleResult nativeGrows(RuleEntry r, TrialFacts s) {
        double[][] both = s.together(Signals.MEMORY_RSS, Signals.HEAP_COMMITTED);
        double[] rss = both[0];
        double[] heap = both[1];
        if (rss.length < Growth.LEAST) {
            return new RuleResult.NotObserved(
                    s.values(Signals.MEMORY_RSS).length == 0
                            ? s.why(Signals.MEMORY_RSS)
                            : s.values(Signals.HEAP_COMMITTED).length == 0
                                    ? s.why(Signals.HEAP_COMMITTED)
                                    : Growth.LEAST + " points are needed to see growth; " + rss.length + " were seen");
        }
        double[] outside = new double[rss.length];
        for (int i = 0; i < rss.length; i++) {
            outside[i] = rss[i] - Math.max(heap[0], heap[i]);
        }
        double[] times = s.whileServed(Signals.MEMORY_RSS)[0];
        // the first ones, at which the heap was not known yet, are left out
        int known = Math.min(times.length, s.values(Signals.MEMORY_RSS).length - rss.length);
        Growth growth = Growth.beginningLate(
                Arrays.copyOfRange(times, known, times.length),
                Arrays.copyOf(outside, times.length - known),
                Double.NEGATIVE_INFINITY);
        double grew = growth.grew();
        // a heap that is touched for the first time becomes resident without more of it being committed; growing direct
        // buffers
        // are outside it for certain
        double room = grown(s.values(Signals.MEMORY_DIRECT)) > grew / 2 ? 0 : untouched(s, heap[0]);
        if (!growth.shown() || grew < r.bound("growth") * rss[0] || grew < r.bound("least-native") + room) {
            return new RuleResult.Healthy(Format.bytes(rss[rss.length - 1]) + " resident");
        }
        return new FindingBuilder(
                        r,
                        Severity.WARNING,
                        "grew",
                        grew,
                        "seconds",
                        growth.seconds(),
                        "direct",
                        s.last(Signals.MEMORY_DIRECT))
                .knob("jvm.direct.max")
                .found();
    }

    private static double grown(double... values) {
        return values.length < 2 ? 0 : values[values.length - 1] - values[0];
    }

    /** How much of the heap may not have been touched yet: what is committed, less the most that was in use at first. */
    private static double untouched(TrialFacts s, double committed) {
        double[] used = s.values(Signals.HEAP_USED);
        return Math.max(
                0,
                committed
                        - Arrays.stream(used)
                                .limit(Math.max(1, used.length / 3))
                                .max()
                                .orElse(0));
    }
}
