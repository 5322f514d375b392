package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding.Severity;
import dev.fettle.insight.diagnose.Rule.Stage;
import dev.fettle.insight.explain.Thresholds;
import dev.fettle.insight.stats.Regression;
import dev.fettle.insight.words.Say;
import dev.fettle.model.trial.Signals;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Rules about what grows, or gets faster, during measuring. What young collections leave behind is not all live, so if
 * a heap grows with much garbage around, the garbage may be the cause.
 */
final class GrowthRules {
    static final String SESSIONS = "sessions-pile-up";
    static final String WARMING = "still-warming";
    static final String HEAP_GROWS = "live-heap-grows";
    static final String NATIVE_GROWS = "native-memory-grows";

    private static final int POINTS = 5;

    /** Relative growth during measuring that is worth mentioning. */
    private static final double GROWTH = 0.2;

    /** Looks at what workers do from which a trend can be told: two at first and two at last. */
    private static final int LEAST_LOOKS = 4;

    /** Requests get faster if the holding time at the end is below this share of that at the beginning. */
    private static final double QUICKER = 0.7;

    /**
     * Share of the allocated bytes that may be promoted by chance. Where objects were really kept it was 0.6 % and
     * more.
     */
    private static final double LEFT_BEHIND = 0.001;

    /** If CPU time is more than this share of what a request got quicker by, its code got quicker: the JVM's own warm-up. */
    private static final double OF_ITS_CODE = 0.3;

    private static final double BYTES_PER_MEGABYTE = 1 << 20;

    private GrowthRules() {}

    static List<Rule> rules() {
        return List.of(
                new Rule(
                                SESSIONS,
                                Stage.TREND,
                                "a session for every request",
                                "sessions grow by more than half of the requests: a warning where the load keeps cookies or the heap fills;"
                                        + " a limit where the load brings none",
                                List.of(),
                                GrowthRules::sessions)
                        .shownBy(Signals.SESSIONS_ACTIVE, Signals.HEAP_AFTER_GC),
                new Rule(
                                WARMING,
                                Stage.TREND,
                                "something that is not warm yet, besides the JVM",
                                "a request holds its worker for 30 % less in the last third, and compilers use under a tenth of a CPU or it sleeps for less",
                                List.of(FailureRules.DEADLOCK, HeapRules.HEAP_SMALL, CpuRules.THROTTLED),
                                GrowthRules::warming)
                        .shownBy(Signals.LOAD_RATE, Signals.WORKERS_BUSY, Signals.CPU_JIT),
                new Rule(
                                HEAP_GROWS,
                                Stage.TREND,
                                "a live heap that grows",
                                "in use after collections, over five of them or more, R² > 0.8, by 20 % and 4 MB, and by a thousandth of what is"
                                        + " allocated or to 70 % of the heap (it was 0.6 % and more where objects were really kept)",
                                List.of(SESSIONS, NATIVE_GROWS, HeapRules.HUMONGOUS, HeapRules.ALLOCATION),
                                GrowthRules::heapGrows)
                        .shownBy(Signals.HEAP_AFTER_GC, Signals.GC_SHARE),
                new Rule(
                                NATIVE_GROWS,
                                Stage.TREND,
                                "memory outside the heap that grows",
                                "grows in a line by 20 % and 32 MB, the heap's growth taken off",
                                List.of(SESSIONS),
                                GrowthRules::nativeGrows)
                        .shownBy(Signals.MEMORY_RSS, Signals.HEAP_COMMITTED));
    }

