package dev.fettle.insight.compare;

import dev.fettle.insight.CompareConclusion.Condition;
import dev.fettle.insight.CompareConclusion.Layer;
import dev.fettle.insight.explain.OperatingPoint;
import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.insight.trials.GridFigures;
import dev.fettle.insight.trials.GridFigures.Cell;
import dev.fettle.insight.trials.RatioWords;
import dev.fettle.insight.words.FigureText;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Objective.Metric;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

    /** Each layer but the first. What a contrast of the same two can't claim, because of what was lost, is not shown here either. */
    static List<Layer> of(List<Losses> variants, Optional<Objective> limits, double level) {
        var layers = new ArrayList<Layer>();
        for (int i = 1; i < variants.size(); i++) {
            Cell before = variants.get(i - 1).cell();
            Cell with = variants.get(i).cell();
            GridFigures.Paired x = GridFigures.paired(with, before, Metric.THROUGHPUT, level);
            Optional<String> withheld = Losses.withheld(
                    variants.get(i), variants.get(i - 1), x, new NoRatio(Metric.THROUGHPUT, false), limits);
            layers.add(new Layer(
                    variants.get(i).name(),
                    variants.get(i - 1).name(),
                    x.blocks(),
                    x.ratio(),
                    GridFigures.added(before, with, LayerFigures::cpu, level),
                    GridFigures.added(before, with, LayerFigures::waiting, level),
                    x.shown() && withheld.isEmpty(),
                    every(with, before),
                    every(before, with)));
        }
        return layers;
    }

    /** Seconds for each answer of one, over the blocks in which both have answers: geometric mean, as that of the ratio. */
    private static double every(Cell of, Cell other) {
        Map<Integer, Double> mine = of.byBlock(Measurement::throughput);
        Map<Integer, Double> others = other.byBlock(Measurement::throughput);
        double[] logs = mine.entrySet().stream()
                .filter(e -> e.getValue() > 0 && others.getOrDefault(e.getKey(), 0.0) > 0)
                .mapToDouble(e -> -StrictMath.log(e.getValue()))
                .toArray();
        return logs.length == 0 ? 0 : StrictMath.exp(Statistics.average(logs));
    }

    private static OptionalFigure cpu(TrialOutcome t) {
        return micros(OptionalFigure.from(OperatingPoint.of(t), OperatingPoint::cpuPerRequest));
    }

    private static OptionalFigure waiting(TrialOutcome t) {
        Optional<OperatingPoint> p = OperatingPoint.of(t);
        OptionalFigure hold = micros(OptionalFigure.from(p, OperatingPoint::holding));
        OptionalFigure cpu = cpu(t);
        return hold.with(cpu, (h, c) -> Math.max(0, h - c));
    }

    private static OptionalFigure micros(OptionalFigure seconds) {
        return seconds.map(v -> MICROS * v);
    }

    /** The most expensive layer, for each condition. */
    static String headline(List<Condition> conditions) {
        return conditions.stream().map(LayerFigures::headline).collect(Collectors.joining(" "));
    }

    private static String headline(Condition c) {
        String held = c.contrasts().stream()
                .flatMap(k -> k.withheld().stream())
                .map(w -> w + ". ")
                .collect(Collectors.joining());
        String at = (c.point().isEmpty() ? "" : "At " + GridFigures.name(c.point()) + ": ") + held;
        List<Layer> dear = c.layers().stream()
                .filter(l -> l.shown() && l.throughput().estimate() < 1)
                .sorted(Comparator.comparingDouble(l -> -cost(l)))
                .toList();
        if (c.layers().stream().allMatch(l -> l.blocks() == 0)) {
            return at + "Nothing can be said of the layers: no block has two of them valid.";
        }
        if (dear.isEmpty() && c.contrasts().stream().allMatch(k -> k.withheld().isPresent())) {
            return at.strip();
        }
        if (dear.isEmpty()) {
            return at + "No " + (held.isEmpty() ? "" : "other ") + "layer is shown to cost throughput: "
                    + c.contrasts().stream()
                            .filter(k -> k.withheld().isEmpty())
                            .max(Comparator.comparingDouble(k -> k.leastShown().orElse(Double.POSITIVE_INFINITY)))
                            .map(k -> FigureText.leastShown(k.leastShown(), "a difference", k.pairs(), "block"))
                            .orElse("")
                    + ".";
        }
        Layer first = dear.getFirst();
        String rest = dear.size() == 1
                ? ""
                : " Next: "
                        + dear.subList(1, dear.size()).stream()
                                .map(l -> "'" + l.name() + "' (" + every(l) + ", "
                                        + Format.ratio(l.throughput().estimate()) + " times)")
                                .collect(Collectors.joining(", "))
                        + ".";
        // the others may cost as much; it is only not shown that they cost anything
        String place = dear.size() == 1
                ? "' is the one layer that is shown to cost throughput: "
                : "' adds most by the estimates, of " + dear.size() + " layers that are shown to cost throughput: ";
        return at + "'" + first.name() + place + every(first) + ", "
                + Format.ratio(first.throughput().estimate()) + " times the throughput of '" + first.before()
                + "' ("
                + RatioWords.known(first.throughput(), List.of()) + ", "
                + FigureText.count(first.blocks(), "block") + ")"
                + adds(first) + "." + rest;
    }

    private static String every(Layer l) {
        return "an answer every " + Format.seconds(l.everyWith()) + " with it, every " + Format.seconds(l.everyBefore())
                + " without";
    }

    /** Server seconds that it adds to each request: 1/X with it, less 1/X without it. */
    private static double cost(Layer l) {
        return l.everyWith() - l.everyBefore();
    }

    private static String adds(Layer l) {
        var parts = new ArrayList<String>();
        l.cpuMicros()
                .filter(LayerFigures::sure)
                .ifPresent(i -> parts.add(Format.seconds(i.estimate() / MICROS) + " of CPU"));
        l.waitingMicros()
                .filter(LayerFigures::sure)
                .ifPresent(i -> parts.add(Format.seconds(i.estimate() / MICROS) + " of waiting"));
        return parts.isEmpty() ? "" : "; it adds " + String.join(" and ", parts) + " to a request";
    }

    /** Whether the interval shows an increase. */
    private static boolean sure(Interval i) {
        return i.bounded() && i.low() > 0;
    }
}
