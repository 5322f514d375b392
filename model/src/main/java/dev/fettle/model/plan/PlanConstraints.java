package dev.fettle.model.plan;

import dev.fettle.model.constraint.Constraints;
import dev.fettle.model.constraint.Constraints.Reason;
import dev.fettle.model.constraint.TlsConstraints;
import dev.fettle.model.knob.Knob;
import dev.fettle.model.knob.Knobs;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.load.Load;
import dev.fettle.model.target.Target;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds what is impossible in a plan; see {@link Constraints}. */
public final class PlanConstraints {
    private final Plan plan;
    private final int cpus;
    private final int somaxconn;
    private final List<Violation> found = new ArrayList<>();
    private final Set<String> said = new HashSet<>();

    /**
     * A broken rule of a plan.
     *
     * @param path keys from the top of the plan to the problem, as deep as they exist: {@code knobs}, {@code threads.max},
     *     {@code from}
     * @param message one line
     */
    public record Violation(List<String> path, String message) {
        public Violation {
            path = List.copyOf(path);
        }
    }

    private PlanConstraints(Plan plan, int cpus, int somaxconn) {
        this.plan = plan;
        this.cpus = cpus;
        this.somaxconn = somaxconn;
    }

    /**
     * Checks the held knobs, the ends of each knob's interval (or its choices), each cell of a sweep, and each variant under
     * each condition of a comparison. Each message is reported once.
     */
    public static List<Violation> check(Plan plan, int cpus, int somaxconn) {
        return new PlanConstraints(plan, cpus, somaxconn).check();
    }

    private List<Violation> check() {
        for (Reason r : reasons(plan.target(), plan.hold())) {
            add(List.of("hold", r.knob()), r);
        }
        for (KnobRange range : plan.knobs()) {
            for (End end : ends(range)) {
                tuned(range, end);
            }
        }
        if (plan.budget().live().orElse(false) && !plan.knobs().isEmpty()) {
            WarmSearch.whyNot(plan)
                    .ifPresent(why -> add(
                            List.of("budget", "live"),
                            new Reason("", "budget.live is not possible here: " + why + "; leave it out")));
        }
        plan.sweep().ifPresent(s -> grid("sweep", s.grid(), plan.target(), plan.hold(), List.of("hold")));
        plan.compare().ifPresent(c -> {
            for (Variant v : c.variants()) {
                var set = List.of("compare", "variants", v.name(), "set");
                for (Reason r : reasons(v.target(), v.setting())) {
                    add(append(set, r.knob()), r);
                }
                grid("compare", c.grid(), v.target(), v.setting(), set);
            }
        });
        return found;
    }

    /** One end of an interval, or one choice. */
    private record End(String value, String where) {}

    private static List<End> ends(KnobRange range) {
        Knob knob = Knobs.find(range.knob()).orElse(null);
        if (range.isInterval()) {
            return List.of(
                    new End(knob == null ? Long.toString(range.from()) : knob.text(range.from()), "from"),
                    new End(knob == null ? Long.toString(range.to()) : knob.text(range.to()), "to"));
        }
        var out = new ArrayList<End>();
        for (int i = 0; i < range.choices().size(); i++) {
            out.add(new End(range.choices().get(i), Integer.toString(i)));
        }
        return out;
    }

    /** An end is impossible only if no end of another tuned knob makes it possible. */
    private void tuned(KnobRange range, End end) {
        Setting alone = plan.hold().with(range.knob(), end.value());
        List<Reason> broken = fresh(reasons(plan.target(), alone));
        if (broken.isEmpty()) {
            return;
        }
        for (KnobRange other : plan.knobs()) {
            if (other != range) {
                for (End e : ends(other)) {
                    if (fresh(reasons(plan.target(), alone.with(other.knob(), e.value())))
                            .isEmpty()) {
                        return;
                    }
                }
            }
        }
        broken.forEach(r -> add(List.of("knobs", range.knob(), end.where()), r));
    }

    private void grid(String experiment, List<Dimension> grid, Target target, Setting setting, List<String> otherwise) {
        for (Map<String, String> point : GridPoints.grid(grid)) {
            GridPoints.Parts cell;
            try {
                cell = GridPoints.apply(point, new GridPoints.Parts(target, setting, plan.load()));
            } catch (IllegalArgumentException e) {
                String message = String.valueOf(e.getMessage());
                add(List.of(experiment, "grid"), new Reason("", message));
                continue;
            }
            for (Reason r : reasons(cell.target(), cell.setting(), cell.load())) {
                String value = point.get(r.knob());
                add(
                        value == null
                                ? append(otherwise, r.knob())
                                : List.of(experiment, "grid", r.knob(), Integer.toString(index(grid, r.knob(), value))),
                        r);
            }
        }
    }

    private static int index(List<Dimension> grid, String name, String value) {
        return grid.stream()
                .filter(d -> d.name().equals(name))
                .findFirst()
                .orElseThrow()
                .values()
                .indexOf(value);
    }

    private List<Reason> reasons(Target target, Setting setting) {
        return reasons(target, setting, plan.load());
    }

    private List<Reason> reasons(Target target, Setting setting, Load load) {
        var all = new ArrayList<>(Constraints.reasons(target, setting, cpus, somaxconn));
        all.addAll(TlsConstraints.load(setting, load.wire().tls().isPresent()));
        return all;
    }

    private List<Reason> fresh(List<Reason> reasons) {
        return reasons.stream().filter(r -> !said.contains(r.text())).toList();
    }

    private void add(List<String> path, Reason reason) {
        if (said.add(reason.text())) {
            found.add(new Violation(path, reason.text()));
        }
    }

    private static List<String> append(List<String> path, String last) {
        var out = new ArrayList<>(path);
        out.add(last);
        return out;
    }
}
