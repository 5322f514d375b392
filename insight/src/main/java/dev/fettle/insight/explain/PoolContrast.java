package dev.fettle.insight.explain;

import dev.fettle.insight.stats.Noise;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.insight.tune.Posterior;
import dev.fettle.model.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;

/**
 * Whether the worker pool limits a trial, judged by the run's other trials that differ only in pool size. One trial
 * alone can't tell: busy threads over holding time equal its throughput whatever the threads wait for.
 *
 * <p>If the pool is the limit, throughput is in proportion to its threads and the holding time stays the same. If the
 * threads wait for something behind the pool, throughput is the same with any number of them and the holding time is in
 * proportion. The bound is halfway between: throughput has to rise by half as much as the busy threads did, on the log
 * scale (with a larger pool, half of a doubling is enough, as the next limit may be near). Either way the two-sided 95
 * % interval of the difference has to lie on one side of the bound, and no other size may say the opposite. To show
 * that throughput was the same takes two sizes, or replicates of both. The standard deviation is that between trials of
 * one setting, as in {@link Posterior}.
 *
 * @param own the pool in question
 * @param decided what the other sizes show
 * @param by the size that shows it; the next one where none does
 * @param enough threads that would do as well, where fewer were seen or are known to
 */
record PoolContrast(Size own, Decision decided, Optional<Size> by, OptionalDouble enough) {
    /**
     * Throughput that rises by at least this share of the rise in threads, on the log scale, counts as in proportion.
     */
    private static final double IN_PROPORTION = 0.5;

    /** Pools whose busy threads differ by less than this (logarithm) show nothing. */
    private static final double APART = StrictMath.log(1.35);

    private static final double DOUBLED = StrictMath.log(2);

    /** Where the larger pool has filled the CPU, this rise (logarithm) is enough. */
    private static final double SOME = StrictMath.log(1.05);

    /** What other pool sizes show. */
    enum Decision {
        /** A larger pool gave more. */
        LARGER_GAVE_MORE,
        /** A smaller pool gave less, in proportion; no larger one was tried. */
        SMALLER_GAVE_LESS,
        /** Another size gave the same, while a request held its thread longer in the larger pool. */
        SAME,
        /** Other sizes were tried, but the result is within the noise. */
        OPEN,
        /** No other size was tried. */
        NONE
    }

    /**
     * A pool size with all its trials.
     *
     * @param threads as it was set, or else as it was seen
     * @param throughput geometric mean, per second
     * @param full whether all its threads were busy
     * @param cpuFull whether the CPU was full as well: then it is the next limit
     */
    record Size(
            long threads, int trials, double throughput, double busy, double holding, boolean full, boolean cpuFull) {}

    /** The contrast of a trial with others of its run; empty if its own pool or holding time is not known. */
    static Optional<PoolContrast> of(TrialOutcome trial, List<TrialOutcome> run) {
        var alike = new ArrayList<TrialOutcome>();
        alike.add(trial);
        run.stream().filter(o -> o != trial && o.valid() && alike(o, trial)).forEach(alike::add);
        var bySize = new TreeMap<Long, List<TrialOutcome>>();
        for (TrialOutcome o : alike) {
            threads(o)
                    .ifPresent(n -> bySize.computeIfAbsent(Math.round(n), k -> new ArrayList<>())
                            .add(o));
        }
        OptionalDouble at = threads(trial);
        if (at.isEmpty()) {
            return Optional.empty();
        }
        var noise = new Noise();
        var sizes = new ArrayList<Size>();
        bySize.forEach((threads, trials) -> {
            noise.add(logs(trials));
            size(threads, trials).ifPresent(sizes::add);
        });
        return sizes.stream()
                .filter(s -> s.threads() == Math.round(at.getAsDouble()))
                .findFirst()
                .map(own -> decide(own, sizes, noise));
    }

    private static boolean alike(TrialOutcome a, TrialOutcome b) {
        return a.spec().load().equals(b.spec().load())
                && a.spec().target().equals(b.spec().target())
                && KnobEffects.without(a.spec().setting(), OperatingPoint.THREADS)
                        .equals(KnobEffects.without(b.spec().setting(), OperatingPoint.THREADS));
    }

    private static OptionalDouble threads(TrialOutcome o) {
        OptionalDouble known = OperatingPoint.threads(o.spec(), o.evidence());
        return known.isPresent()
                ? known
                : OperatingPoint.of(o).map(OperatingPoint::usable).orElse(OptionalDouble.empty());
    }

    static double[] logs(List<TrialOutcome> trials) {
        return trials.stream()
                .flatMap(o -> o.measurement().stream())
                .filter(m -> m.throughput() > 0)
                .mapToDouble(m -> StrictMath.log(m.throughput()))
                .toArray();
    }

