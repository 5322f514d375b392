package dev.fettle.insight.tune;

import dev.fettle.insight.explain.OperatingPoint;
import dev.fettle.insight.stats.Statistics;
import dev.fettle.insight.trials.Origin;
import dev.fettle.insight.trials.SettingTrials;
import dev.fettle.insight.words.KnobValues;
import dev.fettle.model.constraint.Constraints;
import dev.fettle.model.knob.Setting;
import dev.fettle.model.plan.KnobRange;
import dev.fettle.model.plan.Objective;
import dev.fettle.model.plan.Plan;
import dev.fettle.model.text.OptionalFigure;
import dev.fettle.model.trial.Evidence;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A search that lets the laws choose the first point.
 *
 * <ol>
 *   <li>Where a limit breaks, or the server fails, beyond some value: nearer to the last value that holds ({@link LimitEdge}).
 *   <li>The size of the worker pool from the default's holding time and CPU per request (see {@link
 *       OperatingPoint#threadsNeeded}), and once more from those of the best so far, as the default's trial may have
 *       been a bad one. Where they are unknown, log-spaced over the range.
 *   <li>Pool sizes around the best: upward from the fastest, and downward from the smallest that is as good within the
 *       noise. On a plateau (several sizes as good) a pool that was too small tells by its holding time how many threads do.
 *   <li>The other knobs: each once, at a value far from the default's, on the best so far; then their other values; then
 *       each two of them together.
 *   <li>Closer neighbours of the best, on every interval.
 * </ol>
 *
 * <p>Each knob gets a trial before the pool's size is refined, as far as the budget's trials allow. A setting that
 * breaks a constraint of the server, that was seen already, or that changes a knob whose value did not take effect
 * before, is never proposed.
 */
public final class HoldingTimeSearch implements SettingSearch {
    private static final int SPREAD = 5;

    /** Two pool sizes that differ by less than this factor count as the same. */
    static final double CLOSE = 1.12;

    /** Throughput this many standard deviations below the default's rules out what lies beyond. */
    private static final double FAR = 4;

    /** Sizes farther apart than this factor leave room for another. */
    private static final double GAP = 2;

    /** Throughput this many standard deviations (of a difference) below the best is really lower, not just noise. */
    private static final double LOWER = 2;

    private final Plan plan;
    private final Set<SearchPart> parts;
    private final Scoring scoring;

    /** A search over a plan's knobs. */
    public HoldingTimeSearch(Plan plan) {
        this(plan, SearchPart.ALL);
    }

    HoldingTimeSearch(Plan plan, Set<SearchPart> parts) {
        this.plan = plan;
        this.parts = parts;
        this.scoring = new Scoring(plan.objective());
    }

    @Override
    public Optional<Proposal> ask(List<SettingTrials> seen) {
        if (seen.isEmpty() || plan.knobs().isEmpty()) {
            return Optional.empty();
        }
        Optional<KnobAxis> threads = KnobAxis.ofPool(plan);
        var knobs = new OneKnobAtATime(plan, threads.isPresent(), seen);
        Setting on = best(seen).setting();
        // the prediction comes first, however few trials there are
        boolean room = seen.size() == 1
                || TuneSlots.searchTrialsLeft(plan, parts, seen) > knobs.untouched(on, s -> fresh(seen, s));
        Optional<Proposal> next = edge(seen);
        if (next.isEmpty() && room && threads.isPresent()) {
            next = first(threads.get(), seen)
                    .or(() -> neighbour(threads.get(), seen, 2))
                    .or(() -> smaller(threads.get(), seen));
        }
        if (next.isEmpty()) {
            next = knobs.next(on, s -> fresh(seen, s));
        }
        for (KnobRange knob : plan.knobs()) {
            if (next.isEmpty()) {
                next = KnobAxis.of(knob).flatMap(axis -> neighbour(axis, seen, Math.sqrt(2)));
            }
        }
        return next.or(() -> only().flatMap(axis -> gap(axis, seen)));
    }

    /** The plan's knob, if it has one alone and that has numbers for values. */
    private Optional<KnobAxis> only() {
        return plan.knobs().size() == 1 ? KnobAxis.of(plan.knobs().getFirst()) : Optional.empty();
    }

