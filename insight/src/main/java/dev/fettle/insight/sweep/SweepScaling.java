package dev.fettle.insight.sweep;

import dev.fettle.insight.SweepConclusion.Scaling;
import dev.fettle.insight.explain.OperatingPoint;
import dev.fettle.insight.stats.Usl;
import dev.fettle.insight.trials.GridFigures;
import dev.fettle.insight.trials.ScalingWords;
import dev.fettle.load.api.Arrivals;
import dev.fettle.model.load.Load;
import dev.fettle.model.plan.Dimension;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The law of scalability over the numbers of clients or threads of a sweep with that dimension alone. It speaks of so many that
 * work at once: so of a closed load without pauses, and of no more threads than its clients can keep busy.
 */
final class SweepScaling {
    private static final Set<String> AT_ONCE = Set.of("load.connections", OperatingPoint.THREADS);

    /** A line is flat if the share of the work that waits for a turn may be as large: at 1 nothing is gained by more. */
    private static final double ALL = 0.99;

    private SweepScaling() {}

    static Optional<Scaling> of(Load load, List<Dimension> grid, List<GridFigures.Cell> cells) {
        if (grid.size() != 1 || !AT_ONCE.contains(grid.getFirst().name())) {
            return Optional.empty();
        }
        String dimension = grid.getFirst().name();
        boolean threads = dimension.equals(OperatingPoint.THREADS);
        List<Usl.Seen> seen = cells.stream()
                .flatMap(c -> c.valid().stream()
                        .flatMap(t -> t.measurement().stream()
                                .map(m -> new Usl.Seen(
                                        threads
                                                ? Double.parseDouble(c.point().get(dimension))
                                                : t.spec().load().clients(),
                                        m.throughput()))))
                .toList();
        long numbers = numbers(seen);
        if (numbers < Usl.FEWEST) {
            return Optional.empty();
        }
        if (load.arrivals() instanceof Arrivals.Open) {
            return refused(dimension, "the load is open, so throughput is the rate that is offered.");
        }
        if (load.thinkSeconds() > 0) {
            return refused(dimension, "the clients pause between requests, so their pauses limit throughput, too.");
        }
        List<Usl.Seen> used =
                threads ? seen.stream().filter(s -> s.n() <= load.atOnce()).toList() : seen;
        long left = numbers(used);
        if (left < Usl.FEWEST) {
            return refused(
                    dimension,
                    "the clients keep at most " + load.atOnce() + " threads busy, so "
                            + (left == 0 ? "none" : "only " + left) + " of " + numbers
                            + " numbers can be used, and it takes " + Usl.FEWEST + ".");
        }
        String without = left == numbers
                ? ""
                : " Numbers above " + load.atOnce() + " are left out: the clients keep no more threads busy.";
        return switch (Usl.fit(used)) {
            case Usl.Fit.Fits(Usl usl)
            when usl.contention().high() >= ALL ->
                refused(
                        dimension,
                        "throughput is too flat, as the share of the work that waits for a turn could be all of it."
                                + without);
            case Usl.Fit.Fits(Usl usl) ->
                Optional.of(new Scaling(
                        dimension,
                        Optional.of(usl),
                        "Throughput over " + dimension + " "
                                + ScalingWords.follows(usl, threads ? "threads" : "clients") + without));
            case Usl.Fit.Refused(String why) -> refused(dimension, why + "." + without);
        };
    }

    private static long numbers(List<Usl.Seen> seen) {
        return seen.stream().map(Usl.Seen::n).distinct().count();
    }

    private static Optional<Scaling> refused(String dimension, String why) {
        String words = "No law of scalability is shown over " + dimension + ": " + why;
        return Optional.of(new Scaling(dimension, Optional.empty(), words));
    }
}
