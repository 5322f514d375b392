package dev.fettle.insight.diagnose;

import dev.fettle.insight.Finding.Severity;
import dev.fettle.insight.diagnose.Refutation.Expected;
import dev.fettle.insight.diagnose.Refutation.Plan;
import dev.fettle.insight.explain.OperatingPoint;
import dev.fettle.insight.explain.Thresholds;
import dev.fettle.insight.gate.SteadyState;
import dev.fettle.model.knob.BootLayout;
import dev.fettle.model.rule.RuleEntry;
import dev.fettle.model.target.Target;
import dev.fettle.model.text.Format;
import dev.fettle.model.trial.KnownMethod;
import dev.fettle.model.trial.KnownMethod.Cost;
import dev.fettle.model.trial.KnownMethods;
import dev.fettle.model.trial.Profile;
import dev.fettle.model.trial.Sighting;
import dev.fettle.model.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Rules about methods whose cost and remedy are known ({@code rules/methods.yaml}), wherever they are in a stack: in a profile's, else in
 * those of workers that the watch sampled.
 */
final class KnownMethodRules {
    private static final String FLAGS = "jvm.flags";
    private static final double TWICE = 2;

    private KnownMethodRules() {}

    static List<DiagnosisRule> rules() {
        return List.of(
                DiagnosisRule.of("known-method", KnownMethodRules::onCpu)
                        .refutedBy(Refutation.by((_, b) -> cure(costly(new TrialFacts(b)), b)
                                .or(() -> RefutationTrial.clients(b, Expected.SAME)))),
                DiagnosisRule.of("known-wait", KnownMethodRules::inWaits)
                        .othersCanCauseIt()
                        .refutedBy(Refutation.by((_, b) -> cure(waited(new TrialFacts(b)), b))),
                DiagnosisRule.of("known-allocation", KnownMethodRules::inAllocations));
    }

    /**
     * A known method's cost.
     *
     * @param caller the method that calls it most
     * @param share of what was sampled, 0 to 1
     * @param own the caller's part of that
     */
    record Known(KnownMethod method, String caller, double share, double own) {}

    // -- what was seen -----------------------------------------------------------------------------------------------

    /** The known methods in a profile, the most expensive first; shares are of {@code all}. */
    static List<Known> in(Profile profile, Cost cost, double all) {
        var callers = new HashMap<KnownMethod, Map<String, Double>>();
        for (Profile.Stack s : profile.stacks()) {
            List<String> frames = s.frames().stream().map(profile.frames()::get).toList();
            KnownMethods.in(frames, cost)
                    .ifPresent(f -> callers.computeIfAbsent(f.method(), m -> new HashMap<>())
                            .merge(f.caller(), s.weight() / all, Double::sum));
        }
        var known = new ArrayList<Known>();
        callers.forEach((method, by) -> {
            Map.Entry<String, Double> most = by.entrySet().stream()
                    .max(Map.Entry.<String, Double>comparingByValue()
                            .thenComparing(Map.Entry.comparingByKey(Comparator.reverseOrder())))
                    .orElseThrow();
            double share = by.values().stream().mapToDouble(Double::doubleValue).sum();
            known.add(new Known(method, most.getKey(), share, most.getValue()));
        });
        return sorted(known);
    }

    /** The same in what the watch sampled of the workers' stacks. */
    private static List<Known> sampled(List<Sighting> seen, double all) {
        return sorted(seen.stream()
                .flatMap(x -> KnownMethods.find(x.what()).stream()
                        .map(m -> new Known(m, x.detail().split(";", 2)[0], x.count() / all, x.count() / all)))
                .toList());
    }

    private static List<Known> sorted(List<Known> known) {
        return known.stream()
                .sorted(Comparator.comparingDouble((Known k) -> -k.share).thenComparing(k -> k.method.id()))
                .toList();
    }

