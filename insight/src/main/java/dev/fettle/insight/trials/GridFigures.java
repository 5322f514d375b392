package dev.fettle.insight.trials;

import dev.fettle.insight.SweepConclusion;
import dev.fettle.insight.explain.OperatingPoint;
import dev.fettle.insight.gate.GateInput;
import dev.fettle.insight.gate.GateInput.Figure;
import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.stats.Latencies;
import dev.fettle.insight.stats.Power;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.insight.trials.TrialSlots.Filled;
import dev.fettle.model.plan.Condition;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.CapacitySeen;
import dev.fettle.model.trial.LatencySummary;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Figures of a grid's cells and of pairs of cells. */
public final class GridFigures {
    /** The smallest ratio worth reporting: identical runs on one machine differ by as much. */
    public static final double WORTH = 1.02;

    /**
     * A server that answers a smaller share of an open load does not keep up with its rate; the same bound as for a capacity
     * probe.
     */
    private static final double SERVED = 0.95;

    /** What a slot of a sweep's cell is called. */
    private static final String REPEAT = "repeat";

    private GridFigures() {}

    /** Compares a metric of two cells, over the blocks in which both are valid. */
    public static Paired paired(Cell a, Cell b, Objective.Metric metric, double level) {
        return pairedBy(a, b, new ObjectiveFigure(metric)::comparable, level);
    }

    /** Compares a figure of two cells, over the blocks in which both are valid. */
    public static Paired paired(Cell a, Cell b, ToDoubleFunction<Measurement> figure, double level) {
        return pairedBy(a, b, t -> ObjectiveFigure.of(t, figure), level);
    }

    private static Paired pairedBy(Cell a, Cell b, Function<TrialOutcome, OptionalFigure> figure, double level) {
        Map<Integer, Double> left = a.known(figure);
        Map<Integer, Double> right = b.known(figure);
        List<Integer> common =
                left.keySet().stream().filter(right::containsKey).sorted().toList();
        double[] x = common.stream().mapToDouble(k -> left.getOrDefault(k, 0.0)).toArray();
        double[] y =
                common.stream().mapToDouble(k -> right.getOrDefault(k, 0.0)).toArray();
        List<Double> each = Statistics.ratios(x, y);
        return new Paired(each.size(), Statistics.pairedRatio(x, y, level), Power.leastShown(x, y, level, WORTH), each);
    }

    /**
     * How much more of a figure the second cell has than the first, in the blocks in which both are valid and it is known.
     *
     * @return empty with fewer than two such blocks
     */
    public static Optional<Interval> added(
            Cell a, Cell b, Function<TrialOutcome, OptionalFigure> figure, double level) {
        Map<Integer, Double> left = a.known(figure);
        Map<Integer, Double> right = b.known(figure);
        double[] more = left.entrySet().stream()
                .filter(e -> right.containsKey(e.getKey()))
                .mapToDouble(e -> right.getOrDefault(e.getKey(), 0.0) - e.getValue())
                .toArray();
        return more.length < 2 ? Optional.empty() : Optional.of(Statistics.mean(more, level));
    }

    /**
     * Two cells compared.
     *
     * @param blocks number of blocks that have a ratio: both are valid, and both metrics above 0
     * @param ratio the metric of the first over that of the second; 1, unbounded, without such a block
     * @param leastShown the smallest true ratio that would have been shown, in either direction ({@link Power#leastShown})
     * @param each the ratio of each of these blocks
     */
    public record Paired(int blocks, Interval ratio, OptionalFigure leastShown, List<Double> each) {
        public Paired {
            each = List.copyOf(each);
        }

        /** Whether the interval excludes every ratio too small to report. */
        public boolean shown() {
            return ratio.low() > WORTH || ratio.high() < 1 / WORTH;
        }

        /** Whether the first one is shown to be the better one by the metric. */
        public boolean better(Objective.Metric metric) {
            return metric.low() ? ratio.high() < 1 / WORTH : ratio.low() > WORTH;
        }
    }

    /** The points with their slots, in the order of the points. */
    public static List<Cell> cells(List<Map<String, String>> points, List<Filled> filled) {
        Map<Map<String, String>, List<Filled>> by = filled.stream()
                .collect(Collectors.groupingBy(f -> f.slot().spec().point()));
        return points.stream()
                .map(p -> new Cell(p, by.getOrDefault(p, List.of())))
                .toList();
    }

    /** {@code threads.max=8 load.connections=100}. */
    public static String name(Map<String, String> point) {
        return point.isEmpty()
                ? "the plan's load"
                : point.entrySet().stream()
                        .map(e -> e.getKey() + "=" + e.getValue())
                        .collect(Collectors.joining(" "));
    }

