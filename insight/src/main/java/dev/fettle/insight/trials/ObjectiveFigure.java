package dev.fettle.insight.trials;

import dev.fettle.insight.explain.OperatingPoint;
import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.CapacitySeen;
import dev.fettle.model.trial.Conditions;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Measurement.Window;
import dev.fettle.model.trial.Series;
import dev.fettle.model.trial.Signals;
import dev.fettle.model.trial.Timeline;
import dev.fettle.model.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * An objective's metric, as read from a trial. Every experiment that compares trials gets the figure from here.
 *
 * <p>A score is the logarithm of the figure, or of its inverse where less is better, so more is always better. A
 * difference of logarithms is a ratio, and the noise is about the same for fast and slow settings.
 */
public record ObjectiveFigure(Objective.Metric metric) {
    /** Slices of one side are at least this many seconds apart. */
    private static final double BETWEEN_SLICES = 0.1;

    private static final String MEMORY = Signals.MEMORY_RSS;
    private static final String CPU = Signals.CPU_TOTAL;

    /**
     * A part of the measured time.
     *
     * @param at start, seconds; comparable between two trials only where they ran side by side, on one clock
     * @param sum what was counted in it: responses, CPU seconds, bytes × seconds
     * @param over what it is divided by: seconds, responses
     */
    public record Stretch(double at, double seconds, double sum, double over) {}

    /**
     * The figure of a trial, in its unit: responses per second, nanoseconds, CPU seconds, bytes; empty if it was not
     * observed. A zero of what should be low was not observed either: no response took no time, and a CPU time that the kernel's ticks of
     * 10 ms do not show is not none.
     */
    public OptionalFigure of(TrialOutcome t) {
        OptionalFigure figure = read(t);
        return metric.low() && figure.orElse(1) <= 0 ? OptionalFigure.empty() : figure;
    }

    private OptionalFigure read(TrialOutcome t) {
        return switch (metric) {
            case THROUGHPUT -> of(t, Measurement::throughput);
            case CAPACITY -> OptionalFigure.from(capacity(t), CapacitySeen::known);
            case P99 -> of(t, m -> m.latency().p99());
            case CPU_PER_REQUEST -> OptionalFigure.from(OperatingPoint.of(t), OperatingPoint::cpuPerRequest);
            case MEMORY -> OptionalFigure.from(t.evidence(), e -> e.timeline().mean(MEMORY));
        };
    }

    /** The figure of a trial, if a ratio can be made of it: a capacity of zero has none. */
    public OptionalFigure comparable(TrialOutcome t) {
        return metric == Objective.Metric.CAPACITY && isZero(t) ? OptionalFigure.empty() : of(t);
    }

    /** Whether the figure of a trial was observed and is zero: no ratio and no geometric mean has a place for it. */
    public boolean isZero(TrialOutcome t) {
        return of(t).orElse(1) <= 0;
    }

    private static Optional<CapacitySeen> capacity(TrialOutcome t) {
        return t.measurement().flatMap(m -> m.detail().capacity());
    }

    /** A figure of what was measured; empty if nothing was. */
    static OptionalFigure of(TrialOutcome t, ToDoubleFunction<Measurement> figure) {
        return OptionalFigure.from(t.measurement(), m -> OptionalFigure.of(figure.applyAsDouble(m)));
    }

    /** Why the figure was not observed in a trial that has others. */
    public String whyNot(TrialOutcome t) {
        if (metric == Objective.Metric.CAPACITY) {
            return capacity(t).map(CapacitySeen::why).orElse("the trial did not search for it");
        }
        if (read(t).isPresent()) {
            return metric == Objective.Metric.P99 ? "it had no response" : "it was too little to be seen";
        }
        String signal = metric == Objective.Metric.MEMORY ? MEMORY : CPU;
        return t.evidence().map(e -> e.timeline().notObserved().get(signal)).orElse("its process could not be read");
    }

