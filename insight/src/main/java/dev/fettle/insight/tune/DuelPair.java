package dev.fettle.insight.tune;

import dev.fettle.insight.gate.Steal;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.insight.trials.Fate;
import dev.fettle.insight.trials.PairSlices;
import dev.fettle.insight.trials.TrialSlots.Filled;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.trial.Evidence;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.Measurement.Window;
import dev.fettle.model.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;

/**
 * One pair of a duel with figures on both sides.
 *
 * @param first whether the default came first
 */
record DuelPair(int block, boolean first, TrialOutcome baseline, TrialOutcome winner) {
    /** A side that leaves less than this of its CPUs idle would have used what was taken from it. */
    private static final double NEARLY_FULL = 0.85;

    /** Slices of one side are at least this far apart, seconds. */
    private static final double BETWEEN_SLICES = 0.1;

    /**
     * Logarithms of the ratio (more is better) in equal stretches of the measuring, an even number of them, in order.
     *
     * @param scores 4 where there are windows enough, else 2
     */
    record Course(double[] scores) {
        /** In the last half. */
        double last() {
            return Statistics.average(Arrays.copyOfRange(scores, scores.length / 2, scores.length));
        }

        /** What was lost of it within half the measuring: from each stretch of the first half to that of the last. */
        DoubleStream lost() {
            int half = scores.length / 2;
            return IntStream.range(0, half).mapToDouble(i -> scores[i] - scores[i + half]);
        }
    }

    /** The pair of a block; empty if a side lacks figures. */
    static Optional<DuelPair> of(int block, List<Filled> sides) {
        Optional<TrialOutcome> a = side(sides, TuneSlots.BASELINE);
        Optional<TrialOutcome> b = side(sides, TuneSlots.CANDIDATE);
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
                        .filter(e -> "true".equals(e.facts().get(PairSlices.SIDE_BY_SIDE)))
                        .isPresent());
    }

    boolean disturbed() {
        return List.of(baseline, winner).stream()
                .anyMatch(t -> Fate.of(t) == Fate.DISTURBED
                        || t.evidence()
                                .map(e -> e.facts().getOrDefault(PairSlices.KEPT_DISTURBED, "0"))
                                .filter(n -> !n.equals("0"))
                                .isPresent());
    }

    /** CPU seconds a response, winner over baseline. */
    OptionalDouble cpuRatio() {
        double a = cpu(baseline);
        double b = cpu(winner);
        return a > 0 && b > 0 ? OptionalDouble.of(b / a) : OptionalDouble.empty();
    }

    private static double cpu(TrialOutcome t) {
        return t.evidence()
                .map(e ->
                        e.serverCpuSeconds().orElse(0) - e.compilerCpuSeconds().orElse(0))
                .map(s -> s / Math.max(1, t.measurement().orElseThrow().responses()))
                .orElse(0.0);
    }

    /**
     * How much of the ratio (logarithm) the CPU time may have made that others took: what it cost the default if it wanted all
     * its CPUs, less what it cost the winner. A side that leaves CPU idle loses little to somebody who uses it.
     */
    double taken() {
        return StrictMath.log((1 - loss(winner)) / (1 - loss(baseline)));
    }

    private static double loss(TrialOutcome t) {
        if (t.evidence().isEmpty()) {
            return 0;
        }
        Evidence e = t.evidence().get();
        double stolen = Steal.of(t).map(Steal::share).orElse(e.steal().orElse(0));
        double others = Math.clamp(stolen + e.foreignCpu().orElse(0), 0, 0.9);
        double cpus = e.serverCpus() * t.measurement().orElseThrow().elapsed().toNanos() / 1e9;
        double used = cpus > 0 ? e.serverCpuSeconds().orElse(cpus) / cpus : 1;
        return used + others >= NEARLY_FULL ? others : 0;
    }

    /** The ratio over time; empty unless there are windows of both sides in both halves. */
    Optional<Course> course(Objective.Metric metric) {
        List<Window> a = measured(base());
        List<Window> b = measured(win());
        if (a.isEmpty() || b.isEmpty()) {
            return Optional.empty();
        }
        return course(a, b, 4, metric).or(() -> course(a, b, 2, metric));
    }

    private Optional<Course> course(List<Window> a, List<Window> b, int parts, Objective.Metric metric) {
        boolean shared = sideBySide(); // one clock
        var scores = new double[parts];
        for (int i = 0; i < parts; i++) {
            OptionalDouble of = score(part(a, shared ? b : a, i, parts), metric);
            OptionalDouble other = score(part(b, shared ? a : b, i, parts), metric);
            if (of.isEmpty() || other.isEmpty()) {
                return Optional.empty();
            }
            scores[i] = other.getAsDouble() - of.getAsDouble();
        }
        return Optional.of(new Course(scores));
    }

    /** The windows whose middle lies in one of equal parts of the time from the first of both lists to the last. */
    private static List<Window> part(List<Window> windows, List<Window> others, int part, int parts) {
        double from = Math.min(windows.getFirst().at(), others.getFirst().at());
        double to = Math.max(end(windows), end(others));
        return windows.stream()
                .filter(w ->
                        (int) Math.min(parts - 1.0, (w.at() + w.seconds() / 2 - from) / (to - from) * parts) == part)
                .toList();
    }

    private static double end(List<Window> windows) {
        return windows.getLast().at() + windows.getLast().seconds();
    }

    /** How far the default's own slices, taken alternately, lie apart (logarithm); empty unless it was loaded in slices. */
    OptionalDouble ownSlices(Objective.Metric metric) {
        List<Window> all = measured(base());
        if (!sideBySide() || all.size() < 4) {
            return OptionalDouble.empty();
        }
        OptionalDouble even = score(every(all, 0), metric);
        OptionalDouble odd = score(every(all, 1), metric);
        return even.isPresent() && odd.isPresent()
                ? OptionalDouble.of(odd.getAsDouble() - even.getAsDouble())
                : OptionalDouble.empty();
    }

    /** Every other stretch of windows that follow each other. */
    private static List<Window> every(List<Window> all, int parity) {
        var some = new ArrayList<Window>();
        int stretch = 0;
        for (int i = 0; i < all.size(); i++) {
            if (i > 0 && all.get(i).at() > all.get(i - 1).at() + all.get(i - 1).seconds() + BETWEEN_SLICES) {
                stretch++;
            }
            if (stretch % 2 == parity) {
                some.add(all.get(i));
            }
        }
        return some;
    }

    private static List<Window> measured(Measurement m) {
        return m.windows().stream().filter(w -> w.measured() && w.seconds() > 0).toList();
    }

    /** Of throughput what {@link Scoring} makes of it; of p99 the mean over the windows, by their responses. */
    private static OptionalDouble score(List<Window> windows, Objective.Metric metric) {
        double seconds = windows.stream().mapToDouble(Window::seconds).sum();
        double responses = windows.stream().mapToLong(Window::responses).sum();
        if (seconds <= 0 || responses <= 0) {
            return OptionalDouble.empty();
        }
        return OptionalDouble.of(
                switch (metric) {
                    case THROUGHPUT -> StrictMath.log(responses / seconds);
                    case P99 ->
                        -windows.stream()
                                        .mapToDouble(w -> w.responses() * StrictMath.log(Math.max(w.p99(), 1)))
                                        .sum()
                                / responses;
                });
    }
}
