package dev.fettle.insight;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Variants held against each other, under each condition of the grid. */
public record CompareConclusion(String headline, List<Condition> conditions, List<String> notes) implements Conclusion {
    public CompareConclusion {
        conditions = List.copyOf(conditions);
        notes = List.copyOf(notes);
    }

    /**
     * One condition.
     *
     * @param point the grid values, empty without a grid
     * @param variants in the plan's order
     * @param contrasts every pair of variants
     */
    public record Condition(Map<String, String> point, List<VariantResult> variants, List<Contrast> contrasts) {
        public Condition {
            point = Collections.unmodifiableMap(new LinkedHashMap<>(point));
            variants = List.copyOf(variants);
            contrasts = List.copyOf(contrasts);
        }
    }

    /**
     * One variant under one condition.
     *
     * @param p50 nanoseconds, merged
     * @param p99 nanoseconds, merged
     * @param cpuMicrosPerRequest server CPU per valid response; NaN if unknown
     */
    public record VariantResult(
            String name,
            int trials,
            int voids,
            Interval throughput,
            long p50,
            long p99,
            double errorShare,
            double cpuMicrosPerRequest,
            List<String> problems) {
        public VariantResult {
            problems = List.copyOf(problems);
        }
    }

    /**
     * Two variants, from the blocks in which both are valid.
     *
     * @param ratio throughput of {@code a} over {@code b}, paired
     * @param differenceShown whether the interval excludes every ratio within the smallest difference worth naming
     * @param otherAnswers how the answers of one differ from the other's, if they do; then no difference is shown
     */
    public record Contrast(
            String a, String b, int pairs, Interval ratio, boolean differenceShown, Optional<String> otherAnswers) {
        /** Of variants that answer the same. */
        public Contrast(String a, String b, int pairs, Interval ratio, boolean differenceShown) {
            this(a, b, pairs, ratio, differenceShown, Optional.empty());
        }
    }
}
