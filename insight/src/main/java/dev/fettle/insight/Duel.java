package dev.fettle.insight;

import dev.fettle.insight.Slots.Filled;
import dev.fettle.model.Measurement;
import dev.fettle.model.Objective;
import dev.fettle.model.Plan;
import dev.fettle.model.TrialSpec.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The duel's data and what they prove.
 *
 * @param pairs pairs in which both sides are valid
 * @param dropped pairs that were begun but lack a side
 * @param ratio objective of winner over baseline
 * @param p99Ratio p99 of winner over baseline
 * @param aaBound how far the baseline's own runs of even and of odd pairs lie apart, as a factor of at least 1: what this
 *     place shows as a difference where there is none
 * @param p99AtMost upper bound of the winner's p99, nanoseconds: geometric mean with Student's t
 * @param winnerErrors share of the winner's attempts that failed
 */
record Duel(
        List<TuneConclusion.Pair> pairs,
        int dropped,
        Optional<Interval> ratio,
        Optional<Interval> p99Ratio,
        double aaBound,
        double p99AtMost,
        double winnerErrors) {

    /** Improvements smaller than this are not worth a change. */
    private static final double LEAST_GAIN = 1.01;

    static Duel of(Plan plan, List<Filled> filled) {
        var blocks = new TreeMap<Integer, List<Filled>>();
        filled.stream()
                .filter(f -> TuneScript.phase(f) == Phase.DUEL)
                .forEach(f -> blocks.computeIfAbsent(f.slot().spec().block(), b -> new ArrayList<>())
                        .add(f));
        var pairs = new ArrayList<TuneConclusion.Pair>();
        var winners = new ArrayList<Measurement>();
        for (var block : blocks.entrySet()) {
            Optional<Measurement> a = side(block.getValue(), TuneScript.BASELINE);
            Optional<Measurement> b = side(block.getValue(), TuneScript.CANDIDATE);
            if (a.isPresent() && b.isPresent()) {
                winners.add(b.get());
                pairs.add(new TuneConclusion.Pair(
                        block.getKey(),
                        a.get().throughput(),
                        b.get().throughput(),
                        a.get().latency().p99(),
                        b.get().latency().p99()));
            }
        }
        double[] base =
                pairs.stream().mapToDouble(TuneConclusion.Pair::baseline).toArray();
        double[] win = pairs.stream().mapToDouble(TuneConclusion.Pair::winner).toArray();
        double[] baseP99 =
                pairs.stream().mapToDouble(TuneConclusion.Pair::baselineP99).toArray();
        double[] winP99 =
                pairs.stream().mapToDouble(TuneConclusion.Pair::winnerP99).toArray();
        boolean latency = plan.objective().metric() == Objective.Metric.P99;
        Optional<Interval> speed = ratio(win, base);
        Optional<Interval> p99 = ratio(winP99, baseP99);
        return new Duel(
                pairs,
                blocks.size() - pairs.size(),
                latency ? p99 : speed,
                p99,
                aa(latency ? baseP99 : base),
                upper(winP99),
                Observation.errorShare(winners));
    }

    private static Optional<Interval> ratio(double[] a, double[] b) {
        return a.length == 0 ? Optional.empty() : Optional.of(Statistics.pairedRatio(a, b, Statistics.LEVEL));
    }

    /** What the interval must exceed; for a p99 objective, stay below. */
    double threshold(Objective objective) {
        double least = Math.max(LEAST_GAIN, aaBound);
        return objective.metric() == Objective.Metric.P99 ? 1 / least : least;
    }

    /** Whether the interval lies wholly on the better side of the threshold. */
    boolean better(Objective objective) {
        return pairs.size() >= TuneScript.LEAST_PAIRS
                && ratio.filter(r -> objective.metric() == Objective.Metric.P99
                                ? r.high() < threshold(objective)
                                : r.low() > threshold(objective))
                        .isPresent();
    }

    /** Whether the winner surely meets the limits. */
    boolean meetsLimits(Scoring scoring) {
        return winnerErrors <= scoring.objective().errorsAtMost() && scoring.withinP99(p99AtMost);
    }

    private static Optional<Measurement> side(List<Filled> block, String variant) {
        return block.stream()
                .filter(f -> f.slot().spec().variant().equals(variant))
                .map(Filled::valid)
                .flatMap(Optional::stream)
                .flatMap(t -> t.measurement().stream())
                .findFirst();
    }

    private static double aa(double[] base) {
        if (base.length < 2) {
            return 1;
        }
        double even = 0;
        double odd = 0;
        for (int i = 0; i < base.length; i++) {
            double log = StrictMath.log(Math.max(base[i], 1e-9));
            even += i % 2 == 0 ? log : 0;
            odd += i % 2 == 1 ? log : 0;
        }
        return StrictMath.exp(Math.abs(even / ((base.length + 1) / 2) - odd / (base.length / 2)));
    }

    private static double upper(double[] p99) {
        double[] logs = new double[p99.length];
        for (int i = 0; i < logs.length; i++) {
            logs[i] = StrictMath.log(Math.max(p99[i], 1));
        }
        return StrictMath.exp(Statistics.mean(logs).high());
    }
}