    /**
     * The most expensive of at least a share. What is done once for each class is done while a server warms up, too: in a trial that was
     * still getting faster it takes twice as much.
     */
    private static Optional<Known> most(List<Known> known, TrialFacts s, double least) {
        boolean rises =
                s.trial().verdict().reasons().stream().anyMatch(r -> r.rule().equals(SteadyState.WARM_UP_RULE));
        return known.stream()
                .filter(k -> k.share >= (rises && k.method.isRare() ? TWICE * least : least))
                .findFirst();
    }

    private static FindingBuilder found(RuleEntry r, Severity severity, Known k) {
        return new FindingBuilder(
                r,
                severity,
                "caller",
                k.caller,
                "does",
                k.method.does(),
                "share",
                k.share,
                "own",
                k.own < Thresholds.MOST_OF_A_REQUEST * k.share ? Optional.of(Format.share(k.own)) : Optional.empty(),
                "cure",
                k.method.remedy(),
                "source",
                k.method.sources().getFirst(),
                "tried",
                k.method.tried().map(t -> t.knob() + "=" + t.value()));
    }

    private static RuleResult none(List<Known> known, String of) {
        return new RuleResult.Healthy(known.stream()
                .findFirst()
                .map(k -> k.caller + " " + k.method.does() + " in " + Format.share(k.share) + " of " + of)
                .orElse("no method of known cost is in " + of));
    }

    // -- the rules ---------------------------------------------------------------------------------------------------

    private static RuleResult onCpu(RuleEntry r, TrialFacts s) {
        if (!s.cpuShort()) {
            return CpuRules.cpuLeft(s);
        }
        Optional<String> few =
                s.profile().isPresent() ? Optional.empty() : s.deepStacks().tooFew();
        if (few.isPresent()) {
            return new RuleResult.NotObserved(few.get());
        }
        Optional<Known> most = costly(s);
        String of = ofCpu(s);
        if (most.isEmpty()) {
            return none(known(s), of);
        }
        double share = most.get().share;
        // where the program's own code takes more than twice as much, that comes first
        double hot = hottest(s);
        boolean first = hot <= 2 * share;
        return found(r, first ? Severity.WARNING : Severity.LIMIT, most.get())
                .explains(first)
                .seen(Format.share(share) + " of " + of)
                .weight(share)
                .with("full", !s.threadShort())
                .with("profiled", s.profile().isPresent())
                .found();
    }

    /** The known methods that cost CPU time, the most expensive first; shares are of the target's. */
    private static List<Known> known(TrialFacts s) {
        return s.profile().map(CpuProfile::known).orElseGet(() -> {
            Stacks stacks = s.deepStacks();
            double part = stacks.ofCpu();
            return sampled(stacks.known(), stacks.running()).stream()
                    .map(k -> new Known(k.method, k.caller, k.share * part, k.own * part))
                    .toList();
        });
    }

    /** The known method in which most of the threads that ran were, if that is most of them. */
    static Optional<KnownMethod> mostRunning(TrialFacts s) {
        Stacks stacks = s.deepStacks();
        return sampled(stacks.known(), stacks.running()).stream()
                .findFirst()
                .filter(k -> k.share >= Thresholds.MOST_OF_A_REQUEST)
                .map(Known::method);
    }

    /** The one that costs much. */
    private static Optional<Known> costly(TrialFacts s) {
        return most(known(s), s, DiagnosisRule.bound("known-method", "known"));
    }

    private static String ofCpu(TrialFacts s) {
        return s.profile()
                .map(p -> "the target's CPU time in " + p.words())
                .orElse("the target's CPU time, by "
                        + Format.whole(s.deepStacks().running()) + " stacks of "
                        + s.deepStacks().whose() + " that ran");
    }

    private static double hottest(TrialFacts s) {
        return s.profile()
                .map(CpuProfile::hottest)
                .orElseGet(() -> s.stacks().hottest())
                // what it calls is the known method's cost as well
                .filter(h -> !h.withCalls())
                .map(Stacks.Hot::share)
                .orElse(0.0);
    }