    /**
     * Where nothing looks better than the default: halfway in the widest gap, in logarithms, between the values that were seen, that of
     * lower values first. Fewer threads, for one, may give less p99 at the same throughput, or both.
     */
    private Optional<Proposal> gap(KnobAxis axis, List<SettingTrials> seen) {
        SettingTrials base = seen.getFirst();
        var posterior = new Posterior(scoring, seen);
        boolean open = new SecondMetric(plan, scoring).wanted()
                && posterior.recommended(base).filter(o -> o == base).isPresent();
        double least = scoring.rank(base) - FAR * Math.sqrt(2) * posterior.sigma();
        long at = base.inForce(axis.knob())
                .map(axis::number)
                .orElse(OptionalLong.empty())
                .orElse(0);
        NavigableMap<Long, SettingTrials> line = axis.line(seen, plan.hold());
        line.headMap(0L, true).clear();
        if (!open || line.isEmpty()) {
            return Optional.empty();
        }
        double useful = axis.knob().equals(OperatingPoint.THREADS) ? usefulThreads(axis, base) : axis.to();
        long top = Math.max(line.lastKey(), axis.nearest(useful));
        double widest = StrictMath.log(GAP);
        Optional<Long> middle = Optional.empty();
        long low = Math.min(line.firstKey(), Math.max(1, axis.from()));
        for (long high : Stream.concat(line.keySet().stream(), Stream.of(top)).toList()) {
            long between = axis.nearest(Math.sqrt((double) low * high));
            boolean worse = line.containsKey(high) && !(scoring.rank(line.get(high)) >= least);
            if (worse && high < at) { // so are fewer
                middle = Optional.empty();
                widest = StrictMath.log(GAP);
                low = high;
                continue;
            }
            double width = StrictMath.log((double) high / low);
            if (width > widest * (1 + 1e-9) && between > low && between < high) {
                widest = width;
                middle = Optional.of(between);
            }
            low = high;
            if (worse && high > at) {
                break; // so are more
            }
        }
        return middle.flatMap(v -> propose(
                seen,
                plan.hold().with(axis.knob(), axis.text(v)),
                Origin.GAP,
                "between what was tried: as much, and better in another metric?"));
    }

    /** Where the plan has one knob: nearer to where a limit breaks, see {@link LimitEdge}. */
    private Optional<Proposal> edge(List<SettingTrials> seen) {
        if (seen.size() < 2) {
            return Optional.empty();
        }
        var clearance = LimitMargin.of(scoring, seen, InterimAnalyses.of(plan).first());
        SettingTrials best = best(clearance.of(seen, seen.getFirst()));
        double sigma = new Posterior(scoring, seen).sigma();
        return only().flatMap(axis -> LimitEdge.propose(plan, axis, scoring, seen, best, sigma))
                .filter(p -> fresh(seen, p.setting()));
    }

    private Optional<Proposal> first(KnobAxis axis, List<SettingTrials> seen) {
        SettingTrials base = seen.getFirst();
        OptionalFigure needed = OptionalFigure.from(capacity(base), this::predicted);
        if (needed.isPresent()) {
            Optional<Proposal> p =
                    predicted(axis, seen, plan.hold(), needed.getAsDouble(), "predicted from holding time and CPU");
            SettingTrials best = best(seen);
            OptionalFigure again = capacity(best)
                    .filter(c ->
                            best != base && c.threadsFull() && c.utilisation().orElse(0) < OperatingPoint.CPU_SPARE)
                    .map(c -> threadsNeeded(plan, c))
                    .orElse(OptionalFigure.empty());
            if (p.isPresent() || predictions(seen) >= 2) {
                return p;
            }
            return again.isPresent()
                    ? predicted(
                            axis,
                            seen,
                            best.setting(),
                            again.getAsDouble(),
                            "predicted from holding time and CPU of the best so far")
                    : secondLook(axis, seen, axis.nearest(needed.getAsDouble()));
        }
        double top = atAnyRate(plan)
                ? axis.to()
                : Math.max(axis.from(), Math.min(axis.to(), 1.5 * plan.load().atOnce()));
        // middle first, then outwards
        for (double share : new double[] {0.5, 0.75, 0.25, 1, 0}) {
            double v = axis.from() * StrictMath.pow(top / Math.max(1, axis.from()), share);
            Setting s = plan.hold().with(axis.knob(), axis.text(axis.nearest(v)));
            Optional<Proposal> p = propose(seen, s, Origin.LOG_SPACED, "log-spaced over the range of " + axis.knob());
            if (p.isPresent() && spread(seen) < SPREAD) {
                return p;
            }
        }
        return Optional.empty();
    }

