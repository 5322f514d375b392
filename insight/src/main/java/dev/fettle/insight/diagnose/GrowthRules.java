package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding.Severity;
import dev.fettle.insight.diagnose.Rule.Stage;
import dev.fettle.insight.explain.Thresholds;
import dev.fettle.insight.stats.Growth;
import dev.fettle.insight.words.Say;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Signals;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Rules about what grows, or gets faster, during measuring. Whether something grows, {@link Growth} says. What young collections leave
 * behind is not all live, so only what full collections and markings left counts.
 */
final class GrowthRules {
    static final String SESSIONS = "sessions-pile-up";
    static final String WARMING = "still-warming";
    static final String HEAP_GROWS = "live-heap-grows";
    static final String NATIVE_GROWS = "native-memory-grows";

    /** Relative growth during measuring that is worth mentioning. */
    private static final double GROWTH = 0.2;

    /** Sessions over requests from which on requests begin sessions. */
    private static final double A_SESSION_EACH = 0.5;

    /** CPU use of the compilers from which on the JVM itself still warms up. */
    private static final double COMPILING = 0.1;

    /** The least growth of what is live, bytes: collectors leave that much more or less by chance. */
    private static final double LEAST_HEAP = 4 << 20;

    /** The same as a part of the heap that the JVM has: G1 leaves garbage where little of it is in a region. */
    private static final double LEAST_OF_HEAP = 0.05;

    /** The least growth outside the heap, bytes. */
    private static final double LEAST_NATIVE = 32 << 20;

    /** As many bytes may be held by one session, or by one request under way. */
    private static final double EACH_MAY_HOLD = 1 << 20;

    /** From this throughput over that at the beginning on, more may be live because more is asked for. */
    private static final double MORE_LOAD = 1.2;

    /** Looks at what workers do from which a trend can be told: two at first and two at last. */
    private static final int LEAST_LOOKS = 4;

    /** Requests get faster if the holding time at the end is below this share of that at the beginning. */
    private static final double QUICKER = 0.7;

    /** If CPU time is more than this share of what a request got quicker by, its code got quicker: the JVM's own warm-up. */
    private static final double OF_ITS_CODE = 0.3;

    private GrowthRules() {}

    static List<Rule> rules() {
        return List.of(
                new Rule(
                                SESSIONS,
                                Stage.TREND,
                                "a session for every request",
                                "sessions grow by " + Say.share(A_SESSION_EACH)
                                        + " of the requests or more: a warning where the load keeps cookies or the heap fills;"
                                        + " a limit where the load brings none",
                                List.of(),
                                GrowthRules::sessions)
                        .shownBy(Signals.SESSIONS_ACTIVE, Signals.HEAP_LIVE),
                new Rule(
                                WARMING,
                                Stage.TREND,
                                "something that is not warm yet, besides the JVM",
                                "a request holds its worker for less than " + Say.share(QUICKER)
                                        + " of the time at first in the last third, and compilers use under "
                                        + Say.share(COMPILING)
                                        + " of a CPU or it sleeps for less",
                                List.of(FailureRules.DEADLOCK, HeapRules.HEAP_SMALL, CpuRules.THROTTLED),
                                GrowthRules::warming)
                        .shownBy(Signals.LOAD_RATE, Signals.WORKERS_BUSY, Signals.CPU_JIT),
                new Rule(
                                HEAP_GROWS,
                                Stage.TREND,
                                "a live heap that grows",
                                "what full collections or markings left, of " + Growth.LEAST
                                        + " or more, grows (a rank test, at most "
                                        + Say.percent(Growth.ALPHA) + " by chance) without levelling off, by "
                                        + Say.percent(GROWTH)
                                        + ", " + Say.memory(LEAST_HEAP) + " and " + Say.percent(LEAST_OF_HEAP)
                                        + " of the heap; neither sessions, requests under way nor the load grow with it",
                                List.of(SESSIONS, NATIVE_GROWS, HeapRules.HUMONGOUS, HeapRules.ALLOCATION),
                                GrowthRules::heapGrows)
                        .shownBy(Signals.HEAP_LIVE, Signals.GC_SHARE),
                new Rule(
                                NATIVE_GROWS,
                                Stage.TREND,
                                "memory outside the heap that grows",
                                "grows (as a live heap does, in the same test) by " + Say.percent(GROWTH) + " and "
                                        + Say.memory(LEAST_NATIVE) + ", the heap's growth taken off",
                                List.of(SESSIONS),
                                GrowthRules::nativeGrows)
                        .shownBy(Signals.MEMORY_RSS, Signals.HEAP_COMMITTED));
    }

