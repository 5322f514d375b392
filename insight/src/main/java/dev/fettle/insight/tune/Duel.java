package dev.fettle.insight.tune;

import dev.fettle.insight.Proof;
import dev.fettle.insight.Shortfall;
import dev.fettle.insight.Starts;
import dev.fettle.insight.TuneConclusion;
import dev.fettle.insight.stats.Imbalance;
import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.stats.Power;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.insight.trials.AttemptStatus;
import dev.fettle.insight.trials.ObjectiveFigure;
import dev.fettle.insight.trials.SettingTrials;
import dev.fettle.insight.trials.TrialSlots.Filled;
import dev.fettle.model.plan.Condition;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.CapacitySeen;
import dev.fettle.model.trial.Measurement;
import dev.fettle.model.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The duel's data and what they prove.
 *
 * <p>The unit of replication is a pair of fresh JVMs. Every figure is computed within a pair first and then averaged
 * over the pairs, so whatever affects both sides of a pair alike (the state of the machine in those minutes) cancels
 * out.
 *
 * @param pairs pairs with figures on both sides
 * @param begun pairs that were begun
 * @param ratio objective of winner over baseline
 * @param p99Ratio p99 of winner over baseline
 * @param beside what they show of the metrics beside the objective's
 * @param p99AtMost upper bound of the winner's p99, nanoseconds: geometric mean with Student's t
 * @param winnerErrors upper bound of the share of the winner's attempts that fail: mean over the pairs with Student's t; 0 if none failed
 * @param failure a failure of the winner in the duel that rules it out
 * @param proof what else the pairs say; empty without a pair
 * @param unsure limits on other figures of latency that the winner may break, in words: {@code p99.9 up to 250 ms for a limit of 200 ms}
 */
