package dev.fettle.insight.tune;

import dev.fettle.insight.gate.Steal;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.insight.trials.AttemptStatus;
import dev.fettle.insight.trials.ObjectiveFigure;
import dev.fettle.insight.trials.ObjectiveFigure.Stretch;
import dev.fettle.insight.trials.TrialSlots.Filled;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Aggregate;
import dev.fettle.model.trial.Conditions;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * One pair of a duel with figures on both sides.
 *
 * @param first whether the default came first
 */
record DuelPair(int block, boolean first, TrialOutcome baseline, TrialOutcome winner) {
    /**
     * A side that uses at least this share of its CPUs, with what others took, would have used that CPU time itself.
     */
    private static final double NEARLY_FULL = 0.85;

    /**
     * Logarithms of the ratio (more is better) in equal parts of the measuring phase, in order; an even number of them.
     *
     * @param scores 4 where there are enough windows, else 2
     */
    record Course(double[] scores) {
        /** Mean over the last half. */
        double last() {
            return Statistics.average(Arrays.copyOfRange(scores, scores.length / 2, scores.length));
        }

        /** What was lost from the first half of the measuring phase to the last. */
        double lost() {
            return Statistics.average(Arrays.copyOf(scores, scores.length / 2)) - last();
        }
    }

    /** The pair of a block; empty if a side lacks figures, including that of the objective. */
    static Optional<DuelPair> of(int block, List<Filled> sides, ObjectiveFigure figure) {
        Optional<TrialOutcome> a =
                side(sides, TuneSlots.BASELINE).filter(t -> figure.comparable(t).isPresent());
        Optional<TrialOutcome> b = side(sides, TuneSlots.CANDIDATE)
                .filter(t -> figure.comparable(t).isPresent());
        return a.isEmpty() || b.isEmpty()
                ? Optional.empty()
                : Optional.of(new DuelPair(block, a.get().ordinal() < b.get().ordinal(), a.get(), b.get()));
    }

    private static Optional<TrialOutcome> side(List<Filled> sides, String variant) {
        return sides.stream()
                .filter(f -> f.slot().spec().variant().equals(variant))
                .map(Filled::counted)
                .flatMap(Optional::stream)
                .findFirst();
    }

    Measurement base() {
        return baseline.measurement().orElseThrow();
    }

    Measurement win() {
        return winner.measurement().orElseThrow();
    }

    boolean sideBySide() {
        return List.of(baseline, winner).stream()
                .allMatch(t -> t.evidence()
                        .flatMap(e -> e.conditions().pair())
                        .filter(Conditions.Pair::sideBySide)
                        .isPresent());
    }

    boolean disturbed() {
        return List.of(baseline, winner).stream()
                .anyMatch(t -> AttemptStatus.of(t) == AttemptStatus.DISTURBED
                        || t.evidence()
                                .flatMap(e -> e.conditions().pair())
                                .flatMap(Conditions.Pair::slices)
                                .filter(s -> s.keptDisturbed() > 0)
                                .isPresent());
    }

    /** CPU time per request, winner over baseline. */
    OptionalFigure cpuRatio() {
        var cpu = new ObjectiveFigure(Objective.Metric.CPU_PER_REQUEST);
        double a = cpu.of(baseline).orElse(0);
        double b = cpu.of(winner).orElse(0);
        return a > 0 && b > 0 ? OptionalFigure.of(b / a) : OptionalFigure.empty();
    }

    /**
     * How much of the ratio (logarithm) may come from CPU time that others took: the loss of the default, less the loss
     * of the winner. A side only counts as losing if it used nearly all its CPUs; one that leaves CPU idle loses
     * little.
     */
    double taken() {
        return StrictMath.log((1 - loss(winner)) / (1 - loss(baseline)));
    }

    private static double loss(TrialOutcome t) {
        if (t.evidence().isEmpty()) {
            return 0;
        }
        Evidence e = t.evidence().get();
        double others = Math.clamp(others(t, e), 0, 0.9);
        double cpus = e.serverCpus() * t.measurement().orElseThrow().elapsed().toNanos() / 1e9;
        double used = cpus > 0 ? e.get(Aggregate.SERVER_CPU_SECONDS).orElse(cpus) / cpus : 1;
        return used + others >= NEARLY_FULL ? others : 0;
    }