    /**
     * If more threads were predicted and did not help, tries once more, a little below the prediction: one disturbed
     * trial must not overrule the law.
     */
    private Optional<Proposal> secondLook(KnobAxis axis, List<SettingTrials> seen, long threads) {
        SettingTrials base = seen.getFirst();
        NavigableMap<Long, SettingTrials> line = axis.line(seen, plan.hold());
        SettingTrials tried = line.get(threads);
        OptionalLong at = base.inForce(axis.knob()).map(KnobValues::number).orElse(OptionalLong.empty());
        boolean failed = tried != null
                && tried != base
                && at.isPresent()
                && threads > at.getAsLong()
                && (tried.worse() || !tried.valid().isEmpty())
                && scoring.rank(tried) <= scoring.rank(base);
        return failed
                ? predicted(
                        axis,
                        seen,
                        plan.hold(),
                        threads / CLOSE,
                        "the prediction was not borne out: once more, near it")
                : Optional.empty();
    }

    private Optional<Proposal> predicted(
            KnobAxis axis, List<SettingTrials> seen, Setting on, double needed, String why) {
        long threads = axis.nearest(needed);
        return near(axis, seen, on, threads)
                ? Optional.empty()
                : propose(seen, on.with(axis.knob(), axis.text(threads)), Origin.PREDICTION, why);
    }

    private static Optional<OperatingPoint> capacity(SettingTrials o) {
        return o.first().flatMap(OperatingPoint::of);
    }

    private static long predictions(List<SettingTrials> seen) {
        return seen.stream().filter(o -> o.origin() == Origin.PREDICTION).count();
    }

    private static long spread(List<SettingTrials> seen) {
        return seen.stream().filter(o -> o.origin() == Origin.LOG_SPACED).count();
    }

    /**
     * The pool size to try first. When the CPU is full already, the holding time is mostly waiting for the CPU and does
     * not say how many threads are needed. Then it is twice the cores, which keeps the CPU busy if a request hardly
     * waits.
     */
    private OptionalFigure predicted(OperatingPoint c) {
        return c.utilisation().orElse(0) >= OperatingPoint.CPU_FULL
                ? OptionalFigure.of(2.0 * c.cores() + c.leased())
                : threadsNeeded(plan, c);
    }

    /** Threads at which they stop being the limit under the load that a plan's objective is measured with. */
    static OptionalFigure threadsNeeded(Plan plan, OperatingPoint c) {
        return atAnyRate(plan) ? c.threadsNeededAtAnyRate() : c.threadsNeeded();
    }

    /** Whether the trials offer rates of their own: then the clients of the plan's closed load bound nothing. */
    static boolean atAnyRate(Plan plan) {
        return plan.objective().metric() == Objective.Metric.CAPACITY;
    }

    private boolean near(KnobAxis axis, List<SettingTrials> seen, Setting on, double value) {
        return axis.line(seen, on).keySet().stream()
                .anyMatch(v -> Math.abs(StrictMath.log(v / value)) < StrictMath.log(CLOSE) * 0.9);
    }

    /** The best setting by its shrunken mean, with fewer threads where it makes no difference. */
    private SettingTrials best(List<SettingTrials> seen) {
        List<SettingTrials> good = new Posterior(scoring, seen).good();
        return good.stream()
                .min(Comparator.comparingLong(Posterior::threads).thenComparing(scoring.bestFirst()))
                .orElseGet(() -> seen.stream().min(scoring.bestFirst()).orElseThrow());
    }

    /** One step along an axis from the best, upward first, halfway in logarithms to what is known, and at most by a factor. */
    private Optional<Proposal> neighbour(KnobAxis axis, List<SettingTrials> seen, double factor) {
        SettingTrials best = best(seen);
        NavigableMap<Long, SettingTrials> line = axis.line(seen, best.setting());
        Optional<Long> at = line.entrySet().stream()
                .filter(e -> e.getValue() == best)
                .map(Map.Entry::getKey)
                .findFirst();
        if (at.isEmpty() || at.get() <= 0) {
            return Optional.empty();
        }
        double x = at.get();
        boolean pool = axis.knob().equals(OperatingPoint.THREADS);
        double top = pool ? usefulThreads(axis, best) : axis.to();
        Long above = line.higherKey(at.get());
        Long below = line.lowerKey(at.get());
        double up = above == null ? Math.min(x * factor, top) : above > x * factor * 1.2 ? Math.sqrt(x * above) : x;
        double down =
                below == null ? Math.max(x / factor, axis.from()) : below < x / factor / 1.2 ? Math.sqrt(x * below) : x;
        // ways to shrink the pool are left to smaller(): its bisection finds sooner what a step finds
        for (double v : pool && factor >= 2 ? new double[] {up} : new double[] {up, down}) {
            long value = axis.nearest(v);
            if (value >= x * CLOSE || value <= x / CLOSE) {
                Setting s = best.setting().with(axis.knob(), axis.text(value));
                Optional<Proposal> p = propose(
                        seen,
                        s,
                        Origin.NEIGHBOUR,
                        axis.knob() + (value > x ? " above " : " below ") + "the best so far");
                if (p.isPresent()) {
                    return p;
                }
            }
        }
        return Optional.empty();
    }

