package dev.fettle.insight.sweep;

import dev.fettle.insight.SweepConclusion.Scaling;
import dev.fettle.insight.stats.Usl;
import dev.fettle.insight.trials.GridFigures;
import dev.fettle.insight.trials.ScalingWords;
import dev.fettle.model.plan.Dimension;
import dev.fettle.model.trial.Measurement;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The law of scalability over the numbers of clients or threads of a sweep with that dimension alone. */
final class SweepScaling {
    private static final Set<String> AT_ONCE = Set.of("load.connections", "threads.max");

    private SweepScaling() {}

    static Optional<Scaling> of(List<Dimension> grid, List<GridFigures.Cell> cells) {
        if (grid.size() != 1 || !AT_ONCE.contains(grid.getFirst().name())) {
            return Optional.empty();
        }
        String dimension = grid.getFirst().name();
        List<Usl.Seen> seen = cells.stream()
                .flatMap(c -> c.valid().stream()
                        .flatMap(t -> t.measurement().stream())
                        .mapToDouble(Measurement::throughput)
                        .mapToObj(x -> new Usl.Seen(Double.parseDouble(c.point().get(dimension)), x)))
                .toList();
        long numbers = seen.stream().map(Usl.Seen::n).distinct().count();
        if (numbers < Usl.FEWEST) {
            return Optional.empty();
        }
        return Optional.of(
                switch (Usl.fit(seen)) {
                    case Usl.Fit.Fits(Usl usl) -> new Scaling(dimension, Optional.of(usl), words(dimension, usl));
                    case Usl.Fit.Refused(String why) ->
                        new Scaling(
                                dimension,
                                Optional.empty(),
                                "No law of scalability is shown over " + dimension + ": " + why + ".");
                });
    }

    private static String words(String dimension, Usl usl) {
        return "Throughput over " + dimension + " "
                + ScalingWords.follows(usl, dimension.equals("threads.max") ? "threads" : "clients");
    }
}