record Duel(
        List<TuneConclusion.Pair> pairs,
        int begun,
        Optional<Interval> ratio,
        Optional<Interval> p99Ratio,
        List<PairGain> beside,
        double p99AtMost,
        double winnerErrors,
        Optional<Shortfall.Failed> failure,
        Optional<Proof> proof,
        List<String> unsure) {

    /** Improvements smaller than this are not worth a change. */
    private static final double LEAST_GAIN = 1.01;

    /** A candidate that breaks a limit in so many pairs is left for one that is farther from it. */
    private static final int BROKEN = 2;

    /** Confidence level for a machine that was never calm: the interval is wider. */
    static final double DISTURBED_LEVEL = 0.99;

    static Duel of(Plan plan, List<Filled> filled) {
        var figure = new ObjectiveFigure(plan.objective().metric());
        List<DuelPair> pairs = pairs(filled, figure);
        int begun =
                (int) duel(filled).map(f -> f.slot().spec().block()).distinct().count();
        List<String> failures = failures(filled);
        var looks = InterimAnalyses.of(plan);
        List<Integer> blocks = pairs.stream().map(DuelPair::block).toList();
        double level = pairs.stream().anyMatch(DuelPair::disturbed) ? DISTURBED_LEVEL : looks.level(blocks, begun);
        return new Duel(
                pairs.stream().map(p -> shown(p, figure)).toList(),
                begun,
                ratio(pairs, figure, level),
                ratio(pairs, new ObjectiveFigure(Objective.Metric.P99), level),
                new SecondMetric(plan, new Scoring(plan.objective())).of(pairs, looks.again(blocks, begun)),
                upper(pairs.stream().mapToDouble(p -> p.win().latency().p99()).toArray()),
                errors(pairs.stream().map(DuelPair::win).toList()),
                failures.isEmpty()
                        ? Optional.empty()
                        : Optional.of(new Shortfall.Failed(
                                failures.stream().distinct().collect(Collectors.joining(" or ")),
                                failures.size(),
                                begun,
                                starts(plan, filled))),
                pairs.isEmpty() ? Optional.empty() : Optional.of(proof(plan, filled, pairs, level)),
                unsure(new Scoring(plan.objective()), pairs));
    }

    /** The pairs that have figures on both sides, in their order. */
    static List<DuelPair> pairs(List<Filled> filled, ObjectiveFigure figure) {
        var blocks = new TreeMap<Integer, List<Filled>>();
        duel(filled)
                .forEach(f -> blocks.computeIfAbsent(f.slot().spec().block(), b -> new ArrayList<>())
                        .add(f));
        return blocks.entrySet().stream()
                .map(e -> DuelPair.of(e.getKey(), e.getValue(), figure))
                .flatMap(Optional::stream)
                .toList();
    }

    private static Stream<Filled> duel(List<Filled> filled) {
        return filled.stream().filter(f -> TuneSlots.duel(f));
    }

    private static TuneConclusion.Pair shown(DuelPair p, ObjectiveFigure figure) {
        return new TuneConclusion.Pair(
                p.block(),
                p.base().throughput(),
                p.win().throughput(),
                p.base().latency().p99(),
                p.win().latency().p99(),
                figure.of(p.baseline()).orElse(0),
                figure.of(p.winner()).orElse(0));
    }

    private static Optional<Interval> ratio(List<DuelPair> pairs, ObjectiveFigure figure, double level) {
        return pairs.isEmpty()
                ? Optional.empty()
                : Optional.of(Statistics.pairedRatio(
                        PairGain.figures(pairs, DuelPair::winner, figure),
                        PairGain.figures(pairs, DuelPair::baseline, figure),
                        level));
    }

    private static Proof proof(Plan plan, List<Filled> filled, List<DuelPair> pairs, double level) {
        var scoring = new Scoring(plan.objective());
        PairGain gain = PairGain.of(pairs, scoring.objective().metric(), level).orElseThrow();
        Proof.Arm base = arm(filled, TuneSlots.BASELINE);
        Proof.Arm win = arm(filled, TuneSlots.CANDIDATE);
        return new Proof(
                (int) pairs.stream().filter(DuelPair::sideBySide).count(),
                pairs.stream().anyMatch(DuelPair::disturbed),
                gain.lastHalf(),
                gain.shrinksBy(),
                smallest(pairs, scoring.figure(), level, gain.bound(LEAST_GAIN)),
                Power.unseenShare(pairs.size()),
                gain.aaBound(),
                gain.takenBound(),
                cpu(pairs, level),
                base,
                win,
                Imbalance.chance(base.voids(), base.attempts(), win.voids(), win.attempts()));
    }

    /** By the interval of the ratio alone: a win takes more, see {@link #shortfalls}. */
    private static double smallest(List<DuelPair> pairs, ObjectiveFigure figure, double level, double threshold) {
        OptionalFigure least = Power.leastShown(
                PairGain.figures(pairs, DuelPair::winner, figure),
                PairGain.figures(pairs, DuelPair::baseline, figure),
                level,
                threshold);
        double factor = least.orElse(Double.POSITIVE_INFINITY);
        return figure.metric().low() ? 1 / factor : factor;
    }

    private static Optional<Interval> cpu(List<DuelPair> pairs, double level) {
        double[] ratios = pairs.stream()
                .map(DuelPair::cpuRatio)
                .flatMapToDouble(OptionalFigure::stream)
                .toArray();
        double[] one = new double[ratios.length];
        Arrays.fill(one, 1);
        return ratios.length == pairs.size()
                ? Optional.of(Statistics.pairedRatio(ratios, one, level))
                : Optional.empty();
    }

    private static Proof.Arm arm(List<Filled> filled, String variant) {
        List<TrialOutcome> all = own(filled, variant);
        int failures = (int) all.stream()
                .filter(t -> AttemptStatus.of(t) == AttemptStatus.FAILED)
                .count();
        int voids = (int) all.stream()
                .filter(t -> AttemptStatus.of(t) == AttemptStatus.OUTSIDE
                        || AttemptStatus.of(t) == AttemptStatus.DISTURBED
                        || AttemptStatus.of(t) == AttemptStatus.VOID)
                .count();
        return new Proof.Arm(all.size(), voids, failures);
    }

    private static List<TrialOutcome> attempts(List<Filled> filled, String variant) {
        return duel(filled)
                .filter(f -> f.slot().spec().variant().equals(variant))
                .flatMap(f -> f.attempts().stream())
                .toList();
    }

    /** The attempts of a side, without those that ended because the other side failed: these say nothing about it. */
    private static List<TrialOutcome> own(List<Filled> filled, String variant) {
        List<TrialOutcome> all = attempts(filled, variant);
        List<TrialOutcome> others =
                attempts(filled, variant.equals(TuneSlots.BASELINE) ? TuneSlots.CANDIDATE : TuneSlots.BASELINE);
        return IntStream.range(0, all.size())
                .filter(i -> i >= others.size()
                        || !isLabs(all.get(i))
                        || AttemptStatus.failure(others.get(i)).isEmpty())
                .mapToObj(all::get)
                .toList();
    }

    private static boolean isLabs(TrialOutcome t) {
        return t.failure().filter(f -> f.kind() == TrialOutcome.Kind.LAB).isPresent();
    }

    /**
     * How the candidate failed so that it is ruled out, in the last attempt of each pair in which it did. A pair in which it gave no
     * usable figures counts, for it would be judged by those that it came well out of; not where the default gave none either.
     */
    static List<String> failures(List<Filled> filled) {
        Set<Integer> neither = duel(filled)
                .filter(f -> f.slot().spec().variant().equals(TuneSlots.BASELINE) && f.gaveNothingUsable())
                .map(f -> f.slot().spec().block())
                .collect(Collectors.toSet());
        return duel(filled)
                .filter(f -> f.slot().spec().variant().equals(TuneSlots.CANDIDATE))
                .map(f -> failure(f, neither.contains(f.slot().spec().block())))
                .flatMap(Optional::stream)
                .toList();
    }

    /** How often the candidate and the default failed to start, where that is how it failed in every such pair. */
    private static Optional<Starts> starts(Plan plan, List<Filled> filled) {
        List<Filled> failed = duel(filled)
                .filter(f -> f.slot().spec().variant().equals(TuneSlots.CANDIDATE))
                .filter(f -> AttemptStatus.failure(f.attempts().getLast()).isPresent())
                .toList();
        return !failed.isEmpty() && failed.stream().allMatch(TuneSlots::notStarted)
                ? Optional.of(
                        StartCheck.of(filled, failed.getFirst().slot().spec().setting(), plan.hold())
                                .starts())
                : Optional.empty();
    }

    private static Optional<String> failure(Filled f, boolean alike) {
        TrialOutcome last = f.attempts().getLast();
        return AttemptStatus.failure(last)
                .or(() -> noRate(last))
                .or(() -> f.gaveNothingUsable() && !alike
                        ? Optional.of(AttemptStatus.GAVE_NOTHING_USABLE)
                        : Optional.empty());
    }

    /**
     * Whether the candidate breaks: it failed in a pair, or broke a limit in two, or at the end is not sure to meet the limits.
     *
     * @param ended whether no pair is to come
     */
    static boolean breaks(Plan plan, List<Filled> filled, boolean ended) {
        var scoring = new Scoring(plan.objective());
        Duel duel = of(plan, filled);
        long beyond = pairs(filled, scoring.figure()).stream()
                .filter(p -> !scoring.holds(p.win()))
                .count();
        return duel.failure().isPresent()
                || beyond >= BROKEN
                || ended && duel.shortfalls(scoring).stream().anyMatch(s -> s instanceof Shortfall.Limits);
    }

    /** A capacity of zero has no ratio, but must count. */
    private static Optional<String> noRate(TrialOutcome t) {
        return t.measurement()
                .flatMap(m -> m.detail().capacity())
                .filter(c -> c.end() == CapacitySeen.End.NO_RATE)
                .map(c -> "met the SLO at no rate");
    }

    /** The objective's ratio of winner over baseline in each pair. */
    List<Double> each() {
        return Statistics.ratios(
                pairs.stream().mapToDouble(TuneConclusion.Pair::winnerFigure).toArray(),
                pairs.stream().mapToDouble(TuneConclusion.Pair::baselineFigure).toArray());
    }

    /** The ratio that the interval must exceed; or stay below, where less is better. */
    double threshold(Objective objective) {
        double least = Math.max(
                LEAST_GAIN,
                proof.map(p -> Math.max(p.aaBound(), p.takenBound())).orElse(1.0));
        return objective.metric().low() ? 1 / least : least;
    }

    /** Whether the winner meets the limits with confidence. */
    boolean meetsLimits(Scoring scoring) {
        return !pairs.isEmpty()
                && winnerErrors <= scoring.objective().errorsAtMost()
                && scoring.withinP99(p99AtMost)
                && unsure.isEmpty();
    }

    /** What is missing for an improvement, the most important first; empty if it is shown. */
    List<Shortfall> shortfalls(Scoring scoring) {
        var missing = new ArrayList<Shortfall>();
        failure.ifPresent(missing::add);
        if (pairs.size() < TuneSlots.LEAST_PAIRS || ratio.isEmpty() || proof.isEmpty()) {
            missing.add(new Shortfall.TooFewPairs(pairs.size(), TuneSlots.LEAST_PAIRS));
            return missing;
        }
        Proof p = proof.get();
        double bound = threshold(scoring.objective());
        double gain = PairGain.least(ratio.get(), scoring.objective().metric());
        if (gain <= Math.abs(StrictMath.log(bound))) {
            missing.add(new Shortfall.Bound(bound));
        }
        if (!meetsLimits(scoring)) {
            missing.add(new Shortfall.Limits(p99AtMost, winnerErrors));
        }
        if (p.imbalance() < Imbalance.NOT_CHANCE) {
            missing.add(new Shortfall.Lopsided(p.baseline(), p.winner(), p.imbalance()));
        }
        if (gain > 0 && PairGain.least(p.lastHalf(), scoring.objective().metric()) <= 0) {
            missing.add(new Shortfall.LastHalf(p.lastHalf()));
        }
        double allowed = PairGain.mayShrinkBy(gain);
        if (gain > 0 && p.shrinksBy() >= allowed) {
            missing.add(new Shortfall.Moving(p.shrinksBy(), allowed));
        }
        return missing;
    }

    /**
     * Requests fail in bursts, so the pairs' shares are compared with each other; and never less than that of all requests. One pair has
     * no bound.
     */
    private static double errors(List<Measurement> won) {
        double share = SettingTrials.errorShare(won);
        double[] each = won.stream()
                .mapToDouble(m -> SettingTrials.errorShare(List.of(m)))
                .toArray();
        return share == 0 || each.length < 2
                ? share
                : Math.clamp(Statistics.mean(each).high(), share, 1);
    }

    private static List<String> unsure(Scoring scoring, List<DuelPair> pairs) {
        var unsure = new ArrayList<String>();
        for (Condition limit : scoring.objective().latencies()) {
            double most = upper(pairs.stream()
                    .mapToDouble(p -> Scoring.latency(limit, p.win()))
                    .toArray());
            if (!limit.holds(most)) {
                unsure.add(limit.metric().id() + " up to " + Format.time(most) + " for a limit of "
                        + Format.time(limit.bound()));
            }
        }
        return unsure;
    }

    /** Upper bound of a latency: geometric mean with Student's t. */
    private static double upper(double[] nanos) {
        double[] logs = new double[nanos.length];
        for (int i = 0; i < logs.length; i++) {
            logs[i] = StrictMath.log(Math.max(nanos[i], 1));
        }
        return StrictMath.exp(Statistics.mean(logs).high());
    }
}
