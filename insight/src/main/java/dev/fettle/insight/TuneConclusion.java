package dev.fettle.insight;

import dev.fettle.insight.stats.Interval;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.text.OptionalFigure;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * The result of a tune.
 *
 * @param result what was shown
 * @param baseline the default the winner was compared with (held knobs included)
 * @param winner the setting that went into the duel; the baseline itself if nothing looked better
 * @param ratio objective of winner over baseline from the duel's pairs (above 1 is better for throughput, below for all else); empty if there
 *     was no duel
 * @param p99Ratio p99 latency of winner over baseline from the same pairs
 * @param threshold the lower bound that {@code ratio} had to exceed to count as an improvement, for example 1.01
 * @param pairs the duel's data
 * @param candidates every setting that was tried, best first
 * @param baselineWhy what limited the baseline
 * @param winnerWhy what limits the winner
 * @param shortfalls why no improvement is shown, the most important first; empty if one is
 * @param shares what each knob gives, if the winner changes several, the largest first; empty for one knob
 * @param tradeOff the objective's metric against the plan's second one; empty without one
 * @param proof what else the duel's pairs show; empty without a pair
 * @param beside what they show in metrics beside the objective's
 * @param failedStarts how often the winner failed to start, if it or the default did in the duel
 */
@RecordBuilder
public record TuneConclusion(
        Result result,
        String headline,
        Setting baseline,
        Setting winner,
        Optional<Interval> ratio,
        Optional<Interval> p99Ratio,
        double threshold,
        List<Pair> pairs,
        List<Candidate> candidates,
        Optional<Explanation> baselineWhy,
        Optional<Explanation> winnerWhy,
        List<String> notes,
        List<Shortfall> shortfalls,
        Optional<Proof> proof,
        List<KnobShare> shares,
        Optional<TradeOff> tradeOff,
        List<SecondFigure> beside,
        List<FailedStarts> failedStarts)
        implements Conclusion, TuneConclusionBuilder.With {
    public TuneConclusion {
        pairs = List.copyOf(pairs);
        candidates = List.copyOf(candidates);
        notes = List.copyOf(notes);
        shortfalls = List.copyOf(shortfalls);
        shares = List.copyOf(shares);
        beside = List.copyOf(beside);
        failedStarts = List.copyOf(failedStarts);
    }

    /**
     * One figure for each side of the duel, used wherever they are shown: geometric means over the pairs, whose ratio is the
     * duel's ratio. Empty without a pair.
     */
    public Optional<Sides> sides() {
        return pairs.isEmpty()
                ? Optional.empty()
                : Optional.of(new Sides(
                        mean(Pair::baseline),
                        mean(Pair::winner),
                        mean(Pair::baselineP99),
                        mean(Pair::winnerP99),
                        mean(Pair::baselineFigure),
                        mean(Pair::winnerFigure)));
    }

    /** Whether the winner is shown to be better than the default: by the objective, or at the same by another metric. */
    public boolean shown() {
        return result == Result.IMPROVED || result == Result.TRADE;
    }

    private double mean(ToDoubleFunction<Pair> figure) {
        double[] logs = pairs.stream()
                .mapToDouble(figure)
                .filter(v -> v > 0)
                .map(StrictMath::log)
                .toArray();
        return logs.length == 0 ? 0 : StrictMath.exp(Statistics.average(logs));
    }

    /** How a tune can end. */
    public enum Result {
        /** The duel's interval lies above the threshold and the winner meets the limits. */
        IMPROVED,
        /** The objective is the same, as nearly as the duel can tell, and another metric is shown to be better; the winner meets the limits. */
        TRADE,
        /** A normal outcome. */
        NO_IMPROVEMENT_SHOWN,
        /** The budget was too short to try any other setting and prove it, or to prove one that looked better: there is no answer. */
        NOT_TRIED,
        /** The baseline never gave a valid trial, so nothing can be compared with it. */
        NO_BASELINE
    }

    /**
     * The duel's two sides.
     *
     * @param baseline throughput, valid responses per second
     * @param winner throughput
     * @param baselineP99 nanoseconds
     * @param winnerP99 nanoseconds
     * @param baselineFigure the objective's metric, in its unit
     * @param winnerFigure the objective's metric
     */
    public record Sides(
            double baseline,
            double winner,
            double baselineP99,
            double winnerP99,
            double baselineFigure,
            double winnerFigure) {}

    /**
     * One interleaved pair on fresh JVMs.
     *
     * @param baseline throughput of the baseline, valid responses per second
     * @param winner throughput of the winner
     * @param baselineP99 nanoseconds
     * @param winnerP99 nanoseconds
     * @param baselineFigure the objective's metric, in its unit
     * @param winnerFigure the objective's metric
     */
    public record Pair(
            int block,
            double baseline,
            double winner,
            long baselineP99,
            long winnerP99,
            double baselineFigure,
            double winnerFigure) {}

    /**
     * A setting that was tried.
     *
     * @param trials valid trials
     * @param voids void or failed attempts
     * @param throughput mean of its valid trials with an interval (unbounded for one trial)
     * @param p99 median of the trials' p99, nanoseconds
     * @param meetsLimits whether the objective's limits were met
     * @param origin where it came from: default, prediction, log-spaced, knee
     * @param otherAnswers how its answers differ from the default's, if they do; then it can't win
     * @param figure the objective's metric in its unit, geometric mean of its valid trials; empty where it was not observed
     * @param atBest the objective's metric that it gives at best, where its trial was ended early because that is surely worse than
     *     the best so far; empty for any other
     */
    public record Candidate(
            Setting setting,
            int trials,
            int voids,
            Interval throughput,
            long p99,
            double errorShare,
            boolean meetsLimits,
            String origin,
            Optional<String> problem,
            Optional<String> otherAnswers,
            OptionalFigure figure,
            OptionalFigure atBest) {}
}
