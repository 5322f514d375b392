package dev.fettle.insight.diagnose;

import dev.fettle.insight.Explanation;
import dev.fettle.insight.Explanation.Limit;
import dev.fettle.insight.Finding.Severity;
import dev.fettle.insight.diagnose.Rule.Stage;
import dev.fettle.insight.explain.Thresholds;
import dev.fettle.insight.words.Say;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/** Rules about whose CPU time it is. */
final class CpuRules {
    static final String HEAP_SMALL = "heap-small";
    static final String ALLOCATION = "allocation";
    static final String EXPLICIT_GC = "explicit-gc";
    static final String HUMONGOUS = "humongous-allocation";
    static final String THROTTLED = "cpu-quota";
    static final String HOT_THREAD = "one-thread";
    static final String EXCEPTIONS = "exceptions";
    static final String HOT_METHOD = "expensive-method";
    static final String LARGE = "large-answers";
    static final String CPU_FULL = "cpu-full";

    /** An application frame on top of this share of the stacks of threads that run is worth its name (B-34: 10 %). */
    private static final double HOT_FRAME = 0.3;

    /** Where no exception is made for what is expected, next to no stack has one on top (B-34: 10 %). */
    private static final double THROWING = 0.1;

    private static final double BYTES_PER_MEGABYTE = 1 << 20;

    /** At the 1 to 3 GB/s that a core copies, so much takes as long as all else that a small page costs: 0.1 to 0.3 ms. */
    private static final double LARGE_BYTES = 256 << 10;

    private CpuRules() {}

    static List<Rule> rules() {
        return List.of(
                new Rule(
                        THROTTLED,
                        Stage.CPU,
                        "a CPU quota that holds the target back",
                        "held back for more than 5 % of the time (B-36)",
                        List.of(),
                        CpuRules::throttled),
                new Rule(
                        EXPLICIT_GC,
                        Stage.CPU,
                        "calls of System.gc()",
                        "more than one a minute (B-47)",
                        List.of(),
                        CpuRules::explicitGc),
                new Rule(
                        HUMONGOUS,
                        Stage.CPU,
                        "objects larger than half a G1 region",
                        "a fifth of the collections are caused by them (B-43)",
                        List.of(),
                        CpuRules::humongous),
                new Rule(
                        HEAP_SMALL,
                        Stage.CPU,
                        "a heap that is nearly full of live objects",
                        "more than 10 % of the time in collection, and more than 70 % of the heap in use after it (B-40, B-41)",
                        List.of(EXPLICIT_GC),
                        CpuRules::heapSmall),
                new Rule(
                        ALLOCATION,
                        Stage.CPU,
                        "much garbage",
                        "more than 10 % of the time in collection, and the heap mostly free after it (B-41)",
                        List.of(EXPLICIT_GC, HUMONGOUS, HEAP_SMALL),
                        CpuRules::allocation),
                new Rule(
                        EXCEPTIONS,
                        Stage.CPU,
                        "exceptions for control flow",
                        "one is being made in 10 % of the stacks that run, the CPUs full (B-34, B-39)",
                        List.of(),
                        CpuRules::exceptions),
                new Rule(
                        HOT_THREAD,
                        Stage.CPU,
                        "one thread that does all the work",
                        "one thread uses 90 % of a CPU, and most of what the target uses (B-35)",
                        List.of(),
                        CpuRules::hotThread),
                new Rule(
                        HOT_METHOD,
                        Stage.CPU,
                        "one method that costs most of the CPU",
                        "on top of 30 % of the stacks that run, the CPUs full (B-34)",
                        List.of(EXCEPTIONS, HOT_THREAD),
                        CpuRules::hotMethod),
                new Rule(
                        LARGE,
                        Stage.CPU,
                        "large answers that fill the CPUs",
                        "256 kB or more each, the CPUs full, and no method that stands out (B-12)",
                        List.of(HOT_METHOD, EXCEPTIONS, HOT_THREAD, HEAP_SMALL, ALLOCATION, HUMONGOUS),
                        CpuRules::large),
                new Rule(
                        CPU_FULL,
                        Stage.CPU,
                        "CPUs that are full",
                        "90 % of the target's CPUs, 85 % with all workers busy (B-33)",
                        List.of(
                                THROTTLED,
                                EXPLICIT_GC,
                                HUMONGOUS,
                                HEAP_SMALL,
                                ALLOCATION,
                                EXCEPTIONS,
                                HOT_THREAD,
                                HOT_METHOD,
                                LARGE),
                        CpuRules::full));
    }

