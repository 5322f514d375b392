package dev.fettle.report.document;

import dev.fettle.insight.CompareConclusion;
import dev.fettle.insight.CompareConclusion.Condition;
import dev.fettle.insight.CompareConclusion.Contrast;
import dev.fettle.insight.CompareConclusion.Layer;
import dev.fettle.insight.CompareConclusion.SpikeResult;
import dev.fettle.insight.CompareConclusion.VariantResult;
import dev.fettle.insight.stats.Interval;
import dev.fettle.model.plan.Objective.Metric;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.report.ObjectiveColumn;
import dev.fettle.report.Wording;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** The tables of a comparison, over some of its conditions. */
public final class CompareTables {
    private static final double NANOS_OF_MICROS = 1e3;

    private final CompareConclusion found;
    private final List<Condition> conditions;

    /** @param conditions those that the tables are about */
    public CompareTables(CompareConclusion found, List<Condition> conditions) {
        this.found = found;
        this.conditions = List.copyOf(conditions);
    }

    /** What is compared between variants: the good answers in the spike, if there was one, else throughput. */
    public static Interval compared(VariantResult v) {
        return v.spike().map(Wording::goodput).orElseGet(() -> Wording.rate(v.throughput(), v.trials()));
    }

    private record At<T>(Condition condition, T of) {}

    private <T> Table.Builder<At<T>> each(Function<Condition, List<T>> of) {
        return Table.<At<T>>of(conditions.stream()
                        .flatMap(c -> of.apply(c).stream().map(x -> new At<>(c, x)))
                        .toList())
                .words(
                        "condition",
                        Where.NOT_IN_TERMINALS,
                        x -> x.condition().point().isEmpty()
                                ? Format.NONE
                                : Wording.point(x.condition().point()));
    }

    /** The variants, or what a spike did to them. */
    public Table variants() {
        return found.spike().map(this::spiked).orElseGet(this::steady);
    }

    private Table steady() {
        // CPU time has a column anyway
        Optional<ObjectiveColumn> own = Optional.of(new ObjectiveColumn(found.metric()))
                .filter(m -> m.own() && m.metric() != Metric.CPU_PER_REQUEST);
        boolean layered = conditions.stream().anyMatch(c -> !c.layers().isEmpty());
        return each(Condition::variants)
                .words(layered ? "layer" : "variant", x -> x.of().name())
                .figure(own.flatMap(ObjectiveColumn::heading), x -> Value.of(own.orElseThrow(), x.of().figure()))
                .figure(
                        "throughput /s",
                        x -> x.of().trials() > 0
                                ? Value.number(x.of().throughput().estimate())
                                : Value.words("void"))
                .figure("95 % interval", tried(v -> Value.bounds(Wording.rate(v.throughput(), v.trials()))))
                .figure("p50", tried(v -> Value.time(v.p50())))
                .figure("p99", tried(v -> Value.time(v.p99())))
                .known("errors", tried(v -> Value.share(v.errorShare())))
                .known("CPU per request", x -> Value.time(x.of().cpuMicrosPerRequest() * NANOS_OF_MICROS))
                .known("trials", x -> Value.count(x.of().trials()))
                .known("void", x -> Value.count(x.of().voids()))
                .remarks("why void", Where.NOT_IN_TERMINALS, x -> String.join("; ", x.of().problems()))
                .remarks("not within the limits", Where.NOT_IN_TERMINALS, x -> String.join("; ", x.of().broken()))
                .tone(x -> x.of().trials() > 0 ? Tone.PLAIN : Tone.QUIET)
                .sortable();
    }

    private static Function<At<VariantResult>, Value> tried(Function<VariantResult, Value> figure) {
        return x -> x.of().trials() > 0 ? figure.apply(x.of()) : Value.EMPTY;
    }

