package dev.fettle.insight.diagnose;

import dev.fettle.insight.DiagnoseConclusion.Looked;
import dev.fettle.insight.Finding;
import dev.fettle.insight.diagnose.Rule.Stage;
import dev.fettle.model.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * All rules, asked about one trial. The first finding is the bottleneck: the first by stage, within a stage the one that explains
 * the most. A finding that another one explains is told as its symptom, not beside it.
 *
 * @param findings the bottleneck first
 * @param healthy rules that looked and found nothing
 * @param notObserved rules that had nothing to look at
 */
public record Diagnosis(List<Finding> findings, List<Looked> healthy, List<Looked> notObserved) {
    private static final List<Rule> ALL = Stream.of(
                    FailureRules.rules(),
                    CpuRules.rules(),
                    WaitRules.rules(),
                    RequestRules.rules(),
                    TimeRules.rules())
            .flatMap(List::stream)
            .toList();

    /** Ids of all rules. */
    public static List<String> rules() {
        return ALL.stream().map(Rule::id).toList();
    }

    /** What a rule looks for, and its bound. */
    public static Map<String, String> thresholds() {
        var all = new LinkedHashMap<String, String>();
        ALL.forEach(r -> all.put(r.id(), r.what() + ": " + r.threshold()));
        return all;
    }

    /** Asks them all. */
    public static Diagnosis of(TrialOutcome trial) {
        return of(new Sight(trial));
    }

    static Diagnosis of(Sight sight) {
        var found = new LinkedHashMap<Rule, Finding>();
        var healthy = new ArrayList<Looked>();
        var unseen = new ArrayList<Looked>();
        for (Rule rule : ALL) {
            switch (rule.look().apply(sight)) {
                case Look.Found f -> found.put(rule, f.finding());
                case Look.Healthy h -> {
                    if (rule.stage() != Stage.ASKED) {
                        healthy.add(new Looked(rule.id(), rule.what(), h.words()));
                    }
                }
                case Look.NotObserved n -> unseen.add(new Looked(rule.id(), rule.what(), n.why()));
            }
        }
        return new Diagnosis(linked(found), healthy, unseen);
    }

    /** Symptoms go to the first of their causes that was found. */
    private static List<Finding> linked(Map<Rule, Finding> found) {
        List<Rule> ordered = found.keySet().stream()
                .sorted(Comparator.comparing(Rule::stage)
                        .thenComparing(r -> -found.get(r).share().orElse(0)))
                .toList();
        var causes = new LinkedHashMap<Rule, List<String>>();
        for (Rule rule : ordered) {
            boolean symptom = ordered.stream().anyMatch(o -> rule.symptomOf().contains(o.id()));
            if (!symptom) {
                causes.put(rule, new ArrayList<>());
            }
        }
        for (Rule rule : ordered) {
            if (!causes.containsKey(rule)) {
                cause(rule, ordered, causes.keySet().stream().toList())
                        .forEach(c -> causes.get(c).add(found.get(rule).sentence()));
            }
        }
        return causes.entrySet().stream()
                .map(e -> found.get(e.getKey()).with(e.getValue()))
                .toList();
    }

    /** The finding that explains a symptom, maybe through another symptom. */
    private static Stream<Rule> cause(Rule symptom, List<Rule> found, List<Rule> causes) {
        Stream<Rule> direct = causes.stream().filter(c -> symptom.symptomOf().contains(c.id()));
        Stream<Rule> through = found.stream()
                .filter(r -> r != symptom && symptom.symptomOf().contains(r.id()) && !causes.contains(r))
                .flatMap(r -> causes.stream().filter(c -> r.symptomOf().contains(c.id())));
        return Stream.concat(direct, through).limit(1);
    }
}
