package dev.fettle.insight.tune;

import dev.fettle.insight.explain.OperatingPoint;
import dev.fettle.insight.trials.SettingTrials;
import dev.fettle.insight.words.KnobValues;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.text.OptionalFigure;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** Between which sizes a search over several knobs looks at the worker pool: too small a pool hides the effect of other knobs. */
record PoolSizes(double from, double to) {
    /** From a little below what is predicted. */
    private static final double BELOW = 0.8;
    /** With a full CPU, from this share of the default's size. */
    private static final double BELOW_FULL = 0.5;

    private static final double ABOVE = 2;

    /**
     * Around what the law of the pool predicts, or around the default's if the CPU is full with it: there many more threads can't give
     * much, and with far fewer the pool would be the limit. Empty, for all sizes, also where the plan's sizes are none of those around the
     * default's.
     */
    static Optional<PoolSizes> of(Plan plan, Set<SearchPart> parts, SettingTrials base) {
        OptionalFigure predicted = predicted(plan, parts, base);
        if (predicted.isPresent()) {
            double threads = predicted.getAsDouble();
            return Optional.of(new PoolSizes(threads * BELOW, threads * ABOVE));
        }
        return point(base)
                .filter(p -> parts.contains(SearchPart.LAW) && isFull(p))
                .flatMap(_ -> base.inForce(OperatingPoint.THREADS))
                .map(KnobValues::number)
                .filter(own -> own.isPresent() && own.getAsLong() > 0)
                .map(own -> new PoolSizes(own.getAsLong() * BELOW_FULL, own.getAsLong() * ABOVE))
                .flatMap(s -> s.within(plan));
    }

    /**
     * The same after some trials. Where sizes on one side of the default's were seen to break a limit, or to fail: around what holds, and not
     * beyond the edge.
     */
    static Optional<PoolSizes> of(Plan plan, Set<SearchPart> parts, Scoring scoring, List<SettingTrials> seen) {
        SettingTrials base = seen.getFirst();
        OptionalLong own =
                base.inForce(OperatingPoint.THREADS).map(KnobValues::number).orElse(OptionalLong.empty());
        Optional<KnobAxis> axis = KnobAxis.ofPool(plan);
        if (axis.isEmpty() || own.isEmpty() || own.getAsLong() <= 0 || !scoring.feasible(base)) {
            return of(plan, parts, base);
        }
        NavigableMap<Long, SettingTrials> line = axis.get().line(seen, base.setting());
        Optional<PoolSizes> below = edge(line.tailMap(own.getAsLong(), true), scoring)
                .map(e -> new PoolSizes(e.holds * BELOW, Math.max(e.holds, e.breaks - 1.0)));
        return below.or(() -> edge(line.headMap(own.getAsLong(), true).descendingMap(), scoring)
                        .map(e -> new PoolSizes(Math.min(e.holds, e.breaks + 1.0), e.holds * ABOVE)))
                .or(() -> of(plan, parts, base));
    }

    /** The first value that breaks a limit, and the last before it that holds. */
    private record Edge(long holds, long breaks) {}

    private static Optional<Edge> edge(NavigableMap<Long, SettingTrials> outward, Scoring scoring) {
        long holds = outward.isEmpty() ? 0 : outward.firstKey();
        for (var e : outward.entrySet()) {
            if (LimitEdge.breaks(scoring, e.getValue())) {
                return Optional.of(new Edge(holds, e.getKey()));
            }
            holds = e.getKey();
        }
        return Optional.empty();
    }

    /** Those of them that a plan has, as far as they are more than one. */
    private Optional<PoolSizes> within(Plan plan) {
        return KnobAxis.ofPool(plan)
                .map(axis -> new PoolSizes(Math.max(from, axis.from()), Math.min(to, axis.to())))
                .filter(s -> s.from < s.to);
    }

    /** By the law of the pool. With a full CPU it does not apply: a request holds its thread while it waits for the CPU. */
    static OptionalFigure predicted(Plan plan, Set<SearchPart> parts, SettingTrials base) {
        return point(base)
                .filter(p -> parts.contains(SearchPart.LAW) && !isFull(p))
                .map(p -> HoldingTimeSearch.threadsNeeded(plan, p))
                .filter(threads -> threads.orElse(0) >= 1)
                .orElse(OptionalFigure.empty());
    }

    private static Optional<OperatingPoint> point(SettingTrials base) {
        return base.valid().stream().findFirst().flatMap(OperatingPoint::of);
    }

    /** Whether the CPU was full with the default: then the law of the pool does not apply. */
    static boolean isFull(SettingTrials base) {
        return point(base).filter(PoolSizes::isFull).isPresent();
    }

    private static boolean isFull(OperatingPoint p) {
        return p.utilisation().orElse(0) >= OperatingPoint.CPU_FULL;
    }

    /** The size at a share of the way, on a logarithmic scale. */
    double at(double share) {
        return from * StrictMath.pow(to / from, share);
    }
}