    private static RuleResult sessions(TrialFacts s) {
        double[] all = s.values(Signals.SESSIONS_ACTIVE);
        if (all.length < 2) {
            return new RuleResult.NotObserved(s.why(Signals.SESSIONS_ACTIVE));
        }
        double grew = all[all.length - 1] - all[0];
        double requests = s.answered();
        double each = requests > 0 ? grew / requests : 0;
        if (each < A_SESSION_EACH) {
            return new RuleResult.Healthy(Say.number(each) + " more sessions a request");
        }
        Optional<String> asked = newUsers(s);
        return new FindingBuilder(
                        SESSIONS,
                        asked.isPresent() && !heapSuffers(s) ? Severity.LIMIT : Severity.WARNING,
                        "Every request opens a session that stays",
                        Say.whole(grew) + " sessions more after " + Say.whole(requests) + " requests, "
                                + Say.whole(all[all.length - 1])
                                + " in all: each stays for its whole time-out, whether its user comes back or not."
                                + asked.map(a -> " " + a + ": so come robots and health checks, browsers don't.")
                                        .orElse(""))
                .seen(Say.number(each) + " sessions a request")
                .weight(each)
                .remedy(
                        "No session where none is needed (getSession(false)), and a short time-out for those without a login;"
                                + " another collector does not help"
                                + (asked.isPresent()
                                        ? ". To measure users who come back: a scenario that keeps their cookies"
                                        : ""))
                .refutedBy(
                        asked.isPresent()
                                ? "With clients that keep their cookies, the number grows as fast."
                                : "A list of the sessions with one for each user.")
                .found();
    }

    /** Why every request, or every few, looks like one of a new user: the load sends no cookie. Empty if it may. */
    private static Optional<String> newUsers(TrialFacts s) {
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
                || heapGrows(s) instanceof RuleResult.Found;
    }

    private static RuleResult warming(TrialFacts s) {
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
        String figure = "a request held its worker for " + Say.seconds(first) + " at first, and for "
                + Say.seconds(last) + " at last";
        if (!(last < QUICKER * first) || !s.rise(Signals.LOAD_RATE).rises()) {
            return new RuleResult.Healthy(figure);
        }
        // what requests sleep, a compiler can't shorten
        boolean sleepsLess = sleepsLess(s);
        if (jit.getAsDouble() >= COMPILING && !sleepsLess) {
            return new RuleResult.Healthy(figure + ", but the JVM was still compiling");
        }
        double cpuSaved = cpuSaved(s);
        if (cpuSaved > OF_ITS_CODE * (first - last)) {
            return new RuleResult.Healthy(figure + ", but used " + Say.seconds(cpuSaved)
                    + " less CPU time as well, as when code gets compiled");
        }
        return new FindingBuilder(
                        WARMING,
                        Severity.WARNING,
                        "Something is still filling: requests get quicker all the time",
                        figure.substring(0, 1).toUpperCase(Locale.ROOT) + figure.substring(1)
                                + ", while the JVM's compilers used " + Say.percent(jit.getAsDouble())
                                + " of a CPU"
                                + (sleepsLess
                                        ? ", and requests slept for less and less, which no compiler brings about"
                                        : "")
                                + ": that is consistent with something that is empty at the start, such as a cache, and"
                                + " hardly with the JVM's own warm-up.")
                .seen(Say.number(rate[0]) + "/s at first, " + Say.number(rate[rate.length - 1]) + "/s at last")
                .weight(1 - last / first)
                .remedy(
                        "Fill the cache before the server is given load, or let requests for the same thing wait for one fetch;"
                                + " measure when it is full")
                .refutedBy("A second measurement of the same server, without a restart, begins as slow.")
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
        return atLast < QUICKER * atFirst;
    }