    /** {@code  at threads.max=8}, to follow what was found there; nothing without a grid. */
    public static String at(Map<String, String> point) {
        return point.isEmpty() ? "" : " at " + name(point);
    }

    /** A grid point with its slots. */
    public record Cell(Map<String, String> point, List<Filled> slots) {

        public List<TrialOutcome> valid() {
            return slots.stream().map(Filled::valid).flatMap(Optional::stream).toList();
        }

        public List<Measurement> measurements() {
            return valid().stream()
                    .map(TrialOutcome::measurement)
                    .flatMap(Optional::stream)
                    .toList();
        }

        /** A figure of the valid trials, by block. */
        public Map<Integer, Double> byBlock(ToDoubleFunction<Measurement> figure) {
            return slots.stream()
                    .filter(f -> f.valid().isPresent())
                    .collect(Collectors.toMap(
                            f -> f.slot().spec().block(),
                            f -> f.valid()
                                    .flatMap(TrialOutcome::measurement)
                                    .map(figure::applyAsDouble)
                                    .orElse(0.0)));
        }

        /** A figure of the valid trials in which it is known, by block. */
        private Map<Integer, Double> known(Function<TrialOutcome, OptionalFigure> figure) {
            var all = new LinkedHashMap<Integer, Double>();
            for (Filled f : slots) {
                f.valid()
                        .map(figure)
                        .filter(OptionalFigure::isPresent)
                        .ifPresent(v -> all.put(f.slot().spec().block(), v.getAsDouble()));
            }
            return all;
        }

        /**
         * How its target failed, and in how many of its slots: {@code crashed in 1 of 3 repeats}; empty if it never did. A hook that failed,
         * or the lab, is not the target.
         *
         * @param slot what a slot is called
         */
        public Optional<String> failed(String slot) {
            List<String> how = slots.stream()
                    .flatMap(f -> f.attempts().stream()
                            .filter(t -> !isLabs(t))
                            .map(AttemptStatus::failure)
                            .flatMap(Optional::stream)
                            .limit(1))
                    .toList();
            return how.isEmpty()
                    ? Optional.empty()
                    : Optional.of(how.stream().distinct().collect(Collectors.joining(" or "))
                            + (slots.size() == 1
                                    ? " in the only " + slot
                                    : " in " + how.size() + " of " + slots.size() + " " + slot + "s"));
        }

        /**
         * In how many of its slots it gave no usable figures: {@code gave no usable figures in 1 of 3 repeats}; empty if in none, or if
         * it has no figures at all.
         *
         * @param slot what a slot is called
         * @param counts which blocks count
         */
        public Optional<String> unusable(String slot, IntPredicate counts) {
            long n = slots.stream()
                    .filter(Filled::gaveNothingUsable)
                    .filter(f -> counts.test(f.slot().spec().block()))
                    .count();
            return n == 0 || valid().isEmpty()
                    ? Optional.empty()
                    : Optional.of(
                            AttemptStatus.GAVE_NOTHING_USABLE + " in " + n + " of " + slots.size() + " " + slot + "s");
        }

        /** Why a cell of a sweep can't be the best, whatever it gave in its other repeats; empty if it may be. */
        public Optional<String> lost() {
            String how = Stream.of(failed(REPEAT), unusable(REPEAT, _ -> true))
                    .flatMap(Optional::stream)
                    .collect(Collectors.joining(" and "));
            return how.isEmpty() ? Optional.empty() : Optional.of(how);
        }

        private static boolean isLabs(TrialOutcome t) {
            return t.failure()
                    .filter(f -> f.kind() == TrialOutcome.Kind.LAB || f.kind() == TrialOutcome.Kind.HOOK)
                    .isPresent();
        }

        /** The limits of the objective that its trials together break; none without a valid trial. */
        public List<String> broken(Objective asked) {
            Objective objective = asked.ofTrials();
            List<Measurement> measured = measurements();
            var broken = new ArrayList<String>();
            if (measured.isEmpty()) {
                return broken;
            }
            measured.stream()
                    .flatMap(m -> m.detail().capacity().stream())
                    .filter(c -> objective.metric() == Objective.Metric.CAPACITY && c.end() == CapacitySeen.End.NO_RATE)
                    .findFirst()
                    .ifPresent(c -> broken.add(c.why()));
            if (objective.p99AtMost().isPresent() || !objective.latencies().isEmpty()) {
                addBeyond(objective, Latencies.merged(measured), broken);
            }
            broken.addAll(undone(objective));
            return broken;
        }

        private static void addBeyond(Objective objective, LatencySummary latency, List<String> broken) {
            objective
                    .p99AtMost()
                    .filter(limit -> latency.p99() > limit.toNanos())
                    .ifPresent(limit -> broken.add(beyond(Condition.Metric.P99, latency, limit.toNanos())));
            objective.latencies().stream()
                    .filter(c -> !c.holds(c.metric().of(latency)))
                    .forEach(c -> broken.add(beyond(c.metric(), latency, c.bound())));
        }

