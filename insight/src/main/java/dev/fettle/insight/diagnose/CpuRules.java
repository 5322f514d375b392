package dev.fettle.insight.diagnose;

import dev.fettle.insight.Explanation.Limit;
import dev.fettle.insight.Finding.Severity;
import dev.fettle.insight.diagnose.Rule.Stage;
import dev.fettle.insight.explain.OperatingPoint;
import dev.fettle.insight.explain.Thresholds;
import dev.fettle.insight.words.Say;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Signals;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Rules about where the CPU time goes. */
final class CpuRules {
    static final String THROTTLED = "cpu-quota";
    static final String EXCEPTIONS = "exceptions";
    static final String HOT_METHOD = "expensive-method";
    static final String LARGE = "large-answers";
    static final String CPU_FULL = "cpu-full";

    /** An application frame on top of this share of the running threads' stacks is worth naming. */
    private static final double HOT_FRAME = 0.3;

    /**
     * From this share of stacks with an exception on top on; code that throws none for expected outcomes has next to
     * none (10 %).
     */
    private static final double THROWING = 0.1;

    /**
     * A body so large that copying it at 1 to 3 GiB/s per core takes as long as the rest of a small page: 0.1 to 0.3 ms.
     */
    private static final double LARGE_BYTES = 256 << 10;

    /** Share of the CPU time that is worth mentioning. */
    private static final double NOTABLE = 0.05;

    private static final List<String> GROUPS = List.of(
            Signals.CPU_WORKERS,
            Signals.CPU_IO,
            Signals.CPU_ACCEPTOR,
            Signals.CPU_GC,
            Signals.CPU_JIT,
            Signals.CPU_APP,
            Signals.CPU_OTHER);

    private CpuRules() {}

    static List<Rule> rules() {
        return List.of(
                new Rule(
                                THROTTLED,
                                Stage.CPU,
                                "a CPU quota that holds the target back",
                                "held back in more than " + Say.share(Thresholds.THROTTLED) + " of its periods",
                                List.of(),
                                CpuRules::throttled)
                        .shownBy(Signals.CGROUP_THROTTLED, Signals.CPU_TOTAL, Signals.LOAD_P99),
                new Rule(
                                EXCEPTIONS,
                                Stage.CPU,
                                "exceptions for control flow",
                                "one is being made in " + Say.share(THROWING) + " of the CPU time in a profile of "
                                        + Say.seconds(CpuProfile.LEAST_SECONDS)
                                        + " of it or more; without one, of the stacks that run; the CPUs full",
                                List.of(),
                                CpuRules::exceptions)
                        .shownBy(Signals.CPU_TOTAL, Signals.WAIT_RUNNING),
                HotThreadRule.RULE,
                HandshakeRule.RULE,
                new Rule(
                                HOT_METHOD,
                                Stage.CPU,
                                "one method that costs most of the CPU",
                                Say.share(HOT_FRAME) + " of the CPU time in a profile of "
                                        + Say.seconds(CpuProfile.LEAST_SECONDS)
                                        + " of it or more; without one, on top of so many of the stacks"
                                        + " that run, " + Say.whole(Stacks.FEWEST)
                                        + " at least, that it has as much; the CPUs full",
                                List.of(EXCEPTIONS, HotThreadRule.ID, HandshakeRule.ID),
                                CpuRules::hotMethod)
                        .shownBy(Signals.CPU_TOTAL, Signals.WAIT_RUNNING),
                new Rule(
                                LARGE,
                                Stage.CPU,
                                "large answers that fill the CPUs",
                                Say.memory(LARGE_BYTES)
                                        + " or more each (0.1 to 0.3 ms to copy, at 1 to 3 GiB/s), the CPUs full, and no method that stands out",
                                List.of(
                                        HOT_METHOD,
                                        EXCEPTIONS,
                                        HotThreadRule.ID,
                                        HeapRules.HEAP_SMALL,
                                        HeapRules.ALLOCATION),
                                CpuRules::large)
                        .shownBy(Signals.CPU_TOTAL, Signals.LOAD_RATE),
                new Rule(
                                CPU_FULL,
                                Stage.CPU,
                                "CPUs that are full",
                                Say.share(Thresholds.CPU_FULL) + " of the target's CPUs, "
                                        + Say.share(Thresholds.CPU_SPARE)
                                        + " with all workers busy; or with --pid " + Say.share(Thresholds.CPU_FULL)
                                        + " of them, used by any process, while a thread of"
                                        + " the target or more waits for one",
                                List.of(
                                        THROTTLED,
                                        HeapRules.HEAP_SMALL,
                                        HeapRules.ALLOCATION,
                                        EXCEPTIONS,
                                        HotThreadRule.ID,
                                        HandshakeRule.ID,
                                        HOT_METHOD,
                                        LARGE),
                                CpuRules::full)
                        .shownBy(Signals.CPU_TOTAL, Signals.LOAD_RATE));
    }

