package dev.fettle.report;

import dev.fettle.insight.Explanation;
import dev.fettle.insight.diagnose.Diagnosis;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.target.Target;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What limited each cell of a sweep, each variant of a comparison, or a bench. */
public final class Causes {
    private Causes() {}

    /**
     * What limited a cell or a variant.
     *
     * @param trial ordinal of its trial that shows it
     */
    public record Cause(int trial, Explanation why) {
        public Explanation.Brief brief() {
            return why.brief();
        }
    }

    /**
     * A cause found for some cells or variants.
     *
     * @param names of the cells or variants
     * @param shown the cause of the one with the highest result, whose figures are shown
     */
    public record Group(String title, List<String> names, Cause shown) {
        public Group {
            names = List.copyOf(names);
        }
    }

    private static final Set<Phase> CELLS = Set.of(Phase.SWEEP, Phase.COMPARE, Phase.GATE);

    /** One cause for each cell or variant: that of its valid trial with the median throughput. None for spikes. */
    public static Map<String, Cause> of(RunReport run) {
        var trials = new LinkedHashMap<String, List<TrialOutcome>>();
        run.valid().stream()
                .filter(o -> CELLS.contains(o.spec().phase()))
                .filter(o -> !o.spec().load().hasStages())
                .forEach(o -> trials.computeIfAbsent(
                                Wording.trial(o.spec(), run.plan().hold()), k -> new ArrayList<>())
                        .add(o));
        var causes = new LinkedHashMap<String, Cause>();
        trials.forEach((name, all) -> {
            var ordered = all.stream()
                    .sorted(Comparator.comparingDouble(Causes::throughput))
                    .toList();
            TrialOutcome median = ordered.get(ordered.size() / 2);
            Diagnosis.explain(median, run.valid())
                    .filter(Explanation::observed)
                    .ifPresent(e -> causes.put(name, new Cause(median.ordinal(), e)));
        });
        return causes;
    }

    /** The same by cause, the fastest first. */
    public static List<Group> groups(RunReport run) {
        var groups = new LinkedHashMap<String, List<Map.Entry<String, Cause>>>();
        of(run).entrySet().stream()
                .sorted(Comparator.comparingDouble((Map.Entry<String, Cause> e) ->
                                e.getValue().why().throughput())
                        .reversed())
                .forEach(e -> groups.computeIfAbsent(e.getValue().brief().title(), k -> new ArrayList<>())
                        .add(e));
        return groups.entrySet().stream()
                .map(g -> new Group(
                        g.getKey(),
                        g.getValue().stream().map(Map.Entry::getKey).toList(),
                        g.getValue().getFirst().getValue()))
                .toList();
    }

    /** What limited a bench; empty if no process was watched. */
    public static Optional<Explanation> of(BenchReport bench) {
        return Optional.ofNullable(bench.evidence().facts().get("pid"))
                .flatMap(pid -> Diagnosis.explain(trial(bench, Long.parseLong(pid)), List.of()))
                .filter(Explanation::observed);
    }

    private static TrialOutcome trial(BenchReport bench, long pid) {
        var target = new Target.Running(pid, Optional.empty(), false, false, Optional.empty());
        var spec = new TrialSpec(Phase.DIAGNOSE, "", Map.of(), 0, target, Setting.DEFAULT, bench.load());
        return new TrialOutcome(
                1,
                spec,
                bench.started(),
                bench.measurement().elapsed(),
                Duration.ZERO,
                Optional.of(bench.measurement()),
                Optional.of(bench.evidence()),
                Optional.empty(),
                bench.verdict(),
                List.of());
    }

    private static double throughput(TrialOutcome o) {
        return o.measurement().map(Measurement::throughput).orElse(0.0);
    }
}