        private static String beyond(Condition.Metric metric, LatencySummary latency, double limit) {
            return metric.id() + " " + Format.time(metric.of(latency), limit) + " for a limit of "
                    + Format.exactTime(limit);
        }

        /**
         * The limits on errors and on what is answered of an open load that its trials together break: then it did not do the
         * work that its figures are of.
         */
        public List<String> undone(Objective asked) {
            Objective objective = asked.ofTrials();
            List<Measurement> measured = measurements();
            var broken = new ArrayList<String>();
            if (measured.isEmpty()) {
                return broken;
            }
            double errors = SettingTrials.errorShare(measured);
            if (errors > objective.errorsAtMost()) {
                broken.add("errors " + Format.share(errors, objective.errorsAtMost()) + " for a limit of "
                        + Format.exactShare(objective.errorsAtMost()));
            }
            double offered = valid().stream()
                    .flatMapToDouble(t -> t.measurement().stream()
                            .mapToDouble(m -> t.spec().load().requestsOnAverage() * m.offeredPerSecond()))
                    .average()
                    .orElse(0);
            double answered = measured.stream()
                    .mapToDouble(Measurement::throughput)
                    .average()
                    .orElse(0);
            if (answered < SERVED * offered) {
                broken.add(Format.number(answered) + "/s answered of " + Format.number(offered) + "/s offered");
            }
            return broken;
        }

        public Interval throughput() {
            return Statistics.rate(
                    measurements().stream().mapToDouble(Measurement::throughput).toArray());
        }

        public int voids() {
            return slots.stream().mapToInt(Filled::voids).sum();
        }

        /** Why attempts were void: each reason once, in the words of the first attempt, whose figures differ from others'. */
        public List<String> problems() {
            var first = new LinkedHashMap<String, String>();
            slots.stream()
                    .flatMap(f -> f.attempts().stream())
                    .filter(t -> !t.valid())
                    .map(TrialSlots::problem)
                    .forEach(text -> first.putIfAbsent(text.replaceAll("[0-9.,]+", "0"), text));
            return List.copyOf(first.values());
        }

        /** CPU time per request, microseconds, the JVM's compilers left out; NaN if unknown. */
        public double cpuMicros() {
            return 1e6
                    * new ObjectiveFigure(Objective.Metric.CPU_PER_REQUEST)
                            .mean(valid())
                            .orElse(Double.NaN);
        }

        /**
         * The objective's metric over its trials, in its unit: mean throughput, p99 of all answers, else the geometric
         * mean; empty if it was not observed, and where a trial has a figure of zero, of which there is no such mean.
         */
        public OptionalFigure figure(Objective.Metric metric) {
            if (measurements().isEmpty()) {
                return OptionalFigure.empty();
            }
            return switch (metric) {
                case THROUGHPUT -> OptionalFigure.of(throughput().estimate());
                case P99 -> OptionalFigure.of(Latencies.merged(measurements()).p99());
                case CAPACITY, CPU_PER_REQUEST, MEMORY -> {
                    var judged = new ObjectiveFigure(metric);
                    yield valid().stream().anyMatch(judged::isZero) ? OptionalFigure.empty() : judged.mean(valid());
                }
            };
        }

        /** For a sweep judged by a metric. */
        public SweepConclusion.Cell summary(Objective objective) {
            List<Measurement> measured = measurements();
            LatencySummary latency = Latencies.merged(measured);
            return new SweepConclusion.Cell(
                    point,
                    measured.size(),
                    voids(),
                    throughput(),
                    latency.p50(),
                    latency.p99(),
                    SettingTrials.errorShare(measured),
                    mean(t -> OptionalFigure.from(OperatingPoint.of(t), OperatingPoint::utilisation)),
                    mean(t -> OptionalFigure.from(t.evidence(), e -> e.get(Aggregate.LOAD_AVERAGE))),
                    mean(Cell::little),
                    problems(),
                    figure(objective.metric()),
                    broken(objective),
                    Optional.empty(),
                    lost());
        }

        /** The Little's law ratio as the gate computes it, with the trial's clients and think time. */
        private static OptionalFigure little(TrialOutcome t) {
            return OptionalFigure.from(
                    t.measurement(),
                    m -> GateInput.of(t.spec(), m, Optional.empty()).get(Figure.OCCUPIED_SHARE));
        }

        private OptionalFigure mean(Function<TrialOutcome, OptionalFigure> figure) {
            return OptionalFigure.of(valid().stream()
                    .map(figure)
                    .flatMapToDouble(OptionalFigure::stream)
                    .average());
        }
    }
}
