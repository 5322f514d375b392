package dev.fettle.insight.diagnose;

import dev.fettle.insight.Explanation.Limit;
import dev.fettle.insight.Finding.Severity;
import dev.fettle.insight.diagnose.Refutation.Expected;
import dev.fettle.insight.diagnose.Refutation.Tests;
import dev.fettle.insight.explain.OperatingPoint;
import dev.fettle.model.rule.RuleEntry;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Signals;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Rules about where the CPU time goes. */
final class CpuRules {
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

    static List<DiagnosisRule> rules() {
        Refutation moreClients = Refutation.by((_, b) -> RefutationTrial.clients(b, Expected.SAME));
        return List.of(
                DiagnosisRule.of("cpu-quota", CpuRules::throttled).refutedBy(moreClients),
                DiagnosisRule.of("exceptions", CpuRules::exceptions).refutedBy(moreClients),
                HotThreadRule.rule().refutedBy(moreClients),
                HandshakeRule.rule(),
                DiagnosisRule.of("expensive-method", CpuRules::hotMethod).refutedBy(moreClients),
                DiagnosisRule.of("large-answers", CpuRules::large),
                DiagnosisRule.of("cpu-full", CpuRules::full).refutedBy(moreClients.tests(Tests.ALL)));
    }

    private static RuleResult throttled(RuleEntry r, TrialFacts s) {
        OptionalFigure held = s.mean(Signals.CGROUP_THROTTLED);
        if (held.isEmpty()) {
            return new RuleResult.NotObserved(s.why(Signals.CGROUP_THROTTLED));
        }
        if (held.getAsDouble() <= r.bound("throttled")) {
            return new RuleResult.Healthy("held back in " + Format.share(held.getAsDouble()) + " of its periods");
        }
        // a burst at times, with CPU left on the whole, is not what holds all requests up
        boolean much = s.cpuFull() || held.getAsDouble() > r.bound("throttled-often");
        return new FindingBuilder(r, much ? Severity.WARNING : Severity.LIMIT, "held", held)
                .seen("throttled in " + Format.share(held.getAsDouble()) + " of its periods")
                .seen(cpu(s))
                .weight(withheld(s).orElse(0))
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
                ? Optional.of("CPU " + Format.share(Math.min(1, s.cpu().getAsDouble())) + " of " + s.allowedCpus()
                        + (s.compilers() < NOTABLE
                                ? ""
                                : ", " + Format.share(s.compilers()) + " of it for the JVM's compilers"))
                : Optional.empty();
    }

    private static RuleResult exceptions(RuleEntry r, TrialFacts s) {
        Optional<String> few = s.sharesUnseen();
        if (few.isPresent()) {
            return new RuleResult.NotObserved(few.get());
        }
        Optional<Stacks.Hot> thrown = s.throwing();
        if (thrown.isEmpty() || thrown.get().share() < r.bound("throwing")) {
            return new RuleResult.Healthy("exceptions are made in "
                    + Format.share(thrown.map(Stacks.Hot::share).orElse(0.0)) + " of " + s.sharesOf());
        }
        if (!s.cpuShort()) {
            return new RuleResult.Healthy("the CPUs are not full");
        }
        return new FindingBuilder(
                        r,
                        Severity.WARNING,
                        "full",
                        !s.threadShort(),
                        "share",
                        thrown.get().share(),
                        "of",
                        s.sharesOf(),
                        "mostly",
                        thrown.get().isMostlyOneMethod(),
                        "method",
                        thrown.get().method())
                .seen(cpu(s))
                .weight(thrown.get().share())
                .found();
    }

    private static RuleResult hotMethod(RuleEntry r, TrialFacts s) {
        if (!s.cpuShort()) {
            return cpuLeft(s);
        }
        return s.profile().map(p -> hotInProfile(r, s, p)).orElseGet(() -> hotInStacks(r, s));
    }

    /** Why nothing is said of where the CPU time goes. */
    static RuleResult cpuLeft(TrialFacts s) {
        return s.cpu().isPresent()
                ? new RuleResult.Healthy("the CPUs are not full")
                : new RuleResult.NotObserved("the CPU time was not read");
    }

    /** What a profile says, which goes before stacks. */
    private static RuleResult hotInProfile(RuleEntry r, TrialFacts s, CpuProfile profile) {
        Optional<Stacks.Hot> hot = profile.hottest();
        if (hot.isEmpty() || hot.get().share() < r.bound("frame")) {
            return new RuleResult.Healthy(
                    hot.map(h -> likes(h) + " have " + Format.share(h.share()) + " of the CPU time, none has more")
                                    .orElse("only the server's own methods run")
                            + " (" + profile.words() + ")");
        }
        return costly(
                r,
                s,
                hot.get(),
                hot.get().share(),
                (hot.get().withCalls()
                                ? hot.get().title()
                                : hot.get().isMostlyOneMethod()
                                        ? hot.get().method() + " and what is in its package"
                                        : "The methods of " + largest(hot.get()))
                        + ", with the JDK's methods that they call, have "
                        + Format.share(hot.get().share()) + " of the target's CPU time in " + profile.words());
    }

