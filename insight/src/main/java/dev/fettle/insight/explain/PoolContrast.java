package dev.fettle.insight.explain;

import dev.fettle.insight.stats.Noise;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.model.text.Format;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
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
 * one setting, as in {@code tune.Posterior}.
 *
 * @param own the pool in question
 * @param decided what the other sizes show
 * @param by the size that shows it; the next one where none does
 * @param fewest the smallest pool whose throughput the noise does not tell from this one's; that does not show that it gave as much
 * @param enough fewer threads yet, that would do as well by the holding time of a full pool that gave less
 * @param close the other sizes that had nearly as many threads busy, which shows nothing; the nearest first
 */
public record PoolContrast(
        Size own, Decision decided, Optional<Size> by, Optional<Size> fewest, OptionalFigure enough, List<Size> close) {
    /**
     * Throughput that rises by at least this share of the rise in threads, on the log scale, counts as in proportion.
     */
    private static final double IN_PROPORTION = 0.5;

    /** Pools whose busy threads differ by less than this (logarithm) show nothing. */
    private static final double APART = StrictMath.log(1.35);

    private static final double DOUBLED = StrictMath.log(2);

    /** Where the larger pool has filled the CPU, this rise (logarithm) is enough. */
    private static final double SOME = StrictMath.log(1.05);

    /** How far a warm JVM has to have moved (logarithm) for that to be told. */
    private static final double TOLD = 0.01;

    /** What other pool sizes show. */
    public enum Decision {
        /** A larger pool gave more. */
        LARGER_GAVE_MORE,
        /** A smaller pool gave less, in proportion; no larger one was tried, or none with enough more threads busy. */
        SMALLER_GAVE_LESS,
        /** Another size gave the same, while a request held its thread longer in the larger pool. */
        SAME,
        /** Other sizes were tried, but the result is within the noise. */
        OPEN,
        /** No other size was tried, or none with enough more or fewer threads busy. */
        NONE
    }

    /** What is decided of a pool that may be none, or may not be known. */
    public static Decision decided(Optional<PoolContrast> pool) {
        return pool.map(PoolContrast::decided).orElse(Decision.NONE);
    }

    /**
     * A pool size with all its trials.
     *
     * @param threads as it was set, or else as it was seen
     * @param throughput geometric mean, per second, as measured
     * @param score the logarithm of the same, without how far a warm JVM had moved
     * @param full whether all its threads were busy
     * @param cpuFull whether the CPU was full as well: then it is the next limit
     */
    public record Size(
            long threads,
            int trials,
            double throughput,
            double score,
            double busy,
            double holding,
            boolean full,
            boolean cpuFull) {}

    /**
     * The contrast of a trial with others of its run; empty if its own pool or holding time is not known.
     *
     * @param moved how far the warm JVM of a trial had moved, as a logarithm of throughput
     */
    public static Optional<PoolContrast> of(
            TrialOutcome trial, List<TrialOutcome> run, ToDoubleFunction<TrialOutcome> moved) {
        var alike = new ArrayList<TrialOutcome>();
        alike.add(trial);
        run.stream().filter(o -> o != trial && o.valid() && alike(o, trial)).forEach(alike::add);
        var bySize = new TreeMap<Long, List<TrialOutcome>>();
        for (TrialOutcome o : alike) {
            threads(o)
                    .ifPresent(n -> bySize.computeIfAbsent(Math.round(n), k -> new ArrayList<>())
                            .add(o));
        }
        OptionalFigure at = threads(trial);
        if (at.isEmpty()) {
            return Optional.empty();
        }
        var noise = new Noise();
        var sizes = new ArrayList<Size>();
        bySize.forEach((threads, trials) -> {
            noise.add(logs(trials, moved));
            size(threads, trials, moved).ifPresent(sizes::add);
        });
        return sizes.stream()
                .filter(s -> s.threads() == Math.round(at.getAsDouble()))
                .findFirst()
                .map(own -> decide(own, sizes, noise));
    }

    private static boolean alike(TrialOutcome a, TrialOutcome b) {
        return ComparableTrials.load(a).equals(ComparableTrials.load(b))
                && a.spec().target().equals(b.spec().target())
                && a.spec()
                        .setting()
                        .without(OperatingPoint.THREADS)
                        .equals(b.spec().setting().without(OperatingPoint.THREADS));
    }

    private static OptionalFigure threads(TrialOutcome o) {
        OptionalFigure known = OperatingPoint.threads(o.spec(), o.evidence());
        return known.isPresent() ? known : OptionalFigure.from(OperatingPoint.of(o), OperatingPoint::usable);
    }

    /** The logarithms of the trials' throughput, without how far a warm JVM had moved. */
    static double[] logs(List<TrialOutcome> trials, ToDoubleFunction<TrialOutcome> moved) {
        return trials.stream()
                .filter(o -> o.measurement().filter(m -> m.throughput() > 0).isPresent())
                .mapToDouble(o -> StrictMath.log(o.measurement().orElseThrow().throughput()) - moved.applyAsDouble(o))
                .toArray();
    }

    /**
     * What a throughput is without how far a warm JVM had moved, as an aside: that is what is compared. Blank where it hardly differs.
     *
     * @param throughput as measured
     * @param score the logarithm of the same, without how far a warm JVM had moved
     */
    static String unmoved(double throughput, double score) {
        return throughput > 0 && Math.abs(StrictMath.log(throughput) - score) >= TOLD
                ? Format.number(StrictMath.exp(score)) + "/s without what its warm JVM had moved by then"
                : "";
    }

    /** A throughput as measured and, where it differs, as it is compared. */
    static String figure(double throughput, double score) {
        String unmoved = unmoved(throughput, score);
        return Format.number(throughput) + "/s" + (unmoved.isEmpty() ? "" : " (" + unmoved + ")");
    }

    /** As measured. */
    static double[] logs(List<TrialOutcome> trials) {
        return logs(trials, o -> 0);
    }

    private static Optional<Size> size(long threads, List<TrialOutcome> trials, ToDoubleFunction<TrialOutcome> moved) {
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
                        Statistics.average(logs(trials, moved)),
                        mean(all, c -> c.busy().orElse(0)),
                        mean(all, c -> c.holding().orElse(0)),
                        all.stream().allMatch(OperatingPoint::threadsFull),
                        all.stream().anyMatch(OperatingPoint::cpuFull)));
    }

    private static double mean(List<OperatingPoint> all, ToDoubleFunction<OperatingPoint> f) {
        return all.stream().mapToDouble(f).average().orElse(0);
    }

    private static PoolContrast decide(Size own, List<Size> sizes, Noise noise) {
        List<Size> nearest = sizes.stream()
                .filter(s -> s != own)
                .sorted(Comparator.comparingDouble(s -> apart(s, own)))
                .toList();
        List<Size> others = nearest.stream().filter(s -> apart(s, own) >= APART).toList();
        List<Size> close = nearest.stream().filter(s -> apart(s, own) < APART).toList();
        Optional<Size> fewest = fewest(own, sizes, noise);
        OptionalFigure enough = enough(own, fewest, sizes, noise);
        Optional<Size> more = first(others, s -> larger(s, own) && against(own, s, noise) == Decision.LARGER_GAVE_MORE);
        List<Size> same = others.stream()
                .filter(s -> against(own, s, noise) == Decision.SAME)
                .toList();
        if (more.isPresent() && same.isEmpty()) {
            return new PoolContrast(own, Decision.LARGER_GAVE_MORE, more, fewest, enough, close);
        }
        // a single disturbed trial looks like a pool that gives no more, so two are needed
        Optional<Size> backed = same.size() >= 2
                ? Optional.of(same.getFirst())
                : first(same, s -> own.trials() >= 2 && s.trials() >= 2);
        if (more.isEmpty() && backed.isPresent()) {
            return new PoolContrast(own, Decision.SAME, backed, fewest, enough, close);
        }
        Optional<Size> less = first(others, s -> against(own, s, noise) == Decision.SMALLER_GAVE_LESS);
        if (less.isPresent() && same.isEmpty() && others.stream().noneMatch(s -> larger(s, own))) {
            return new PoolContrast(own, Decision.SMALLER_GAVE_LESS, less, fewest, enough, close);
        }
        return new PoolContrast(
                own,
                others.isEmpty() ? Decision.NONE : Decision.OPEN,
                others.stream().findFirst(),
                fewest,
                enough,
                close);
    }

    /** How far the numbers of busy threads lie apart, logarithm. */
    private static double apart(Size a, Size b) {
        return Math.abs(log(a.busy(), b.busy()));
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
        double rise = other.score() - own.score();
        double half = noise.half(own.trials(), other.trials());
        double bound = inProportion(other.busy(), own.busy());
        if (rise - half >= (other.cpuFull() ? Math.min(bound, SOME) : bound)) {
            return Decision.LARGER_GAVE_MORE;
        }
        return rise + half <= bound && !other.cpuFull() ? Decision.SAME : Decision.OPEN;
    }

    private static Decision smaller(Size own, Size other, Noise noise) {
        double rise = own.score() - other.score();
        double half = noise.half(own.trials(), other.trials());
        double bound = IN_PROPORTION * log(own.busy(), other.busy());
        if (rise + half <= bound && !other.cpuFull()) {
            return Decision.SAME;
        }
        return rise - half >= bound && log(own.busy(), other.busy()) <= DOUBLED * 1.1
                ? Decision.SMALLER_GAVE_LESS
                : Decision.OPEN;
    }

    private static Optional<Size> fewest(Size own, List<Size> sizes, Noise noise) {
        return sizes.stream()
                .filter(s -> s.busy() <= own.busy() && Math.abs(own.score() - s.score()) <= half(own, s, noise))
                .min(Comparator.comparingLong(Size::threads));
    }

    /** X·R_hold of a full pool that gave less, where that is fewer threads than the smallest pool that may have given as much. */
    private static OptionalFigure enough(Size own, Optional<Size> fewest, List<Size> sizes, Noise noise) {
        long least = fewest.map(Size::threads).orElse(0L);
        return OptionalFigure.of(sizes.stream()
                .filter(s -> s.full() && !s.cpuFull() && own.score() - s.score() > half(own, s, noise))
                .mapToDouble(s -> Math.ceil(own.throughput() * s.holding()))
                .filter(n -> n < least)
                .min());
    }

    private static double half(Size a, Size b, Noise noise) {
        return a == b ? 0 : Math.min(noise.half(a.trials(), b.trials()), APART);
    }

    private static double log(double a, double b) {
        return a > 0 && b > 0 ? StrictMath.log(a / b) : 0;
    }
}