    /** Busy workers over throughput, from one point to another. */
    private static double holding(double[][] rateAndBusy, int from, int to) {
        double x = Arrays.stream(rateAndBusy[0], from, to).sum();
        return x > 0 ? Arrays.stream(rateAndBusy[1], from, to).sum() / x : Double.NaN;
    }

    private static RuleResult heapGrows(TrialFacts s) {
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
        String figure = Say.memory(s.last(Signals.HEAP_LIVE).orElse(0)) + " live, of " + Say.memory(max.getAsDouble());
        if (!live.shown()
                || live.grew() < GROWTH * live.first()
                || live.grew() < LEAST_OF_HEAP * s.last(Signals.HEAP_COMMITTED).orElse(max.getAsDouble())
                || live.grew() < LEAST_HEAP) {
            return new RuleResult.Healthy(figure);
        }
        Optional<String> held = heldByMore(s, live.grew());
        if (held.isPresent()) {
            return new RuleResult.NotObserved(held.get());
        }
        return new FindingBuilder(
                        HEAP_GROWS,
                        Severity.WARNING,
                        "What is live in the heap grows",
                        "Over " + live.points() + " full collections or markings in " + Say.seconds(live.seconds())
                                + " what they left grew from " + Say.memory(live.first()) + " to "
                                + Say.memory(live.last()) + ", and it did not level off in that time."
                                + goesOn(live, max.getAsDouble()))
                .seen(figure)
                .weight(live.last() / max.getAsDouble())
                .remedy(
                        "A heap dump, and what in it grows (jcmd PID GC.class_histogram, twice): sessions, a cache without a"
                                + " bound, listeners")
                .refutedBy("A run of ten times the length in which it levels off.")
                .found();
    }

    /** When the heap is full if it goes on so. */
    private static String goesOn(Growth live, double max) {
        OptionalFigure first = live.reaches(max, true);
        OptionalFigure last = live.reaches(max, false);
        return first.isPresent() && last.isPresent()
                ? " If it goes on so, the heap is full within " + Say.seconds(first.getAsDouble()) + " to "
                        + Say.seconds(last.getAsDouble()) + " (95 % interval of the growth)."
                : "";
    }

    /** What may hold the memory that came, and be given back by itself: more sessions, which expire, or more requests under way. */
    private static Optional<String> heldByMore(TrialFacts s, double bytes) {
        for (var each : List.of(
                Map.entry(Signals.SESSIONS_ACTIVE, "sessions, which expire"),
                Map.entry(Signals.LOAD_INFLIGHT, "requests under way"))) {
            Growth more = s.rise(each.getKey());
            if (more.rises() && bytes < EACH_MAY_HOLD * more.grew()) {
                return Optional.of("what is live grew by " + Say.memory(bytes) + " and there were "
                        + Say.whole(more.grew()) + " more " + each.getValue() + ": whether they hold it was not seen");
            }
        }
        Growth rate = s.rise(Signals.LOAD_RATE);
        return rate.rises() && rate.last() > MORE_LOAD * rate.first()
                ? Optional.of("what is live grew by " + Say.memory(bytes) + ", and the throughput from "
                        + Say.number(rate.first()) + " to " + Say.number(rate.last())
                        + "/s: whether more requests hold more was not seen")
                : Optional.empty();
    }

    private static RuleResult nativeGrows(TrialFacts s) {
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
        if (!growth.shown() || grew < GROWTH * rss[0] || grew < LEAST_NATIVE + room) {
            return new RuleResult.Healthy(Say.memory(rss[rss.length - 1]) + " resident");
        }
        OptionalFigure direct = s.last(Signals.MEMORY_DIRECT);
        return new FindingBuilder(
                        NATIVE_GROWS,
                        Severity.WARNING,
                        "Memory outside the heap grows",
                        "The process grew by " + Say.memory(grew) + " in " + Say.seconds(growth.seconds())
                                + " without its heap, and it did not level off in that time"
                                + (direct.isPresent()
                                        ? "; direct buffers hold " + Say.memory(direct.getAsDouble())
                                        : "")
                                + ".")
                .remedy(
                        "Native Memory Tracking (-XX:NativeMemoryTracking=summary, jcmd VM.native_memory): direct buffers,"
                                + " threads, a native library")
                .knob("jvm.direct.max")
                .refutedBy("A run of ten times the length in which it levels off.")
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