    /**
     * A pool smaller than the smallest that is as good as the best. If a pool is known that was too small and was full,
     * its holding time says how many threads give the best throughput: X·R_hold. Else it is halfway, in logarithms,
     * between the best and the fewest that could suffice: those that the CPU time alone keeps busy.
     */
    private Optional<Proposal> smaller(KnobAxis axis, List<SettingTrials> seen) {
        var posterior = new Posterior(scoring, seen);
        SettingTrials best = best(seen);
        NavigableMap<Long, SettingTrials> line = axis.line(seen, best.setting());
        double top = posterior.best().map(posterior::mean).orElse(scoring.rank(best));
        double lower = top - LOWER * Math.sqrt(2) * posterior.sigma();
        Map.Entry<Long, SettingTrials> least = null;
        for (var e : line.entrySet()) {
            boolean asGood = scoring.feasible(e.getValue()) && scoring.rank(e.getValue()) >= lower;
            if (asGood && e.getKey() > 0 && (least == null || e.getKey() < least.getKey())) {
                least = e;
            }
        }
        if (least == null) {
            return Optional.empty();
        }
        double x = least.getKey();
        var below = line.lowerEntry(least.getKey());
        double fewest = capacity(least.getValue())
                .map(c -> c.utilisation().orElse(0) * c.cores() + c.leased())
                .orElse(0.0);
        double from = below == null ? Math.max(Math.max(axis.from(), 1), fewest) : below.getKey();
        double value = Math.sqrt(from * x);
        if (below != null) {
            OptionalFigure does = enough(below.getValue(), seen);
            value = does.isPresent() ? Math.clamp(does.getAsDouble(), from, x) : value;
        }
        long threads = axis.nearest(value);
        if (threads > x / CLOSE || (below != null && threads < below.getKey() * CLOSE)) {
            return Optional.empty();
        }
        Setting s = least.getValue().setting().with(axis.knob(), axis.text(threads));
        return propose(seen, s, Origin.SMALLER, "as few threads as give the same");
    }

    private OptionalFigure enough(SettingTrials tooSmall, List<SettingTrials> seen) {
        return enough(
                tooSmall,
                seen.stream()
                        .filter(scoring::feasible)
                        .mapToDouble(o -> Statistics.average(o.throughputs()))
                        .max()
                        .orElse(0));
    }

    /** Threads needed for a throughput, by the holding time of a pool that was full; no more than a closed load's clients can use. */
    static OptionalFigure enough(SettingTrials full, double throughput) {
        Optional<OperatingPoint> c = capacity(full)
                .filter(OperatingPoint::threadsFull)
                .filter(x -> x.holding().isPresent());
        return c.isEmpty() || throughput <= 0
                ? OptionalFigure.empty()
                : OptionalFigure.of(Math.min(
                                Math.ceil(throughput * c.get().holding().getAsDouble() * OperatingPoint.HEADROOM),
                                c.get().offered().isPresent()
                                        ? Double.POSITIVE_INFINITY
                                        : c.get().atOnce())
                        + c.get().leased());
    }

    /** The most threads that can matter: a closed load can't use more than one per client (plus the leased ones). */
    private double usefulThreads(KnobAxis axis, SettingTrials o) {
        if (atAnyRate(plan)) {
            return axis.to();
        }
        int leased = o.valid().isEmpty()
                ? 0
                : OperatingPoint.of(o.valid().getFirst())
                        .map(OperatingPoint::leased)
                        .orElse(0);
        return Math.max(axis.from(), Math.min(axis.to(), plan.load().atOnce() + leased));
    }

    private Optional<Proposal> propose(List<SettingTrials> seen, Setting s, Origin origin, String why) {
        return fresh(seen, s) ? Optional.of(new Proposal(s, origin, why)) : Optional.empty();
    }

    /** Whether a setting is new and can work. */
    private boolean fresh(List<SettingTrials> seen, Setting s) {
        var space = new KnobSpace(plan, seen.getFirst());
        boolean known = space.changed(s).isEmpty() // it only spells out the default
                || seen.stream().anyMatch(o -> o.setting().equals(s));
        return !known && possible(s, seen.getFirst()) && new NoveltyFilter(space, seen).works(s);
    }

    private boolean possible(Setting s, SettingTrials base) {
        int cpus = base.valid().isEmpty()
                ? 1
                : base.valid().getFirst().evidence().map(Evidence::serverCpus).orElse(1);
        return Constraints.check(plan.target(), s, Math.max(1, cpus), Integer.MAX_VALUE)
                .isEmpty();
    }
}
