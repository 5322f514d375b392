package dev.fettle.insight.diagnose;

import dev.fettle.insight.DiagnoseConclusion.Looked;
import dev.fettle.insight.Explanation;
import dev.fettle.insight.Explanation.Brief;
import dev.fettle.insight.Finding;
import dev.fettle.insight.Finding.Severity;
import dev.fettle.insight.diagnose.DiagnosisRule.Stage;
import dev.fettle.insight.stats.Growth;
import dev.fettle.model.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * The results of all rules on one trial. The first finding is the bottleneck: something broken comes before a limit
 * that every server reaches some day, then the earliest stage, and within a stage the finding that explains the most. A
 * finding that another one explains is listed as its symptom, not beside it.
 */
public final class Diagnosis {
    private static final List<DiagnosisRule> ALL = Stream.of(
                    FailureRules.rules(),
                    KnownMethodRules.rules(),
                    CpuRules.rules(),
                    HeapRules.rules(),
                    VmRules.rules(),
                    SurroundingsRules.rules(),
                    ConnectionRules.rules(),
                    ChainRules.rules(),
                    WaitRules.rules(),
                    CallsRule.rules(),
                    OtherWaitRule.rules(),
                    RequestRules.rules(),
                    LogRules.rules(),
                    TimeRules.rules(),
                    PeriodicRule.rules(),
                    GrowthRules.rules(),
                    HistogramRule.rules())
            .flatMap(List::stream)
            .toList();

    /**
     * A rule in words.
     *
     * @param id stable name, in kebab case
     * @param stage the heading of its stage
     * @param what what it looks for, in a few words
     * @param threshold the bound, and where it comes from
     * @param symptomOf ids of rules whose findings explain this one, whatever the figures
     * @param shownBy ids of the signals that show what it found, the most informative first
     */
    public record InWords(
            String id, String stage, String what, String threshold, List<String> symptomOf, List<String> shownBy) {}

    private final List<Hit> hits;
    private final List<Finding> findings;
    private final List<Looked> healthy;
    private final List<Looked> notObserved;

    private Diagnosis(List<Hit> hits, List<Looked> healthy, List<Looked> notObserved) {
        this.hits = List.copyOf(hits);
        this.findings = linked(hits);
        this.healthy = List.copyOf(healthy);
        this.notObserved = List.copyOf(notObserved);
    }

    /** What was found, the bottleneck first. */
    public List<Finding> findings() {
        return findings;
    }

    /** Rules that looked and found nothing. */
    public List<Looked> healthy() {
        return healthy;
    }

    /** Rules that had nothing to look at. */
    public List<Looked> notObserved() {
        return notObserved;
    }

    /** All rules, stage by stage. */
    public static List<InWords> rules() {
        return ALL.stream()
                .sorted(Comparator.comparing(DiagnosisRule::stage))
                .map(r -> new InWords(
                        r.id(),
                        r.stage().title(),
                        r.what(),
                        r.entry().text("threshold", "points", Growth.LEAST, "alpha", Growth.ALPHA),
                        ALL.stream().filter(r::symptomOf).map(DiagnosisRule::id).toList(),
                        r.entry().shownBy()))
                .toList();
    }

    /** A rule; empty if there is none of that id. */
    static Optional<DiagnosisRule> rule(String id) {
        return ALL.stream().filter(r -> r.id().equals(id)).findFirst();
    }

    /** Whether a rule's findings say that a resource is short. */
    static boolean limits(Finding finding, String resource) {
        return rule(finding.rule())
                .filter(r -> r.entry().limits().contains(resource))
                .isPresent();
    }

    /** The signals that show what a rule found, the most informative first; empty if there are none. */
    public static List<String> signals(String rule) {
        return rule(rule).map(r -> r.entry().shownBy()).orElse(List.of());
    }

    /** Applies all rules. */
    public static Diagnosis of(TrialOutcome trial) {
        return of(new TrialFacts(trial));
    }

    static Diagnosis of(TrialFacts sight) {
        var found = new ArrayList<Hit>();
        var healthy = new ArrayList<Looked>();
        var unseen = new ArrayList<Looked>();
        for (DiagnosisRule rule : ALL) {
            switch (rule.rule().look(sight)) {
                case RuleResult.Found f -> found.add(new Hit(rule, f));
                case RuleResult.Healthy h -> {
                    if (rule.stage() != Stage.ASKED) {
                        healthy.add(new Looked(rule.id(), rule.what(), h.words()));
                    }
                }
                case RuleResult.NotObserved n -> unseen.add(new Looked(rule.id(), rule.what(), n.why()));
            }
        }
        return new Diagnosis(found, healthy, unseen);
    }

    /**
     * What limits a trial: the diagnosis of its operating point, with the claims tested against the other trials of its run, and with what
     * the rules found. Empty if it has no measurement, if CPU time that others took affects it, or if nothing is concluded from it.
     *
     * @param run the trials of its run; void ones are ignored
     */
    public static Optional<Explanation> explain(TrialOutcome trial, List<TrialOutcome> run) {
        return explain(trial, run, t -> 0);
    }