    private static RuleResult throttled(TrialFacts s) {
        OptionalFigure held = s.mean(Signals.CGROUP_THROTTLED);
        if (held.isEmpty()) {
            return new RuleResult.NotObserved(s.why(Signals.CGROUP_THROTTLED));
        }
        if (held.getAsDouble() <= Thresholds.THROTTLED) {
            return new RuleResult.Healthy("held back in " + Say.percent(held.getAsDouble()) + " of its periods");
        }
        return new FindingBuilder(
                        THROTTLED,
                        // a burst at times, with CPU left on the whole, is not what holds all requests up
                        s.cpuFull() || held.getAsDouble() > Thresholds.THROTTLED_OFTEN
                                ? Severity.WARNING
                                : Severity.LIMIT,
                        "A CPU quota holds the target back",
                        "A control group of the target, its own or one around it, was held back in "
                                + Say.percent(held.getAsDouble())
                                + " of its periods: that group's quota is used up before such a period ends, and all threads"
                                + " in it stand still until the next.")
                .seen("throttled in " + Say.percent(held.getAsDouble()) + " of its periods")
                .seen(cpu(s))
                .weight(withheld(s).orElse(0))
                .remedy(
                        "Raise or remove that quota (resources.limits.cpu, --cpus), perhaps one of a group around the target that"
                                + " others share; size pools and GC threads for it"
                                + " (-XX:ActiveProcessorCount)")
                .refutedBy("Without the quota, throughput is the same.")
                .found();
    }

    /** Share of the target's CPUs that its quota keeps from it. */
    private static OptionalFigure withheld(TrialFacts s) {
        return s.point()
                .filter(OperatingPoint::byQuota)
                .map(p -> OptionalFigure.of(1 - p.allowed() / p.cores()))
                .orElse(OptionalFigure.empty());
    }

    static Optional<String> cpu(TrialFacts s) {
        return s.cpu().isPresent()
                // more than 100 % is a reading error
                ? Optional.of("CPU " + Say.percent(Math.min(1, s.cpu().getAsDouble())) + " of " + s.allowedCpus()
                        + (s.compilers() < NOTABLE
                                ? ""
                                : ", " + Say.percent(s.compilers()) + " of it for the JVM's compilers"))
                : Optional.empty();
    }

    private static RuleResult exceptions(TrialFacts s) {
        Optional<String> few = s.sharesUnseen();
        if (few.isPresent()) {
            return new RuleResult.NotObserved(few.get());
        }
        Optional<Stacks.Hot> thrown = s.throwing();
        if (thrown.isEmpty() || thrown.get().share() < THROWING) {
            return new RuleResult.Healthy("exceptions are made in "
                    + Say.percent(thrown.map(Stacks.Hot::share).orElse(0.0)) + " of " + s.sharesOf());
        }
        if (!s.cpuFull()) {
            return new RuleResult.Healthy("the CPUs are not full");
        }
        return new FindingBuilder(
                        EXCEPTIONS,
                        Severity.WARNING,
                        "Much of the CPU goes into making exceptions",
                        "In " + Say.percent(thrown.get().share()) + " of " + s.sharesOf()
                                + ", an exception takes down its stack or has it read, "
                                + (thrown.get().isMostlyOneMethod() ? "most" : "more") + " of them in "
                                + thrown.get().method()
                                + (thrown.get().isMostlyOneMethod() ? "" : " than in any other method")
                                + ", and the CPUs are full.")
                .seen(cpu(s))
                .weight(thrown.get().share())
                .remedy("No exceptions for what is expected; where they can't be avoided, without a stack trace")
                .refutedBy("Without them the CPU per request is the same.")
                .found();
    }

    private static RuleResult hotMethod(TrialFacts s) {
        if (!s.cpuFull()) {
            return s.cpu().isPresent()
                    ? new RuleResult.Healthy("the CPUs are not full")
                    : new RuleResult.NotObserved("the CPU time was not read");
        }
        return s.profile().map(p -> hotInProfile(s, p)).orElseGet(() -> hotInStacks(s));
    }