    /** A figure's score. */
    public double score(double figure) {
        double log = StrictMath.log(Math.max(figure, least()));
        return metric.low() ? -log : log;
    }

    /** The smallest figure to take the logarithm of, so that a server that served nothing has a score. */
    private double least() {
        return metric == Objective.Metric.P99 ? 1 : 1e-9;
    }

    /** A trial's score; empty where the figure was not observed. */
    public OptionalFigure score(TrialOutcome t) {
        OptionalFigure figure = of(t);
        return figure.map(v -> score(v));
    }

    /** The ratio that a score, or a difference of two, is the logarithm of. */
    public double ratio(double score) {
        return StrictMath.exp(metric.low() ? -score : score);
    }

    /** The geometric mean of several trials' figures; empty if none has one. */
    public OptionalFigure mean(List<TrialOutcome> trials) {
        OptionalFigure score = OptionalFigure.of(trials.stream()
                .map(this::score)
                .flatMapToDouble(OptionalFigure::stream)
                .average());
        return score.map(v -> ratio(v));
    }

    /**
     * The {@link #mean} with Student's t interval on the scores; unbounded for fewer than two trials, and where one has a figure of
     * zero, of which there is no ratio. Empty if none has a figure.
     */
    public Optional<Interval> interval(List<TrialOutcome> trials) {
        double[] scores = trials.stream()
                .map(this::score)
                .flatMapToDouble(OptionalFigure::stream)
                .toArray();
        if (scores.length == 0) {
            return Optional.empty();
        }
        Interval score = Statistics.mean(scores);
        double mean = ratio(score.estimate());
        if (!score.bounded() || trials.stream().anyMatch(this::isZero)) {
            return Optional.of(Interval.unbounded(mean));
        }
        double one = ratio(score.low());
        double other = ratio(score.high());
        return Optional.of(
                new Interval(mean, Math.min(one, other), Math.max(one, other), score.level(), score.method()));
    }

    /** A figure with its unit: {@code 3,890/s}, {@code 48.2 ms}, {@code 231 µs}, {@code 312 MiB}. */
    public String text(double figure) {
        return switch (metric) {
            case THROUGHPUT, CAPACITY -> Format.number(figure) + "/s";
            case P99 -> Format.time(figure);
            case CPU_PER_REQUEST -> Format.seconds(figure);
            case MEMORY -> Format.bytes(figure);
        };
    }

    /** The verb for a figure: {@code gives}, {@code has} or {@code needs}. */
    public String verb() {
        return switch (metric) {
            case THROUGHPUT -> "gives";
            case P99, CAPACITY -> "has";
            case CPU_PER_REQUEST, MEMORY -> "needs";
        };
    }

    /**
     * The parts of the measured time, in order; empty if the figure was not observed over time. For capacity: what all clients
     * of the closed load got before the search and after it, which says whether the target changed, but not its capacity.
     */
    public List<Stretch> over(TrialOutcome t) {
        return switch (metric) {
            case THROUGHPUT -> served(t);
            case CAPACITY -> looks(t);
            case P99 ->
                measured(t).stream()
                        .map(w -> new Stretch(
                                w.at(),
                                w.seconds(),
                                w.responses() * StrictMath.log(Math.max(w.p99(), 1)),
                                w.responses()))
                        .toList();
            case CPU_PER_REQUEST -> cpu(t);
            case MEMORY -> memory(t);
        };
    }

    private static List<Window> measured(TrialOutcome t) {
        return t.measurement().map(Measurement::windows).orElse(List.of()).stream()
                .filter(w -> w.measured() && w.seconds() > 0)
                .toList();
    }

    private static List<Stretch> served(TrialOutcome t) {
        return measured(t).stream()
                .map(w -> new Stretch(w.at(), w.seconds(), w.responses(), w.seconds()))
                .toList();
    }