    /**
     * The same of a run some of whose trials ran in a warm JVM.
     *
     * @param moved how far the warm JVM of a trial had moved, as a logarithm of throughput; 0 for one of its own
     */
    public static Optional<Explanation> explain(
            TrialOutcome trial, List<TrialOutcome> run, ToDoubleFunction<TrialOutcome> moved) {
        var facts = new TrialFacts(trial, run, moved);
        return facts.explained()
                .flatMap(e -> DiagnoseExperiment.conclude(facts)
                        .map(c -> c.bottleneck().map(f -> explained(e, f)).orElse(e)));
    }

    /** What limits a trial, with what was found in it: what requests wait for, say. */
    private static Explanation explained(Explanation e, Finding first) {
        boolean workers = limits(first, "workers");
        boolean more =
                first.severity() != Severity.LIMIT && !workers && !e.sentences().contains(first.sentence());
        String inShort = first.title() + ": " + first.sentence();
        Explanation all = more ? e.with(1, inShort) : e;
        if (e.showsPool()) {
            List<String> sentences =
                    workers ? e.brief().sentences() : List.of(e.sentences().getFirst(), inShort);
            return all.withBrief(new Brief(e.brief().title(), sentences, e.refutedBy(), Optional.empty()));
        }
        var sentences = new ArrayList<String>(List.of(first.sentence()));
        sentences.addAll(first.symptoms());
        if (!first.remedy().isBlank()) {
            sentences.add("What to do: " + first.remedy() + ".");
        }
        return all.withBrief(new Brief(first.title(), sentences, first.refutedBy(), Optional.of(first)));
    }

    /** The same without what some rules found. What followed from that alone is a finding of its own then. */
    Diagnosis without(Predicate<String> rule) {
        return new Diagnosis(
                hits.stream().filter(h -> !rule.test(h.rule().id())).toList(), healthy, notObserved);
    }

    /** A finding as its rule saw it. */
    private record Hit(DiagnosisRule rule, RuleResult.Found found) {
        Finding finding() {
            return found.finding();
        }

        boolean isLimit() {
            return finding().severity() == Severity.LIMIT;
        }

        /** Whether it limits nothing that was seen: it is told after all that may. */
        boolean isIdle() {
            return isLimit() && !found.explains();
        }

        boolean explainedBy(Hit other) {
            return other.found.explains()
                    && (rule.symptomOf(other.rule) || rule.waitsFor(found.waitsFor(), other.rule));
        }
    }

    /** Assigns each symptom to the first of its causes that was found. */
    private static List<Finding> linked(List<Hit> found) {
        List<Hit> ordered = found.stream()
                .sorted(Comparator.comparing(Hit::isLimit)
                        .thenComparing(Hit::isIdle)
                        .thenComparing(h -> h.rule().stage())
                        .thenComparing(h -> -h.found().weight()))
                .toList();
        List<Hit> causes = ordered.stream()
                .filter(h -> ordered.stream().noneMatch(h::explainedBy))
                // what explains a fault, or why the target broke, comes where that would: a sort keeps the order of the
                // rest
                .sorted(Comparator.comparing(
                                (Hit h) -> h.isLimit() && fault(h, ordered).isEmpty())
                        .thenComparing(Hit::isIdle)
                        .thenComparing(h -> !(broke(h) || explainsABreak(h, ordered)))
                        .thenComparing(h -> h.isLimit()
                                ? fault(h, ordered).orElse(h.rule().stage())
                                : h.rule().stage()))
                .toList();
        Map<Hit, List<String>> symptoms = new HashMap<>();
        for (Hit hit : ordered) {
            // "the clients ask for no more" is no symptom of a full resource: where one is found, it is left out
            if (!causes.contains(hit) && hit.rule().stage() != Stage.ASKED) {
                cause(hit, ordered, causes)
                        .ifPresent(c -> symptoms.computeIfAbsent(c, h -> new ArrayList<>())
                                .add(hit.finding().sentence()));
            }
        }
        return causes.stream()
                .map(h -> h.finding().withSymptoms(symptoms.getOrDefault(h, List.of())))
                .toList();
    }

    private static boolean explainsABreak(Hit cause, List<Hit> found) {
        return found.stream().anyMatch(h -> broke(h) && !h.isLimit() && h.explainedBy(cause));
    }

    /**
     * The earliest stage of a fault that something explains: clients that time out are more than CPUs that are full. Not of one that a
     * warning explains, too, which comes first as it is.
     */
    private static Optional<Stage> fault(Hit cause, List<Hit> found) {
        return found.stream()
                .filter(h -> h.finding().severity() == Severity.FAULT && h.explainedBy(cause))
                .filter(h -> found.stream().noneMatch(w -> !w.isLimit() && h.explainedBy(w)))
                .map(h -> h.rule().stage())
                .min(Comparator.naturalOrder());
    }

    /** Whether the target failed, or something in it is stuck or used up. */
    private static boolean broke(Hit h) {
        return h.rule().stage().compareTo(Stage.BROKEN) <= 0;
    }

    /** The finding that explains a symptom, perhaps through another symptom. */
    private static Optional<Hit> cause(Hit symptom, List<Hit> found, List<Hit> causes) {
        Stream<Hit> direct = causes.stream().filter(symptom::explainedBy);
        Stream<Hit> through = found.stream()
                .filter(h -> symptom.explainedBy(h) && !causes.contains(h))
                .flatMap(h -> causes.stream().filter(h::explainedBy));
        return Stream.concat(direct, through).findFirst();
    }
}