    private static RuleResult hotInStacks(RuleEntry r, TrialFacts s) {
        Optional<String> few = s.stacks().tooFew();
        if (few.isPresent()) {
            return new RuleResult.NotObserved(few.get());
        }
        Optional<Stacks.Hot> hot = s.stacks().hottest();
        if (hot.isEmpty()) {
            return new RuleResult.Healthy("only the server's own methods run");
        }
        double workers = s.stacks().ofCpu();
        double part = hot.get().share() * workers;
        if (part < r.bound("frame")) {
            return new RuleResult.Healthy(likes(hot.get()) + " are on top of "
                    + Format.share(hot.get().share()) + " of the stacks that run, and "
                    + (s.stacks().ofAll() ? "threads that serve" : "workers") + " use "
                    + Format.share(workers) + " of the CPU time");
        }
        return costly(
                r,
                s,
                hot.get(),
                part,
                (hot.get().withCalls()
                                ? hot.get().method() + ", or what it calls,"
                                : hot.get().isMostlyOneMethod()
                                        ? hot.get().method() + ", or what is in its package,"
                                        : "A method of " + largest(hot.get()))
                        + " is on top of "
                        + Format.share(hot.get().share()) + " of the "
                        + Format.whole(s.stacks().running())
                        + " stacks of " + s.stacks().whose() + " that were seen to run; "
                        + (s.stacks().ofAll() ? "threads that serve" : "workers") + " use "
                        + Format.share(workers)
                        + " of the CPU time");
    }

    private static String likes(Stacks.Hot hot) {
        return hot.isMostlyOneMethod() ? hot.method() + " and its like" : "The methods of " + hot.inPackage();
    }

    private static String largest(Stacks.Hot hot) {
        return hot.inPackage() + " (the largest, " + hot.method() + ", has " + Format.share(hot.own()) + ")";
    }

    /**
     * The finding that one method costs most, or the methods of one package.
     *
     * @param share of the target's CPU time
     * @param seen what was seen of it
     */
    private static RuleResult costly(RuleEntry r, TrialFacts s, Stacks.Hot hot, double share, String seen) {
        return new FindingBuilder(
                        r,
                        Severity.LIMIT,
                        "mostly",
                        share >= r.bound("most"),
                        "hot",
                        hot.title(),
                        "seen",
                        seen,
                        "profiled",
                        s.profile().isPresent(),
                        "one",
                        hot.isMostlyOneMethod(),
                        "full",
                        !s.threadShort())
                .seen(cpu(s))
                .weight(share)
                .found();
    }

    private static RuleResult large(RuleEntry r, TrialFacts s) {
        if (s.measurement().isEmpty()
                || s.measurement().get().responses() == 0
                || s.cpu().isEmpty()) {
            return new RuleResult.NotObserved(s.noAnswers() + ", or the CPU time was not read");
        }
        double each = (double) s.measurement().get().bytesRead()
                / s.measurement().get().responses();
        String figure = Format.bytes(each) + " an answer";
        if (each < r.bound("large") || !s.cpuFull()) {
            return new RuleResult.Healthy(figure);
        }
        return new FindingBuilder(
                        r,
                        Severity.LIMIT,
                        "each",
                        each,
                        "rate",
                        each * s.served(),
                        "unseen",
                        s.stacks().tooFew().isPresent())
                .waitsFor(HeapRules.collectsMuch(s), "large-objects")
                .seen(cpu(s))
                .seen(figure)
                .weight(s.cpu().getAsDouble())
                .found();
    }

    private static RuleResult full(RuleEntry r, TrialFacts s) {
        if (s.cpu().isEmpty() && !s.starved()) {
            return new RuleResult.NotObserved("the target's CPU time was not read");
        }
        if (!s.cpuFull() && !s.crowded()) {
            return new RuleResult.Healthy(cpu(s).orElse(""));
        }
        Object[] use = {
            "share",
            Math.min(1, s.cpu().orElse(0)),
            "cpus",
            s.allowedCpus(),
            "compilers",
            s.compilers() < NOTABLE ? OptionalFigure.empty() : OptionalFigure.of(s.compilers())
        };
        if (s.starved()) {
            return new FindingBuilder(
                            r,
                            Severity.LIMIT,
                            "others",
                            NoisyNeighbours.others(s),
                            "ready",
                            NoisyNeighbours.readyAtLast(s))
                    .as("starved")
                    .weight(1)
                    .found();
        }
        // all CPUs that it may run on are busy, and the target has a part of them only
        if (s.crowded()) {
            return new FindingBuilder(r, Severity.LIMIT, use)
                    .with("whole", !s.ownCpusSeen())
                    .with("busy", Math.min(1, s.busyCpus()))
                    .with("ready", s.meanOrNone(Signals.RUNQUEUE_WAIT))
                    .with("load", !s.isObserved())
                    .as("crowded")
                    .seen(cpu(s))
                    .weight(s.busyCpus())
                    .found();
        }
        String used = s.explained()
                .filter(e -> e.limit() == Limit.CPU)
                .map(e -> e.sentences().getFirst())
                .orElseGet(() -> r.text("used", use));
        return new FindingBuilder(r, Severity.LIMIT, "used", used, "parts", whose(s))
                .waitsFor(HeapRules.collectsMuch(s), "gc-calls", "large-objects")
                .seen(cpu(s))
                .waitsFor(WaitRules.diskSeen(s), "disk")
                .weight(s.cpu().getAsDouble())
                .found();
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
                parts.add(group.substring("cpu.".length()) + " " + Format.share(share));
            }
        }
        return String.join(", ", parts);
    }
}