    /** What a profile says, which goes before stacks. */
    private static RuleResult hotInProfile(TrialFacts s, CpuProfile profile) {
        Optional<Stacks.Hot> hot = Stacks.hottest(profile.byCaller());
        if (hot.isEmpty() || hot.get().share() < HOT_FRAME) {
            return new RuleResult.Healthy(
                    hot.map(h -> likes(h) + " have " + Say.percent(h.share()) + " of the CPU time, none has more")
                                    .orElse("only the server's own methods run")
                            + " (" + profile.words() + ")");
        }
        return costly(
                s,
                hot.get(),
                hot.get().share(),
                (hot.get().isMostlyOneMethod()
                                ? hot.get().method() + " and what is in its package"
                                : "The methods of " + largest(hot.get()))
                        + ", with the JDK's methods that they call, have "
                        + Say.percent(hot.get().share()) + " of the target's CPU time in " + profile.words(),
                "");
    }

    private static RuleResult hotInStacks(TrialFacts s) {
        Optional<String> few = s.stacks().tooFew();
        if (few.isPresent()) {
            return new RuleResult.NotObserved(few.get());
        }
        Optional<Stacks.Hot> hot = s.stacks().hottest();
        if (hot.isEmpty()) {
            return new RuleResult.Healthy("only the server's own methods run");
        }
        double workers = ofWorkers(s);
        double part = hot.get().share() * workers;
        if (part < HOT_FRAME) {
            return new RuleResult.Healthy(likes(hot.get()) + " are on top of "
                    + Say.percent(hot.get().share()) + " of the stacks that run, and workers use "
                    + Say.percent(workers) + " of the CPU time");
        }
        return costly(
                s,
                hot.get(),
                part,
                (hot.get().isMostlyOneMethod()
                                ? hot.get().method() + ", or what is in its package,"
                                : "A method of " + largest(hot.get()))
                        + " is on top of "
                        + Say.percent(hot.get().share()) + " of the "
                        + Say.whole(s.stacks().running())
                        + " stacks of workers that were seen to run; workers use " + Say.percent(workers)
                        + " of the CPU time",
                "See it in a profile first (fettle watch --pid N --profile cpu): these stacks are taken where the JVM can stop a"
                        + " thread, and the cost may lie in what ran just before. ");
    }

    private static String likes(Stacks.Hot hot) {
        return hot.isMostlyOneMethod() ? hot.method() + " and its like" : "The methods of " + hot.inPackage();
    }

    private static String largest(Stacks.Hot hot) {
        return hot.inPackage() + " (the largest, " + hot.method() + ", has " + Say.percent(hot.own()) + ")";
    }

    /**
     * The finding that one method costs most, or the methods of one package.
     *
     * @param share of the target's CPU time
     * @param seen what was seen of it
     * @param first what to do before anything else
     */
    private static RuleResult costly(TrialFacts s, Stacks.Hot hot, double share, String seen, String first) {
        String part = share >= Thresholds.MOST_OF_A_REQUEST ? "mostly with " : "a good part with ";
        boolean one = hot.isMostlyOneMethod();
        return new FindingBuilder(
                        HOT_METHOD,
                        Severity.LIMIT,
                        "The CPUs are full, " + part + hot.title(),
                        seen + ", and the CPUs are full.")
                .seen(cpu(s))
                .weight(share)
                .remedy(
                        first
                                + (one
                                        ? "Keep its results (a bounded cache), or do it in another way"
                                        : "See what calls them most (a flame graph), and do less of that, or keep what it gives"))
                .refutedBy(
                        one
                                ? "With its result kept, the CPU per request is the same."
                                : "With the results of what calls them kept, the CPU per request is the same.")
                .found();
    }

    /** The workers' share of the target's CPU time; 1 if that was not read. */
    private static double ofWorkers(TrialFacts s) {
        OptionalFigure workers = s.mean(Signals.CPU_WORKERS);
        OptionalFigure all = s.mean(Signals.CPU_TOTAL);
        return workers.isPresent() && all.isPresent() && all.getAsDouble() > 0
                ? Math.min(1, workers.getAsDouble() / all.getAsDouble())
                : 1;
    }

