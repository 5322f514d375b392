package dev.fettle.insight;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.fettle.insight.stats.Interval;
import dev.fettle.load.api.ErrorKind;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.text.OptionalFigure;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The result of comparing variants under each condition of the grid.
 *
 * @param metric the metric compared
 * @param spike the spike offered to all variants; then their good answers during it are compared instead of the metric
 * @param failedStarts the variants that failed to start in some trial
 */
public record CompareConclusion(
        String headline,
        Objective.Metric metric,
        List<Condition> conditions,
        List<String> notes,
        Optional<Spike> spike,
        List<FailedStarts> failedStarts)
        implements Conclusion {
    public CompareConclusion {
        conditions = List.copyOf(conditions);
        notes = List.copyOf(notes);
        failedStarts = List.copyOf(failedStarts);
    }

    /** Whether any block has two valid variants. */
    @JsonIgnore
    public boolean compared() {
        return conditions.stream().flatMap(c -> c.contrasts().stream()).anyMatch(k -> k.pairs() > 0);
    }

    /**
     * A temporary rise in arrivals.
     *
     * @param rate arrivals per second
     * @param seconds how long
     * @param watched how long to wait at most for the SLO to be met again, seconds
     * @param slo what a good answer is
     */
    public record Spike(double rate, double seconds, double watched, String slo) {}

    /**
     * How a variant coped with the spike.
     *
     * @param goodput valid answers per second within the SLO's longest latency, during the spike
     * @param errorShare of the attempts of the spike, failed or never sent
     * @param errors failed ones by kind, all trials together
     * @param p99 of the valid answers, nanoseconds, mean of the trials
     * @param recovery seconds from its end until the SLO was met again, over the trials in which it was; bounds only
     *     from three on, within 0 and the time that was watched
     * @param recovered number of trials in which it recovered
     * @param trials valid ones
     * @param notMetBefore number of trials in which the SLO was broken already before the spike
     */
    public record SpikeResult(
            Interval goodput,
            double errorShare,
            Map<ErrorKind, Long> errors,
            double p99,
            Interval recovery,
            int recovered,
            int trials,
            int notMetBefore) {
        public SpikeResult {
            errors = Collections.unmodifiableMap(new LinkedHashMap<>(errors));
        }
    }

    /**
     * One condition.
     *
     * @param point the grid values, empty without a grid
     * @param variants in the plan's order
     * @param contrasts every pair of variants; of layers, each and the one before it
     * @param layers what each layer adds to the one before it; empty where variants do the same
     */
    public record Condition(
            Map<String, String> point, List<VariantResult> variants, List<Contrast> contrasts, List<Layer> layers) {
        public Condition {
            point = Collections.unmodifiableMap(new LinkedHashMap<>(point));
            variants = List.copyOf(variants);
            contrasts = List.copyOf(contrasts);
            layers = List.copyOf(layers);
        }

        /** Why nothing is claimed of a layer although its figures differ; empty if something may be. */
        public Optional<String> withheld(Layer layer) {
            return contrasts.stream()
                    .filter(x -> Set.of(x.a(), x.b()).equals(Set.of(layer.before(), layer.name())))
                    .flatMap(x -> x.withheld().stream())
                    .findFirst();
        }
    }

    /**
     * What a layer adds to the one before it, from the blocks in which both are valid.
     *
     * @param throughput its throughput over that of the one before
     * @param cpuMicros server CPU time that it adds to a request, microseconds; empty if it was not read
     * @param waitingMicros time without a CPU that it adds to a request's hold on its worker, microseconds: waiting for
     *     a service, a lock, or a CPU; empty if the workers were not seen
     * @param shown whether the throughput's interval excludes every ratio too small to report, and nothing was lost that it would
     *     have to include
     * @param everyWith seconds for each answer with it, over the same blocks; 0 without one
     * @param everyBefore the same of the one before
     */
    public record Layer(
            String name,
            String before,
            int blocks,
            Interval throughput,
            Optional<Interval> cpuMicros,
            Optional<Interval> waitingMicros,
            boolean shown,
            double everyWith,
            double everyBefore) {}

    /**
     * One variant under one condition.
     *
     * @param p50 nanoseconds, merged
     * @param p99 nanoseconds, merged
     * @param cpuMicrosPerRequest server CPU time per request, microseconds, without its compilers; NaN if unknown
     * @param broken the objective's limits that it breaks, in words
     * @param spike how it coped with the comparison's spike, if there was one
     * @param figure the metric that is compared, in its unit; empty where it was not observed
     * @param failed how it failed, and in how many blocks: {@code crashed in 2 of 5 blocks}; empty if it never did
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
            List<String> problems,
            List<String> broken,
            Optional<SpikeResult> spike,
            OptionalFigure figure,
            Optional<String> failed) {
        public VariantResult {
            problems = List.copyOf(problems);
            broken = List.copyOf(broken);
        }
    }

    /**
     * Two variants, from the blocks in which both are valid.
     *
     * @param ratio the metric of {@code a} over that of {@code b}, paired
     * @param differenceShown whether the interval excludes every ratio too small to report
     * @param leastShown the smallest true ratio that these blocks would have shown with 80 % power, in either direction; empty
     *     for fewer than two blocks
     * @param otherAnswers how the answers of one differ from the other's, if they do; then no difference is shown
     * @param recovery seconds by which {@code a} took longer than {@code b} to recover from the spike, over the blocks in which
     *     both did; empty without a spike, or without such a block
     * @param each the ratio of each pair, in the order of the blocks
     * @param withheld why the one with the better figures can't be called better, if it can't: it failed or gave nothing in
     *     some block, or left work undone; then no difference is shown
     */
    public record Contrast(
            String a,
            String b,
            int pairs,
            Interval ratio,
            boolean differenceShown,
            OptionalFigure leastShown,
            Optional<String> otherAnswers,
            Optional<Interval> recovery,
            List<Double> each,
            Optional<String> withheld) {
        public Contrast {
            each = List.copyOf(each);
        }
    }
}