    /** Stacks of busy workers that were sampled, running or waiting. */
    private static double busyStacks(TrialFacts s) {
        return s.sightings(Sighting.STACKS).stream()
                .filter(x -> x.what().equals(Sighting.WAITS) || x.what().equals(Sighting.RUNS))
                .mapToDouble(Sighting::count)
                .sum();
    }

    /** The known methods that workers wait in; shares are of the busy ones. */
    private static List<Known> waits(TrialFacts s) {
        return sampled(s.sightings(Sighting.METHOD_WAITS), busyStacks(s));
    }

    /** The one in which many wait. */
    private static Optional<Known> waited(TrialFacts s) {
        return most(waits(s), s, Thresholds.WAITING_AT_LOCK);
    }

    private static RuleResult inWaits(RuleEntry r, TrialFacts s) {
        double all = busyStacks(s);
        boolean looked =
                s.sightings(Sighting.STACKS).stream().anyMatch(x -> x.what().equals(Sighting.WAITS));
        if (!looked || all < Stacks.FEWEST) {
            return new RuleResult.NotObserved("no stacks of waiting workers were sampled");
        }
        if (s.cpuFull()) {
            return new RuleResult.Healthy("the CPUs are full: who waits may wait for one");
        }
        String of = "the " + Format.whole(all) + " stacks of busy workers that were sampled";
        Optional<Known> most = waited(s);
        if (most.isEmpty()) {
            return none(waits(s), of);
        }
        return found(r, Severity.WARNING, most.get())
                .seen(Format.share(most.get().share) + " of " + of)
                .share(most.get().share)
                .found();
    }

    private static RuleResult inAllocations(RuleEntry r, TrialFacts s) {
        Optional<Profile> profile = s.evidence().stream()
                .flatMap(e -> e.profiles().stream())
                .filter(p -> p.kind() == Profile.Kind.ALLOC && p.total() > 0)
                .findFirst();
        if (profile.isEmpty() || s.gcShare().isEmpty()) {
            return new RuleResult.NotObserved("no profile of allocations was taken");
        }
        if (s.gcShare().getAsDouble() < Thresholds.GC_MUCH) {
            return new RuleResult.Healthy(
                    "garbage collection takes " + Format.share(s.gcShare().getAsDouble()) + " of the time");
        }
        String of = "what was allocated in a profile of "
                + Format.seconds(profile.get().seconds());
        List<Known> known = in(profile.get(), Cost.ALLOC, profile.get().total());
        Optional<Known> most = most(known, s, Thresholds.WAITING_AT_LOCK);
        if (most.isEmpty()) {
            return none(known, of);
        }
        return found(r, Severity.WARNING, most.get())
                .seen(Format.share(most.get().share) + " of " + of)
                .seen("garbage collection takes " + Format.share(s.gcShare().getAsDouble()) + " of the time")
                .weight(most.get().share)
                .found();
    }

    // -- the test ----------------------------------------------------------------------------------------------------

    /** The setting that cures it, where it is one that can be tried here. */
    private static Optional<Plan> cure(Optional<Known> known, TrialOutcome baseline) {
        return known.flatMap(k -> k.method.tried())
                .filter(t -> applies(t, baseline.spec().target()))
                .flatMap(t -> {
                    String now = OperatingPoint.knob(baseline.spec(), baseline.evidence(), t.knob())
                            .filter(v -> !v.equals("none"))
                            .orElse("");
                    boolean flags = t.knob().equals(FLAGS);
                    return now.equals(t.value()) || flags && now.contains(t.value())
                            ? Optional.empty()
                            : RefutationTrial.set(
                                    t.knob(),
                                    flags ? (now + " " + t.value()).strip() : t.value(),
                                    "without that cost",
                                    baseline);
                });
    }

    private static boolean applies(KnownMethod.Try t, Target target) {
        return t.knob().equals(BootLayout.KNOB)
                ? target.takesProperties()
                : t.knob().equals(FLAGS) ? target.takesFlags() : target.isLaunched();
    }
}
