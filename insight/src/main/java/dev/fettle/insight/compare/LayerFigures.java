package dev.fettle.insight.compare;

import dev.fettle.insight.CompareConclusion.Condition;
import dev.fettle.insight.CompareConclusion.Layer;
import dev.fettle.insight.CompareConclusion.VariantResult;
import dev.fettle.insight.explain.OperatingPoint;
import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.trials.GridFigures;
import dev.fettle.insight.trials.GridFigures.Cell;
import dev.fettle.insight.trials.RatioWords;
import dev.fettle.insight.words.Say;
import dev.fettle.model.plan.Objective.Metric;
import dev.fettle.model.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** What each layer of an application adds to the one before it: in throughput, CPU and waiting. */
final class LayerFigures {
    /** Throughput, CPU and waiting: the number of statements about each layer. */
    static final int FIGURES = 3;

    static final String NOTE =
            "A layer's cost is what it adds to the layers before it, in this order and under this load: in"
                    + " another order it may be another. Waiting is the time that a request holds its worker, less the CPU time of the whole"
                    + " server a request: a wait for a CPU is part of it.";

    private static final double MICROS = 1e6;

    private LayerFigures() {}

    /** Each layer but the first. */
    static List<Layer> of(List<String> names, List<Cell> cells, double level) {
        var layers = new ArrayList<Layer>();
        for (int i = 1; i < cells.size(); i++) {
            Cell before = cells.get(i - 1);
            Cell with = cells.get(i);
            GridFigures.Paired x = GridFigures.paired(with, before, Metric.THROUGHPUT, level);
            layers.add(new Layer(
                    names.get(i),
                    names.get(i - 1),
                    x.blocks(),
                    x.ratio(),
                    GridFigures.added(before, with, LayerFigures::cpu, level),
                    GridFigures.added(before, with, LayerFigures::waiting, level),
                    x.shown()));
        }
        return layers;
    }

    private static OptionalDouble cpu(TrialOutcome t) {
        return micros(OperatingPoint.of(t).map(OperatingPoint::cpuPerRequest).orElse(OptionalDouble.empty()));
    }

    private static OptionalDouble waiting(TrialOutcome t) {
        Optional<OperatingPoint> p = OperatingPoint.of(t);
        OptionalDouble hold = micros(p.map(OperatingPoint::holding).orElse(OptionalDouble.empty()));
        OptionalDouble cpu = cpu(t);
        return hold.isPresent() && cpu.isPresent()
                ? OptionalDouble.of(Math.max(0, hold.getAsDouble() - cpu.getAsDouble()))
                : OptionalDouble.empty();
    }

    private static OptionalDouble micros(OptionalDouble seconds) {
        return seconds.isPresent() ? OptionalDouble.of(MICROS * seconds.getAsDouble()) : seconds;
    }

    /** The most expensive layer, for each condition. */
    static String headline(List<Condition> conditions) {
        return conditions.stream().map(LayerFigures::headline).collect(Collectors.joining(" "));
    }

    private static String headline(Condition c) {
        String at = c.point().isEmpty() ? "" : "At " + GridFigures.name(c.point()) + ": ";
        List<Layer> dear = c.layers().stream()
                .filter(l -> l.shown() && l.throughput().estimate() < 1)
                .sorted(Comparator.comparingDouble(l -> -cost(l, c)))
                .toList();
        if (c.layers().stream().allMatch(l -> l.blocks() == 0)) {
            return at + "Nothing can be said of the layers: no block has two of them valid.";
        }
        if (dear.isEmpty()) {
            return at + "No layer is shown to cost throughput: "
                    + c.contrasts().stream()
                            .max(Comparator.comparingDouble(k -> k.leastShown().orElse(Double.POSITIVE_INFINITY)))
                            .map(k -> Say.leastShown(k.leastShown(), "a difference", k.pairs(), "block"))
                            .orElse("")
                    + ".";
        }
        Layer first = dear.getFirst();
        String rest = dear.size() == 1
                ? ""
                : " Next: "
                        + dear.subList(1, dear.size()).stream()
                                .map(l -> "'" + l.name() + "' (" + every(l, c) + ", "
                                        + Say.ratio(l.throughput().estimate()) + " times)")
                                .collect(Collectors.joining(", "))
                        + ".";
        // the others may cost as much; it is only not shown that they cost anything
        String place = dear.size() == 1
                ? "' is the one layer that is shown to cost throughput: "
                : "' adds most by the estimates, of " + dear.size() + " layers that are shown to cost throughput: ";
        return at + "'" + first.name() + place + every(first, c) + ", "
                + Say.ratio(first.throughput().estimate()) + " times the throughput of '" + first.before() + "' ("
                + RatioWords.known(first.throughput(), List.of()) + ", "
                + Say.count(first.blocks(), "block") + ")"
                + adds(first) + "." + rest;
    }

    private static String every(Layer l, Condition c) {
        return "an answer every " + Say.seconds(1 / throughput(l.name(), c)) + " with it, every "
                + Say.seconds(1 / throughput(l.before(), c)) + " without";
    }

    /** Server seconds that it adds to each request: 1/X with it, less 1/X without it. */
    private static double cost(Layer l, Condition c) {
        return 1 / throughput(l.name(), c) - 1 / throughput(l.before(), c);
    }

    private static double throughput(String name, Condition c) {
        return c.variants().stream()
                .filter(v -> v.name().equals(name))
                .mapToDouble((VariantResult v) -> v.throughput().estimate())
                .findFirst()
                .orElse(Double.NaN);
    }

    private static String adds(Layer l) {
        var parts = new ArrayList<String>();
        l.cpuMicros()
                .filter(LayerFigures::sure)
                .ifPresent(i -> parts.add(Say.seconds(i.estimate() / MICROS) + " of CPU"));
        l.waitingMicros()
                .filter(LayerFigures::sure)
                .ifPresent(i -> parts.add(Say.seconds(i.estimate() / MICROS) + " of waiting"));
        return parts.isEmpty() ? "" : "; it adds " + String.join(" and ", parts) + " to a request";
    }

    /** Whether the interval shows an increase. */
    private static boolean sure(Interval i) {
        return i.bounded() && i.low() > 0;
    }
}