    private static Look sessions(Sight s) {
        double[] all = s.values(Signals.SESSIONS_ACTIVE);
        if (all.length < 2) {
            return new Look.NotObserved(s.why(Signals.SESSIONS_ACTIVE));
        }
        double grew = all[all.length - 1] - all[0];
        double requests = s.answered();
        double each = requests > 0 ? grew / requests : 0;
        if (each < 0.5) {
            return new Look.Healthy(Say.number(each) + " more sessions a request");
        }
        Optional<String> asked = newUsers(s);
        return new Draft(
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
    private static Optional<String> newUsers(Sight s) {
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
    private static boolean heapSuffers(Sight s) {
        double live = s.last(Signals.HEAP_AFTER_GC).orElse(0);
        return s.trial().failure().isPresent()
                || s.gcShare().orElse(0) >= Thresholds.GC_NOTABLE
                || live >= Thresholds.HEAP_LIVE * s.last(Signals.HEAP_MAX).orElse(Double.POSITIVE_INFINITY)
                || heapGrows(s) instanceof Look.Found;
    }

    private static Look warming(Sight s) {
        double[][] both = s.together(Signals.LOAD_RATE, Signals.WORKERS_BUSY);
        double[] rate = both[0];
        int third = rate.length / 3;
        OptionalDouble jit = s.mean(Signals.CPU_JIT);
        if (third < 3 || jit.isEmpty()) {
            return new Look.NotObserved(
                    jit.isEmpty() ? s.why(Signals.CPU_JIT) : "nine points of busy workers are needed");
        }
        Optional<String> doubted = s.busyDoubted();
        if (doubted.isPresent()) {
            return new Look.NotObserved(doubted.get());
        }
        double first = holding(both, 0, third);
        double last = holding(both, rate.length - third, rate.length);
        String figure = "a request held its worker for " + Say.seconds(first) + " at first, and for "
                + Say.seconds(last) + " at last";
        Regression line = Regression.fit(rate, 0);
        if (!(last < QUICKER * first) || line.slope() <= 0 || r2(rate, line) < 0.6) {
            return new Look.Healthy(figure);
        }
        // what requests sleep, a compiler can't shorten
        boolean sleepsLess = sleepsLess(s);
        if (jit.getAsDouble() >= 0.1 && !sleepsLess) {
            return new Look.Healthy(figure + ", but the JVM was still compiling");
        }
        double cpuSaved = cpuSaved(s);
        if (cpuSaved > OF_ITS_CODE * (first - last)) {
            return new Look.Healthy(figure + ", but used " + Say.seconds(cpuSaved)
                    + " less CPU time as well, as when code gets compiled");
        }
        return new Draft(
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
    private static double cpuSaved(Sight s) {
        double[][] both = s.together(Signals.LOAD_RATE, Signals.CPU_TOTAL);
        int n = both[0].length;
        double saved = n < 9 ? 0 : holding(both, 0, n / 3) - holding(both, n - n / 3, n);
        return Double.isNaN(saved) ? 0 : saved;
    }

    /**
     * Whether requests sleep for less at the end than at the beginning, at each look of either. Other processes can't
     * cause that, as sleeping needs no CPU. (The CPU time that others use says nothing here: they get what a faster target leaves.)
     */
    static boolean sleepsLess(Sight s) {
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

    private static double r2(double[] v, Regression line) {
        double all = 0;
        for (double x : v) {
            all += (x - line.mean()) * (x - line.mean());
        }
        double left = line.deviation() * line.deviation() * line.degreesOfFreedom();
        return all <= 0 ? 0 : 1 - left / all;
    }

    private static Look heapGrows(Sight s) {
        double[] after = changes(s.values(Signals.HEAP_AFTER_GC));
        OptionalDouble max = s.last(Signals.HEAP_MAX);
        if (after.length < POINTS || max.isEmpty()) {
            return new Look.NotObserved(
                    s.values(Signals.HEAP_AFTER_GC).length == 0
                            ? s.why(Signals.HEAP_AFTER_GC)
                            : "five collections are needed to see a trend; " + after.length + " were seen");
        }
        Regression line = Regression.fit(after, 0);
        double grew = line.slope() * (after.length - 1);
        if (line.slope() <= 0 || r2(after, line) < 0.8 || grew < GROWTH * after[0] || grew < 4 * BYTES_PER_MEGABYTE) {
            return new Look.Healthy(Say.number(after[after.length - 1] / BYTES_PER_MEGABYTE) + " MB live, of "
                    + Say.number(max.getAsDouble() / BYTES_PER_MEGABYTE) + " MB");
        }
        double left = max.getAsDouble() - after[after.length - 1];
        double perSecond = s.seconds() > 0 ? grew / s.seconds() : 0;
        OptionalDouble allocated = s.mean(Signals.ALLOC_RATE);
        if (allocated.isPresent()
                && perSecond < LEFT_BEHIND * allocated.getAsDouble()
                && after[after.length - 1] < Thresholds.HEAP_LIVE * max.getAsDouble()) {
            return new Look.Healthy(
                    "it grows by less than a thousandth of what is allocated: young collections leave that much"
                            + " behind of what is garbage");
        }
        return new Draft(
                        HEAP_GROWS,
                        Severity.WARNING,
                        "What is left in the heap grows",
                        "After " + after.length + " collections the heap in use grew from "
                                + Say.number(after[0] / BYTES_PER_MEGABYTE) + " to "
                                + Say.number(after[after.length - 1] / BYTES_PER_MEGABYTE) + " MB; at "
                                + Say.number(perSecond / BYTES_PER_MEGABYTE) + " MB a second it is full in "
                                + Say.seconds(perSecond > 0 ? left / perSecond : 0)
                                + ". Some of it may be garbage that young collections leave behind.")
                .weight(after[after.length - 1] / max.getAsDouble())
                .remedy(
                        "A heap dump, and what in it grows (jcmd PID GC.class_histogram, twice): sessions, a cache without a"
                                + " bound, listeners")
                .refutedBy("A run of ten times the length in which it levels off.")
                .found();
    }

    /** The values with repeats in a row removed: one per collection. */
    private static double[] changes(double... v) {
        var out = new ArrayList<Double>();
        for (double x : v) {
            if (out.isEmpty() || out.getLast() != x) {
                out.add(x);
            }
        }
        return out.stream().mapToDouble(Double::doubleValue).toArray();
    }

    private static Look nativeGrows(Sight s) {
        double[][] both = s.together(Signals.MEMORY_RSS, Signals.HEAP_COMMITTED);
        double[] rss = both[0];
        double[] heap = both[1];
        if (rss.length < POINTS) {
            return new Look.NotObserved(
                    s.values(Signals.MEMORY_RSS).length == 0
                            ? s.why(Signals.MEMORY_RSS)
                            : s.values(Signals.HEAP_COMMITTED).length == 0
                                    ? s.why(Signals.HEAP_COMMITTED)
                                    : "five points are needed to see a trend; " + rss.length + " were seen");
        }
        double[] outside = new double[rss.length];
        for (int i = 0; i < rss.length; i++) {
            outside[i] = rss[i] - heap[0] - Math.max(0, heap[i] - heap[0]);
        }
        Regression line = Regression.fit(outside, 0);
        double grew = line.slope() * (outside.length - 1);
        // a heap that is touched for the first time becomes resident without more of it being committed; growing direct
        // buffers
        // are outside it for certain
        double room = grown(s.values(Signals.MEMORY_DIRECT)) > grew / 2 ? 0 : untouched(s, heap[0]);
        if (line.slope() <= 0
                || r2(outside, line) < 0.8
                || grew < GROWTH * rss[0]
                || grew < 32 * BYTES_PER_MEGABYTE + room) {
            return new Look.Healthy(Say.number(rss[rss.length - 1] / BYTES_PER_MEGABYTE) + " MB resident");
        }
        OptionalDouble direct = s.last(Signals.MEMORY_DIRECT);
        return new Draft(
                        NATIVE_GROWS,
                        Severity.WARNING,
                        "Memory outside the heap grows",
                        "The process grew by " + Say.number(grew / BYTES_PER_MEGABYTE) + " MB in "
                                + Say.seconds(s.seconds()) + " without its heap"
                                + (direct.isPresent()
                                        ? "; direct buffers hold "
                                                + Say.number(direct.getAsDouble() / BYTES_PER_MEGABYTE) + " MB"
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
    private static double untouched(Sight s, double committed) {
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