    private static Look throttled(Sight s) {
        OptionalDouble held = s.mean("cgroup.throttled");
        if (held.isEmpty()) {
            return new Look.NotObserved(s.why("cgroup.throttled"));
        }
        if (held.getAsDouble() <= Thresholds.THROTTLED) {
            return new Look.Healthy("held back " + Say.percent(held.getAsDouble()) + " of the time");
        }
        return new Draft(
                        THROTTLED,
                        Severity.WARNING,
                        "A CPU quota holds the target back",
                        "The target's control group was held back for " + Say.percent(held.getAsDouble())
                                + " of the time: its quota is used up before each period of 100 ms ends, and all its threads"
                                + " stand still until the next.")
                .seen("throttled " + Say.percent(held.getAsDouble()))
                .seen(cpu(s))
                .share(held.getAsDouble())
                .remedy("Raise or remove the quota (resources.limits.cpu, --cpus); size pools and GC threads for it"
                        + " (-XX:ActiveProcessorCount)")
                .refutedBy("Without the quota, throughput is the same.")
                .found();
    }

    private static Optional<String> cpu(Sight s) {
        return s.cpu().isPresent()
                ? Optional.of("CPU " + Say.percent(s.cpu().getAsDouble()) + " of " + Say.count(s.cpus(), "CPU"))
                : Optional.empty();
    }

    private static Look explicitGc(Sight s) {
        OptionalDouble calls = s.sum("gc.explicit");
        if (calls.isEmpty()) {
            return new Look.NotObserved(s.why("gc.explicit"));
        }
        double perMinute = s.seconds() > 0 ? calls.getAsDouble() * 60 / s.seconds() : 0;
        if (perMinute <= Thresholds.EXPLICIT_GC_PER_MINUTE) {
            return new Look.Healthy(Say.count((int) calls.getAsDouble(), "call"));
        }
        return new Draft(
                        EXPLICIT_GC,
                        Severity.WARNING,
                        "The application calls System.gc()",
                        Say.count((int) calls.getAsDouble(), "collection") + " in " + Say.seconds(s.seconds())
                                + " were asked for by the application; each stops all threads.")
                .seen(gc(s))
                .share(s.gcShare().orElse(0))
                .remedy("Remove the call; until then -XX:+DisableExplicitGC or -XX:+ExplicitGCInvokesConcurrent")
                .knob("jvm.gc.explicit")
                .refutedBy("With -XX:+DisableExplicitGC throughput and p99 stay as they are.")
                .found();
    }

    private static Optional<String> gc(Sight s) {
        return s.gcShare().isPresent()
                ? Optional.of("garbage collection " + Say.percent(s.gcShare().getAsDouble()) + " of the time")
                : Optional.empty();
    }

    private static Look humongous(Sight s) {
        OptionalDouble big = s.sum("gc.humongous");
        OptionalDouble all = s.sum("gc.count");
        if (big.isEmpty() || all.isEmpty()) {
            return new Look.NotObserved(s.why("gc.humongous"));
        }
        double share = all.getAsDouble() > 0 ? big.getAsDouble() / all.getAsDouble() : 0;
        if (share <= 0.2 || big.getAsDouble() < 2) {
            return new Look.Healthy(
                    Say.whole(big.getAsDouble()) + " of " + Say.whole(all.getAsDouble()) + " collections");
        }
        return new Draft(
                        HUMONGOUS,
                        Severity.WARNING,
                        "Objects that are larger than half a G1 region",
                        Say.whole(big.getAsDouble()) + " of " + Say.whole(all.getAsDouble())
                                + " collections were caused by objects that fit into no region: each takes whole regions of"
                                + " its own.")
                .seen(gc(s))
                .share(share)
                .remedy("Smaller buffers, or larger regions (-XX:G1HeapRegionSize) and more heap")
                .knob("jvm.heap")
                .refutedBy("With regions of twice the size there are as many such collections.")
                .found();
    }

    private static Optional<Double> live(Sight s) {
        OptionalDouble after = s.last("heap.afterGc");
        OptionalDouble max = s.last("heap.max");
        return after.isPresent() && max.isPresent() && max.getAsDouble() > 0
                ? Optional.of(after.getAsDouble() / max.getAsDouble())
                : Optional.empty();
    }