    private static RuleResult large(TrialFacts s) {
        if (s.measurement().isEmpty()
                || s.measurement().get().responses() == 0
                || s.cpu().isEmpty()) {
            return new RuleResult.NotObserved(s.noAnswers() + ", or the CPU time was not read");
        }
        double each = (double) s.measurement().get().bytesRead()
                / s.measurement().get().responses();
        String figure = Say.memory(each) + " an answer";
        if (each < LARGE_BYTES || !s.cpuFull()) {
            return new RuleResult.Healthy(figure);
        }
        double rate = each * s.served();
        return new FindingBuilder(
                        LARGE,
                        Severity.LIMIT,
                        "The CPUs are full with sending large answers",
                        "Each answer has " + Say.memory(each) + ", "
                                + Say.memory(rate)
                                + " a second in all, the CPUs are full, and "
                                + (s.stacks().tooFew().isPresent()
                                        ? "which method has them was not seen."
                                        : "no method of the application stands out."))
                .becauseOf(HeapRules.collectsMuch(s), HeapRules.HUMONGOUS)
                .seen(cpu(s))
                .seen(figure)
                .weight(s.cpu().getAsDouble())
                .remedy(
                        "Send less: compress it once and keep it, let clients cache it, or let a proxy send it from a file")
                .refutedBy("With a tenth of the bytes, an answer costs as much CPU.")
                .found();
    }

    private static RuleResult full(TrialFacts s) {
        if (s.cpu().isEmpty()) {
            return new RuleResult.NotObserved("the target's CPU time was not read");
        }
        if (s.crowded()) {
            return crowded(s);
        }
        if (!s.cpuFull()) {
            return new RuleResult.Healthy(cpu(s).orElse(""));
        }
        return new FindingBuilder(CPU_FULL, Severity.LIMIT, "The CPUs are full", used(s) + whose(s))
                .becauseOf(HeapRules.collectsMuch(s), List.of(HeapRules.EXPLICIT_GC, HeapRules.HUMONGOUS))
                .seen(cpu(s))
                .becauseOf(WaitRules.diskSeen(s), WaitRules.FILE)
                .weight(s.cpu().getAsDouble())
                .remedy("Less work per request, or more CPUs; more threads do not help")
                .refutedBy("Twice the clients give more throughput.")
                .found();
    }

    /** All CPUs that it may run on are busy, and the target has a part of them only. */
    private static RuleResult crowded(TrialFacts s) {
        boolean whole = !s.ownCpusSeen();
        return new FindingBuilder(
                        CPU_FULL,
                        Severity.LIMIT,
                        (whole ? "The machine's CPUs" : "The target's CPUs")
                                + " are full, and others have a part of them",
                        "The target uses "
                                + Say.percent(Math.min(1, s.cpu().orElse(0))) + " of " + s.allowedCpus()
                                + ", but " + (whole ? "this machine's CPUs" : "the CPUs that it may run on")
                                + " are busy for " + Say.percent(Math.min(1, s.busyCpus()))
                                + " of the time, and " + Say.about(s.meanOrNone(Signals.RUNQUEUE_WAIT))
                                + " of its threads were ready and had none: what it does not use is not free. Fettle's"
                                + " load runs on this machine, too.")
                .seen(cpu(s))
                .weight(s.busyCpus())
                .remedy(
                        "Let the load, and whatever else works here, run on another machine or on CPUs of its own (taskset),"
                                + " and measure again")
                .refutedBy("With the load on another machine, throughput stays.")
                .found();
    }

    private static String used(TrialFacts s) {
        return s.explained()
                .filter(e -> e.limit() == Limit.CPU)
                .map(e -> e.sentences().getFirst())
                .orElseGet(() ->
                        "The target uses " + Say.percent(Math.min(1, s.cpu().orElse(0))) + " of "
                                + s.allowedCpus()
                                + (s.compilers() < NOTABLE
                                        ? "."
                                        : ", " + Say.percent(s.compilers())
                                                + " of it for the JVM's compilers, which have not come to rest: requests"
                                                + " get what is left, and will get more of it when these have."));
    }

    /** Where the CPU time goes, by group of threads. */
    private static String whose(TrialFacts s) {
        OptionalFigure total = s.mean(Signals.CPU_TOTAL);
        if (total.isEmpty() || total.getAsDouble() <= 0) {
            return "";
        }
        var parts = new ArrayList<String>();
        for (String group : GROUPS) {
            double share = s.mean(group).orElse(0) / total.getAsDouble();
            if (share >= NOTABLE) {
                parts.add(group.substring("cpu.".length()) + " " + Say.percent(share));
            }
        }
        return parts.isEmpty() ? "" : " Of all that it used: " + String.join(", ", parts) + ".";
    }
}
