package dev.fettle.insight;

import dev.fettle.model.Setting;
import java.util.List;
import java.util.Optional;

/**
 * The end of a tune.
 *
 * @param result what was shown
 * @param baseline the default the winner was held against (held knobs included)
 * @param winner the setting that went into the duel; the baseline itself where nothing looked better
 * @param ratio objective of winner over baseline from the duel's pairs (above 1 is better for throughput); empty if there
 *     was no duel
 * @param p99Ratio p99 latency of winner over baseline from the same pairs
 * @param threshold the lower bound that {@code ratio} had to exceed to count as an improvement, for example 1.01
 * @param pairs the duel's data
 * @param candidates every setting that was tried, best first
 * @param baselineWhy what limited the baseline
 * @param winnerWhy what limits the winner
 */
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
        List<String> notes)
        implements Conclusion {
    public TuneConclusion {
        pairs = List.copyOf(pairs);
        candidates = List.copyOf(candidates);
        notes = List.copyOf(notes);
    }

    /** What a tune can end with. */
    public enum Result {
        /** The duel's interval lies above the threshold and the winner meets the limits. */
        IMPROVED,
        /** A normal outcome. */
        NO_IMPROVEMENT_SHOWN,
        /** The baseline never gave a valid trial, so nothing can be compared with it. */
        NO_BASELINE
    }

    /**
     * One interleaved pair on fresh JVMs.
     *
     * @param baseline throughput of the baseline, valid responses per second
     * @param winner throughput of the winner
     * @param baselineP99 nanoseconds
     * @param winnerP99 nanoseconds
     */
    public record Pair(int block, double baseline, double winner, long baselineP99, long winnerP99) {}

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
            Optional<String> otherAnswers) {
        /** With answers like the default's. */
        public Candidate(
                Setting setting,
                int trials,
                int voids,
                Interval throughput,
                long p99,
                double errorShare,
                boolean meetsLimits,
                String origin,
                Optional<String> problem) {
            this(setting, trials, voids, throughput, p99, errorShare, meetsLimits, origin, problem, Optional.empty());
        }
    }
}
