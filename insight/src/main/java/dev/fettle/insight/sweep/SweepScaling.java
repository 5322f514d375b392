package dev.fettle.insight.sweep;

import dev.fettle.insight.SweepConclusion.Scaling;
import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.stats.Usl;
import dev.fettle.insight.trials.GridFigures;
import dev.fettle.insight.words.Say;
import dev.fettle.model.plan.Dimension;
import dev.fettle.model.trial.Measurement;
import java.util.List;
import java.util.Locale;
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
        String peak = usl.peak()
                .map(p -> "it is highest at about " + Math.round(p.n().estimate()) + " [" + Math.round(p.n().low())
                        + ", " + Math.round(p.n().high()) + "], with " + Say.number(p.throughput()) + "/s")
                .orElse("no peak lies within twice what was measured");
        return "Throughput over " + dimension + " follows the law of scalability (off by " + Say.percent(usl.residual())
                + " on average): " + range(usl.contention()) + " of the work waits for a turn, each pair costs "
                + range(usl.coherence()) + "; " + peak + ".";
    }

    private static String range(Interval i) {
        return String.format(Locale.ROOT, "%.3g %% [%.3g, %.3g]", 100 * i.estimate(), 100 * i.low(), 100 * i.high());
    }
}