    private static Optional<Size> size(long threads, List<TrialOutcome> trials) {
        List<OperatingPoint> all = trials.stream()
                .flatMap(o -> OperatingPoint.of(o).stream())
                .filter(c -> c.holding().isPresent() && c.throughput() > 0)
                .toList();
        return all.isEmpty()
                ? Optional.empty()
                : Optional.of(new Size(
                        threads,
                        all.size(),
                        StrictMath.exp(Statistics.average(logs(trials))),
                        mean(all, c -> c.busy().orElse(0)),
                        mean(all, c -> c.holding().orElse(0)),
                        all.stream().allMatch(OperatingPoint::threadsFull),
                        all.stream().anyMatch(OperatingPoint::cpuFull)));
    }

    private static double mean(List<OperatingPoint> all, ToDoubleFunction<OperatingPoint> f) {
        return all.stream().mapToDouble(f).average().orElse(0);
    }

    private static PoolContrast decide(Size own, List<Size> sizes, Noise noise) {
        List<Size> others = sizes.stream()
                .filter(s -> s != own && Math.abs(log(s.busy(), own.busy())) >= APART)
                .sorted(Comparator.comparingDouble(s -> Math.abs(log(s.busy(), own.busy()))))
                .toList();
        OptionalDouble enough = enough(own, sizes, noise);
        Optional<Size> more = first(others, s -> larger(s, own) && against(own, s, noise) == Decision.LARGER_GAVE_MORE);
        List<Size> same = others.stream()
                .filter(s -> against(own, s, noise) == Decision.SAME)
                .toList();
        if (more.isPresent() && same.isEmpty()) {
            return new PoolContrast(own, Decision.LARGER_GAVE_MORE, more, enough);
        }
        // a single disturbed trial looks like a pool that gives no more, so two are needed
        Optional<Size> backed = same.size() >= 2
                ? Optional.of(same.getFirst())
                : first(same, s -> own.trials() >= 2 && s.trials() >= 2);
        if (more.isEmpty() && backed.isPresent()) {
            return new PoolContrast(own, Decision.SAME, backed, enough);
        }
        Optional<Size> less = first(others, s -> against(own, s, noise) == Decision.SMALLER_GAVE_LESS);
        if (less.isPresent() && same.isEmpty() && others.stream().noneMatch(s -> larger(s, own))) {
            return new PoolContrast(own, Decision.SMALLER_GAVE_LESS, less, enough);
        }
        return new PoolContrast(
                own,
                others.isEmpty() ? Decision.NONE : Decision.OPEN,
                others.stream().findFirst(),
                enough);
    }

    private static Optional<Size> first(List<Size> sizes, Predicate<Size> which) {
        return sizes.stream().filter(which).findFirst();
    }

    private static boolean larger(Size s, Size own) {
        return s.busy() > own.busy();
    }

    private static Decision against(Size own, Size other, Noise noise) {
        return larger(other, own) ? larger(own, other, noise) : smaller(own, other, noise);
    }

    /**
     * By how much throughput has to rise to count as in proportion, given how much more there is; log scale; a doubling
     * at most counts.
     */
    static double inProportion(double more, double own) {
        return IN_PROPORTION * Math.min(log(more, own), DOUBLED);
    }

    private static Decision larger(Size own, Size other, Noise noise) {
        double rise = log(other.throughput(), own.throughput());
        double half = noise.half(own.trials(), other.trials());
        double bound = inProportion(other.busy(), own.busy());
        if (rise - half >= (other.cpuFull() ? Math.min(bound, SOME) : bound)) {
            return Decision.LARGER_GAVE_MORE;
        }
        return rise + half <= bound && !other.cpuFull() ? Decision.SAME : Decision.OPEN;
    }

    private static Decision smaller(Size own, Size other, Noise noise) {
        double rise = log(own.throughput(), other.throughput());
        double half = noise.half(own.trials(), other.trials());
        double bound = IN_PROPORTION * log(own.busy(), other.busy());
        if (rise + half <= bound && !other.cpuFull()) {
            return Decision.SAME;
        }
        return rise - half >= bound && log(own.busy(), other.busy()) <= DOUBLED * 1.1
                ? Decision.SMALLER_GAVE_LESS
                : Decision.OPEN;
    }

    /**
     * The fewest threads known to give as much: the smallest pool that did, or fewer if a full pool that gave less shows by its
     * holding time that X·R_hold would be enough.
     */
    private static OptionalDouble enough(Size own, List<Size> sizes, Noise noise) {
        OptionalDouble least = sizes.stream()
                .filter(s -> s.busy() <= own.busy()
                        && Math.abs(log(own.throughput(), s.throughput())) <= half(own, s, noise))
                .mapToDouble(Size::threads)
                .min();
        OptionalDouble law = sizes.stream()
                .filter(s -> s.full() && !s.cpuFull() && log(own.throughput(), s.throughput()) > half(own, s, noise))
                .mapToDouble(s -> Math.ceil(own.throughput() * s.holding()))
                .min();
        return least.isPresent() && law.isPresent()
                ? OptionalDouble.of(Math.min(least.getAsDouble(), law.getAsDouble()))
                : least;
    }

    private static double half(Size a, Size b, Noise noise) {
        return a == b ? 0 : Math.min(noise.half(a.trials(), b.trials()), APART);
    }

    private static double log(double a, double b) {
        return a > 0 && b > 0 ? StrictMath.log(a / b) : 0;
    }
}