    private Table spiked(CompareConclusion.Spike spike) {
        return each(Condition::variants)
                .words("variant", x -> x.of().name())
                .figure(
                        "good answers /s",
                        x -> seen(x).map(s -> Value.number(s.goodput().estimate()))
                                .orElse(Value.words("void")))
                .figure("95 % interval", of(s -> Value.bounds(Wording.goodput(s))))
                .figure("p99", of(s -> Value.time(s.p99())))
                .figure("failed", of(s -> Value.share(s.errorShare())))
                .words("how", x -> seen(x).map(s -> Wording.errors(s.errors())).orElse(""))
                .words(
                        "back to normal",
                        x -> seen(x).map(s -> Wording.recovery(s, spike.watched()))
                                .orElse(""))
                .known("trials", x -> Value.count(x.of().trials()))
                .known("void", x -> Value.count(x.of().voids()))
                .remarks("why void", Where.NOT_IN_TERMINALS, x -> String.join("; ", x.of().problems()))
                .tone(x -> seen(x).isPresent() ? Tone.PLAIN : Tone.QUIET)
                .sortable();
    }

    private static Optional<SpikeResult> seen(At<VariantResult> x) {
        return x.of().spike().filter(s -> s.trials() > 0 && x.of().trials() > 0);
    }

    private static Function<At<VariantResult>, Value> of(Function<SpikeResult, Value> figure) {
        return x -> seen(x).map(figure).orElse(Value.EMPTY);
    }

    /** What each layer adds to the one before it. */
    public Table layers() {
        return each(Condition::layers)
                .words("layer", x -> x.of().name())
                .words("added to", Where.NOT_IN_TERMINALS, x -> x.of().before())
                .figure(
                        "throughput",
                        x -> x.of().blocks() == 0 ? Value.NONE : Value.change(x.of().throughput(), List.of()))
                .figure("CPU per request", added(Layer::cpuMicros))
                .figure("waiting per request", added(Layer::waitingMicros))
                .words(
                        "verdict",
                        Where.IN_TERMINALS,
                        x -> x.condition().withheld(x.of()).isPresent()
                                ? "withheld"
                                : Wording.shown(x.of().shown(), x.of().blocks()))
                .known("blocks", x -> Value.count(x.of().blocks()))
                .words(
                        "verdict",
                        Where.NOT_IN_TERMINALS,
                        x -> x.condition()
                                .withheld(x.of())
                                .orElseGet(() -> Wording.shown(x.of().shown(), x.of().blocks())))
                .tone(x -> x.of().shown() ? Tone.STRONG : Tone.PLAIN)
                .build();
    }

    private static Function<At<Layer>, Value> added(Function<Layer, Optional<Interval>> micros) {
        return x -> {
            Optional<Interval> i = micros.apply(x.of());
            return new Value(Wording.added(i), i.map(Interval::estimate).orElse(Double.NaN));
        };
    }

    /** Every pair of variants. */
    public Table contrasts() {
        Optional<String> later = found.spike().map(s -> "recovers later");
        return each(Condition::contrasts)
                .words("pair", x -> x.of().a() + " over " + x.of().b())
                .figure(
                        Wording.metric(found),
                        x -> x.of().pairs() == 0 ? Value.NONE : Value.change(x.of().ratio(), x.of().each()))
                .words("verdict", Where.IN_TERMINALS, x -> Wording.shown(x.of().differenceShown(), x.of().pairs()))
                .figure(later, x -> recovery(x.of()))
                .known("pairs", x -> Value.count(x.of().pairs()))
                .words(
                        "verdict",
                        Where.NOT_IN_TERMINALS,
                        x -> x.of().otherAnswers()
                                .or(x.of()::withheld)
                                .orElseGet(() -> Wording.shown(x.of().differenceShown(), x.of().pairs())))
                .known("could have shown", x -> least(x.of()))
                .tone(x -> x.of().differenceShown() ? Tone.STRONG : Tone.PLAIN)
                .build();
    }

    private Value recovery(Contrast x) {
        return found.spike()
                .map(s -> new Value(
                        Wording.recovery(x, s.watched()),
                        x.recovery().map(Interval::estimate).orElse(Double.NaN)))
                .orElse(Value.EMPTY);
    }

    private static Value least(Contrast x) {
        OptionalFigure least = x.leastShown();
        return new Value(Wording.leastShown(x), least.orElse(Double.NaN));
    }
}
