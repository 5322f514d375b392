package dev.fettle.insight.history;

import dev.fettle.insight.history.Course.Change;
import dev.fettle.insight.history.Course.Point;
import dev.fettle.insight.history.FrozenChanges.Frozen;
import dev.fettle.model.plan.GateMetric;
import dev.fettle.model.rule.Bounds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What figures did over many runs.
 *
 * @param series by what is equal in their runs, the one with the newest run first
 * @param levels by which changes were searched
 * @param least the smallest change that is reported, a share of the figure before
 */
public record History(List<RunSeries> series, Levels levels, double least) {
    public History {
        series = List.copyOf(series);
    }

    /** The smallest change that is reported if nothing else is asked for. */
    public static double usualLeast() {
        return Bounds.value("history-least");
    }

    /**
     * Sorts runs into series, and searches each for changes.
     *
     * @param runs in any order
     * @param metrics which are searched; empty for those that tell anything of the load
     * @param least the smallest change that is reported, a share
     */
    public static History of(List<PastRun> runs, Set<GateMetric> metrics, Levels levels, double least) {
        var groups = new ArrayList<List<PastRun>>();
        runs.stream()
                .sorted(Comparator.comparing(PastRun::started)
                        .thenComparing(PastRun::id)
                        .thenComparing(PastRun::place))
                .forEach(r -> groups.stream()
                        .filter(g -> g.getLast().isLike(r))
                        .findFirst()
                        .orElseGet(() -> {
                            groups.add(new ArrayList<>());
                            return groups.getLast();
                        })
                        .add(r));
        groups.sort(
                Comparator.comparing((List<PastRun> g) -> g.getLast().started()).reversed());
        return new History(
                groups.stream()
                        .map(g -> new RunSeries(g.getFirst().conditions(), g, courses(g, metrics, levels, least)))
                        .toList(),
                levels,
                least);
    }

    /** Each metric that is known has a part of the level: one that decides a gate has more of it, as in a gate. */
    private static List<Course> courses(List<PastRun> runs, Set<GateMetric> asked, Levels levels, double least) {
        List<GateMetric> searched = Arrays.stream(GateMetric.values())
                .filter(m -> asked.isEmpty() ? m.fits(runs.getFirst().open()) : asked.contains(m))
                .filter(m -> !used(m, runs).isEmpty())
                .toList();
        double weights =
                searched.stream().mapToDouble(m -> m.weight(m.decides())).sum();
        return searched.stream()
                .map(m -> course(m, runs, levels.of(m.weight(m.decides()) / weights), least))
                .toList();
    }

    private static List<PastRun> used(GateMetric metric, List<PastRun> all) {
        return all.stream()
                .filter(r -> r.unused().isEmpty() && r.figures().containsKey(metric))
                .toList();
    }

    private static Course course(GateMetric metric, List<PastRun> all, Levels levels, double least) {
        List<PastRun> runs = used(metric, all);
        var reference = new Reference(metric);
        double[] figures = reference.takenOut(runs);
        var points = new ArrayList<Point>();
        for (int i = 0; i < figures.length; i++) {
            points.add(new Point(
                    runs.get(i),
                    figures[i],
                    Objects.requireNonNull(runs.get(i).figures().get(metric)).value()));
        }
        Optional<Course.Drift> drift = reference.drift(runs);
        List<Frozen> found = drift.isEmpty() // then a figure is the same however many follow
                ? FrozenChanges.of(figures, levels, large(metric, least))
                : FrozenChanges.of(
                        runs.size(), n -> reference.takenOut(runs.subList(0, n)), levels, large(metric, least));
        var changes = new ArrayList<Change>();
        for (int i = 0; i < found.size(); i++) {
            int start = i == 0 ? 0 : found.get(i - 1).point().index();
            int end = i + 1 < found.size() ? found.get(i + 1).point().index() : figures.length;
            changes.add(change(metric, found.get(i), start, end, figures, runs));
        }
        return new Course(metric, points, changes, drift);
    }

    private static Change change(
            GateMetric metric, Frozen f, int start, int end, double[] figures, List<PastRun> runs) {
        ChangePoint p = f.point();
        return new Change(
                p.index(),
                f.from(),
                f.to(),
                f.seen(),
                p.p(),
                mean(figures, start, p.index()),
                mean(figures, p.index(), end),
                metric.low() == p.after() > p.before(),
                besides(runs.get(p.index() - 1), runs.get(p.index())));
    }

    private static double mean(double[] figures, int from, int to) {
        return Arrays.stream(figures, from, to).average().orElse(0);
    }

    /** What of the conditions that may differ within a series is other than in the run before. */
    private static List<String> besides(PastRun before, PastRun after) {
        return after.facts().entrySet().stream()
                .filter(e -> before.facts().containsKey(e.getKey())
                        && !e.getValue().equals(before.facts().get(e.getKey())))
                .map(e -> e.getKey() + " " + e.getValue() + ", before "
                        + before.facts().get(e.getKey()))
                .toList();
    }

    /** Whether a change matters. Of errors it is the difference that counts: from none to one in a million is no change. */
    public static Predicate<ChangePoint> large(GateMetric metric, double least) {
        double errors = Bounds.value("history-errors");
        return p -> metric == GateMetric.ERRORS
                ? Math.abs(p.after() - p.before()) >= errors
                : Math.abs(p.after() - p.before()) >= least * Math.abs(p.before());
    }
}