    private static List<Stretch> looks(TrialOutcome t) {
        return capacity(t)
                .filter(c -> c.before() > 0 && c.after() > 0)
                .map(c -> List.of(new Stretch(0, 1, c.before(), 1), new Stretch(1, 1, c.after(), 1)))
                .orElse(List.of());
    }

    /** By slice if it was measured in slices, else as far as the timeline has it. */
    private static List<Stretch> cpu(TrialOutcome t) {
        Optional<Evidence> evidence = t.evidence();
        if (evidence.isEmpty()) {
            return List.of();
        }
        List<List<Stretch>> slices = runs(served(t));
        List<Double> seconds = evidence.get()
                .conditions()
                .pair()
                .flatMap(Conditions.Pair::slices)
                .map(Conditions.Slices::cpuSeconds)
                .orElse(List.of());
        if (!seconds.isEmpty()) {
            var each = new ArrayList<Stretch>();
            for (int i = 0; i < slices.size() && slices.size() == seconds.size(); i++) {
                Stretch first = slices.get(i).getFirst();
                Stretch last = slices.get(i).getLast();
                double responses =
                        slices.get(i).stream().mapToDouble(Stretch::sum).sum();
                each.add(new Stretch(first.at(), last.at() + last.seconds() - first.at(), seconds.get(i), responses));
            }
            return each;
        }
        return cpu(evidence.get().timeline());
    }

    private static List<Stretch> cpu(Timeline line) {
        Optional<Series> all = line.find(CPU);
        Optional<Series> rate = line.find(Signals.LOAD_RATE);
        double step = line.stepMillis() / 1e3;
        var each = new ArrayList<Stretch>();
        for (int i = line.firstMeasured(); all.isPresent() && rate.isPresent() && i < line.points(); i++) {
            int point = i;
            double compilers = line.find(Signals.CPU_JIT)
                    .map(s -> at(s, point))
                    .filter(v -> !v.isNaN())
                    .orElse(0.0);
            double cpus = at(all.get(), i) - compilers;
            double served = at(rate.get(), i);
            if (!Double.isNaN(cpus) && !Double.isNaN(served)) {
                each.add(new Stretch(line.seconds(i), step, cpus * step, served * step));
            }
        }
        return each;
    }

    private static double at(Series s, int i) {
        return i < s.size() ? s.at(i) : Double.NaN;
    }

    private static List<Stretch> memory(TrialOutcome t) {
        Timeline line = t.evidence().map(Evidence::timeline).orElse(Timeline.NONE);
        double step = line.stepMillis() / 1e3;
        var each = new ArrayList<Stretch>();
        line.find(MEMORY).ifPresent(s -> {
            for (int i = line.firstMeasured(); i < s.size(); i++) {
                if (!Double.isNaN(s.at(i))) {
                    each.add(new Stretch(line.seconds(i), step, s.at(i) * step, step));
                }
            }
        });
        return each;
    }

    /** Groups the stretches that follow each other without a gap: the slices, if it was measured in slices. */
    public static List<List<Stretch>> runs(List<Stretch> all) {
        var runs = new ArrayList<List<Stretch>>();
        for (int i = 0; i < all.size(); i++) {
            Stretch s = all.get(i);
            if (i == 0 || s.at() > all.get(i - 1).at() + all.get(i - 1).seconds() + BETWEEN_SLICES) {
                runs.add(new ArrayList<>());
            }
            runs.getLast().add(s);
        }
        return runs;
    }

    /**
     * The score of some stretches together: as {@link #score} for throughput and the like; for p99, the mean of the
     * logarithms.
     */
    public OptionalFigure score(List<Stretch> some) {
        double sum = some.stream().mapToDouble(Stretch::sum).sum();
        double over = some.stream().mapToDouble(Stretch::over).sum();
        if (over <= 0 || sum <= 0) {
            return OptionalFigure.empty();
        }
        double log = metric == Objective.Metric.P99 ? sum / over : StrictMath.log(sum / over);
        return OptionalFigure.of(metric.low() ? -log : log);
    }
}
