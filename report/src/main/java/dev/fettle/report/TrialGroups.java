package dev.fettle.report;

import dev.fettle.insight.CapacityConclusion;
import dev.fettle.insight.CompareConclusion;
import dev.fettle.insight.DiagnoseConclusion;
import dev.fettle.insight.GateConclusion;
import dev.fettle.insight.SweepConclusion;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.trial.TrialOutcome;
import dev.fettle.model.trial.TrialSpec.Phase;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Groups a run's valid trials under the names used in plots and tables. */
public final class TrialGroups {
    /** More curves in one plot can't be told apart. */
    private static final int MOST = 8;

    /**
     * Valid trials under one name.
     *
     * @param role {@code baseline}, {@code winner} or empty; decides the colour
     */
    public record Group(String name, String role, List<TrialOutcome> trials) {
        /** The name of the plan's variant; empty outside comparisons. */
        public String variant() {
            var spec = trials.getFirst().spec();
            return spec.phase() == Phase.COMPARE || spec.phase() == Phase.GATE ? spec.variant() : "";
        }

        /** The condition it was measured under, as text; may be empty. */
        public String condition() {
            return Wording.point(trials.getFirst().spec().point());
        }

        double throughput() {
            return trials.stream()
                    .mapToDouble(t -> t.measurement().map(m -> m.throughput()).orElse(0.0))
                    .average()
                    .orElse(0);
        }
    }

    private TrialGroups() {}

    /** The groups a reader wants side by side; empty ones are left out. */
    public static List<Group> of(RunReport run) {
        if (run.conclusion().isPresent() && run.conclusion().get() instanceof TuneConclusion t) {
            return tuned(run, t);
        }
        return switch (run.kind()) {
            case "tune" -> underWay(run);
            default -> named(run);
        };
    }

    private static List<Group> tuned(RunReport run, TuneConclusion t) {
        Setting hold = run.plan().hold();
        var groups = new ArrayList<Group>();
        var baseline = duelOrAny(run, t.baseline());
        if (!baseline.isEmpty()) {
            groups.add(new Group(defaultName(t.baseline(), hold), "baseline", baseline));
        }
        if (!t.winner().equals(t.baseline())) {
            var winner = duelOrAny(run, t.winner());
            if (!winner.isEmpty()) {
                String name = Wording.setting(t.winner(), hold);
                String suffix = t.shown() ? " (winner)" : " (best candidate)";
                groups.add(new Group(name + suffix, "winner", winner));
            }
        }
        return groups;
    }

    private static String defaultName(Setting baseline, Setting hold) {
        String name = Wording.setting(baseline, hold);
        return name.equals("default") ? name : name + " (baseline)";
    }

    private static List<TrialOutcome> duelOrAny(RunReport run, Setting setting) {
        Predicate<TrialOutcome> same = o -> o.spec().setting().equals(setting);
        var duel = run.valid().stream()
                .filter(same)
                .filter(o -> o.spec().phase() == Phase.DUEL)
                .toList();
        return duel.isEmpty() ? run.valid().stream().filter(same).toList() : duel;
    }

    private static List<Group> underWay(RunReport run) {
        var bySetting = new LinkedHashMap<Setting, List<TrialOutcome>>();
        run.valid()
                .forEach(o -> bySetting
                        .computeIfAbsent(o.spec().setting(), k -> new ArrayList<>())
                        .add(o));
        var groups = new ArrayList<Group>();
        Setting hold = run.plan().hold();
        bySetting.forEach((setting, trials) -> {
            boolean baseline = trials.stream().anyMatch(o -> o.spec().phase() == Phase.BASELINE);
            if (baseline) {
                groups.add(new Group(defaultName(setting, hold), "baseline", trials));
            }
        });
        bySetting.entrySet().stream()
                .filter(e -> e.getValue().stream().noneMatch(o -> o.spec().phase() == Phase.BASELINE))
                .map(e -> new Group(Wording.setting(e.getKey(), hold) + " (best so far)", "winner", e.getValue()))
                .max(Comparator.comparingDouble(Group::throughput))
                .ifPresent(groups::add);
        return groups;
    }

    /** Cells of a sweep or variants of a comparison; if there are many cells, a selection spread evenly from slowest to fastest. */
    private static List<Group> named(RunReport run) {
        Map<String, List<TrialOutcome>> byName = new LinkedHashMap<>();
        for (TrialOutcome o : run.valid()) {
            byName.computeIfAbsent(Wording.trial(o.spec(), run.plan().hold()), k -> new ArrayList<>())
                    .add(o);
        }
        var all = byName.entrySet().stream()
                .map(e -> new Group(e.getKey(), "", e.getValue()))
                .toList();
        if (all.size() <= MOST) {
            return inGridOrder(run, all);
        }
        var ordered = all.stream()
                .sorted(Comparator.comparingDouble(Group::throughput))
                .toList();
        var some = new ArrayList<Group>();
        for (int i = 0; i < MOST; i++) {
            some.add(ordered.get(Math.round((float) i * (ordered.size() - 1) / (MOST - 1))));
        }
        return some;
    }

    private static List<Group> inGridOrder(RunReport run, List<Group> groups) {
        List<String> order = run.conclusion()
                .map(c -> switch (c) {
                    case SweepConclusion s ->
                        s.cells().stream().map(x -> Wording.point(x.point())).toList();
                    case CompareConclusion x ->
                        x.conditions().stream()
                                .flatMap(k -> k.variants().stream().map(v -> Wording.variant(v.name(), k.point())))
                                .toList();
                    case TuneConclusion _, GateConclusion _, CapacityConclusion _, DiagnoseConclusion _ ->
                        List.<String>of();
                })
                .orElse(List.of());
        if (order.isEmpty()) {
            return groups.stream().sorted(Comparator.comparing(Group::name)).toList();
        }
        return groups.stream()
                .sorted(Comparator.comparingInt(g -> order.indexOf(g.name())))
                .toList();
    }
}