    private static Look heapSmall(Sight s) {
        OptionalDouble share = s.gcShare();
        if (share.isEmpty()) {
            return new Look.NotObserved("the time in garbage collection was not read");
        }
        Optional<Double> live = live(s);
        if (share.getAsDouble() < Thresholds.GC_MUCH) {
            return new Look.Healthy(gc(s).orElse("")
                    + live.map(l -> ", " + Say.percent(l) + " of the heap live").orElse(""));
        }
        if (live.isEmpty()) {
            return new Look.NotObserved(s.why("heap.afterGc"));
        }
        if (live.get() < Thresholds.HEAP_LIVE) {
            return new Look.Healthy(Say.percent(live.get()) + " of the heap live");
        }
        return new Draft(
                        HEAP_SMALL,
                        Severity.WARNING,
                        "The heap is too small for what stays alive in it",
                        "Garbage collection takes " + Say.percent(share.getAsDouble()) + " of the time, and after it "
                                + Say.percent(live.get()) + " of the largest heap ("
                                + Say.number(s.last("heap.max").orElse(0) / BYTES_PER_MEGABYTE)
                                + " MB) is still in use.")
                .seen(gc(s))
                .share(share.getAsDouble())
                .remedy("More heap (-Xmx) if what stays alive is needed, less of it if not (sessions, caches): another"
                        + " collector does not help")
                .knob("jvm.heap")
                .refutedBy("With twice the heap, garbage collection takes as much of the time.")
                .found();
    }

    private static Look allocation(Sight s) {
        OptionalDouble share = s.gcShare();
        if (share.isEmpty()) {
            return new Look.NotObserved("the time in garbage collection was not read");
        }
        if (share.getAsDouble() < Thresholds.GC_MUCH) {
            return new Look.Healthy(gc(s).orElse(""));
        }
        OptionalDouble rate = s.mean("alloc.rate");
        return new Draft(
                        ALLOCATION,
                        Severity.WARNING,
                        "Garbage collection takes much of the time",
                        "Garbage collection takes " + Say.percent(share.getAsDouble()) + " of the time"
                                + (rate.isPresent() && s.served() > 0
                                        ? "; " + Say.number(rate.getAsDouble() / BYTES_PER_MEGABYTE)
                                                + " MB a second are allocated, "
                                                + Say.bytes(Math.round(rate.getAsDouble() / s.served())) + " a request"
                                        : "")
                                + live(s).map(l -> "; after it " + Say.percent(l) + " of the heap is in use")
                                        .orElse("; how much of the heap stays alive was not observed")
                                + ".")
                .seen(gc(s))
                .share(share.getAsDouble())
                .remedy("Allocate less (a profile of allocations says where), or give the young generation more room")
                .knob("jvm.heap")
                .refutedBy("With twice the heap, garbage collection takes as much of the time and throughput stays.")
                .found();
    }

    private static Look exceptions(Sight s) {
        if (!s.looked()) {
            return new Look.NotObserved("no stacks of workers were looked at");
        }
        Optional<Sight.Hot> thrown = s.throwing();
        if (thrown.isEmpty() || thrown.get().share() < THROWING) {
            return new Look.Healthy(Say.percent(thrown.map(Sight.Hot::share).orElse(0.0))
                    + " of the stacks that run make an exception");
        }
        if (!s.cpuFull()) {
            return new Look.Healthy("the CPUs are not full");
        }
        return new Draft(
                        EXCEPTIONS,
                        Severity.WARNING,
                        "Much of the CPU goes into making exceptions",
                        "In " + Say.percent(thrown.get().share())
                                + " of the stacks of workers that run, an exception takes down its stack or has it read, most of"
                                + " them in " + thrown.get().method() + ", and the CPUs are full.")
                .seen(cpu(s))
                .share(thrown.get().share())
                .remedy("No exceptions for what is expected; where they can't be avoided, without a stack trace")
                .refutedBy("Without them the CPU per request is the same.")
                .found();
    }

    private static Look hotThread(Sight s) {
        OptionalDouble hottest = s.mean("cpu.hottest");
        OptionalDouble total = s.mean("cpu.total");
        if (hottest.isEmpty() || total.isEmpty()) {
            return new Look.NotObserved(s.why("cpu.hottest"));
        }
        double hot = hottest.getAsDouble();
        double all = total.getAsDouble();
        String figure = "the busiest thread uses " + Say.percent(hot) + " of a CPU";
        boolean alone = s.cpus() > 1 ? all < 0.8 * s.cpus() : all > 0 && hot / all > 0.6;
        if (hot < (s.cpus() > 1 ? Thresholds.THREAD_FULL : 0.6) || !alone) {
            return new Look.Healthy(figure);
        }
        String who = s.sighting("thread.hottest").map(n -> " (" + n + ")").orElse("");
        return new Draft(
                        HOT_THREAD,
                        Severity.WARNING,
                        "One thread does most of the work",
                        "One thread" + who + " uses " + Say.percent(hot) + " of a CPU, "
                                + Say.percent(all > 0 ? hot / all : 1)
                                + " of all that the target uses: what goes through it can't get faster with more CPUs or"
                                + " workers.")
                .seen(figure)
                .share(all > 0 ? hot / all : 1)
                .remedy("Have several threads do it, or take work away from it")
                .refutedBy("With half the load it uses less than half a CPU.")
                .found();
    }

