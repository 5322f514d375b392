package dev.fettle.insight.builds;

import dev.fettle.insight.explain.OperatingPoint;
import dev.fettle.model.plan.GateMetric;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Series;
import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.Timeline;
import dev.fettle.model.trial.TrialOutcome;
import java.util.Optional;

/** A gate's metric, as read from a trial, and the loss between two trials by it. */
public record GateFigure(GateMetric metric) {
    /**
     * The figure of a trial: responses per second, nanoseconds, seconds, bytes, a share of requests; missing if it was not observed. A
     * zero of anything but errors was not observed.
     */
    OptionalFigure of(TrialOutcome t) {
        OptionalFigure figure = read(t);
        return metric == GateMetric.ERRORS || figure.orElse(1) > 0
                ? figure
                : OptionalFigure.missing("it was too little to be seen");
    }

    private OptionalFigure read(TrialOutcome t) {
        return switch (metric) {
            case THROUGHPUT -> OptionalFigure.from(t.measurement(), m -> OptionalFigure.of(m.throughput()));
            case P50 ->
                OptionalFigure.from(
                        t.measurement(), m -> OptionalFigure.of(m.latency().p50()));
            case P99 ->
                OptionalFigure.from(
                        t.measurement(), m -> OptionalFigure.of(m.latency().p99()));
            case ERRORS -> OptionalFigure.from(t.measurement(), GateFigure::errors);
            case CPU -> OptionalFigure.from(OperatingPoint.of(t), OperatingPoint::cpuPerRequest);
            case ALLOCATION -> OptionalFigure.from(t.evidence(), e -> allocation(e.timeline()));
            case MEMORY -> OptionalFigure.from(t.evidence(), e -> e.timeline().mean(Signals.HEAP_AFTER_GC));
            case START -> OptionalFigure.from(t.evidence(), e -> OptionalFigure.of(e.startupMillis() / 1e3));
        };
    }

    private static OptionalFigure errors(Measurement m) {
        return OptionalFigure.of(m.errorShare());
    }

    /** Over the moments in which both what was allocated and what was served are known: a JVM is asked less often than the load. */
    private static OptionalFigure allocation(Timeline line) {
        Optional<Series> rate = line.find(Signals.ALLOC_RATE);
        Optional<Series> served = line.find(Signals.LOAD_RATE);
        if (rate.isEmpty() || served.isEmpty()) {
            return OptionalFigure.missing(line.why(rate.isEmpty() ? Signals.ALLOC_RATE : Signals.LOAD_RATE));
        }
        double bytes = 0;
        double requests = 0;
        int points = Math.min(rate.get().size(), served.get().size());
        for (int i = line.firstMeasured(); i < points; i++) {
            double allocated = rate.get().at(i);
            double answered = served.get().at(i);
            if (!Double.isNaN(allocated) && !Double.isNaN(answered)) {
                bytes += allocated;
                requests += answered;
            }
        }
        return requests > 0
                ? OptionalFigure.of(bytes / requests)
                : OptionalFigure.missing("nothing was read in the time watched");
    }

    /** How much worse the other is: the logarithm of a ratio, or a difference of two shares; above 0 for a loss. */
    double loss(double base, double other) {
        if (metric == GateMetric.ERRORS) {
            return other - base;
        }
        double log = StrictMath.log(other / base);
        return metric.low() ? log : -log;
    }

    /** The loss that is allowed, on the scale of {@link #loss}. */
    double scale(double allowed) {
        return metric == GateMetric.ERRORS
                ? allowed
                : metric.low() ? StrictMath.log1p(allowed) : -StrictMath.log1p(-allowed);
    }

    /** A loss as a share of the base's figure, 0.05 for 5 % more CPU time or 5 % less throughput. */
    double share(double loss) {
        return metric == GateMetric.ERRORS ? loss : metric.low() ? StrictMath.expm1(loss) : -StrictMath.expm1(-loss);
    }

    /** A loss as the other figure over the base's; of errors, as the difference. */
    double change(double loss) {
        return metric == GateMetric.ERRORS ? loss : StrictMath.exp(metric.low() ? loss : -loss);
    }

    /** A change with its unit: a ratio in per cent, or a difference of shares in points. */
    public String changeText(double change) {
        return metric == GateMetric.ERRORS
                ? (change < 0 ? "-" : "+") + Format.share(Math.abs(change))
                : Format.change(change) + " %";
    }

    /** A figure with its unit. */
    public String text(double figure) {
        return switch (metric) {
            case THROUGHPUT -> Format.number(figure) + "/s";
            case P50, P99 -> Format.time(figure);
            case ERRORS -> Format.share(figure);
            case CPU, START -> Format.seconds(figure);
            case ALLOCATION, MEMORY -> Format.bytes(figure);
        };
    }
}
