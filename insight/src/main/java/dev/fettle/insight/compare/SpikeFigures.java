package dev.fettle.insight.compare;

import dev.fettle.insight.CompareConclusion.SpikeResult;
import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.insight.trials.GridFigures.Cell;
import dev.fettle.insight.trials.Overload;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.plan.Slo;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Slice;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a spike did to the variants of a comparison. Each measurement has three stages: before, during and after the
 * spike.
 *
 * @param watched how long to wait at most for the SLO to be met again, seconds
 */
record SpikeFigures(Slo slo, double watched) {
    /** Good answers and recovery: the number of statements about each contrast. */
    static final int FIGURES = 2;

    private static final int DURING = 1;

    /** With fewer values an interval is so wide that it says nothing. */
    private static final int FEWEST = 3;

    /** Good answers per second during the spike; 0 if the load never came that far. */
    static double goodput(Measurement m) {
        return during(m).map(Slice::goodput).orElse(0.0);
    }

    private static Optional<Slice> during(Measurement m) {
        List<Slice> stages = m.detail().stages();
        return stages.size() > DURING ? Optional.of(stages.get(DURING)) : Optional.empty();
    }

    /** Seconds from the end of the spike until the SLO was met again. */
    private OptionalFigure recovery(Measurement m) {
        return OptionalFigure.from(during(m), d -> Overload.recovery(m.detail().slices(), d.at() + d.seconds(), slo));
    }

    private boolean metBefore(Measurement m) {
        List<Slice> stages = m.detail().stages();
        return !stages.isEmpty() && slo.quality().hold(stages.getFirst());
    }

    SpikeResult of(Cell cell) {
        List<Measurement> all = cell.measurements();
        List<Slice> spikes = all.stream().flatMap(m -> during(m).stream()).toList();
        var errors = new EnumMap<ErrorKind, Long>(ErrorKind.class);
        spikes.forEach(s -> s.errors().forEach((kind, n) -> errors.merge(kind, n, Long::sum)));
        double[] back = all.stream()
                .map(this::recovery)
                .flatMapToDouble(OptionalFigure::stream)
                .toArray();
        return new SpikeResult(
                within(
                        Statistics.mean(
                                all.stream().mapToDouble(SpikeFigures::goodput).toArray()),
                        all.size(),
                        0,
                        Double.POSITIVE_INFINITY),
                spikes.stream().mapToDouble(Slice::errorShare).average().orElse(0),
                errors,
                spikes.stream().mapToDouble(s -> s.latency().p99()).average().orElse(0),
                within(Statistics.mean(back), back.length, 0, watched),
                back.length,
                all.size(),
                (int) all.stream().filter(m -> !metBefore(m)).count());
    }

    /**
     * By how many seconds the first recovers later, over the blocks in which both recovered. Empty if in some block only one did: the
     * others would be a choice by the result.
     */
    Optional<Interval> longer(Cell a, Cell b, double level) {
        Map<Integer, Double> left = a.byBlock(m -> recovery(m).orElse(Double.NaN));
        Map<Integer, Double> right = b.byBlock(m -> recovery(m).orElse(Double.NaN));
        boolean oneAlone = left.keySet().stream()
                .filter(right::containsKey)
                .anyMatch(k -> left.getOrDefault(k, Double.NaN).isNaN()
                        != right.getOrDefault(k, Double.NaN).isNaN());
        if (oneAlone) {
            return Optional.empty();
        }
        double[] differences = left.keySet().stream()
                .filter(right::containsKey)
                .sorted()
                .mapToDouble(k -> left.getOrDefault(k, Double.NaN) - right.getOrDefault(k, Double.NaN))
                .filter(Double::isFinite)
                .toArray();
        return differences.length == 0
                ? Optional.empty()
                : Optional.of(within(Statistics.mean(differences, level), differences.length, -watched, watched));
    }

    /** This interval, clipped to what is possible; unbounded if it is from too few values. */
    private static Interval within(Interval i, int values, double least, double most) {
        return values < FEWEST
                ? new Interval(
                        i.estimate(),
                        Double.NEGATIVE_INFINITY,
                        Double.POSITIVE_INFINITY,
                        i.level(),
                        Interval.Method.NONE)
                : i.within(least, most);
    }
}