    private static Look hotMethod(Sight s) {
        if (!s.cpuFull()) {
            return s.cpu().isPresent()
                    ? new Look.Healthy("the CPUs are not full")
                    : new Look.NotObserved("the CPU time was not read");
        }
        Optional<Sight.Hot> hot = s.hottest();
        if (hot.isEmpty()) {
            return s.looked()
                    ? new Look.Healthy("only the server's own methods run")
                    : new Look.NotObserved("no stacks of workers were looked at");
        }
        if (hot.get().share() < HOT_FRAME) {
            return new Look.Healthy(hot.get().method() + " and its like are on top of "
                    + Say.percent(hot.get().share()) + " of the stacks that run");
        }
        return new Draft(
                        HOT_METHOD,
                        Severity.LIMIT,
                        "The CPUs are full, mostly with " + hot.get().method(),
                        hot.get().method() + ", or what is in its package, is on top of "
                                + Say.percent(hot.get().share())
                                + " of the stacks of workers that run, and the CPUs are full.")
                .seen(cpu(s))
                .share(hot.get().share())
                .remedy("Keep its results (a bounded cache), or do it in another way")
                .refutedBy("With its result kept, the CPU per request is the same.")
                .found();
    }

    private static Look large(Sight s) {
        if (s.measurement().isEmpty()
                || s.measurement().get().responses() == 0
                || s.cpu().isEmpty()) {
            return new Look.NotObserved("no valid answer came, or the CPU time was not read");
        }
        double each = (double) s.measurement().get().bytesRead()
                / s.measurement().get().responses();
        String figure = Say.bytes(Math.round(each)) + " an answer";
        if (each < LARGE_BYTES || !s.cpuFull()) {
            return new Look.Healthy(figure);
        }
        double rate = each * s.served();
        return new Draft(
                        LARGE,
                        Severity.LIMIT,
                        "The CPUs are full with sending large answers",
                        "Each answer has " + Say.bytes(Math.round(each)) + ", "
                                + Say.number(rate / BYTES_PER_MEGABYTE)
                                + " MB a second in all, the CPUs are full, and no method of the application stands out.")
                .seen(cpu(s))
                .seen(figure)
                .share(s.cpu().getAsDouble())
                .remedy(
                        "Send less: compress it once and keep it, let clients cache it, or let a proxy send it from a file")
                .refutedBy("With a tenth of the bytes, an answer costs as much CPU.")
                .found();
    }

    private static Look full(Sight s) {
        if (s.cpu().isEmpty()) {
            return new Look.NotObserved("the target's CPU time was not read");
        }
        Optional<Explanation> x = s.explained().filter(e -> e.limit() == Limit.CPU);
        if (x.isEmpty()) {
            return new Look.Healthy(cpu(s).orElse(""));
        }
        return new Draft(
                        CPU_FULL,
                        Severity.LIMIT,
                        "The CPUs are full",
                        x.get().sentences().getFirst() + whose(s))
                .seen(cpu(s))
                .share(s.cpu().getAsDouble())
                .remedy("Less work per request, or more CPUs; more threads do not help")
                .refutedBy("Twice the clients give more throughput.")
                .found();
    }

    /** Where the CPU time goes, by groups of threads. */
    private static String whose(Sight s) {
        OptionalDouble total = s.mean("cpu.total");
        if (total.isEmpty() || total.getAsDouble() <= 0) {
            return "";
        }
        var parts = new ArrayList<String>();
        for (String group : List.of("workers", "io", "acceptor", "gc", "jit", "app", "other")) {
            double share = s.mean("cpu." + group).orElse(0) / total.getAsDouble();
            if (share >= 0.05) {
                parts.add(group + " " + Say.percent(share));
            }
        }
        return parts.isEmpty() ? "" : " Of it: " + String.join(", ", parts) + ".";
    }
}