    /** CPU time that others took, a share: while the capacity was searched for, or over the whole measuring. */
    private static double others(TrialOutcome t, Evidence e) {
        double stolen =
                Steal.of(t).map(Steal::share).orElse(e.get(Aggregate.STEAL).orElse(0));
        return t.measurement()
                .flatMap(m -> m.detail().capacity())
                .flatMap(c -> c.probes().stream()
                        .map(p -> p.seen().evidence())
                        .mapToDouble(p -> p.get(Aggregate.SERVER_STEAL)
                                        .orElse(p.get(Aggregate.STEAL).orElse(0))
                                + p.get(Aggregate.FOREIGN_CPU).orElse(0))
                        .average()
                        .stream()
                        .boxed()
                        .findFirst())
                .orElse(stolen + e.get(Aggregate.FOREIGN_CPU).orElse(0));
    }

    /** The ratio over time; empty unless both sides were observed in both halves. */
    Optional<Course> course(ObjectiveFigure figure) {
        List<Stretch> a = figure.over(baseline);
        List<Stretch> b = figure.over(winner);
        if (a.isEmpty() || b.isEmpty()) {
            return Optional.empty();
        }
        return course(a, b, 4, figure).or(() -> course(a, b, 2, figure));
    }

    private Optional<Course> course(List<Stretch> a, List<Stretch> b, int parts, ObjectiveFigure figure) {
        boolean shared = sideBySide(); // one clock
        var scores = new double[parts];
        for (int i = 0; i < parts; i++) {
            OptionalFigure of = figure.score(part(a, shared ? b : a, i, parts));
            OptionalFigure other = figure.score(part(b, shared ? a : b, i, parts));
            if (of.isEmpty() || other.isEmpty()) {
                return Optional.empty();
            }
            scores[i] = other.getAsDouble() - of.getAsDouble();
        }
        return Optional.of(new Course(figure.metric() == Objective.Metric.CAPACITY ? shifted(scores, figure) : scores));
    }

    /**
     * The course of a capacity, of which a trial has one figure only: the ratio of the capacities, changed in each part as the
     * ratio of what the closed load's clients got was.
     */
    private double[] shifted(double[] scores, ObjectiveFigure figure) {
        double whole = figure.score(winner).orElse(0) - figure.score(baseline).orElse(0);
        double mean = Statistics.average(scores);
        return Arrays.stream(scores).map(s -> whole + s - mean).toArray();
    }

    /** The stretches whose middle lies in this one of {@code parts} equal parts of the time that both lists cover. */
    private static List<Stretch> part(List<Stretch> all, List<Stretch> others, int part, int parts) {
        double from = Math.min(all.getFirst().at(), others.getFirst().at());
        double to = Math.max(end(all), end(others));
        return all.stream()
                .filter(w ->
                        (int) Math.min(parts - 1.0, (w.at() + w.seconds() / 2 - from) / (to - from) * parts) == part)
                .toList();
    }

    private static double end(List<Stretch> all) {
        return all.getLast().at() + all.getLast().seconds();
    }

    /** How far the default's own slices, taken alternately, lie apart (logarithm); empty unless it was loaded in slices. */
    OptionalFigure ownSlices(ObjectiveFigure figure) {
        List<Stretch> all = figure.over(baseline);
        if (!sideBySide() || all.size() < 4) {
            return OptionalFigure.empty();
        }
        List<List<Stretch>> slices = ObjectiveFigure.runs(all);
        OptionalFigure even = figure.score(every(slices, 0));
        OptionalFigure odd = figure.score(every(slices, 1));
        return even.with(odd, (e, o) -> o - e);
    }

    private static List<Stretch> every(List<List<Stretch>> slices, int parity) {
        return IntStream.range(0, slices.size())
                .filter(i -> i % 2 == parity)
                .mapToObj(slices::get)
                .flatMap(List::stream)
                .toList();
    }
}
